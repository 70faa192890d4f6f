// Connects the arrays of a vocabulary: the token with a given text, the merge rule that produces a token, and the
// number of tokens of each type. Needs four bytes per token, and twice that for the lookup. Built in a job.
#pragma once

#include "ui/vocabulary/token_arrays.h"

#include <array>
#include <vector>

namespace gufo::ui {

class TokenLinks {
public:
    // Errors: Cancelled; NotSupported for vocabularies of 2^31 tokens or more.
    [[nodiscard]] static Result<std::shared_ptr<const TokenLinks>> build(std::shared_ptr<const TokenArrays> vocabulary,
                                                                         const JobContext& job);

    // The first token with this text.
    [[nodiscard]] std::optional<std::uint64_t> find(std::string_view text) const;
    // The first merge rule that produces the text of this token.
    [[nodiscard]] std::optional<std::uint64_t> rankOf(std::uint64_t id) const;
    // Counts of types 1 to kTokenTypes; [0] counts all others.
    [[nodiscard]] const std::array<std::uint64_t, kTokenTypes + 1>& typeCounts() const { return m_typeCounts; }

private:
    [[nodiscard]] std::size_t slotOf(std::string_view text) const;

    std::shared_ptr<const TokenArrays> m_vocabulary;
    std::vector<std::uint32_t> m_slots; // open addressing: id + 1, 0 = free; the size is a power of two
    std::vector<std::uint32_t> m_ranks; // by id: rank + 1, 0 = none
    std::array<std::uint64_t, kTokenTypes + 1> m_typeCounts{};
};

} // namespace gufo::ui
