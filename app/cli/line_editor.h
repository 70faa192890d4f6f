// Reads the lines of a conversation. LineEditor asks for them on a terminal: they can be edited, and earlier ones are
// called back with the arrow keys or searched with Ctrl-R. GNU Readline does this; it also takes pasted lines as one,
// and obeys the user's ~/.inputrc.
//
// Readline has one state for the whole process, so there can be one editor.
#pragma once

#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gufo::cli {

class LineEditor {
public:
    // `words` are completed at the beginning of a line, and the names of files after them. They must outlive the
    // editor. The lines of earlier sessions are read from `history`, and the last ones are written there at the end; an
    // empty path means that they are not kept.
    LineEditor(std::span<const std::string_view> words, std::filesystem::path history);
    ~LineEditor();
    LineEditor(const LineEditor&) = delete;
    LineEditor& operator=(const LineEditor&) = delete;

    // The next line without its line break; it has several if they were pasted. Empty if the user has pressed Ctrl-D.
    // The error is the exit code if SIGINT, SIGTERM or SIGHUP arrived. No Cancellation may exist at the same time.
    [[nodiscard]] std::expected<std::optional<std::string>, int> next(const std::string& prompt);

    // The file in the user's folder for the state of programs; empty if there is none.
    [[nodiscard]] static std::filesystem::path userHistory();

private:
    std::filesystem::path m_history;
};

// Reads standard input line by line for a conversation. A signal ends the wait for a line.
class LineReader {
public:
    // The next line without its line break. Empty at the end of the input. The error is the exit code if SIGINT,
    // SIGTERM or SIGHUP arrived. No Cancellation may exist at the same time.
    [[nodiscard]] std::expected<std::optional<std::string>, int> next();

private:
    std::string m_held;
};

} // namespace gufo::cli
