// The hyper-parameters of a model, "{architecture}.suffix", whatever spelling and integer type the file uses. Values of
// a wrong type count as absent.
#pragma once

#include "model/metadata.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace gufo {

// Blocks that an estimate or a check walks through at most: more are no model.
inline constexpr std::uint64_t kMaxBlocks = 4'096;

// A hyper-parameter that may have a value for each block; found once, read for many. Views the metadata.
class BlockValues {
public:
    BlockValues() = default;
    explicit BlockValues(const Value* value); // null: absent

    // The element of an array with one for each block, or the one value for all.
    [[nodiscard]] std::optional<std::uint64_t> at(std::uint64_t block) const;
    // The element of an array of flags (booleans or numbers); nothing where the value is no array.
    [[nodiscard]] std::optional<bool> flagAt(std::uint64_t block) const;
    // The largest of the values of blocks [0, blocks), 0 if there is none.
    [[nodiscard]] std::uint64_t largest(std::uint64_t blocks) const;
    [[nodiscard]] bool isArray() const { return m_array != nullptr; }

private:
    const ArrayView* m_array = nullptr;
    std::optional<std::uint64_t> m_scalar{};
};

// Views `metadata`, which must outlive it. Each call looks a key up.
class HyperParameters {
public:
    explicit HyperParameters(const Metadata& metadata)
        : m_metadata(metadata) {}

    [[nodiscard]] const Value* find(std::string_view suffix) const;
    [[nodiscard]] std::optional<std::uint64_t> uint(std::string_view suffix) const;
    [[nodiscard]] std::optional<double> number(std::string_view suffix) const;
    [[nodiscard]] std::optional<bool> boolean(std::string_view suffix) const;

    [[nodiscard]] BlockValues blockValues(std::string_view suffix) const { return BlockValues(find(suffix)); }
    // One of them.
    [[nodiscard]] std::optional<std::uint64_t> uintAt(std::string_view suffix, std::uint64_t block) const {
        return blockValues(suffix).at(block);
    }

private:
    const Metadata& m_metadata;
};

// Element i < length of an array of integers or booleans, if it fits; nothing for other element types.
[[nodiscard]] std::optional<std::uint64_t> uintElement(const ArrayView& array, std::uint64_t i);

} // namespace gufo
