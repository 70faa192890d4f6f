#include "inference/remote/server_responder.h"

#include "base/detail.h"
#include "inference/remote/server_connection.h"

#include <algorithm>

namespace gufo::inference {

Result<std::unique_ptr<Responder>> openServer(const std::shared_ptr<const Model>& model, const SessionOptions& options,
                                              const JobContext& job) {
    ServerConnection server(options.server);
    if (server.address().empty()) {
        return fail(ErrorCode::AddressRefused, {}, {Detail::AddressMalformed});
    }
    auto about = GUFO_TRY(probeServer(server, job));
    ResponderFacts facts{.model = model, .server = std::move(about)};
    facts.match = matchOf(*facts.server, *model);
    facts.options.server.address = server.address(); // without the key
    facts.options.context = facts.server->context;
    facts.trainedContext = static_cast<std::uint32_t>(std::min<std::uint64_t>(facts.server->trainedContext, ~0U));
    if (facts.server->dialect == ServerDialect::OpenAi) {
        facts.capabilities = kOpenAiCapabilities;
        return makeChatResponder(std::move(facts), std::move(server));
    }
    facts.capabilities = kServerCapabilities;
    if (facts.match.model() == Agreement::Same) {
        auto tokenizer = text::makeTokenizer(*model, job);
        if (tokenizer) {
            facts.tokenizer = std::move(*tokenizer);
        } else if (tokenizer.error().code == ErrorCode::Cancelled) {
            return std::unexpected(std::move(tokenizer.error()));
        } else {
            facts.tokenizerError = std::move(tokenizer.error());
        }
    }
    if (facts.tokenizer == nullptr) {
        facts.capabilities.input = Input::Text;
    }
    return makeLlamaResponder(std::move(facts), std::move(server));
}

} // namespace gufo::inference
