// What a verb talks to: standard output, one-line errors, and what is known of the terminal.
#pragma once

#include "base/error.h"
#include "cli/output.h"

#include <QCoreApplication>
#include <QString>

namespace gufo::cli {

// What the program ends with.
enum ExitCode : int {
    kDone = 0,
    kFound = 1, // validate: a finding of severity warning or error; compare: a difference
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
    // Columns of the terminal that standard output is; nothing if it is none.
    [[nodiscard]] std::optional<int> columns() const;

    // The text in a colour; as it is where colours are not wanted (no terminal, NO_COLOR, TERM=dumb).
    [[nodiscard]] QString coloured(Colour colour, const QString& text) const;

    // One line on standard error; both give kFailed.
    int fail(const QString& message);
    // An error without a file is said of `file`.
    int fail(Error error, const std::filesystem::path& file = {});
    // A remark on standard error that is no failure.
    void note(const QString& message);
    // From now on remarks stand without the program's name: a person is talking to it.
    void beginTalk() { m_talks = true; }

private:
    Output m_out;
    bool m_outIsTerminal;
    bool m_errorsAreTerminal;
    bool m_colours;
    bool m_talks = false;
};

} // namespace gufo::cli
