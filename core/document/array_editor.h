// An array that a step is editing, divided into pieces of some hundred elements, so that a hundred thousand changes in
// one step cost little more than one. Unchanged pieces are views of the original array.
#pragma once

#include "base/error.h"
#include "model/owned_value.h"

#include <span>
#include <vector>

namespace gufo {

class ArrayEditor {
public:
    // Walks over the array once if it holds strings. `array` must live until take(). Errors: Truncated (the file
    // changed).
    [[nodiscard]] static Result<ArrayEditor> open(const ArrayView& array);

    [[nodiscard]] std::uint64_t length() const { return m_length; }
    [[nodiscard]] ValueType elementType() const { return m_elementType; }
    [[nodiscard]] ValueLayout layout() const { return m_layout; }

    // Replaces `count` elements at `index` with the `inserted` elements encoded in `bytes` (in layout()), and returns
    // those removed. Requires index + count <= length().
    std::vector<std::byte> splice(std::uint64_t index, std::uint64_t count, Bytes bytes, std::uint64_t inserted);
    // Returns the bytes of an element, valid until the next splice. Requires index < length().
    [[nodiscard]] Bytes element(std::uint64_t index) const;

    [[nodiscard]] OwnedValue take() const;

private:
    struct Piece {
        Bytes view;
        std::vector<std::byte> edited;
        bool owned = false;
        std::uint64_t count = 0;
        [[nodiscard]] Bytes bytes() const { return owned ? Bytes(edited) : view; }
    };

    [[nodiscard]] std::uint64_t offsetIn(const Piece& piece, std::uint64_t element) const;
    // Divides a piece so that one begins at `index`, and returns that piece's number.
    std::size_t splitAt(std::uint64_t index);
    // Returns the piece that contains the element, and the number of elements before the piece.
    [[nodiscard]] std::pair<std::size_t, std::uint64_t> find(std::uint64_t index) const;
    // Divides encoded elements into pieces. Returns false if the bytes end early.
    [[nodiscard]] bool cut(Bytes bytes, std::uint64_t count, std::vector<Piece>& into) const;

    ValueType m_elementType = ValueType::UInt8;
    ValueLayout m_layout;
    std::uint64_t m_length = 0;
    std::vector<Piece> m_pieces;
};

// As ArrayEditor::splice(), for the array at `path` in the editor's array of arrays; returns the removed elements.
// Errors: NoSuchElement, WrongValueType.
[[nodiscard]] Result<OwnedValue> spliceNested(ArrayEditor& editor, std::span<const std::uint64_t> path,
                                              std::uint64_t index, std::uint64_t count, const ArrayView& elements);

} // namespace gufo
