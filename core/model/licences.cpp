#include "model/licences.h"

#include "base/ascii.h"

#include <algorithm>
#include <array>
#include <string>

namespace gufo {
namespace {

constexpr auto kLicences = std::to_array<std::string_view>({
    "afl-3.0",
    "agpl-3.0",
    "apache-2.0",
    "apple-amlr",
    "apple-ascl",
    "artistic-2.0",
    "bigcode-openrail-m",
    "bigscience-bloom-rail-1.0",
    "bigscience-openrail-m",
    "bsd",
    "bsd-2-clause",
    "bsd-3-clause",
    "bsd-3-clause-clear",
    "bsl-1.0",
    "c-uda",
    "cc",
    "cc-by-2.0",
    "cc-by-2.5",
    "cc-by-3.0",
    "cc-by-4.0",
    "cc-by-nc-2.0",
    "cc-by-nc-3.0",
    "cc-by-nc-4.0",
    "cc-by-nc-nd-3.0",
    "cc-by-nc-nd-4.0",
    "cc-by-nc-sa-2.0",
    "cc-by-nc-sa-3.0",
    "cc-by-nc-sa-4.0",
    "cc-by-nd-4.0",
    "cc-by-sa-3.0",
    "cc-by-sa-4.0",
    "cc0-1.0",
    "cdla-permissive-1.0",
    "cdla-permissive-2.0",
    "cdla-sharing-1.0",
    "creativeml-openrail-m",
    "deepfloyd-if-license",
    "ecl-2.0",
    "epl-1.0",
    "epl-2.0",
    "etalab-2.0",
    "eupl-1.1",
    "eupl-1.2",
    "fair-noncommercial-research-license",
    "gemma",
    "gfdl",
    "gpl",
    "gpl-2.0",
    "gpl-3.0",
    "h-research",
    "intel-research",
    "isc",
    "lgpl",
    "lgpl-2.1",
    "lgpl-3.0",
    "lgpl-lr",
    "llama2",
    "llama3",
    "llama3.1",
    "llama3.2",
    "llama3.3",
    "llama4",
    "lppl-1.3c",
    "mit",
    "mpl-2.0",
    "ms-pl",
    "ncsa",
    "odbl",
    "odc-by",
    "ofl-1.1",
    "openmdw-1.0",
    "openrail",
    "openrail++",
    "osl-3.0",
    "other",
    "pddl",
    "postgresql",
    "unknown",
    "unlicense",
    "wtfpl",
    "zlib",
});
static_assert(std::ranges::is_sorted(kLicences));

// The letters, digits and dots of a text in lower case, without the words that identifiers do not have.
std::string essence(std::string_view text) {
    std::string words;
    for (const char c : asciiLowerText(text)) {
        const auto byte = static_cast<unsigned char>(c);
        words += isAsciiLetterOrDigit(byte) || c == '.' || c == '+' ? c : ' ';
    }
    std::string result;
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t end = std::min(words.find(' ', at), words.size());
        const std::string word = words.substr(at, end - at);
        constexpr auto kIgnored = std::to_array<std::string_view>(
            {"license", "licence", "version", "the", "only", "or", "later", "public", "general"});
        if (std::ranges::find(kIgnored, word) == kIgnored.end()) {
            result += word.size() > 1 && word.front() == 'v' && isAsciiDigit(static_cast<unsigned char>(word[1]))
                          ? word.substr(1)
                          : word;
        }
        at = end + 1;
    }
    // "apache2" and "apache2.0" are the same.
    return result.ends_with(".0") ? result.substr(0, result.size() - 2) : result;
}

} // namespace

std::span<const std::string_view> hubLicences() { return kLicences; }

std::optional<std::string_view> hubLicence(std::string_view text) {
    const std::string wanted = essence(text);
    const auto* const found =
        std::ranges::find_if(kLicences, [&](std::string_view each) { return essence(each) == wanted; });
    return found != kLicences.end() && !wanted.empty() ? std::optional(*found) : std::nullopt;
}

} // namespace gufo
