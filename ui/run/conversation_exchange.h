// Conversations for people and other programs. Exports contain the turns that are shown, and in JSON also the whole
// tree.
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

// {"title", "model", "tools"?, "messages": [{"role", "content", "reasoning_content"?, "tool_calls"?, "seed"?,
// "sampler"?, "tokens"?: [{"id", "text", "logprob"}]}], "tree": ChatTree::save()}. The messages have the form of
// OpenAI's API and can be passed to a template unchanged. The texts of the tokens make up the answer, which the content
// contains without the white space around it. The seed is a string, because JavaScript's numbers do not have 64 bits.
[[nodiscard]] QByteArray conversationJson(const ChatTree& tree, const QString& model);

// Reads a conversation that another program wrote, or that Gufo exported: a JSON list of messages in the form of
// OpenAI's API, or an object with such a list as "messages" and perhaps a "title" and "tools". What Gufo exported has
// all versions of all turns as "tree", which is then read instead. Reasoning and calls become part of the answer's
// text, as a model writes them; the probabilities of tokens are left out, because they belong to another text. Errors:
// BadSyntax, InvalidArgument (args: the fault).
[[nodiscard]] Result<ChatTree> conversationFromJson(const QByteArray& json);

} // namespace gufo::ui
