// A repository of a hub: its files with their sizes and SHA-256, at one commit, so that a push between two requests
// cannot mix two versions.
//
// Everything comes from a server and is not trusted: paths that would lead out of a folder are omitted, and a download
// compares the bytes that it receives with the sizes and digests.
//
// Threads: both functions block, so they must not be called on the UI thread.
#pragma once

#include "hub/model_name.h"
#include "net/http.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gufo::hub {

struct RepositoryFile {
    std::string path; // in the repository, UTF-8: "Q4_K_M/model-00001-of-00002.gguf"
    std::uint64_t bytes = 0;
    std::string sha256; // 64 lower-case digits; empty if the hub does not state it
    std::string url;    // of its content at the commit

    [[nodiscard]] std::string_view fileName() const {
        const std::string_view all = path;
        return all.substr(all.rfind('/') + 1); // npos + 1 is 0
    }
};

struct Repository {
    ModelName name;
    std::string commit;                  // empty for Ollama, whose files have their digests as addresses
    std::string license;                 // "apache-2.0"; empty if it is not stated
    std::vector<std::string> baseModels; // "owner/repo"
    bool isGated = false;                // files are only sent to users who accepted conditions
    std::vector<RepositoryFile> files;   // sorted by path
};

inline constexpr std::size_t kMaxFiles = 50'000;

// Requests the list from the hub. A reply may have up to 16 MiB. Errors, whose file is the address: the errors of
// Client::send and requireSuccess; ReplyUnusable (Detail::ReplyNotJson, also if the JSON is not a list of files);
// LimitExceeded (Detail::Files).
[[nodiscard]] Result<Repository> listRepository(net::Client& client, const ModelName& name, const JobContext& job = {});

// The chat template that the authors of a model published beside its weights, for a comparison with the template of a
// GGUF file: fetched from chat_template.jinja, or else the default template of tokenizer_config.json. `repository` is
// "owner/repo" on the hub. Nothing if neither has one. Errors: the errors of Client::send and requireSuccess, except of
// status 404; ReplyUnusable (Detail::ReplyNotJson).
[[nodiscard]] Result<std::optional<std::string>>
publishedTemplate(net::Client& client, net::Hub hub, const std::string& repository, const JobContext& job = {});

} // namespace gufo::hub
