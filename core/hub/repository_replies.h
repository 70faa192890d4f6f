// Readers of what hubs reply to questions about a repository: its commit, its card, its files and their addresses.
//
// A reply comes from a server and is not trusted. What it lacks, or states as another kind of value, stays empty; a
// file whose path would lead out of a folder is omitted.
//
// Threads: all functions are pure and thread-safe.
//
// Errors, which concern no file: ReplyUnusable (Detail::ReplyNotJson) if the reply is of another kind; LimitExceeded
// (Detail::Files).
#pragma once

#include "hub/repository.h"

#include <string>
#include <string_view>

namespace gufo {
struct JsonValue;
}

namespace gufo::hub {

// Hugging Face's facts about a model: sets the commit, the licence, the base models, and whether the model is gated.
[[nodiscard]] Result<> readHuggingFaceFacts(const JsonValue& reply, Repository& repository);

// A page of Hugging Face's list of files at the commit; `endpoint` is that of the hub, without a slash at its end.
// Returns the number of entries, which can be files and folders.
[[nodiscard]] Result<std::size_t> readHuggingFaceFiles(const JsonValue& reply, std::string_view endpoint,
                                                       Repository& repository);

// ModelScope's list of files. Files whose commit it does not state are fetched at `revision`.
[[nodiscard]] Result<> readModelScopeFiles(const JsonValue& reply, std::string_view endpoint, std::string_view revision,
                                           Repository& repository);

// The manifest of a model in Ollama's registry: an image manifest of version 2, schema 2. Layers have digests instead
// of names, so that each gets one from the model's and its tag: "llama3-8b.gguf".
[[nodiscard]] Result<> readOllamaManifest(const JsonValue& reply, std::string_view endpoint, std::string_view tag,
                                          Repository& repository);

// The target of the link with rel="next" in the header Link (RFC 8288); empty if there is none.
[[nodiscard]] std::string nextPage(std::string_view link, std::string_view endpoint);

// The default chat template of a tokenizer_config.json, which has one template or a list of named ones.
[[nodiscard]] std::optional<std::string> defaultTemplate(const JsonValue& config);

} // namespace gufo::hub
