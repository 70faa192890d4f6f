// Writes JSON as a stream: texts escaped, floats as short as they can be and still exact. Commas and brackets are the
// caller's.
//
// Threads: one at a time.
#pragma once

#include "base/byte_source.h"

#include <functional>
#include <string>
#include <string_view>

namespace gufo {

// Takes the bytes of a file, in order.
using ByteSink = std::function<Result<>(Bytes)>;

class JsonText {
public:
    explicit JsonText(ByteSink sink)
        : m_sink(std::move(sink)) {}

    void raw(std::string_view text);
    // In quotes; bytes that are no UTF-8 as {"hex": "c3"}.
    void text(std::string_view text);
    // A name, with its colon: UTF-8.
    void name(std::string_view text);

    // Whatever is left, and the first error of the sink. To be called once.
    [[nodiscard]] Result<> finish();
    [[nodiscard]] bool failed() const { return !m_result.has_value(); }

private:
    void quoted(std::string_view text);
    void flush();

    ByteSink m_sink;
    std::string m_buffer;
    Result<> m_result;
};

} // namespace gufo
