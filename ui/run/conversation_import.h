// Reads a conversation that another program wrote, or that Gufo exported.
#pragma once

#include "ui/run/chat_tree.h"

namespace gufo::ui {

// Takes a JSON list of messages in the form of OpenAI's API, or an object with such a list as "messages" and perhaps a
// "title" and "tools". What Gufo exported has all versions of all turns as "tree", which is then read instead.
// Reasoning and calls become part of the answer's text, as a model writes them; the probabilities of tokens are left
// out, because they belong to another text. Errors: BadSyntax, InvalidArgument (args: the fault).
[[nodiscard]] Result<ChatTree> conversationFromJson(const QByteArray& json);

} // namespace gufo::ui
