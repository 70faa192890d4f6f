#include "ui/pages/embed/text_lines.h"

#include "base/detail.h"
#include "base/mapped_file.h"
#include "base/try.h"
#include "ui/messages/figure_text.h"

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::uint64_t kChunk = std::uint64_t{1} << 20U;

} // namespace

TextLines linesOf(std::string_view text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark)) {
        text.remove_prefix(kByteOrderMark.size());
    }
    TextLines lines;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        if (line.find_first_not_of(" \t") == std::string_view::npos) {
            continue;
        }
        if (lines.total < kMaxLines) {
            lines.texts.emplace_back(line);
            lines.numbers.push_back(number);
        }
        ++lines.total;
    }
    return lines;
}

Result<std::string> readText(const std::filesystem::path& path, const JobContext& job) {
    const auto source = GUFO_TRY(MappedFile::open(path));
    const std::uint64_t size = source->size();
    if (size > kMaxTextBytes) {
        return fail(ErrorCode::LimitExceeded, {}, {Detail::Bytes, std::to_string(size), std::to_string(kMaxTextBytes)});
    }
    std::string text;
    job.start(size);
    for (std::uint64_t at = 0; at < size; at += kChunk) {
        GUFO_TRY(job.check());
        const std::uint64_t count = std::min(kChunk, size - at);
        const auto bytes = GUFO_TRY(source->view({at, count}));
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        job.advance(count);
    }
    return text;
}

QString excerpt(std::string_view text, std::size_t bytes) {
    if (text.size() <= bytes) {
        return displayText(text);
    }
    while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) { // not inside a character
        --bytes;
    }
    return displayText(text.substr(0, bytes)) + QChar(0x2026);
}

} // namespace gufo::ui
