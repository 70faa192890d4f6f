// Standard output: buffered bytes that never get lost without notice, and a closed pipe that ends things quietly.
#pragma once

#include "ui/report/text_sink.h"

namespace gufo::cli {

// Not for several threads at once. After a failed write the rest is dropped: verbs that make much ask failed() now
// and then; main() asks finish().
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
    // Writes out what is left. The errno that befell the output; 0 if none, also where the reader closed its end (it
    // has what it wanted).
    [[nodiscard]] int finish();

private:
    int m_descriptor;
    int m_error = 0;
    std::string m_buffer;
};

} // namespace gufo::cli
