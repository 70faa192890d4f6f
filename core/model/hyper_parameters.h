// Access to the hyper-parameters of a model, "{architecture}.suffix", in any spelling and integer type. A value of a
// wrong type counts as absent. Some converters write an array with an element for each block where others write a
// single value: an array whose elements are all equal counts as that value.
//
// Threads: const members are thread-safe.
#pragma once

#include "base/error.h"
#include "model/metadata.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace gufo {

// The limit on the number of blocks that an estimate or check visits. No real model has more.
inline constexpr std::uint64_t kMaxBlocks = 4'096;

// A hyper-parameter that may have a value for each block. It is looked up once and then read for many blocks. Refers to
// the metadata, which must outlive it.
class BlockValues {
public:
    BlockValues() = default;
    explicit BlockValues(const Value* value); // null: absent

    // The value for a block: the element of an array, or the one value that applies to all blocks.
    [[nodiscard]] std::optional<std::uint64_t> at(std::uint64_t block) const;
    // An element of an array of flags (booleans or numbers), or nothing if the value is not an array.
    [[nodiscard]] std::optional<bool> flagAt(std::uint64_t block) const;
    // The largest value of the blocks [0, blocks), or 0 if there is none.
    [[nodiscard]] std::uint64_t largest(std::uint64_t blocks) const;
    [[nodiscard]] bool isStated() const { return m_stated; }
    [[nodiscard]] bool isArray() const { return m_array != nullptr; }
    // Whether the model states the hyper-parameter, but nothing that the block can use.
    [[nodiscard]] bool lacks(std::uint64_t block) const { return m_stated && !at(block); }

private:
    bool m_stated = false;
    const ArrayView* m_array = nullptr;
    std::optional<std::uint64_t> m_scalar{};
};

// Refers to `metadata`, which must outlive it. Each call looks up a key.
class HyperParameters {
public:
    explicit HyperParameters(const Metadata& metadata)
        : m_metadata(metadata) {}

    [[nodiscard]] const Value* find(std::string_view suffix) const;
    [[nodiscard]] std::optional<std::uint64_t> uint(std::string_view suffix) const;
    [[nodiscard]] std::optional<double> number(std::string_view suffix) const;
    [[nodiscard]] std::optional<bool> boolean(std::string_view suffix) const;

    [[nodiscard]] BlockValues blockValues(std::string_view suffix) const { return BlockValues(find(suffix)); }
    // The value for one block.
    [[nodiscard]] std::optional<std::uint64_t> uintAt(std::string_view suffix, std::uint64_t block) const {
        return blockValues(suffix).at(block);
    }

private:
    const Metadata& m_metadata;
};

// The error that says why the hyper-parameter `suffix` has no usable value: NoSuchKey (args: key) if there is no such
// key; InvalidArgument if no model can have its value. The place is the key.
[[nodiscard]] Error unusableHyperParameter(const Metadata& metadata, std::string_view suffix);

// The element i < length of an array of integers or booleans, or nothing if it does not fit or has another type.
[[nodiscard]] std::optional<std::uint64_t> uintElement(const ArrayView& array, std::uint64_t i);
// The same as a number, for arrays of floats, integers or booleans.
[[nodiscard]] std::optional<double> numberElement(const ArrayView& array, std::uint64_t i);

} // namespace gufo
