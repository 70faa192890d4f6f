#include "inference/remote/server_probe.h"

#include "base/detail.h"
#include "inference/remote/reply_members.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace gufo::inference {
namespace {

using Kind = JsonValue::Kind;

Result<JsonValue> readReply(std::string_view json) {
    auto reply = readJson(json);
    if (!reply || !reply->is(Kind::Object)) {
        return fail(ErrorCode::ReplyUnusable, {}, {Detail::ReplyNotJson});
    }
    return reply;
}

std::uint32_t contextOf(std::optional<std::uint64_t> stated) {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(stated.value_or(0), std::numeric_limits<std::uint32_t>::max()));
}

// Whether the error is that of a server that does not have the requested path.
bool isUnknownPath(const Error& error) {
    static constexpr std::array<std::string_view, 5> kUnknown{"400", "404", "405", "422", "501"};
    return error.code == ErrorCode::HttpStatus && !error.args.empty() &&
           std::ranges::find(kUnknown, error.args.front().text()) != kUnknown.end();
}

} // namespace

Result<> readProps(std::string_view json, ServerFacts& facts) {
    const auto reply = GUFO_TRY(readReply(json));
    facts.build = replyText(&reply, "build_info");
    facts.path = replyText(&reply, "model_path");
    facts.chatTemplate = replyText(&reply, "chat_template");
    facts.bosText = replyText(&reply, "bos_token");
    const JsonValue* settings = replyMember(&reply, "default_generation_settings", Kind::Object);
    facts.context = contextOf(replyCount(settings, "n_ctx"));
    const JsonValue* modalities = replyMember(&reply, "modalities", Kind::Object);
    facts.vision = replyFlag(modalities, "vision");
    facts.audio = replyFlag(modalities, "audio");
    // Other servers may answer this path too, but without these members.
    facts.dialect =
        settings != nullptr && replyCount(&reply, "total_slots") ? ServerDialect::LlamaServer : ServerDialect::OpenAi;
    return {};
}

Result<> readModelList(std::string_view json, ServerFacts& facts) {
    const auto reply = readReply(json);
    const JsonValue* data = reply ? replyMember(&*reply, "data", Kind::Array) : nullptr;
    if (data == nullptr) {
        return fail(ErrorCode::ReplyUnusable, {}, {Detail::ReplyNotJson});
    }
    for (const JsonValue& each : data->elements) {
        if (std::string id = replyText(&each, "id"); !id.empty()) {
            facts.models.push_back(std::move(id));
        }
    }
    if (data->elements.size() == 1) { // which of several models runs is not known
        const JsonValue* meta = replyMember(&data->elements.front(), "meta", Kind::Object);
        facts.weights = replyCount(meta, "n_params").value_or(0);
        facts.tensorBytes = replyCount(meta, "size").value_or(0);
        facts.vocabulary = replyCount(meta, "n_vocab").value_or(0);
        facts.trainedContext = replyCount(meta, "n_ctx_train").value_or(0);
    }
    return {};
}

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
