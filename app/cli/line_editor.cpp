#include "cli/line_editor.h"

#include "cli/cancellation.h"

#include <array>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <stop_token>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

// Readline's headers need <cstdio> first.
#include <readline/history.h>
#include <readline/readline.h>

namespace gufo::cli {
namespace {

constexpr int kMostLines = 1000; // of the history

// A pipe that becomes readable on a stop request. The descriptor is -1 if the system has none left.
class StopPipe {
public:
    explicit StopPipe(std::stop_token stop) {
        if (pipe2(m_ends.data(), O_CLOEXEC) == 0) {
            m_callback.emplace(std::move(stop), Wake{m_ends[1]});
        }
    }
    ~StopPipe() {
        m_callback.reset();
        for (const int end : m_ends) {
            if (end >= 0) {
                close(end);
            }
        }
    }
    StopPipe(const StopPipe&) = delete;
    StopPipe& operator=(const StopPipe&) = delete;
    [[nodiscard]] int readable() const { return m_ends[0]; }

private:
    struct Wake {
        int end;
        void operator()() const {
            while (write(end, "s", 1) < 0 && errno == EINTR) {
            }
        }
    };
    std::array<int, 2> m_ends{-1, -1};
    std::optional<std::stop_callback<Wake>> m_callback;
};

// What Readline's callbacks, which have no context of their own, fill in and read.
struct EditorState {
    std::span<const std::string_view> words;
    bool done = false;
    std::optional<std::string> line;
};
EditorState& state() {
    static EditorState state;
    return state;
}

// Called with each finished line, or with null at the end of the input.
void takeLine(char* line) {
    rl_callback_handler_remove(); // restores the terminal, in which the answer is shown
    state().done = true;
    state().line = line != nullptr ? std::optional<std::string>(line) : std::nullopt;
    std::free(line);
}

// Returns one after the other of the words that begin with `text`.
char* nextWord(const char* text, int calledBefore) {
    static std::size_t at = 0;
    at = calledBefore == 0 ? 0 : at;
    const std::string_view begun(text);
    while (at < state().words.size()) {
        const std::string word(state().words[at++]);
        if (word.starts_with(begun)) {
            return ::strdup(word.c_str());
        }
    }
    return nullptr;
}

char** complete(const char* text, int begin, int /*end*/) {
    const std::string_view line(rl_line_buffer);
    if (begin == 0 && line.starts_with('/')) {
        rl_attempted_completion_over = 1;
        return rl_completion_matches(text, nextWord);
    }
    rl_attempted_completion_over = line.starts_with('/') ? 0 : 1; // a message has no names to complete
    return nullptr;
}

void keep(const std::string& line) {
    // As in shells, a line that begins with a space is not kept.
    if (line.find_first_not_of(" \t\r\n") == std::string::npos || line.front() == ' ') {
        return;
    }
    const HIST_ENTRY* last = history_length > 0 ? history_get(history_base + history_length - 1) : nullptr;
    if (last == nullptr || line != last->line) {
        add_history(line.c_str());
    }
}

} // namespace

LineEditor::LineEditor(std::span<const std::string_view> words, std::filesystem::path history)
    : m_history(std::move(history)) {
    state().words = words;
    rl_readline_name = "gufo-cli";
    rl_instream = stdin;
    rl_outstream = stderr; // standard output receives the answers only
    rl_catch_signals = 0;  // Cancellation catches them
    rl_attempted_completion_function = complete;
    rl_completer_word_break_characters = " ";
    rl_variable_bind("bell-style", "none");
    using_history();
    stifle_history(kMostLines);
    // Messages of several lines stay whole.
    history_comment_char = '#';
    history_write_timestamps = 1;
    history_multiline_entries = 1;
    if (!m_history.empty()) {
        ::read_history(m_history.c_str()); // there may be none yet
    }
}

LineEditor::~LineEditor() {
    if (m_history.empty() || history_length == 0) {
        return;
    }
    // What people ask is nobody else's business.
    std::error_code ignored;
    std::filesystem::create_directories(m_history.parent_path(), ignored);
    const mode_t mask = ::umask(S_IRWXG | S_IRWXO);
    ::write_history(m_history.c_str());
    ::umask(mask);
}

std::expected<std::optional<std::string>, int> LineEditor::next(const std::string& prompt) {
    const Cancellation cancellation;
    const StopPipe stop(cancellation.token());
    state().done = false;
    rl_callback_handler_install(prompt.c_str(), takeLine);
    while (!state().done) {
        std::array<pollfd, 2> waits{{{STDIN_FILENO, POLLIN, 0}, {stop.readable(), POLLIN, 0}}};
        if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) {
            rl_callback_handler_remove();
            return std::nullopt;
        }
        if (cancellation.token().stop_requested()) {
            rl_callback_handler_remove();
            return std::unexpected(cancellation.exitCode());
        }
        rl_check_signals(); // the terminal may have another size
        if (waits[0].revents != 0) {
            rl_callback_read_char();
        }
    }
    if (state().line) {
        keep(*state().line);
    }
    return std::move(state().line);
}

std::filesystem::path LineEditor::userHistory() {
    const auto folder = [](const char* variable) -> std::filesystem::path {
        const char* value = std::getenv(variable);
        return value != nullptr && *value == '/' ? value : "";
    };
    if (const auto states = folder("XDG_STATE_HOME"); !states.empty()) {
        return states / "gufo" / "chat_history";
    }
    const auto home = folder("HOME");
    return home.empty() ? home : home / ".local" / "state" / "gufo" / "chat_history";
}

std::expected<std::optional<std::string>, int> LineReader::next() {
    const Cancellation cancellation;
    const StopPipe stop(cancellation.token());
    for (;;) {
        if (const std::size_t end = m_held.find('\n'); end != std::string::npos) {
            std::string line = m_held.substr(0, end);
            m_held.erase(0, end + 1);
            return line;
        }
        std::array<pollfd, 2> waits{{{STDIN_FILENO, POLLIN, 0}, {stop.readable(), POLLIN, 0}}};
        if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) {
            return std::nullopt;
        }
        if (cancellation.token().stop_requested()) {
            return std::unexpected(cancellation.exitCode());
        }
        if (waits[0].revents == 0) {
            continue;
        }
        std::array<char, 4096> buffer{};
        const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return m_held.empty() ? std::nullopt : std::optional(std::exchange(m_held, {}));
        }
        m_held.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

} // namespace gufo::cli
