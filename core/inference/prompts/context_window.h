// Decides what a full context leaves out of a prompt: the oldest turns of a conversation, or the oldest tokens of a
// text.
//
// A turn is a message of the user with everything up to the user's next message, so that no answer loses its question
// and no tool result its call. Everything before the first turn, such as the system prompt, is always kept. If anything
// has to be left out, enough is left out to free half of the context: otherwise every later prompt would begin
// differently, and the session would have to evaluate all of it again.
//
// Thread contract: pure functions.
#pragma once

#include "text/conversation/conversation.h"
#include "text/tokenizer/tokenizer.h"

#include <cstddef>
#include <span>
#include <vector>

namespace gufo::inference {

// The indices of the messages that begin a turn.
[[nodiscard]] std::vector<std::size_t> turnStarts(std::span<const text::Message> messages);

// The conversation without the turns before the message `start`, which is one of turnStarts().
[[nodiscard]] std::vector<text::Message> fromTurn(std::span<const text::Message> messages, std::size_t start);

// Which tokens of a text are kept: the first `keep`, and those after the `dropped` ones that follow.
struct TextCut {
    std::size_t keep = 0;
    std::size_t dropped = 0; // after the first `keep`
    [[nodiscard]] std::vector<TokenId> applied(std::span<const TokenId> ids) const;
};
// `held` are the tokens of the session. If they are part of the text, as after an earlier cut or shift, the same cut is
// made again, so that nothing has to be evaluated again. `ids` has at least `context` tokens, and `keep` is less than
// `context` − 2.
[[nodiscard]] TextCut cutText(std::span<const TokenId> ids, std::size_t keep, std::size_t context,
                              std::span<const TokenId> held);

} // namespace gufo::inference
