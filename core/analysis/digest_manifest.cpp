#include "analysis/digest_manifest.h"

#include "base/ascii.h"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

namespace gufo {
namespace {

using Kind = ManifestLine::Kind;

struct KindRow {
    Kind kind;
    std::string_view name;
};
constexpr auto kKinds = std::to_array<KindRow>({
    {Kind::File, "file"},
    {Kind::Header, "header"},
    {Kind::Weights, "weights"},
    {Kind::Tensor, "tensor"},
});

constexpr std::string_view kHexDigits = "0123456789abcdef";

std::string escapedName(std::string_view name) {
    std::string text;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\\') {
            text += "\\\\";
        } else if (byte < 0x20 || byte == 0x7F) {
            text += {'\\', 'x', kHexDigits[byte >> 4U], kHexDigits[byte & 0xFU]};
        } else {
            text += c;
        }
    }
    return text;
}

std::optional<std::string> unescapedName(std::string_view text) {
    std::string name;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\') {
            name += text[i];
        } else if (text.substr(i, 2) == "\\\\") {
            name += '\\';
            ++i;
        } else {
            const std::size_t high = i + 3 < text.size() ? kHexDigits.find(text[i + 2]) : kHexDigits.npos;
            const std::size_t low = i + 3 < text.size() ? kHexDigits.find(text[i + 3]) : kHexDigits.npos;
            if (high == kHexDigits.npos || low == kHexDigits.npos || text[i + 1] != 'x') {
                return std::nullopt;
            }
            name += static_cast<char>(high * 16 + low);
            i += 3;
        }
    }
    return name;
}

std::optional<ManifestLine> manifestLine(std::string_view text) {
    constexpr std::size_t kDigits = 64;
    ManifestLine line;
    line.digest = text.substr(0, kDigits);
    line.digest = asciiLowerText(line.digest);
    text.remove_prefix(std::min(kDigits, text.size()));
    if (line.digest.find_first_not_of(kHexDigits) != line.digest.npos || !text.starts_with("  ")) {
        return std::nullopt;
    }
    text.remove_prefix(2);
    const auto* const row =
        std::ranges::find_if(kKinds, [&](const KindRow& each) { return text.starts_with(each.name); });
    if (row == kKinds.end()) {
        return std::nullopt;
    }
    line.kind = row->kind;
    text.remove_prefix(row->name.size());
    const std::size_t start = std::min(text.find_first_not_of(' '), text.size());
    if (start < 2) {
        return std::nullopt;
    }
    auto name = unescapedName(text.substr(start));
    if (!name) {
        return std::nullopt;
    }
    line.name = *std::move(name);
    return line;
}

std::size_t countOf(const std::vector<ManifestLine>& lines, Kind kind) {
    return static_cast<std::size_t>(std::ranges::count(lines, kind, &ManifestLine::kind));
}

void forgetNames(std::vector<ManifestLine>& lines, Kind kind) {
    for (ManifestLine& line : lines) {
        if (line.kind == kind) {
            line.name.clear();
        }
    }
}

} // namespace

std::string_view manifestKindName(ManifestLine::Kind kind) {
    return std::ranges::find(kKinds, kind, &KindRow::kind)->name;
}

std::vector<ManifestLine> manifestOf(const Model& model, const ModelDigests& digests) {
    std::vector<ManifestLine> lines;
    const auto nameOf = [&](FileIndex file) { return model.files[file.value].path.filename().native(); };
    for (const ModelDigests::File& file : digests.files) {
        lines.push_back({hexText(file.whole), Kind::File, nameOf(file.file)});
    }
    for (const ModelDigests::File& file : digests.files) {
        if (file.header) {
            lines.push_back({hexText(*file.header), Kind::Header, nameOf(file.file)});
        }
    }
    if (digests.weights) {
        lines.push_back({hexText(*digests.weights), Kind::Weights, model.path().filename().native()});
    }
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        if (digests.tensors[i]) {
            lines.push_back({hexText(*digests.tensors[i]), Kind::Tensor, std::string(model.tensors[i].name)});
        }
    }
    return lines;
}

std::string manifestText(const std::vector<ManifestLine>& lines) {
    std::string text;
    for (const ManifestLine& line : lines) {
        text += line.digest + "  " + std::string(manifestKindName(line.kind)) + "  " + escapedName(line.name) + '\n';
    }
    return text;
}

std::expected<std::vector<ManifestLine>, std::size_t> readManifest(std::string_view text) {
    std::vector<ManifestLine> lines;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        if (line.empty() || line.starts_with('#')) {
            continue;
        }
        auto read = manifestLine(line);
        if (!read) {
            return std::unexpected(number);
        }
        lines.push_back(*std::move(read));
    }
    return lines;
}

std::vector<ManifestDifference> compareManifests(std::vector<ManifestLine> expected, std::vector<ManifestLine> found) {
    for (const Kind kind : {Kind::File, Kind::Header, Kind::Weights}) {
        if (countOf(expected, kind) == 1 && countOf(found, kind) == 1) {
            forgetNames(expected, kind);
            forgetNames(found, kind);
        }
    }
    const auto byName = [](const ManifestLine& line) { return std::tie(line.kind, line.name, line.digest); };
    std::ranges::sort(expected, {}, byName);
    std::ranges::sort(found, {}, byName);
    std::vector<ManifestDifference> differences;
    auto left = expected.begin();
    auto right = found.begin();
    while (left != expected.end() || right != found.end()) {
        const auto key = [](const ManifestLine& line) { return std::tie(line.kind, line.name); };
        if (right == found.end() || (left != expected.end() && key(*left) < key(*right))) {
            differences.push_back({left->kind, left->name, left->digest, {}});
            ++left;
        } else if (left == expected.end() || key(*right) < key(*left)) {
            differences.push_back({right->kind, right->name, {}, right->digest});
            ++right;
        } else {
            if (left->digest != right->digest) {
                differences.push_back({left->kind, left->name, left->digest, right->digest});
            }
            ++left;
            ++right;
        }
    }
    return differences;
}

} // namespace gufo
