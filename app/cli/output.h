// Buffered standard output that reports lost bytes and stops quietly when the reader closes the pipe.
#pragma once

#include "ui/report/text_sink.h"

namespace gufo::cli {

// Not thread-safe. After a failed write, further output is dropped: verbs with much output check failed() from time to
// time, and main() calls finish().
class Output final : public ui::TextSink {
public:
    explicit Output(int descriptor)
        : m_descriptor(descriptor) {}
    ~Output() override { flush(); }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    using TextSink::write;
    void write(std::string_view bytes) override;
    void writeLine(const QString& text = {}) {
        write(text);
        write("\n");
    }
    void flush();

    [[nodiscard]] bool failed() const { return m_error != 0; }
    // Flushes the buffer. Returns the errno of the failed write, or 0 if none failed or the reader closed the pipe.
    [[nodiscard]] int finish();

private:
    int m_descriptor;
    int m_error = 0;
    std::string m_buffer;
};

} // namespace gufo::cli
