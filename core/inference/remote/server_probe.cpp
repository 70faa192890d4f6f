#include "inference/remote/server_probe.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace gufo::inference {
namespace {

// Whether the error is that of a server that does not have the requested path.
bool isUnknownPath(const Error& error) {
    static constexpr std::array<std::string_view, 5> kUnknown{"400", "404", "405", "422", "501"};
    return error.code == ErrorCode::HttpStatus && !error.args.empty() &&
           std::ranges::find(kUnknown, error.args.front().text()) != kUnknown.end();
}

} // namespace

Result<ServerFacts> probeServer(const ServerConnection& server, const JobContext& job) {
    ServerFacts facts;
    // While llama-server loads its model, /health says so and the other paths are not ready.
    if (auto health = server.get("/health", job); !health && !isUnknownPath(health.error())) {
        return std::unexpected(std::move(health.error()));
    }
    if (const auto props = server.get("/props", job)) {
        if (!readProps(*props, facts)) {
            facts = {}; // the server answers every path, for example with a page
        }
    } else if (!isUnknownPath(props.error())) {
        return std::unexpected(props.error());
    }
    const auto models = GUFO_TRY(server.get("/v1/models", job));
    GUFO_TRY(readModelList(models, facts));
    return facts;
}

} // namespace gufo::inference
