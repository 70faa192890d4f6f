// What a constraint on generated tokens is, for the sampler and for Generation.
#pragma once

#include "base/error.h"
#include "model/index.h"

#include <cstdint>
#include <optional>
#include <span>

namespace gufo::inference {

// A set of tokens: token t is bit t % 64 of word t / 64; what is past the end is not in it.
using TokenMask = std::span<const std::uint64_t>;

[[nodiscard]] inline bool contains(TokenMask mask, TokenId token) {
    return token.value / 64 < mask.size() && (mask[token.value / 64] >> (token.value % 64) & 1U) != 0;
}

// Which tokens may come next; tokens that end generation aside, which may come where mayEnd() is. Threads: one at a
// time.
class Constraint {
public:
    virtual ~Constraint() = default;

    [[nodiscard]] virtual bool allows(TokenId token) = 0; // cheap for one token
    [[nodiscard]] virtual TokenMask mask() = 0;           // valid until accept()
    [[nodiscard]] virtual bool mayEnd() const = 0;
    // The token that now follows. After one that is not allowed, nothing is.
    virtual void accept(TokenId token) = 0;
    // Why nothing is allowed any more although nothing forbids it: a grammar with too many ways to read on.
    [[nodiscard]] virtual const std::optional<Error>& failure() const = 0;
};

} // namespace gufo::inference
