#include "hub/repository_replies.h"

#include "base/ascii.h"
#include "base/detail.h"
#include "base/json_value.h"

#include <algorithm>
#include <array>

namespace gufo::hub {
namespace {

constexpr std::size_t kDigestDigits = 64;

std::unexpected<Error> unusable() { return fail(ErrorCode::ReplyUnusable, {}, {Detail::ReplyNotJson}); }

// ---- JSON of unknown shape ------------------------------------------------------------------------------------------

const JsonValue* memberOf(const JsonValue& object, std::string_view name, JsonValue::Kind kind) {
    const JsonValue* member = object.find(name);
    return member != nullptr && member->is(kind) ? member : nullptr;
}

std::string textOf(const JsonValue& object, std::string_view name) {
    const JsonValue* member = memberOf(object, name, JsonValue::Kind::String);
    return member != nullptr ? member->text : std::string();
}

// A size; 0 if it is missing or negative.
std::uint64_t sizeOf(const JsonValue& object, std::string_view name) {
    const JsonValue* member = object.find(name);
    const auto value = member != nullptr ? member->whole() : std::nullopt;
    return static_cast<std::uint64_t>(std::max(value.value_or(0), std::int64_t{0}));
}

// A digest in lower case; empty if the text is none.
std::string digestOf(std::string_view text) {
    constexpr std::string_view kPrefix = "sha256:";
    text.remove_prefix(text.starts_with(kPrefix) ? kPrefix.size() : 0);
    const bool isDigest = text.size() == kDigestDigits && std::ranges::all_of(text, [](char c) {
                              return hexDigitValue(static_cast<unsigned char>(c)) >= 0;
                          });
    return isDigest ? asciiLowerText(text) : std::string();
}

// ---- files ----------------------------------------------------------------------------------------------------------

Result<> add(Repository& repository, RepositoryFile file) {
    if (repository.files.size() >= kMaxFiles) {
        return fail(ErrorCode::LimitExceeded, {}, {Detail::Files, repository.files.size() + 1, kMaxFiles});
    }
    if (isSafePath(file.path)) {
        repository.files.push_back(std::move(file));
    }
    return {};
}

struct LayerRow {
    std::string_view mediaType;
    std::string_view prefix; // of the name that the file gets
};
constexpr auto kLayers = std::to_array<LayerRow>({
    {"application/vnd.ollama.image.model", ""},
    {"application/vnd.ollama.image.projector", "mmproj-"},
    {"application/vnd.ollama.image.adapter", "adapter-"},
});

} // namespace

Result<> readHuggingFaceFacts(const JsonValue& reply, Repository& repository) {
    repository.commit = textOf(reply, "sha");
    if (repository.commit.empty()) {
        return unusable();
    }
    const JsonValue* gated = reply.find("gated"); // false, "auto" or "manual"
    repository.isGated = gated != nullptr && (gated->is(JsonValue::Kind::String) || gated->is(JsonValue::Kind::True));
    const JsonValue* card = memberOf(reply, "cardData", JsonValue::Kind::Object);
    if (card == nullptr) {
        return {};
    }
    repository.license = textOf(*card, "license");
    const JsonValue* bases = card->find("base_model");
    if (bases != nullptr && bases->is(JsonValue::Kind::String)) {
        repository.baseModels = {bases->text};
    } else if (bases != nullptr) {
        for (const JsonValue& base : bases->elements) {
            if (base.is(JsonValue::Kind::String)) {
                repository.baseModels.push_back(base.text);
            }
        }
    }
    return {};
}

Result<std::size_t> readHuggingFaceFiles(const JsonValue& reply, std::string_view endpoint, Repository& repository) {
    if (!reply.is(JsonValue::Kind::Array)) {
        return unusable();
    }
    const std::string files = std::string(endpoint) + '/' + encodedPath(repository.name.repository) + "/resolve/" +
                              encodedPath(repository.commit) + '/';
    for (const JsonValue& entry : reply.elements) {
        if (textOf(entry, "type") != "file") {
            continue;
        }
        // For a file in LFS, "oid" is the hash of the pointer in Git; the hash of the content is in "lfs".
        const JsonValue* lfs = memberOf(entry, "lfs", JsonValue::Kind::Object);
        std::string path = textOf(entry, "path");
        std::string url = files + encodedPath(path);
        GUFO_TRY(add(repository, {.path = std::move(path),
                                  .bytes = sizeOf(lfs != nullptr ? *lfs : entry, "size"),
                                  .sha256 = lfs != nullptr ? digestOf(textOf(*lfs, "oid")) : "",
                                  .url = std::move(url)}));
    }
    return reply.elements.size();
}

Result<> readModelScopeFiles(const JsonValue& reply, std::string_view endpoint, std::string_view revision,
                             Repository& repository) {
    const JsonValue* data = memberOf(reply, "Data", JsonValue::Kind::Object);
    const JsonValue* files = data != nullptr ? memberOf(*data, "Files", JsonValue::Kind::Array) : nullptr;
    if (files == nullptr) {
        return unusable();
    }
    const std::string resolved =
        std::string(endpoint) + "/models/" + encodedPath(repository.name.repository) + "/resolve/";
    for (const JsonValue& entry : files->elements) {
        if (textOf(entry, "Type") != "blob") {
            continue;
        }
        std::string path = textOf(entry, "Path");
        // The commit that last changed the file.
        const std::string commit = textOf(entry, "Revision");
        std::string url = resolved + encodedPath(commit.empty() ? revision : commit) + '/' + encodedPath(path);
        repository.commit = repository.commit.empty() ? commit : repository.commit;
        GUFO_TRY(add(repository, {.path = std::move(path),
                                  .bytes = sizeOf(entry, "Size"),
                                  .sha256 = digestOf(textOf(entry, "Sha256")),
                                  .url = std::move(url)}));
    }
    return {};
}

Result<> readOllamaManifest(const JsonValue& reply, std::string_view endpoint, std::string_view tag,
                            Repository& repository) {
    const JsonValue* layers = memberOf(reply, "layers", JsonValue::Kind::Array);
    if (layers == nullptr) {
        return unusable();
    }
    const std::string& model = repository.name.repository;
    const std::string blobs = std::string(endpoint) + "/v2/" + encodedPath(model) + "/blobs/sha256:";
    const std::string stem = model.substr(model.rfind('/') + 1) + '-' + std::string(tag);
    for (const JsonValue& entry : layers->elements) {
        const std::string type = textOf(entry, "mediaType");
        const auto* kind = std::ranges::find(kLayers, type, &LayerRow::mediaType);
        std::string digest = digestOf(textOf(entry, "digest"));
        if (kind == kLayers.end() || digest.empty()) {
            continue;
        }
        std::string path = std::string(kind->prefix) + stem + ".gguf";
        const bool isTaken =
            std::ranges::any_of(repository.files, [&](const RepositoryFile& other) { return other.path == path; });
        if (isTaken) {
            path = std::string(kind->prefix) + stem + '-' + digest.substr(0, 8) + ".gguf";
        }
        std::string url = blobs + digest;
        GUFO_TRY(add(repository, {.path = std::move(path),
                                  .bytes = sizeOf(entry, "size"),
                                  .sha256 = std::move(digest),
                                  .url = std::move(url)}));
    }
    return {};
}

std::string nextPage(std::string_view link, std::string_view endpoint) {
    while (!link.empty()) {
        const std::size_t open = link.find('<');
        const std::size_t close = link.find('>', open);
        if (open == link.npos || close == link.npos) {
            return {};
        }
        const std::string_view target = link.substr(open + 1, close - open - 1);
        const std::string_view rest = link.substr(close + 1);
        const std::string_view parameters = rest.substr(0, rest.find('<'));
        if (parameters.contains("rel=\"next\"") || parameters.contains("rel=next")) {
            return target.starts_with('/') ? std::string(endpoint) + std::string(target) : std::string(target);
        }
        link = rest.substr(parameters.size());
    }
    return {};
}

std::optional<std::string> defaultTemplate(const JsonValue& config) {
    const JsonValue* value = config.find("chat_template");
    if (value == nullptr) {
        return std::nullopt;
    }
    if (value->is(JsonValue::Kind::String)) {
        return value->text;
    }
    for (const JsonValue& one : value->elements) {
        const JsonValue* name = one.find("name");
        const JsonValue* text = one.find("template");
        if (name != nullptr && text != nullptr && name->text == "default") {
            return text->text;
        }
    }
    return std::nullopt;
}

} // namespace gufo::hub
