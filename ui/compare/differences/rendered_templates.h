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

// Renders both templates with a conversation of a system message and three others, or without the system message if one
// of the templates refuses it. The text of a template that cannot be rendered is its problem. The function starts the
// helper process (text/template/template_renderer.h) and waits for it, so it must not be called on the UI thread.
[[nodiscard]] RenderedTemplates renderBoth(const TemplateOf& before, const TemplateOf& after,
                                           const std::stop_token& stop);

} // namespace gufo::ui
