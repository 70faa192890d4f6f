// An array while a step changes it: in pieces of some hundred elements, so that a hundred thousand changes in one step
// cost little more than one. Pieces that no change has touched view the array's own bytes.
#pragma once

#include "base/error.h"
#include "model/owned_value.h"

#include <span>
#include <vector>

namespace gufo {

class ArrayEditor {
public:
    // One walk over the lengths of strings. `array` is to live until take(). Errors: Truncated (the file changed).
    [[nodiscard]] static Result<ArrayEditor> open(const ArrayView& array);

    [[nodiscard]] std::uint64_t length() const { return m_length; }
    [[nodiscard]] ValueType elementType() const { return m_elementType; }
    [[nodiscard]] ValueLayout layout() const { return m_layout; }

    // Puts the `inserted` elements encoded in `bytes` (in layout()) where `count` elements stood at `index`, and gives
    // those. index + count <= length().
    std::vector<std::byte> splice(std::uint64_t index, std::uint64_t count, Bytes bytes, std::uint64_t inserted);
    // The bytes of an element, valid until the next splice. index < length().
    [[nodiscard]] Bytes element(std::uint64_t index) const;

    [[nodiscard]] OwnedValue take() const;

private:
    struct Piece {
        Bytes view;
        std::vector<std::byte> own;
        bool owned = false;
        std::uint64_t count = 0;
        [[nodiscard]] Bytes bytes() const { return owned ? Bytes(own) : view; }
    };

    [[nodiscard]] std::uint64_t offsetIn(const Piece& piece, std::uint64_t element) const;
    // Makes a piece begin at the element, and says which.
    std::size_t splitAt(std::uint64_t index);
    // The piece that holds the element, and the number of elements before the piece.
    [[nodiscard]] std::pair<std::size_t, std::uint64_t> find(std::uint64_t index) const;
    // False where the bytes end early.
    [[nodiscard]] bool cut(Bytes bytes, std::uint64_t count, std::vector<Piece>& into) const;

    ValueType m_elementType = ValueType::UInt8;
    ValueLayout m_layout;
    std::uint64_t m_length = 0;
    std::vector<Piece> m_pieces;
};

// The same for the array at the end of `path` in the editor's array of arrays; gives the removed elements. Errors:
// NoSuchElement, WrongValueType.
[[nodiscard]] Result<OwnedValue> spliceNested(ArrayEditor& editor, std::span<const std::uint64_t> path,
                                              std::uint64_t index, std::uint64_t count, const ArrayView& elements);

} // namespace gufo
