#include "net/model_address.h"

#include "base/ascii.h"
#include "net/address_rules.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <utility>

namespace gufo::net {
namespace {

struct HubRow {
    Hub hub;
    const char* endpointVariable;
    std::string_view endpoint; // if the variable is not set
    Secret (*token)();         // null: the hub is used without one
    std::string_view pagePart; // of the path of a file's page; empty: files have no pages
    std::string_view filePart; // replaces it in the path of the file
};

std::string variable(const char* name) {
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): no thread changes the environment
    return value != nullptr ? value : "";
}

Secret huggingFaceToken() {
    if (Secret token(variable("HF_TOKEN")); !token.empty()) {
        return token;
    }
    std::filesystem::path file = variable("HF_TOKEN_PATH");
    if (file.empty()) {
        const std::filesystem::path home = variable("HF_HOME");
        file = (home.empty() ? std::filesystem::path(variable("HOME")) / ".cache/huggingface" : home) / "token";
    }
    constexpr std::size_t kLongestToken = 4096;
    std::ifstream stream(file, std::ios::binary);
    std::string text(kLongestToken, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    return Secret(std::move(text));
}

constexpr auto kHubs = std::to_array<HubRow>({
    {Hub::HuggingFace, "HF_ENDPOINT", "https://huggingface.co", huggingFaceToken, "/blob/", "/resolve/"},
    {Hub::ModelScope, "MODELSCOPE_ENDPOINT", "https://modelscope.cn", nullptr, "/file/view/", "/resolve/"},
    {Hub::Ollama, "GUFO_OLLAMA_ENDPOINT", "https://registry.ollama.ai", nullptr, "", ""},
});

std::string endpointOf(const HubRow& hub) {
    std::string endpoint = variable(hub.endpointVariable);
    if (endpoint.empty()) {
        return std::string(hub.endpoint);
    }
    while (endpoint.ends_with('/')) {
        endpoint.pop_back();
    }
    return endpoint;
}

struct AllowedHosts {
    std::mutex mutex; // guards `hosts`
    std::vector<std::string> hosts;
};

AllowedHosts& allowedHosts() {
    static AllowedHosts allowed;
    return allowed;
}

} // namespace

void setPlainHosts(std::vector<std::string> hosts) {
    AllowedHosts& allowed = allowedHosts();
    const std::scoped_lock lock(allowed.mutex);
    allowed.hosts = std::move(hosts);
}

std::vector<std::string> plainHosts() {
    AllowedHosts& allowed = allowedHosts();
    const std::scoped_lock lock(allowed.mutex);
    return allowed.hosts;
}

std::string endpointOf(Hub hub) {
    const auto* row = std::ranges::find(kHubs, hub, &HubRow::hub);
    return row != kHubs.end() ? endpointOf(*row) : std::string();
}

bool isAddress(std::string_view text) {
    const auto begins = [&](std::string_view scheme) {
        return equalIgnoringCase(text.substr(0, scheme.size()), scheme);
    };
    return begins("https://") || begins("http://");
}

Request requestFor(std::string_view address) {
    Request request{.url = std::string(address), .plainHosts = plainHosts()};
    const QUrl url(QString::fromUtf8(address.data(), static_cast<qsizetype>(address.size())));
    for (const HubRow& hub : kHubs) {
        if (!isSameOrigin(url, QUrl(QString::fromStdString(endpointOf(hub))))) {
            continue;
        }
        if (hub.token != nullptr) {
            request.token = hub.token();
        }
        const std::size_t page = hub.pagePart.empty() ? std::string::npos : request.url.find(hub.pagePart);
        if (page != std::string::npos) {
            request.url.replace(page, hub.pagePart.size(), hub.filePart);
        }
    }
    return request;
}

} // namespace gufo::net
