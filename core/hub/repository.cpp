#include "hub/repository.h"

#include "base/detail.h"
#include "base/json_value.h"
#include "hub/repository_replies.h"
#include "net/model_address.h"

#include <algorithm>

namespace gufo::hub {
namespace {

using net::Hub;

constexpr std::uint64_t kLargestReply = 16 << 20;

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

// What a reader of replies returns, with the address that replied in its error.
template<typename T>
Result<T> from(const std::string& url, Result<T> read) {
    if (!read) {
        return std::unexpected(std::move(read).error().in(net::shownAddress(url)));
    }
    return read;
}

// ---- the hubs -------------------------------------------------------------------------------------------------------

Result<Repository> listHuggingFace(net::Client& client, const ModelName& name, const JobContext& job) {
    const std::string endpoint = net::endpointOf(Hub::HuggingFace);
    const std::string models = endpoint + "/api/models/" + encodedPath(name.repository);
    // A revision can contain a slash ("refs/pr/1"), which must not divide the path.
    std::string revision = encodedPath(name.revision.empty() ? "main" : name.revision);
    for (std::size_t at = 0; (at = revision.find('/', at)) != std::string::npos;) {
        revision.replace(at, 1, "%2F");
    }
    const std::string url = models + "/revision/" + revision;
    Repository repository{.name = name};
    const auto information = GUFO_TRY(ask(client, url, job));
    GUFO_TRY(from(url, readHuggingFaceFacts(information.json, repository)));
    std::string page = models + "/tree/" + encodedPath(repository.commit) + "?recursive=true";
    for (std::size_t entries = 0; !page.empty();) {
        const auto list = GUFO_TRY(ask(client, page, job));
        const std::size_t more = GUFO_TRY(from(page, readHuggingFaceFiles(list.json, endpoint, repository)));
        const std::string next = nextPage(list.link, endpoint);
        // Neither pages without entries nor pages that only list folders may lead to others without limit.
        if (more == 0 || next == page) {
            break;
        }
        entries += more;
        if (entries > kMaxFiles) {
            return std::unexpected(
                Error{ErrorCode::LimitExceeded, net::shownAddress(page), {}, {Detail::Files, entries, kMaxFiles}, 0});
        }
        page = next;
    }
    return repository;
}

Result<Repository> listModelScope(net::Client& client, const ModelName& name, const JobContext& job) {
    const std::string endpoint = net::endpointOf(Hub::ModelScope);
    const std::string revision = name.revision.empty() ? "master" : name.revision;
    const std::string url = endpoint + "/api/v1/models/" + encodedPath(name.repository) +
                            "/repo/files?Revision=" + encodedPath(revision) + "&Recursive=true";
    const auto list = GUFO_TRY(ask(client, url, job));
    Repository repository{.name = name};
    GUFO_TRY(from(url, readModelScopeFiles(list.json, endpoint, revision, repository)));
    return repository;
}

Result<Repository> listOllama(net::Client& client, const ModelName& name, const JobContext& job) {
    const std::string endpoint = net::endpointOf(Hub::Ollama);
    const std::string tag = name.revision.empty() ? "latest" : name.revision;
    const std::string url = endpoint + "/v2/" + encodedPath(name.repository) + "/manifests/" + encodedPath(tag);
    const auto manifest = GUFO_TRY(ask(client, url, job, "application/vnd.docker.distribution.manifest.v2+json"));
    Repository repository{.name = name};
    GUFO_TRY(from(url, readOllamaManifest(manifest.json, endpoint, tag, repository)));
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

} // namespace

Result<Repository> listRepository(net::Client& client, const ModelName& name, const JobContext& job) {
    auto listed = name.hub == Hub::HuggingFace  ? listHuggingFace(client, name, job)
                  : name.hub == Hub::ModelScope ? listModelScope(client, name, job)
                                                : listOllama(client, name, job);
    if (listed) {
        std::ranges::sort(listed->files, {}, &RepositoryFile::path);
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
        return notJson(address);
    }
    return defaultTemplate(*json);
}

} // namespace gufo::hub
