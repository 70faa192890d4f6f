// Writes JSON as a stream. Strings are escaped and floats have the fewest digits that are still exact. The caller
// writes commas and brackets.
//
// Threads: one at a time.
#pragma once

#include "base/byte_source.h"

#include <functional>
#include <string>
#include <string_view>

namespace gufo {

// The text in quotes with escapes; bytes that are not UTF-8 as {"hex": "c3"}. JSON for people and files that we
// read back has this form (document/value_json.h reads it).
[[nodiscard]] std::string jsonOfText(std::string_view text);

// Receives the bytes of a file in order.
using ByteSink = std::function<Result<>(Bytes)>;

class JsonText {
public:
    explicit JsonText(ByteSink sink)
        : m_sink(std::move(sink)) {}

    void raw(std::string_view text);
    void text(std::string_view text) { raw(jsonOfText(text)); }

    // Flushes the buffer and returns the first error of the sink. Must be called exactly once.
    [[nodiscard]] Result<> finish();
    [[nodiscard]] bool failed() const { return !m_result.has_value(); }

private:
    void flush();

    ByteSink m_sink;
    std::string m_buffer;
    Result<> m_result;
};

} // namespace gufo
