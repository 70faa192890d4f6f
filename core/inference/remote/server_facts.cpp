#include "inference/remote/server_facts.h"

#include "base/detail.h"
#include "inference/remote/reply_members.h"
#include "text/template/chat_templates.h"

#include <algorithm>
#include <limits>

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

Agreement agree(std::uint64_t a, std::uint64_t b) {
    return a == 0 || b == 0 ? Agreement::Unknown : a == b ? Agreement::Same : Agreement::Different;
}

std::string_view fileName(std::string_view path) {
    return path.substr(path.find_last_of("/\\") + 1); // the server may run on Windows
}

std::uint64_t vocabularyOf(const Metadata& metadata) {
    const ArrayView* tokens = metadata.array("tokenizer.ggml.tokens");
    return tokens != nullptr ? tokens->length : 0;
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

Agreement ServerMatch::model() const {
    if (tensorBytes == Agreement::Different || weights == Agreement::Different || vocabulary == Agreement::Different) {
        return Agreement::Different;
    }
    const bool isSame = tensorBytes == Agreement::Same && vocabulary == Agreement::Same;
    return isSame ? Agreement::Same : Agreement::Unknown;
}

ServerMatch matchOf(const ServerFacts& facts, const Model& model) {
    const Model::Totals totals = model.totals();
    const auto templates = text::chatTemplates(model.metadata);
    const std::string_view fileTemplate = templates.empty() ? std::string_view() : templates.front().source;
    ServerMatch match{.tensorBytes = agree(facts.tensorBytes, totals.tensorBytes),
                      .weights = agree(facts.weights, totals.weights),
                      .vocabulary = agree(facts.vocabulary, vocabularyOf(model.metadata))};
    if (!facts.path.empty()) {
        match.path = fileName(facts.path) == model.path().filename().string() ? Agreement::Same : Agreement::Different;
    }
    if (!facts.chatTemplate.empty() && !fileTemplate.empty()) {
        match.chatTemplate = facts.chatTemplate == fileTemplate ? Agreement::Same : Agreement::Different;
    }
    return match;
}

} // namespace gufo::inference
