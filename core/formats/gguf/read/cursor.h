// Reads the bytes of a header in order. The first read that does not fit stops the cursor: it keeps the error with the
// offset and what was being read, and all later reads return zeros at once. A caller can therefore read a whole record
// and check for failure at its end.
#pragma once

#include "base/byte_source.h"
#include "model/value.h"

#include <algorithm>
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

    // Sets the record that errors refer to. The view must outlive the reads.
    void enter(Place::Kind kind, std::string_view name) {
        m_kind = kind;
        m_name = name;
    }

    // Reading functions take the name of what they read, for errors.
    template<Scalar T>
    T number(Detail what) {
        if (!has(sizeof(T), what)) {
            return T{};
        }
        const T value = load<T>(m_bytes.data() + m_position, m_layout.order);
        m_position += sizeof(T);
        return value;
    }
    // Reads a count, length or dimension in the width that the layout prescribes.
    std::uint64_t length(Detail what) {
        return m_layout.lengths == ValueLayout::Lengths::U32 ? number<std::uint32_t>(what)
                                                             : number<std::uint64_t>(what);
    }
    std::string_view string(Detail what);

    // Skips `bytes` bytes, at most left().
    void skip(std::uint64_t bytes) { m_position += bytes; }

    // The length of the input that what did not fit would need; position() if everything fitted.
    [[nodiscard]] std::uint64_t needed() const { return std::max(m_needed, m_position); }

    // Only the first error is kept. `offset` is where the faulty field starts.
    void fail(ErrorCode code, std::uint64_t offset, Arguments args, std::optional<std::uint64_t> element = {});

private:
    [[nodiscard]] bool has(std::uint64_t bytes, Detail what) {
        return (!m_error && bytes <= left()) || lacks(bytes, what);
    }
    bool lacks(std::uint64_t bytes, Detail what); // records the error and returns false

    Bytes m_bytes;
    std::uint64_t m_position;
    ValueLayout m_layout;
    Place::Kind m_kind = Place::Kind::File;
    std::string_view m_name;
    std::uint64_t m_needed = 0;
    std::optional<Error> m_error;
};

} // namespace gufo::gguf
