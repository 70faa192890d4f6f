// Addresses of model files, as the user types or pastes them, and the requests for these files. The table of hubs
// (model_address.cpp) contains their endpoints and tokens, and how the address of a file is derived from the address of
// its page. Names of models on hubs are in hub/model_name.h.
//
// Threads: all functions are thread-safe as long as no thread changes the environment.
#pragma once

#include "net/http.h"

#include <array>
#include <vector>

namespace gufo::net {

enum class Hub : std::uint8_t { HuggingFace, ModelScope, Ollama };
inline constexpr std::array kAllHubs = {Hub::HuggingFace, Hub::ModelScope, Hub::Ollama};

// The address of a hub's server, without a slash at its end: the value of HF_ENDPOINT, MODELSCOPE_ENDPOINT or
// GUFO_OLLAMA_ENDPOINT, else the usual address.
[[nodiscard]] std::string endpointOf(Hub hub);

// Whether a text is an address rather than the name of a file: it begins with https:// or http://.
[[nodiscard]] bool isAddress(std::string_view text);

// The hosts that this process may contact without encryption, as the user allowed: requestFor() adds them to every
// request. None at first.
void setPlainHosts(std::vector<std::string> hosts);
[[nodiscard]] std::vector<std::string> plainHosts();

// The request for a file. The address of a file's page on Hugging Face (…/blob/main/m.gguf) or ModelScope becomes the
// address of the file (…/resolve/main/m.gguf). The token of HF_TOKEN, or else of the file that HF_TOKEN_PATH names or
// that is in HF_HOME (default: ~/.cache/huggingface), is added only for the host of HF_ENDPOINT (default:
// https://huggingface.co).
[[nodiscard]] Request requestFor(std::string_view address);

} // namespace gufo::net
