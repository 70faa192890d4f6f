// The lines of a text that are embedded. Empty lines are skipped, and lines beyond kMaxLines are only counted.
#pragma once

#include "base/error.h"
#include "base/job_context.h"

#include <QString>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::ui {

// The matrix of their similarities has the square of this number of cells.
inline constexpr std::size_t kMaxLines = 2'000;

struct TextLines {
    std::vector<std::string> texts{};   // as in the source, without the line break
    std::vector<std::size_t> numbers{}; // of the lines in the source, from 1
    std::size_t total = 0;              // lines that are not empty, including lines beyond kMaxLines

    [[nodiscard]] std::size_t size() const { return texts.size(); }
};

// Lines end with LF or CRLF. A byte order mark is left out.
[[nodiscard]] TextLines linesOf(std::string_view text);

// Errors: ReadFailed and others of reading the file; LimitExceeded above kMaxTextBytes; Cancelled.
inline constexpr std::uint64_t kMaxTextBytes = std::uint64_t{64} << 20U;
[[nodiscard]] Result<std::string> readText(const std::filesystem::path& path, const JobContext& job);

// The beginning of a text for a cell or a sentence, with control characters visible.
[[nodiscard]] QString excerpt(std::string_view text, std::size_t bytes = 400);

} // namespace gufo::ui
