#include "hub/repository.h"

#include "base/ascii.h"
#include "base/detail.h"
#include "base/json_value.h"
#include "net/model_address.h"

#include <algorithm>
#include <array>

namespace gufo::hub {
namespace {

using net::Hub;

constexpr std::uint64_t kLargestReply = 16 << 20;
constexpr std::size_t kDigestDigits = 64;

// ---- JSON of unknown shape ------------------------------------------------------------------------------------------

const JsonValue* memberOf(const JsonValue& object, std::string_view name, JsonValue::Kind kind) {
    const JsonValue* member = object.find(name);
    return member != nullptr && member->is(kind) ? member : nullptr;
}

std::string textOf(const JsonValue& object, std::string_view name) {
    const JsonValue* member = memberOf(object, name, JsonValue::Kind::String);
    return member != nullptr ? member->text : std::string();
}

// A size; nothing if it is missing or negative.
std::optional<std::uint64_t> sizeOf(const JsonValue& object, std::string_view name) {
    const JsonValue* member = object.find(name);
    const auto value = member != nullptr ? member->whole() : std::nullopt;
    return value && *value >= 0 ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
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

// ---- requests -------------------------------------------------------------------------------------------------------

struct Answer {
    JsonValue json;
    std::string link; // the value of the header Link
};

std::unexpected<Error> notJson(const std::string& url) {
    return std::unexpected(Error{ErrorCode::ReplyUnusable, net::shownAddress(url), {}, {Detail::ReplyNotJson}, 0});
}

Result<Answer> ask(net::Client& client, const std::string& url, const JobContext& job, std::string_view accept = {}) {
    net::Request request = net::requestFor(url);
    request.maxBytes = kLargestReply;
    if (!accept.empty()) {
        request.headers.push_back({"Accept", std::string(accept)});
    }
    std::string body;
    const net::Receiver receiver{.body = [&](Bytes piece) -> Result<> {
        body.append(reinterpret_cast<const char*>(piece.data()), piece.size());
        return {};
    }};
    const auto reply = GUFO_TRY(client.send(request, receiver, job));
    GUFO_TRY(net::requireSuccess(reply));
    auto json = readJson(body);
    if (!json) {
        return notJson(url);
    }
    return Answer{.json = *std::move(json), .link = std::string(reply.header("link"))};
}

// The target of the link with rel="next" (RFC 8288); empty if there is none.
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

Result<> add(Repository& repository, RepositoryFile file) {
    if (repository.files.size() >= kMaxFiles) {
        return fail(ErrorCode::LimitExceeded, {}, {Detail::Files, repository.files.size() + 1, kMaxFiles});
    }
    if (isSafePath(file.path)) {
        repository.files.push_back(std::move(file));
    }
    return {};
}

// ---- the hubs -------------------------------------------------------------------------------------------------------

void readCard(const JsonValue& information, Repository& repository) {
    const JsonValue* gated = information.find("gated"); // false, "auto" or "manual"
    repository.isGated = gated != nullptr && (gated->is(JsonValue::Kind::String) || gated->is(JsonValue::Kind::True));
    const JsonValue* card = memberOf(information, "cardData", JsonValue::Kind::Object);
    if (card == nullptr) {
        return;
    }
    repository.license = textOf(*card, "license");
    const JsonValue* bases = card->find("base_model");
    if (bases != nullptr && bases->is(JsonValue::Kind::String)) {
        repository.baseModels = {bases->text};
    } else if (bases != nullptr) {
        for (const JsonValue& base : bases->elements) {
            repository.baseModels.push_back(base.text);
        }
    }
}

Result<Repository> listHuggingFace(net::Client& client, const ModelName& name, const JobContext& job) {
    const std::string endpoint = net::endpointOf(Hub::HuggingFace);
    const std::string models = endpoint + "/api/models/" + encodedPath(name.repository);
    const std::string revision = name.revision.empty() ? "main" : name.revision;
    // A revision can contain a slash ("refs/pr/1"), which must not divide the path.
    std::string encodedRevision = encodedPath(revision);
    for (std::size_t at = 0; (at = encodedRevision.find('/', at)) != std::string::npos;) {
        encodedRevision.replace(at, 1, "%2F");
    }
    const std::string informationUrl = models + "/revision/" + encodedRevision;
    const auto information = GUFO_TRY(ask(client, informationUrl, job));
    Repository repository{.name = name, .commit = textOf(information.json, "sha")};
    if (repository.commit.empty()) {
        return notJson(informationUrl);
    }
    readCard(information.json, repository);
    const std::string files =
        endpoint + '/' + encodedPath(name.repository) + "/resolve/" + encodedPath(repository.commit) + '/';
    std::string page = models + "/tree/" + encodedPath(repository.commit) + "?recursive=true";
    while (!page.empty()) {
        const auto list = GUFO_TRY(ask(client, page, job));
        if (!list.json.is(JsonValue::Kind::Array)) {
            return notJson(page);
        }
        for (const JsonValue& entry : list.json.elements) {
            if (textOf(entry, "type") != "file") {
                continue;
            }
            // For a file in LFS, "oid" is the hash of the pointer in Git; the hash of the content is in "lfs".
            const JsonValue* lfs = memberOf(entry, "lfs", JsonValue::Kind::Object);
            const auto bytes = lfs != nullptr ? sizeOf(*lfs, "size") : sizeOf(entry, "size");
            std::string path = textOf(entry, "path");
            std::string url = files + encodedPath(path);
            GUFO_TRY(add(repository, {.path = std::move(path),
                                      .bytes = bytes.value_or(0),
                                      .sha256 = lfs != nullptr ? digestOf(textOf(*lfs, "oid")) : "",
                                      .url = std::move(url)}));
        }
        const std::string next = nextPage(list.link, endpoint);
        if (list.json.elements.empty() || next == page) {
            break; // a page without files must not lead to another one without limit
        }
        page = next;
    }
    return repository;
}

Result<Repository> listModelScope(net::Client& client, const ModelName& name, const JobContext& job) {
    const std::string endpoint = net::endpointOf(Hub::ModelScope);
    const std::string revision = name.revision.empty() ? "master" : name.revision;
    const std::string models = "/models/" + encodedPath(name.repository);
    const std::string url =
        endpoint + "/api/v1" + models + "/repo/files?Revision=" + encodedPath(revision) + "&Recursive=true";
    const auto list = GUFO_TRY(ask(client, url, job));
    const JsonValue* data = memberOf(list.json, "Data", JsonValue::Kind::Object);
    const JsonValue* files = data != nullptr ? memberOf(*data, "Files", JsonValue::Kind::Array) : nullptr;
    if (files == nullptr) {
        return notJson(url);
    }
    Repository repository{.name = name};
    for (const JsonValue& entry : files->elements) {
        if (textOf(entry, "Type") != "blob") {
            continue;
        }
        std::string path = textOf(entry, "Path");
        // The commit that last changed the file.
        const std::string commit = textOf(entry, "Revision");
        std::string fileUrl =
            endpoint + models + "/resolve/" + encodedPath(commit.empty() ? revision : commit) + '/' + encodedPath(path);
        repository.commit = repository.commit.empty() ? commit : repository.commit;
        GUFO_TRY(add(repository, {.path = std::move(path),
                                  .bytes = sizeOf(entry, "Size").value_or(0),
                                  .sha256 = digestOf(textOf(entry, "Sha256")),
                                  .url = std::move(fileUrl)}));
    }
    return repository;
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

// The layers have digests instead of names, so that each gets one from the model's: "llama3-8b.gguf".
Result<Repository> listOllama(net::Client& client, const ModelName& name, const JobContext& job) {
    const std::string tag = name.revision.empty() ? "latest" : name.revision;
    const std::string registry = net::endpointOf(Hub::Ollama) + "/v2/" + encodedPath(name.repository);
    const std::string url = registry + "/manifests/" + encodedPath(tag);
    const auto manifest = GUFO_TRY(ask(client, url, job, "application/vnd.docker.distribution.manifest.v2+json"));
    const JsonValue* layers = memberOf(manifest.json, "layers", JsonValue::Kind::Array);
    if (layers == nullptr) {
        return notJson(url);
    }
    Repository repository{.name = name};
    const std::string stem = name.repository.substr(name.repository.rfind('/') + 1) + '-' + tag;
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
        std::string blob = registry + "/blobs/sha256:" + digest;
        GUFO_TRY(add(repository, {.path = std::move(path),
                                  .bytes = sizeOf(entry, "size").value_or(0),
                                  .sha256 = std::move(digest),
                                  .url = std::move(blob)}));
    }
    return repository;
}

constexpr std::uint64_t kLongestFile = 16 << 20; // tokenizer_config.json can list a hundred thousand added tokens

// Nothing if the server has no such file.
Result<std::optional<std::string>> fetchText(net::Client& client, const std::string& url, const JobContext& job) {
    net::Request request = net::requestFor(url);
    request.maxBytes = kLongestFile;
    std::string text;
    const net::Receiver receiver{.body = [&](Bytes piece) -> Result<> {
        text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
        return {};
    }};
    const auto reply = GUFO_TRY(client.send(request, receiver, job));
    constexpr int kNotFound = 404;
    if (reply.status == kNotFound) {
        return std::nullopt;
    }
    GUFO_TRY(net::requireSuccess(reply));
    return text;
}

// A text, or a list of named ones.
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

} // namespace

Result<Repository> listRepository(net::Client& client, const ModelName& name, const JobContext& job) {
    auto listed = name.hub == Hub::HuggingFace  ? listHuggingFace(client, name, job)
                  : name.hub == Hub::ModelScope ? listModelScope(client, name, job)
                                                : listOllama(client, name, job);
    if (listed) {
        std::ranges::sort(listed->files, {}, &RepositoryFile::path);
    } else if (listed.error().file.empty()) {
        return std::unexpected(std::move(listed).error().in(shownName(name)));
    }
    return listed;
}

Result<std::optional<std::string>> publishedTemplate(net::Client& client, net::Hub hub, const std::string& repository,
                                                     const JobContext& job) {
    const std::string files = net::endpointOf(hub) + (hub == net::Hub::ModelScope ? "/models/" : "/") +
                              encodedPath(repository) +
                              (hub == net::Hub::ModelScope ? "/resolve/master/" : "/resolve/main/");
    auto text = fetchText(client, files + "chat_template.jinja", job);
    if (!text || *text) {
        return text;
    }
    const std::string address = files + "tokenizer_config.json";
    const auto config = fetchText(client, address, job);
    if (!config || !*config) {
        return config;
    }
    const auto json = readJson(**config);
    if (!json) {
        return std::unexpected(
            Error{ErrorCode::ReplyUnusable, net::shownAddress(address), {}, {Detail::ReplyNotJson}, 0});
    }
    return defaultTemplate(*json);
}

} // namespace gufo::hub
