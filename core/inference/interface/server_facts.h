// The facts that a server reports about itself and the model that it runs, and whether that is the model of an open
// file.
//
// Thread contract: pure functions.
#pragma once

#include "base/error.h"
#include "model/model.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

enum class ServerDialect : std::uint8_t {
    LlamaServer, // llama-server's interface: token ids, candidates, grammars
    OpenAi,      // /v1/chat/completions only
};

struct ServerFacts {
    ServerDialect dialect = ServerDialect::OpenAi;
    std::string build{};               // empty: not stated
    std::vector<std::string> models{}; // the ids by which requests name them
    bool vision = false;
    bool audio = false;
    std::uint32_t context = 0; // in tokens; 0: not stated
    // About the model; empty or 0 where the server does not state it.
    std::string path{};
    std::string chatTemplate{};
    std::string bosText{};
    std::uint64_t weights = 0;     // number of parameters
    std::uint64_t tensorBytes = 0; // of all tensors
    std::uint64_t vocabulary = 0;
    std::uint64_t trainedContext = 0;
};

enum class Agreement : std::uint8_t { Unknown, Same, Different };

// How a server's model agrees with a file. The path is not conclusive, because the server may run on another machine;
// the sizes decide.
struct ServerMatch {
    Agreement path = Agreement::Unknown; // the names of the files
    Agreement tensorBytes = Agreement::Unknown;
    Agreement weights = Agreement::Unknown;
    Agreement vocabulary = Agreement::Unknown;
    Agreement chatTemplate = Agreement::Unknown; // the default templates

    // Same only if the sizes of the tensors and of the vocabulary agree; token ids are then taken to mean the same on
    // both sides.
    [[nodiscard]] Agreement model() const;
};
[[nodiscard]] ServerMatch matchOf(const ServerFacts& facts, const Model& model);

} // namespace gufo::inference
