#include "model/hub_values.h"

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

// ISO 639-1, sorted.
constexpr std::string_view kCodes =
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en "
    "eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv "
    "ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne "
    "ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st "
    "su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

struct LanguageRow {
    std::string_view name; // lower case
    std::string_view code;
};
constexpr auto kNames = std::to_array<LanguageRow>({
    {"afrikaans", "af"},  {"albanian", "sq"},   {"arabic", "ar"},     {"armenian", "hy"},  {"basque", "eu"},
    {"belarusian", "be"}, {"bengali", "bn"},    {"bulgarian", "bg"},  {"burmese", "my"},   {"catalan", "ca"},
    {"chinese", "zh"},    {"croatian", "hr"},   {"czech", "cs"},      {"danish", "da"},    {"dutch", "nl"},
    {"english", "en"},    {"esperanto", "eo"},  {"estonian", "et"},   {"finnish", "fi"},   {"french", "fr"},
    {"galician", "gl"},   {"georgian", "ka"},   {"german", "de"},     {"greek", "el"},     {"gujarati", "gu"},
    {"hebrew", "he"},     {"hindi", "hi"},      {"hungarian", "hu"},  {"icelandic", "is"}, {"indonesian", "id"},
    {"irish", "ga"},      {"italian", "it"},    {"japanese", "ja"},   {"kannada", "kn"},   {"kazakh", "kk"},
    {"khmer", "km"},      {"korean", "ko"},     {"lao", "lo"},        {"latin", "la"},     {"latvian", "lv"},
    {"lithuanian", "lt"}, {"macedonian", "mk"}, {"malay", "ms"},      {"malayalam", "ml"}, {"maltese", "mt"},
    {"mandarin", "zh"},   {"marathi", "mr"},    {"mongolian", "mn"},  {"nepali", "ne"},    {"norwegian", "no"},
    {"persian", "fa"},    {"polish", "pl"},     {"portuguese", "pt"}, {"punjabi", "pa"},   {"romanian", "ro"},
    {"russian", "ru"},    {"serbian", "sr"},    {"slovak", "sk"},     {"slovenian", "sl"}, {"spanish", "es"},
    {"swahili", "sw"},    {"swedish", "sv"},    {"tagalog", "tl"},    {"tamil", "ta"},     {"telugu", "te"},
    {"thai", "th"},       {"turkish", "tr"},    {"ukrainian", "uk"},  {"urdu", "ur"},      {"uzbek", "uz"},
    {"vietnamese", "vi"}, {"welsh", "cy"},      {"yoruba", "yo"},     {"zulu", "zu"},
});

bool areLetters(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return isAsciiLetter(static_cast<unsigned char>(c)); });
}

bool isHostLetter(char c) { return isAsciiLetterOrDigit(static_cast<unsigned char>(c)) || c == '-' || c == '.'; }

// The length of the host at the beginning of an address without its scheme; 0 if there is none.
std::size_t hostLength(std::string_view rest) {
    const auto end = static_cast<std::size_t>(std::ranges::find_if_not(rest, isHostLetter) - rest.begin());
    const std::string_view host = rest.substr(0, end);
    const std::size_t dot = host.rfind('.');
    const bool hasDomain = dot != std::string_view::npos && dot != 0 && host.size() - dot > 2 &&
                           areLetters(host.substr(dot + 1)) && host.find("..") == std::string_view::npos;
    return hasDomain && (end == rest.size() || rest[end] == '/' || rest[end] == ':') ? end : 0;
}

// Whether nothing in the text has to be escaped in an address.
bool isPlainText(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7F && c != '"' && c != '<' && c != '>'; });
}

} // namespace

std::span<const std::string_view> hubLicences() { return kLicences; }

std::optional<std::string_view> hubLicence(std::string_view text) {
    const std::string wanted = essence(text);
    const auto* const found =
        std::ranges::find_if(kLicences, [&](std::string_view each) { return essence(each) == wanted; });
    return found != kLicences.end() && !wanted.empty() ? std::optional(*found) : std::nullopt;
}

bool isLicenceIdentifier(std::string_view text) {
    std::string lower = asciiLowerText(text);
    for (const std::string_view suffix : {"-only", "-or-later"}) {
        if (lower.ends_with(suffix)) {
            lower.resize(lower.size() - suffix.size());
            break;
        }
    }
    return std::ranges::find(kLicences, lower) != kLicences.end();
}

bool isLanguage(std::string_view text) {
    if (text == "code" || text == "multilingual") {
        return true;
    }
    const std::string_view code = text.substr(0, text.find('-'));
    const bool hasRegion = code.size() < text.size();
    if (hasRegion && !std::ranges::all_of(text.substr(code.size() + 1), [](char c) {
            return isAsciiLetterOrDigit(static_cast<unsigned char>(c)) || c == '-';
        })) {
        return false;
    }
    const bool isLower = std::ranges::all_of(code, [](char c) { return c >= 'a' && c <= 'z'; });
    if (code.size() == 2 && isLower) {
        for (std::size_t at = 0; at < kCodes.size(); at += 3) {
            if (kCodes.substr(at, 2) == code) {
                return true;
            }
        }
        return false;
    }
    return code.size() == 3 && isLower;
}

std::optional<std::string_view> languageCode(std::string_view text) {
    const std::string lower = asciiLowerText(text);
    const auto* row = std::ranges::find(kNames, std::string_view(lower), &LanguageRow::name);
    if (row != kNames.end()) {
        return row->code;
    }
    // "EN" is a code in other letters.
    for (std::size_t at = 0; lower.size() == 2 && at < kCodes.size(); at += 3) {
        if (kCodes.substr(at, 2) == lower) {
            return kCodes.substr(at, 2);
        }
    }
    return std::nullopt;
}

bool isLink(std::string_view text) {
    for (const std::string_view scheme : {"https://", "http://"}) {
        if (text.starts_with(scheme)) {
            const std::string_view rest = text.substr(scheme.size());
            return isPlainText(rest) && (hostLength(rest) != 0 || rest.starts_with("localhost"));
        }
    }
    return false;
}

std::optional<std::string> completedLink(std::string_view text) {
    while (text.starts_with(' ')) {
        text.remove_prefix(1);
    }
    while (text.ends_with(' ')) {
        text.remove_suffix(1);
    }
    if (text.empty() || !isPlainText(text)) {
        return std::nullopt;
    }
    if (isLink(text)) { // there were spaces around it
        return std::string(text);
    }
    if (text.find("://") != std::string_view::npos) {
        return std::nullopt;
    }
    // "llama3.1/night" is no host: domains end in letters.
    if (hostLength(text) != 0) {
        return "https://" + std::string(text);
    }
    const std::size_t slash = text.find('/');
    const auto isName = [](std::string_view name) {
        return !name.empty() && std::ranges::all_of(name, [](char c) { return isHostLetter(c) || c == '_'; });
    };
    return slash != std::string_view::npos && isName(text.substr(0, slash)) && isName(text.substr(slash + 1))
               ? std::optional("https://huggingface.co/" + std::string(text))
               : std::nullopt;
}

} // namespace gufo
