// Names of models on hubs, as users type them and paste them from browsers:
//
//    hf.co/owner/repo                     Hugging Face; also huggingface.co, with or without https://, and the host of
//    hf.co/owner/repo:Q4_K_M              HF_ENDPOINT
//    hf.co/owner/repo/model.gguf
//    https://huggingface.co/owner/repo/tree|blob|resolve/REVISION/PATH
//    modelscope.cn/models/owner/repo      ModelScope, with the same additions
//    ollama.com/library/llama3:8b         Ollama's registry
//    owner/repo[:Q4_K_M]                  Hugging Face; only parseShortName() accepts it, because it may be a path
//
// Threads: all functions are thread-safe as long as no thread changes the environment.
#pragma once

#include "net/model_address.h"

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace gufo::hub {

struct ModelName {
    net::Hub hub = net::Hub::HuggingFace;
    std::string repository;   // "owner/repo"
    std::string revision;     // a branch, a tag or a commit; empty: the usual one. For Ollama, the tag of the model
    std::string path;         // of a file or a folder in the repository; empty: everything
    std::string quantisation; // "Q4_K_M", as typed; empty: not stated
    auto operator<=>(const ModelName&) const = default;
};

// Returns nothing for other texts, among which are addresses of files on other servers.
[[nodiscard]] std::optional<ModelName> parseModelName(std::string_view text);
// As parseModelName(), but accepts "owner/repo" too.
[[nodiscard]] std::optional<ModelName> parseShortName(std::string_view text);

// The name as users type it: "hf.co/owner/repo:Q4_K_M".
[[nodiscard]] std::string shownName(const ModelName& name);

// Encodes a path for an address: every byte except letters, digits and "-._~/" as %XX.
[[nodiscard]] std::string encodedPath(std::string_view path);
// Replaces %XX in a path by the byte that it stands for.
[[nodiscard]] std::string decodedPath(std::string_view path);

// Whether a path of a server stays in its folder, and each of its parts can be the name of a file.
[[nodiscard]] bool isSafePath(std::string_view path);

} // namespace gufo::hub
