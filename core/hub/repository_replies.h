// Readers of what hubs reply to questions about a repository: its commit, its card, its files and their addresses.
//
// A reply comes from a server and is not trusted. What it lacks, or states as another kind of value, stays empty; a
// file whose path would lead out of a folder is omitted.
//
// Threads: all functions are pure and thread-safe.
//
// Errors, whose file is not set: ReplyUnusable (Detail::ReplyNotJson) if the reply is of another kind; LimitExceeded
// (Detail::Files).
#pragma once

#include "hub/repository.h"

#include <string>
#include <string_view>

namespace gufo {
struct JsonValue;
}

namespace gufo::hub {

// Reads Hugging Face's description of a model: sets the commit, the licence, the base models, and whether the model is
// gated.
[[nodiscard]] Result<> readHuggingFaceFacts(const JsonValue& reply, Repository& repository);

// Adds the files in one page of Hugging Face's listing of the commit. `endpoint` is the address of the hub's server
// (see net::endpointOf()), with which the addresses of files begin. Returns the number of files and folders in the
// page.
[[nodiscard]] Result<std::size_t> readHuggingFaceFiles(const JsonValue& reply, std::string_view endpoint,
                                                       Repository& repository);

// Adds the files in ModelScope's listing. The address of a file whose commit is not stated names `revision` instead.
[[nodiscard]] Result<> readModelScopeFiles(const JsonValue& reply, std::string_view endpoint, std::string_view revision,
                                           Repository& repository);

// Adds the layers in the manifest of a model in Ollama's registry (a Docker image manifest, version 2, schema 2).
// Layers have digests but no names, so each file is named after the model and its tag: "llama3-8b.gguf".
[[nodiscard]] Result<> readOllamaManifest(const JsonValue& reply, std::string_view endpoint, std::string_view tag,
                                          Repository& repository);

// Returns the target of the link with rel="next" in the HTTP header Link (RFC 8288); empty if there is none.
[[nodiscard]] std::string nextPage(std::string_view link, std::string_view endpoint);

// Returns the default chat template of a tokenizer_config.json, which has either one template or a list of named ones.
[[nodiscard]] std::optional<std::string> defaultTemplate(const JsonValue& config);

} // namespace gufo::hub
