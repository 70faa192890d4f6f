#include "document/array_editor.h"

#include "base/detail.h"
#include "model/array_index.h"
#include "model/encode_value.h"

#include <algorithm>

namespace gufo {
namespace {

constexpr std::uint64_t kPieceElements = 512;

std::unexpected<Error> damaged() { return fail(ErrorCode::Truncated, {}, {Detail::Array, 0, 0}); }

std::size_t narrow(std::uint64_t value) { return static_cast<std::size_t>(value); }

} // namespace

bool ArrayEditor::cut(Bytes bytes, std::uint64_t count, std::vector<Piece>& into) const {
    const std::uint64_t fixed = valueTypeFact(m_elementType).bytes;
    while (count > 0) {
        Piece piece;
        piece.count = std::min(count, kPieceElements);
        std::uint64_t size = fixed * piece.count;
        for (std::uint64_t i = 0; fixed == 0 && i < piece.count; ++i) {
            const auto element = valueAt(m_elementType, bytes.subspan(narrow(size)), m_layout);
            if (!element) {
                return false;
            }
            size += element->bytes;
        }
        if (size > bytes.size()) {
            return false;
        }
        piece.view = bytes.first(narrow(size));
        bytes = bytes.subspan(narrow(size));
        count -= piece.count;
        into.push_back(std::move(piece));
    }
    return true;
}

Result<ArrayEditor> ArrayEditor::open(const ArrayView& array) {
    ArrayEditor editor;
    editor.m_elementType = array.elementType;
    editor.m_layout = array.layout;
    editor.m_length = array.length;
    if (!editor.cut(array.bytes, array.length, editor.m_pieces)) {
        return damaged();
    }
    return editor;
}

std::uint64_t ArrayEditor::offsetIn(const Piece& piece, std::uint64_t element) const {
    if (const std::uint64_t fixed = valueTypeFact(m_elementType).bytes; fixed != 0) {
        return fixed * element;
    }
    std::uint64_t offset = 0;
    for (; element > 0; --element) {
        const auto located = valueAt(m_elementType, piece.bytes().subspan(narrow(offset)), m_layout);
        if (!located) { // the file changed
            return piece.bytes().size();
        }
        offset += located->bytes;
    }
    return offset;
}

std::pair<std::size_t, std::uint64_t> ArrayEditor::find(std::uint64_t index) const {
    std::size_t piece = 0;
    std::uint64_t before = 0;
    while (piece < m_pieces.size() && index - before >= m_pieces[piece].count) {
        before += m_pieces[piece].count;
        ++piece;
    }
    return {piece, before};
}

std::size_t ArrayEditor::splitAt(std::uint64_t index) {
    const auto [at, before] = find(index);
    if (at == m_pieces.size() || index == before) {
        return at;
    }
    Piece& left = m_pieces[at];
    const std::size_t offset = narrow(offsetIn(left, index - before));
    Piece right;
    right.count = left.count - (index - before);
    right.owned = left.owned;
    if (left.owned) {
        right.edited.assign(left.edited.begin() + static_cast<std::ptrdiff_t>(offset), left.edited.end());
        left.edited.resize(offset);
    } else {
        right.view = left.view.subspan(offset);
        left.view = left.view.first(offset);
    }
    left.count = index - before;
    m_pieces.insert(m_pieces.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(right));
    return at + 1;
}

std::vector<std::byte> ArrayEditor::splice(std::uint64_t index, std::uint64_t count, Bytes bytes,
                                           std::uint64_t inserted) {
    auto [at, before] = find(index);
    if (at == m_pieces.size() && at > 0 && inserted > 0) { // at the end, extend the last piece
        --at;
        before -= m_pieces[at].count;
    }
    std::vector<std::byte> removed;
    m_length = m_length - count + inserted;
    const bool inside = at < m_pieces.size() && index - before + count <= m_pieces[at].count;
    if (inside && inserted <= kPieceElements) {
        Piece& piece = m_pieces[at];
        if (!piece.owned) {
            piece.edited.assign(piece.view.begin(), piece.view.end());
            piece.owned = true;
        }
        const auto from = static_cast<std::ptrdiff_t>(offsetIn(piece, index - before));
        const auto to = static_cast<std::ptrdiff_t>(offsetIn(piece, index - before + count));
        removed.assign(piece.edited.begin() + from, piece.edited.begin() + to);
        const auto common = std::min<std::ptrdiff_t>(to - from, std::ssize(bytes));
        std::copy_n(bytes.begin(), common, piece.edited.begin() + from);
        piece.edited.erase(piece.edited.begin() + from + common, piece.edited.begin() + to);
        piece.edited.insert(piece.edited.begin() + from + common, bytes.begin() + common, bytes.end());
        piece.count = piece.count - count + inserted;
        if (piece.count > 2 * kPieceElements) {
            splitAt(before + piece.count / 2);
        } else if (piece.count == 0) {
            m_pieces.erase(m_pieces.begin() + static_cast<std::ptrdiff_t>(at));
        }
        return removed;
    }
    const std::size_t first = splitAt(index);
    const std::size_t last = splitAt(index + count);
    for (std::size_t i = first; i < last; ++i) {
        const Bytes old = m_pieces[i].bytes();
        removed.insert(removed.end(), old.begin(), old.end());
    }
    m_pieces.erase(m_pieces.begin() + static_cast<std::ptrdiff_t>(first),
                   m_pieces.begin() + static_cast<std::ptrdiff_t>(last));
    std::vector<Piece> pieces;
    if (cut(bytes, inserted, pieces)) {
        for (Piece& piece : pieces) {
            piece.edited.assign(piece.view.begin(), piece.view.end());
            piece.owned = true;
        }
        m_pieces.insert(m_pieces.begin() + static_cast<std::ptrdiff_t>(first), std::move_iterator(pieces.begin()),
                        std::move_iterator(pieces.end()));
    }
    return removed;
}

Bytes ArrayEditor::element(std::uint64_t index) const {
    const auto [at, before] = find(index);
    const Piece& piece = m_pieces[at];
    const std::size_t from = narrow(offsetIn(piece, index - before));
    const std::size_t to = narrow(offsetIn(piece, index - before + 1));
    return piece.bytes().subspan(from, to - from);
}

OwnedValue ArrayEditor::take() const {
    std::size_t size = 0;
    for (const Piece& piece : m_pieces) {
        size += piece.bytes().size();
    }
    std::vector<std::byte> bytes;
    bytes.reserve(size);
    for (const Piece& piece : m_pieces) {
        bytes.insert(bytes.end(), piece.bytes().begin(), piece.bytes().end());
    }
    return OwnedValue::array(m_elementType, m_length, std::move(bytes), m_layout);
}

Result<OwnedValue> spliceNested(ArrayEditor& editor, std::span<const std::uint64_t> path, std::uint64_t index,
                                std::uint64_t count, const ArrayView& elements) {
    const auto outside = [&](std::uint64_t at) { return fail(ErrorCode::NoSuchElement, {}, {at, editor.length()}); };
    if (path.empty()) {
        if (index > editor.length() || count > editor.length() - index) {
            return outside(index > editor.length() || count == 0 ? index : std::max(index, editor.length()));
        }
        if (elements.length > 0 && elements.elementType != editor.elementType()) {
            return fail(ErrorCode::WrongValueType, {},
                        {std::string(valueTypeFact(editor.elementType()).name),
                         std::string(valueTypeFact(elements.elementType).name)});
        }
        std::vector<std::byte> encoded;
        if (!appendElements(encoded, elements, editor.layout())) {
            return damaged();
        }
        return OwnedValue::array(editor.elementType(), count, editor.splice(index, count, encoded, elements.length),
                                 editor.layout());
    }
    if (editor.elementType() != ValueType::Array) {
        return fail(ErrorCode::WrongValueType, {},
                    {valueTypeFact(ValueType::Array).name, valueTypeFact(editor.elementType()).name});
    }
    if (path.front() >= editor.length()) {
        return outside(path.front());
    }
    const auto nested = valueAt(ValueType::Array, editor.element(path.front()), editor.layout());
    if (!nested) {
        return damaged();
    }
    auto inner = GUFO_TRY(ArrayEditor::open(std::get<ArrayView>(nested->value)));
    auto removed = GUFO_TRY(spliceNested(inner, path.subspan(1), index, count, elements));
    std::vector<std::byte> encoded;
    if (!appendValue(encoded, inner.take().value(), editor.layout())) {
        return damaged();
    }
    editor.splice(path.front(), 1, encoded, 1);
    return removed;
}

} // namespace gufo
