#include "hub/model_name.h"

#include "base/ascii.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace gufo::hub {
namespace {

using net::Hub;

struct HostRow {
    std::string_view name;
    Hub hub;
};
constexpr auto kHosts = std::to_array<HostRow>({
    {"hf.co", Hub::HuggingFace},
    {"huggingface.co", Hub::HuggingFace},
    {"www.huggingface.co", Hub::HuggingFace},
    {"modelscope.cn", Hub::ModelScope},
    {"www.modelscope.cn", Hub::ModelScope},
    {"ollama.com", Hub::Ollama},
    {"www.ollama.com", Hub::Ollama},
    {"registry.ollama.ai", Hub::Ollama},
});

constexpr std::size_t kLongestName = 128; // of an owner, a repository or a tag

bool startsIgnoringCase(std::string_view text, std::string_view start) {
    return equalIgnoringCase(text.substr(0, start.size()), start);
}

bool isName(std::string_view text) {
    return !text.empty() && text.size() <= kLongestName && text != "." && text != ".." &&
           std::ranges::all_of(text,
                               [](char c) { return isAsciiLetterOrDigit(c) || c == '-' || c == '_' || c == '.'; });
}

// The parts of a path between its slashes, decoded. Empty parts are left out.
std::vector<std::string> partsOf(std::string_view path) {
    std::vector<std::string> parts;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        if (end > 0) {
            parts.push_back(decodedPath(path.substr(0, end)));
        }
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return parts;
}

std::string joined(std::span<const std::string> parts) {
    std::string path;
    for (const std::string& part : parts) {
        path += (path.empty() ? "" : "/") + part;
    }
    return path;
}

// Takes ":SUFFIX" from the end of a part.
std::string takeSuffix(std::string& part) {
    const std::size_t colon = part.rfind(':');
    if (colon == std::string::npos) {
        return {};
    }
    std::string suffix = part.substr(colon + 1);
    part.resize(colon);
    return suffix;
}

std::optional<ModelName> ollamaName(std::vector<std::string> parts) {
    if (parts.size() == 3 && parts[2] == "tags") { // the page that lists the tags
        parts.pop_back();
    }
    if (parts.empty() || parts.size() > 2) {
        return std::nullopt;
    }
    ModelName name{.hub = Hub::Ollama};
    const bool hasTag = parts.back().find(':') != std::string::npos;
    name.revision = takeSuffix(parts.back());
    if (parts.size() == 1) {
        parts.insert(parts.begin(), "library");
    }
    if (!std::ranges::all_of(parts, isName) || (hasTag && !isName(name.revision))) {
        return std::nullopt;
    }
    name.repository = joined(parts);
    return name;
}

// The words between a repository and a revision in the addresses of its pages and files.
constexpr auto kRevisionWords = std::to_array<std::string_view>({"tree", "blob", "resolve", "raw"});
// The first words of addresses of Hugging Face that are not models.
constexpr auto kOtherPages =
    std::to_array<std::string_view>({"datasets", "spaces", "api", "docs", "collections", "papers", "settings"});

std::optional<ModelName> repositoryName(Hub hub, std::vector<std::string> parts) {
    if (hub == Hub::ModelScope && !parts.empty() && parts.front() == "models") {
        parts.erase(parts.begin());
    }
    if (parts.size() < 2 || std::ranges::find(kOtherPages, parts[0]) != kOtherPages.end()) {
        return std::nullopt;
    }
    ModelName name{.hub = hub};
    if (parts.size() == 2) {
        const bool hasSuffix = parts[1].find(':') != std::string::npos;
        name.quantisation = takeSuffix(parts[1]);
        if (hasSuffix && !isName(name.quantisation)) {
            return std::nullopt;
        }
    }
    if (!isName(parts[0]) || !isName(parts[1])) {
        return std::nullopt;
    }
    name.repository = parts[0] + '/' + parts[1];
    std::span<const std::string> rest = std::span(parts).subspan(2);
    if (hub == Hub::ModelScope && rest.size() >= 3 && rest[0] == "file" && rest[1] == "view") {
        name.revision = rest[2];
        rest = rest.subspan(3);
    } else if (hub == Hub::ModelScope && rest.size() == 1 && (rest[0] == "files" || rest[0] == "summary")) {
        rest = {};
    } else if (rest.size() >= 2 && std::ranges::find(kRevisionWords, rest[0]) != kRevisionWords.end()) {
        name.revision = rest[1];
        rest = rest.subspan(2);
    }
    name.path = joined(rest);
    return name.path.empty() || isSafePath(name.path) ? std::optional(std::move(name)) : std::nullopt;
}

std::optional<ModelName> nameIn(Hub hub, std::string_view path) {
    path = path.substr(0, path.find_first_of("?#"));
    return hub == Hub::Ollama ? ollamaName(partsOf(path)) : repositoryName(hub, partsOf(path));
}

} // namespace

std::optional<ModelName> parseModelName(std::string_view text) {
    for (const Hub hub : net::kAllHubs) {
        const std::string endpoint = net::endpointOf(hub) + '/';
        if (startsIgnoringCase(text, endpoint)) {
            return nameIn(hub, text.substr(endpoint.size()));
        }
    }
    constexpr std::string_view kScheme = "https://";
    if (startsIgnoringCase(text, kScheme)) {
        text.remove_prefix(kScheme.size());
    }
    const std::size_t slash = text.find('/');
    const auto* host = std::ranges::find_if(
        kHosts, [&](const HostRow& row) { return equalIgnoringCase(text.substr(0, slash), row.name); });
    return host != kHosts.end() && slash != text.npos ? nameIn(host->hub, text.substr(slash + 1)) : std::nullopt;
}

std::optional<ModelName> parseShortName(std::string_view text) {
    if (auto name = parseModelName(text)) {
        return name;
    }
    // Without a dot in the owner, because "example.org/repo" is rather the address of a server.
    const std::size_t slash = text.find('/');
    const bool isShort = slash != text.npos && text.find('/', slash + 1) == text.npos &&
                         text.find_first_of("%?#") == text.npos && text.substr(0, slash).find('.') == text.npos;
    return isShort ? nameIn(Hub::HuggingFace, text) : std::nullopt;
}

std::string shownName(const ModelName& name) {
    constexpr auto kShown = std::to_array<std::string_view>({"hf.co/", "modelscope.cn/models/", "ollama.com/"});
    std::string text(kShown[static_cast<std::size_t>(name.hub)]);
    text += name.repository;
    if (name.hub == Hub::Ollama) {
        return text + ':' + (name.revision.empty() ? "latest" : name.revision);
    }
    text += name.path.empty() ? "" : "/";
    for (const char& c : name.path) { // parsing decodes %XX and stops at a query (?) or a fragment (#)
        text += std::string_view("%?#").contains(c) ? encodedPath({&c, 1}) : std::string(1, c);
    }
    return name.quantisation.empty() ? text : text + ':' + name.quantisation;
}

std::string encodedPath(std::string_view path) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : path) {
        if (isAsciiLetterOrDigit(static_cast<unsigned char>(c)) || std::string_view("-._~/").contains(c)) {
            encoded += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        encoded += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
    }
    return encoded;
}

std::string decodedPath(std::string_view path) {
    std::string decoded;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const bool isEscape = path[i] == '%' && i + 2 < path.size();
        const int high = isEscape ? hexDigitValue(static_cast<unsigned char>(path[i + 1])) : -1;
        const int low = isEscape ? hexDigitValue(static_cast<unsigned char>(path[i + 2])) : -1;
        const bool isByte = high >= 0 && low >= 0;
        decoded += isByte ? static_cast<char>(high * 16 + low) : path[i];
        i += isByte ? 2 : 0;
    }
    return decoded;
}

bool isSafePath(std::string_view path) {
    constexpr std::size_t kLongestPart = 255;
    const bool hasControl = std::ranges::any_of(
        path, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f' || c == '\\'; });
    if (path.empty() || hasControl) {
        return false;
    }
    for (std::size_t start = 0; start <= path.size();) {
        const std::size_t end = std::min(path.find('/', start), path.size());
        const std::string_view part = path.substr(start, end - start);
        if (part.empty() || part == "." || part == ".." || part.size() > kLongestPart) {
            return false;
        }
        start = end + 1;
    }
    return true;
}

} // namespace gufo::hub
