#include "hub/base_template.h"

#include "base/detail.h"
#include "base/json_value.h"
#include "net/model_address.h"

namespace gufo::hub {
namespace {

constexpr std::uint64_t kLongestFile = 16 << 20; // tokenizer_config.json can list a hundred thousand added tokens

// Nothing if the server has no such file.
Result<std::optional<std::string>> fetchText(net::Client& client, const std::string& url, const JobContext& job) {
    net::Request request = net::requestFor(url);
    request.maxBytes = kLongestFile;
    std::string text;
    const auto reply = client.send(request, {.body = [&](Bytes piece) -> Result<> {
                                       text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
                                       return {};
                                   }},
                                   job);
    if (!reply) {
        return std::unexpected(reply.error());
    }
    constexpr int kNotFound = 404;
    if (reply->status == kNotFound) {
        return std::nullopt;
    }
    GUFO_TRY(net::requireSuccess(*reply));
    return text;
}

// A text, or a list of named ones.
std::optional<std::string> defaultTemplate(const JsonValue& config) {
    const JsonValue* value = config.find("chat_template");
    if (value == nullptr) {
        return std::nullopt;
    }
    if (value->is(JsonValue::Kind::String)) {
        return value->text;
    }
    for (const JsonValue& one : value->elements) {
        const JsonValue* name = one.find("name");
        const JsonValue* text = one.find("template");
        if (name != nullptr && text != nullptr && name->text == "default") {
            return text->text;
        }
    }
    return std::nullopt;
}

} // namespace

Result<std::optional<std::string>> publishedTemplate(net::Client& client, net::Hub hub, const std::string& repository,
                                                     const JobContext& job) {
    const std::string files = net::endpointOf(hub) + (hub == net::Hub::ModelScope ? "/models/" : "/") +
                              encodedPath(repository) +
                              (hub == net::Hub::ModelScope ? "/resolve/master/" : "/resolve/main/");
    auto text = fetchText(client, files + "chat_template.jinja", job);
    if (!text || *text) {
        return text;
    }
    const std::string address = files + "tokenizer_config.json";
    const auto config = fetchText(client, address, job);
    if (!config || !*config) {
        return config;
    }
    const auto json = readJson(**config);
    if (!json) {
        return std::unexpected(
            Error{ErrorCode::ReplyUnusable, net::shownAddress(address), {}, {Detail::ReplyNotJson}, 0});
    }
    return defaultTemplate(*json);
}

} // namespace gufo::hub
