// Walks the bytes of a header. The first read that does not fit stops it: the error is kept with the offset and what
// was being read, and every later read returns zeros at once, so that a record is read in a row and asked for failure
// at its end.
#pragma once

#include "base/byte_source.h"
#include "model/value.h"

#include <optional>
#include <string_view>

namespace gufo::gguf {

class Cursor {
public:
    Cursor(Bytes bytes, std::uint64_t position, ValueLayout layout)
        : m_bytes(bytes)
        , m_position(position)
        , m_layout(layout) {}

    [[nodiscard]] bool failed() const { return m_error.has_value(); }
    [[nodiscard]] Error takeError() { return *std::move(m_error); }
    [[nodiscard]] std::uint64_t position() const { return m_position; }
    [[nodiscard]] std::uint64_t left() const { return m_bytes.size() - m_position; }
    [[nodiscard]] Bytes rest() const { return m_bytes.subspan(m_position); }
    [[nodiscard]] ValueLayout layout() const { return m_layout; }

    // The record that errors are about; the view must outlive the reads.
    void enter(Place::Kind kind, std::string_view name) {
        m_kind = kind;
        m_name = name;
    }

    // Each names for errors what it reads.
    template<Scalar T>
    T number(std::string_view what) {
        if (!has(sizeof(T), what)) {
            return T{};
        }
        const T value = load<T>(m_bytes.data() + m_position, m_layout.order);
        m_position += sizeof(T);
        return value;
    }
    // A count, length or dimension: as wide as the layout says.
    std::uint64_t length(std::string_view what) {
        return m_layout.lengths == ValueLayout::Lengths::U32 ? number<std::uint32_t>(what)
                                                             : number<std::uint64_t>(what);
    }
    std::string_view string(std::string_view what);

    // Moves on by at most left() bytes.
    void skip(std::uint64_t bytes) { m_position += bytes; }

    // Keeps the first error only. `offset` is where the faulty field starts.
    void fail(ErrorCode code, std::uint64_t offset, std::vector<std::string> args,
              std::optional<std::uint64_t> element = {});

private:
    [[nodiscard]] bool has(std::uint64_t bytes, std::string_view what) {
        return (!m_error && bytes <= left()) || lacks(bytes, what);
    }
    bool lacks(std::uint64_t bytes, std::string_view what); // false, with the error kept

    Bytes m_bytes;
    std::uint64_t m_position;
    ValueLayout m_layout;
    Place::Kind m_kind = Place::Kind::File;
    std::string_view m_name;
    std::optional<Error> m_error;
};

} // namespace gufo::gguf
