// A conversation as other programs and people read it: the turns that are shown.
#pragma once

#include "ui/run/chat_tree.h"

namespace gufo::ui {

struct ExportNames { // translated, for Markdown
    QString system;
    QString user;
    QString model;
    QString tool;
};
[[nodiscard]] QString conversationMarkdown(const ChatTree& tree, const ExportNames& names);

// {"title", "model", "tools"?, "messages": [{"role", "content", "reasoning_content"?, "tool_calls"?, "tokens"?: [{"id",
// "text", "logprob"}]}]}: the messages are those of OpenAI's API, and go into a template as they are.
[[nodiscard]] QByteArray conversationJson(const ChatTree& tree, const QString& model);

} // namespace gufo::ui
