// The chat templates of two files, rendered with the same conversation, so that differences without an effect can be
// told from others.
#pragma once

#include "model/model.h"

#include <memory>
#include <stop_token>
#include <string>

namespace gufo::ui {

struct TemplateOf {
    std::shared_ptr<const Model> model; // whose special tokens the template uses
    std::string source;                 // of the template; empty if the file has none
};

struct RenderedTemplates {
    std::string before;
    std::string after;
};

// What both make of a conversation of four messages, the first of the system; if one of them refuses a system's
// message, of the other three. A template that cannot be rendered has the problem as its text. Starts the helper
// process (text/template/template_renderer.h) and waits for it: not for the UI thread.
[[nodiscard]] RenderedTemplates renderBoth(const TemplateOf& before, const TemplateOf& after,
                                           const std::stop_token& stop);

} // namespace gufo::ui
