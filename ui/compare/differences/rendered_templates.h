// The chat templates of two files, rendered with the same conversations (text/conversation/battery.h), so that
// differences without an effect can be told from others.
#pragma once

#include "model/model.h"

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>

namespace gufo::ui {

struct TemplateOf {
    std::shared_ptr<const Model> model; // whose special tokens the template uses
    std::string source;                 // of the template; empty if the file has none
};

// The renderings of those conversations that differ, each below a line with its title, or of all if none does. The text
// of a template that refuses a conversation is the reason.
struct RenderedTemplates {
    std::string before{};
    std::string after{};
    std::size_t conversations = 0; // that were rendered by both
    std::size_t different = 0;     // conversations whose renderings differ
    std::size_t refused = 0;       // conversations that both refuse for the same reason
};

// The function starts the helper process (text/template/template_renderer.h) and waits for it, so it must not be called
// on the UI thread. After a stop request the result is worth nothing.
[[nodiscard]] RenderedTemplates renderBoth(const TemplateOf& before, const TemplateOf& after,
                                           const std::stop_token& stop);

} // namespace gufo::ui
