// Control tokens whose text occurs in what a person has written, such as "<|im_end|>" in a message. As in transformers,
// they become control tokens, unless the text shall be literal.
//
// To keep it literal through a chat template, a mark is put into each such text before rendering and removed from the
// prompt afterwards; the tokenizer then recognises no token across the places of the marks.
//
// Thread contract: pure functions.
#pragma once

#include "inference/interface/responder.h"
#include "text/conversation/conversation.h"
#include "text/tokenizer/tokenizer.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

// The texts of control tokens that occur in a text, each once.
[[nodiscard]] std::vector<std::string> typedSpecials(std::string_view text, const text::Tokenizer& tokenizer);
// The same for the messages that a person has written since the last answer, with the system message before the first.
[[nodiscard]] std::vector<std::string> typedSpecials(std::span<const text::Message> messages,
                                                     const text::Tokenizer& tokenizer);

// The same for a request; empty if its content is literal.
[[nodiscard]] std::vector<std::string> typedSpecials(const ResponseRequest& request, const text::Tokenizer& tokenizer);

// Places inside of the control tokens' texts, for EncodeOptions::literalAt.
[[nodiscard]] std::vector<std::uint32_t> literalPlaces(std::string_view text, const text::Tokenizer& tokenizer);

// A character that occurs in no message; empty if all that are possible do.
[[nodiscard]] std::string markFor(std::span<const text::Message> messages);
// Marks control tokens in all messages except the assistant's, which the model itself has written.
void markSpecials(std::vector<text::Message>& messages, std::string_view mark, const text::Tokenizer& tokenizer);
// Removes the marks, and returns their places in the text that is left.
[[nodiscard]] std::vector<std::uint32_t> takeMarks(std::string& text, std::string_view mark);

} // namespace gufo::inference
