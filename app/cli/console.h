// A verb's output: standard output, one-line errors, and the properties of the terminal.
#pragma once

#include "base/error.h"
#include "ui/messages/error_text.h"
#include "ui/report/text_sink.h"

#include <QCoreApplication>
#include <QString>

#include <algorithm>

namespace gufo::cli {

// Buffered standard output that reports lost bytes and stops quietly when the reader closes the pipe.
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

// The exit codes of the program.
enum ExitCode : int {
    kDone = 0,
    kFound = 1, // a finding of severity warning or error, an unclean audit, a difference, or what does not fit
    kFailed = 2,
    kSignal = 128, // plus the signal's number: cancelled
};

// The translation context of the console's texts.
class Cli {
    Q_DECLARE_TR_FUNCTIONS(gufo::cli::Cli)
};

enum class Colour : std::uint8_t { Plain, Bold, Dim, Red, Yellow, Cyan };

class Console {
public:
    Console();

    [[nodiscard]] Output& out() { return m_out; }
    [[nodiscard]] bool outIsTerminal() const { return m_outIsTerminal; }
    [[nodiscard]] bool errorsAreTerminal() const { return m_errorsAreTerminal; }
    // The width of the terminal in columns. Empty if standard output is not a terminal.
    [[nodiscard]] std::optional<int> columns() const;
    // The width of lines of prose: 80 columns, or fewer if the terminal is narrower.
    [[nodiscard]] int proseColumns() const { return std::min(columns().value_or(80), 80); }

    // The text in a colour, or unchanged if colours are off (no terminal, NO_COLOR, TERM=dumb).
    [[nodiscard]] QString coloured(Colour colour, const QString& text) const;

    // Prints one line to standard error. Both overloads return kFailed.
    int fail(const QString& message);
    // An error that names no file is reported for `file`.
    int fail(Error error, const std::filesystem::path& file = {}, ui::ServerKind server = ui::ServerKind::Files);
    // Prints a remark to standard error that is not an error.
    void note(const QString& message);
    // From now on, remarks are printed without the program's name, because the session is interactive.
    void beginInteractive() { m_isInteractive = true; }

private:
    Output m_out;
    bool m_outIsTerminal;
    bool m_errorsAreTerminal;
    bool m_colours;
    bool m_isInteractive = false;
};

} // namespace gufo::cli
