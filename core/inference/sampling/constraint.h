// The interface that constrains generated tokens, for the sampler and for Generation.
#pragma once

#include "base/error.h"
#include "model/index.h"

#include <cstdint>
#include <optional>
#include <span>

namespace gufo::inference {

// A set of tokens: token t is bit t % 64 of word t / 64. Tokens past the end are not in the set.
using TokenMask = std::span<const std::uint64_t>;

[[nodiscard]] inline bool contains(TokenMask mask, TokenId token) {
    return token.value / 64 < mask.size() && (mask[token.value / 64] >> (token.value % 64) & 1U) != 0;
}

// Decides which tokens may come next. Tokens that end generation are not part of it; they may come where mayEnd() is
// true. Thread contract: one thread at a time.
class Constraint {
public:
    virtual ~Constraint() = default;

    [[nodiscard]] virtual bool allows(TokenId token) = 0; // cheap for a single token
    [[nodiscard]] virtual TokenMask mask() = 0;           // valid until accept()
    [[nodiscard]] virtual bool mayEnd() const = 0;
    // Adds the next token of the text. After a token that is not allowed, none is.
    virtual void accept(TokenId token) = 0;
    // Why no token is allowed although the grammar forbids none: it has too many possible parses.
    [[nodiscard]] virtual const std::optional<Error>& failure() const = 0;
};

} // namespace gufo::inference
