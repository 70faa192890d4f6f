#include "formats/detection/failed_downloads.h"

#include "base/ascii.h"
#include "base/server_words.h"
#include "formats/detection/signatures.h"

#include <algorithm>
#include <array>

namespace gufo::downloads {
namespace {

using std::string_view_literals::operator""sv;

constexpr auto kSuffixes = std::to_array<std::string_view>(
    {".part", ".partial", ".downloadinprogress", ".incomplete", ".crdownload", ".opdownload", ".download"});
constexpr auto kErrorTexts =
    std::to_array<std::string_view>({"not found", "unauthorized", "forbidden", "access denied", "is restricted",
                                     "invalid username", "invalid credentials", "too many requests", "bad gateway"});
constexpr std::size_t kMaxTextError = 512;

std::string afterLine(std::string_view text, std::string_view start) {
    const std::size_t at = text.find(start);
    if (at == text.npos) {
        return {};
    }
    const std::string_view rest = text.substr(at + start.size());
    return std::string(rest.substr(0, rest.find_first_of("\r\n"sv)));
}

std::string_view suffixOf(const std::filesystem::path& path) {
    const std::string name = asciiLowerText(path.filename().native());
    const auto* found = std::ranges::find_if(
        kSuffixes, [&](std::string_view suffix) { return name.size() > suffix.size() && name.ends_with(suffix); });
    return found != kSuffixes.end() ? *found : std::string_view();
}

Error reply(const FileStart& start, std::string_view words) {
    return Error{ErrorCode::ServerReply, start.path, {}, {oneLine(words)}, 0};
}

} // namespace

bool isUnfinished(const FileStart& start) { return !suffixOf(start.path).empty(); }

bool isJsonError(const FileStart& start) {
    return start.bytes.size() == start.fileBytes && signature::isJson(start) &&
           jsonErrorMessage(start.bytes).has_value();
}

bool isTextError(const FileStart& start) {
    if (start.fileBytes > kMaxTextError || !signature::isText(start)) {
        return false;
    }
    const std::string text = asciiLowerText(start.bytes);
    return std::ranges::any_of(kErrorTexts, [&](std::string_view words) { return text.contains(words); });
}

Error lfsPointer(const FileStart& start) {
    std::string bytes = afterLine(start.bytes, "\nsize "sv);
    const bool isNumber = !bytes.empty() && bytes.find_first_not_of("0123456789"sv) == bytes.npos;
    return Error{ErrorCode::LfsPointer,
                 start.path,
                 {},
                 {isNumber ? std::move(bytes) : std::string("0"), oneLine(afterLine(start.bytes, "\noid "sv))},
                 0};
}

Error unfinished(const FileStart& start) {
    std::string name = start.path.filename().native();
    name.resize(name.size() - suffixOf(start.path).size());
    return Error{ErrorCode::UnfinishedDownload, start.path, {}, {std::move(name)}, 0};
}

Error htmlReply(const FileStart& start) {
    const std::string title = oneLine(elementText(start.bytes, "title"sv));
    return reply(start, title.empty() ? withoutTags(start.bytes) : title);
}

Error xmlReply(const FileStart& start) {
    std::string_view words = elementText(start.bytes, "message"sv);
    words = words.empty() ? elementText(start.bytes, "code"sv) : words;
    return words.empty() ? Error{ErrorCode::OtherFormat, start.path, {}, {"xml"sv}, 0} : reply(start, words);
}

Error jsonReply(const FileStart& start) { return reply(start, jsonErrorMessage(start.bytes).value_or("")); }

Error textReply(const FileStart& start) { return reply(start, start.bytes); }

} // namespace gufo::downloads
