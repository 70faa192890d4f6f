#include "base/ascii.h"
#include "text/audit/searches.h"
#include "text/audit/text_difference.h"
#include "text/template/template_markers.h"

#include <QList>
#include <QString>

#include <algorithm>
#include <array>

namespace gufo::text {
namespace {

constexpr std::size_t kMostOfAKind = 8;

// Zero width, of either direction, fillers, tags of U+E0000, and controls that are no white space.
bool isHidden(char32_t c) {
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F || (c >= 0x80 && c <= 0x9F) || c == 0xAD ||
           c == 0x34F || c == 0x61C || c == 0x115F || c == 0x1160 || c == 0x17B4 || c == 0x17B5 ||
           (c >= 0x180B && c <= 0x180F) || (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || c == 0x2800 || c == 0x3164 || c == 0xFEFF || c == 0xFFA0 ||
           (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE0FFF);
}

std::string codePointName(char32_t c) {
    return QStringLiteral("U+%1").arg(static_cast<uint>(c), 4, 16, QLatin1Char('0')).toUpper().toStdString();
}

QString decoded(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

// The names of the hidden characters of a text; a byte-order mark at its beginning is one of the file.
std::vector<std::string> hiddenIn(std::string_view text) {
    std::vector<std::string> names;
    for (const char32_t c : decoded(text).toUcs4()) {
        if (isHidden(c)) {
            if (std::string name = codePointName(c); std::ranges::find(names, name) == names.end()) {
                names.push_back(std::move(name));
            }
        }
    }
    return names;
}

std::string listOf(const std::vector<std::string>& names) {
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), kMostOfAKind); ++i) {
        list += (i > 0 ? ", " : "") + names[i];
    }
    return list;
}

void findHidden(const AuditProbe& probe, std::vector<AuditFinding>& threats) {
    std::size_t found = 0;
    std::size_t begin = 0;
    std::set<int> lines;
    const std::string_view source = probe.source();
    for (int line = 1; begin <= source.size() && found < kMostOfAKind; ++line) {
        const std::size_t end = std::min(source.find('\n', begin), source.size());
        if (const auto names = hiddenIn(source.substr(begin, end - begin)); !names.empty()) {
            threats.push_back({.code = AuditCode::HiddenCharacters,
                               .line = line,
                               .args = {listOf(names)},
                               .source = withoutHiddenCharacters(source)});
            lines.insert(line);
            ++found;
        }
        begin = end + 1;
    }
    for (const OutlineText& literal : probe.outline().texts) { // written as escapes
        if (const auto names = literal.isOutside ? std::vector<std::string>() : hiddenIn(literal.text);
            !names.empty() && found < kMostOfAKind && lines.insert(literal.place.line).second) {
            threats.push_back(
                {.code = AuditCode::HiddenCharacters, .line = literal.place.line, .args = {listOf(names)}});
            ++found;
        }
    }
}

// A run of at least `kBlob` characters of base64 or hexadecimal digits, which no word is.
std::string_view blobIn(std::string_view text) {
    constexpr std::size_t kBlob = 40;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        bool lower = false;
        bool upper = false;
        bool digit = false;
        while (end < text.size() && (isAsciiLetterOrDigit(static_cast<unsigned char>(text[end])) || text[end] == '+' ||
                                     text[end] == '/' || text[end] == '=')) {
            lower |= text[end] >= 'a' && text[end] <= 'z';
            upper |= text[end] >= 'A' && text[end] <= 'Z';
            digit |= text[end] >= '0' && text[end] <= '9';
            ++end;
        }
        const std::string_view run = text.substr(at, end - at);
        const bool isHex = digit && run.size() >= kBlob && std::ranges::all_of(run, [](char c) {
                               return hexDigitValue(static_cast<unsigned char>(c)) >= 0;
                           });
        if (run.size() >= kBlob && ((lower && upper && digit) || isHex)) {
            return run;
        }
        at = end + 1;
    }
    return {};
}

// An address that a template may write: of the schema of tools.
constexpr auto kKnownHosts = std::to_array<std::string_view>({"json-schema.org", "www.w3.org"});

std::string_view addressIn(std::string_view text) {
    for (const std::string_view scheme : {"http://", "https://", "ftp://", "www."}) {
        for (std::size_t at = text.find(scheme); at != std::string_view::npos; at = text.find(scheme, at + 1)) {
            const std::string_view rest = text.substr(at);
            const std::string_view address = rest.substr(0, rest.find_first_of(" \t\r\n\"'<>)]}"));
            const std::string_view host = address.substr(scheme == "www." ? 0 : scheme.size());
            const bool isKnown =
                std::ranges::any_of(kKnownHosts, [&](std::string_view known) { return host.starts_with(known); });
            if (!isKnown && host.find('.') != std::string_view::npos && host.size() > 4) {
                return address;
            }
        }
    }
    return {};
}

} // namespace

std::string withoutHiddenCharacters(std::string_view source) {
    QString kept;
    for (const char32_t c : decoded(source).toUcs4()) {
        if (!isHidden(c)) {
            kept += QString::fromUcs4(&c, 1);
        }
    }
    return kept.toStdString();
}

std::string shortened(std::string_view text) {
    constexpr std::size_t kShown = 160;
    if (text.size() <= kShown) {
        return std::string(text);
    }
    std::size_t end = kShown;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return std::string(text.substr(0, end)) + "…";
}

void findStaticThreats(const AuditProbe& probe, std::vector<AuditFinding>& threats) {
    const auto names = [&](const std::vector<OutlineName>& found, AuditCode code) {
        std::set<std::pair<int, std::string>> known;
        for (const OutlineName& each : found) {
            if (known.size() < kMostOfAKind && known.emplace(each.place.line, each.name).second) {
                threats.push_back({.code = code, .line = each.place.line, .args = {shortened(each.name)}});
            }
        }
    };
    names(probe.outline().walks, AuditCode::AttributeWalk);
    names(probe.outline().outside, AuditCode::OutsideSandbox);
    findHidden(probe, threats);
    std::set<std::string_view> known;
    for (const OutlineText& literal : probe.outline().texts) {
        const auto add = [&](AuditCode code, std::string_view text) {
            if (!text.empty() && known.size() < 2 * kMostOfAKind && known.insert(text).second) {
                const auto offset = static_cast<std::size_t>(text.data() - literal.text.data());
                const int line =
                    literal.place.line + (literal.isOutside ? static_cast<int>(lineAt(literal.text, offset)) - 1 : 0);
                threats.push_back({.code = code, .line = line, .args = {shortened(text)}});
            }
        };
        add(AuditCode::EncodedText, blobIn(literal.text));
        add(AuditCode::WebAddress, addressIn(literal.text));
    }
}

} // namespace gufo::text
