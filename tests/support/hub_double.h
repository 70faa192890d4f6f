// A server for tests that speaks the interfaces of Hugging Face, ModelScope and Ollama for the repository
// "owl/night-GGUF" (for Ollama: "library/night"), or misbehaves when it sends files.
#pragma once

#include "base/sha256.h"
#include "support/http_double.h"

#include <QScopeGuard>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

namespace gufo::test {

enum class FileFault {
    None,
    NoRanges,
    WrongRange,
    ShortOnce,  // the first body breaks off in the middle
    ShortBody,  // every body does, after its first byte
    Changed,    // another ETag from the third request on
    Shorter,    // 416 from the third request on
    OtherSize,  // another size in Content-Range
    NotFound,   // 404 with a page of HTML
    BusyOnce,   // 503 for the third request
    Loop,       // redirects to itself
    Gzip,       // although identity was asked
    Silent,     // sends headers, but no body, from the third request on
    WeakTag,    // an ETag that does not promise equal bytes
    WrongBytes, // right in all its headers
    HugeSize,   // claims that the file has kHugeSize bytes
};

class HubDouble {
public:
    static constexpr std::uint64_t kHugeSize = std::uint64_t{1} << 60;
    static constexpr std::array kEndpoints{"HF_ENDPOINT", "MODELSCOPE_ENDPOINT", "GUFO_OLLAMA_ENDPOINT"};
    static constexpr const char* kCommit = "0123456789abcdef0123456789abcdef01234567";

    std::map<std::string, std::string> files;         // by path in the repository
    std::map<std::string, std::string> baseFiles;     // of the base model, "owl/night", by name
    std::map<std::string, std::string> statedDigests; // instead of the right ones
    std::atomic<FileFault> fault = FileFault::None;
    std::string etag = "\"1\"";
    std::string cardData = R"({"license": "apache-2.0", "base_model": ["owl/night"]})";
    std::size_t filesOfPage = 1000;
    std::atomic<int> pauseMs = 0;        // after each 64 KiB of a file
    std::string redirectsTo;             // the beginning of addresses at which another server has the files
    std::atomic<std::uint64_t> sent = 0; // bytes of files
    std::atomic<int> fileRequests = 0;
    std::atomic<int> unfinishedAnswers = 0; // to requests for files

    [[nodiscard]] std::string url(std::string_view path = {}) const { return m_server.url(path); }
    [[nodiscard]] HttpDouble& server() { return m_server; }
    void setEndpoints() const {
        for (const char* variable : kEndpoints) {
            qputenv(variable, QByteArray::fromStdString(url()));
        }
    }
    static void unsetEndpoints() {
        for (const char* variable : kEndpoints) {
            qunsetenv(variable);
        }
    }
    [[nodiscard]] std::string digest(const std::string& path) const {
        const auto stated = statedDigests.find(path);
        return stated != statedDigests.end() ? stated->second
                                             : hexText(sha256(std::as_bytes(std::span(files.at(path)))));
    }

private:
    static void reply(HttpPeer& peer, const std::string& body, const std::string& headers = {},
                      const char* status = "200 OK") {
        peer.send(std::string("HTTP/1.1 ") + status + "\r\nContent-Type: application/json\r\n" + headers +
                  "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    }

    void answer(const HttpRequest& request, HttpPeer& peer) {
        const std::string path = request.path.substr(0, request.path.find('?'));
        const auto begins = [&](std::string_view start) { return path.starts_with(start); };
        if (begins("/api/models/owl/night-GGUF/revision/")) {
            reply(peer, std::string(R"({"sha": ")") + kCommit + R"(", "gated": false, "cardData": )" + cardData + '}');
        } else if (path == std::string("/api/models/owl/night-GGUF/tree/") + kCommit) {
            sendTree(request, peer);
        } else if (path == "/api/v1/models/owl/night-GGUF/repo/files") {
            sendModelScope(peer);
        } else if (begins("/v2/library/night/manifests/")) {
            sendManifest(peer);
        } else if (begins("/owl/night/resolve/main/") || begins("/models/owl/night/resolve/master/")) {
            sendBaseFile(path, peer);
        } else {
            sendFile(path, request, peer);
        }
    }

    void sendBaseFile(const std::string& path, HttpPeer& peer) {
        const auto found = baseFiles.find(path.substr(path.rfind('/') + 1));
        found != baseFiles.end() ? reply(peer, found->second) : reply(peer, "Entry not found", "", "404 Not Found");
    }

    void sendTree(const HttpRequest& request, HttpPeer& peer) {
        const std::size_t cursor = request.path.find("cursor=");
        const std::size_t first = cursor == std::string::npos ? 0 : std::stoul(request.path.substr(cursor + 7));
        std::string list;
        std::size_t index = 0;
        for (const auto& [path, content] : files) {
            if (index >= first && index < first + filesOfPage) {
                list += (list.empty() ? "" : ",") + std::string(R"({"type": "file", "oid": "aa", "size": )") +
                        std::to_string(content.size()) + R"(, "path": ")" + path + R"(", "lfs": {"oid": ")" +
                        digest(path) + R"(", "size": )" + std::to_string(content.size()) + "}}";
            }
            ++index;
        }
        const std::string next = "Link: <" + url("/api/models/owl/night-GGUF/tree/") + kCommit +
                                 "?recursive=true&cursor=" + std::to_string(first + filesOfPage) +
                                 ">; rel=\"next\"\r\n";
        reply(peer, '[' + list + ']', first + filesOfPage < index ? next : "");
    }

    void sendModelScope(HttpPeer& peer) {
        std::string list = R"({"Type": "tree", "Path": "folder", "Size": 0})";
        for (const auto& [path, content] : files) {
            list += R"(,{"Type": "blob", "Path": ")" + path + R"(", "Size": )" + std::to_string(content.size()) +
                    R"(, "Sha256": ")" + digest(path) + R"(", "Revision": ")" + kCommit + "\"}";
        }
        reply(peer, R"({"Code": 200, "Data": {"Files": [)" + list + "]}}");
    }

    void sendManifest(HttpPeer& peer) {
        std::string layers =
            R"({"mediaType": "application/vnd.ollama.image.template", "digest": "sha256:00", "size": 3})";
        for (const auto& [path, content] : files) {
            layers += R"(,{"mediaType": "application/vnd.ollama.image.)" +
                      std::string(path.starts_with("mmproj") ? "projector" : "model") + R"(", "digest": "sha256:)" +
                      digest(path) + R"(", "size": )" + std::to_string(content.size()) + '}';
        }
        reply(peer, R"({"schemaVersion": 2, "layers": [)" + layers + "]}");
    }

    [[nodiscard]] const std::string* fileAt(const std::string& path) const {
        for (const auto& [name, content] : files) {
            if (path == "/owl/night-GGUF/resolve/" + std::string(kCommit) + '/' + name ||
                path == "/owl/night-GGUF/resolve/main/" + name ||
                path == "/models/owl/night-GGUF/resolve/" + std::string(kCommit) + '/' + name ||
                path == "/v2/library/night/blobs/sha256:" + digest(name) || path == '/' + name) {
                return &content;
            }
        }
        return nullptr;
    }

    void sendFile(const std::string& path, const HttpRequest& request, HttpPeer& peer) {
        ++unfinishedAnswers;
        const auto finish = qScopeGuard([this] { --unfinishedAnswers; });
        const FileFault now = fault;
        const int number = ++fileRequests;
        const std::string* file = fileAt(path);
        if (file == nullptr || now == FileFault::NotFound) {
            reply(peer, "<html><title>Not here</title><body>Try elsewhere</body></html>", "", "404 Not Found");
            return;
        }
        if (now == FileFault::Loop || !redirectsTo.empty()) {
            reply(peer, "",
                  "Location: " + (now == FileFault::Loop ? request.path : redirectsTo + path.substr(path.rfind('/'))) +
                      "\r\n",
                  "302 Found");
            return;
        }
        const bool isSuccessor = number > 2;
        if (now == FileFault::BusyOnce && number == 3) {
            reply(peer, R"({"error": "busy"})", "", "503 Service Unavailable");
            return;
        }
        if (now == FileFault::Shorter && isSuccessor) {
            reply(peer, "", "", "416 Range Not Satisfiable");
            return;
        }
        std::string tag = now == FileFault::Changed && isSuccessor ? "\"changed\"" : etag;
        tag = now == FileFault::WeakTag ? "W/" + tag : tag;
        const std::string condition = request.header("if-range");
        unsigned long long first = 0;
        unsigned long long last = file->size() - 1;
        const bool hasRange = std::sscanf(request.header("range").c_str(), "bytes=%llu-%llu", &first, &last) == 2 &&
                              now != FileFault::NoRanges && (condition.empty() || condition == tag);
        last = std::min<unsigned long long>(last, file->size() - 1);
        first = hasRange ? first : 0;
        last = hasRange ? last : file->size() - 1;
        std::string body = file->substr(first, last - first + 1);
        std::string head = std::string(hasRange ? "HTTP/1.1 206 Part" : "HTTP/1.1 200 OK") + "\r\nETag: " + tag +
                           "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
        if (hasRange) {
            const bool isWrong = now == FileFault::WrongRange && body.size() > 1;
            const std::uint64_t size = now == FileFault::HugeSize                   ? kHugeSize
                                       : now == FileFault::OtherSize && isSuccessor ? file->size() + 1
                                                                                    : file->size();
            head += "Content-Range: bytes " + std::to_string(first + (isWrong ? 1 : 0)) + '-' +
                    std::to_string(last + (isWrong ? 1 : 0)) + '/' + std::to_string(size) + "\r\n";
        }
        head += now == FileFault::Gzip ? "Content-Encoding: gzip\r\n" : "";
        if (now == FileFault::WrongBytes) {
            body.back() = static_cast<char>(~body.back());
        }
        const bool isCut = body.size() > 1 &&
                           (now == FileFault::ShortBody || (now == FileFault::ShortOnce && !m_hasCut.exchange(true)));
        if (isCut) {
            body.resize(now == FileFault::ShortBody ? 1 : body.size() / 2);
        }
        if (now == FileFault::Silent && isSuccessor) {
            peer.send(head + "\r\n");
            peer.pause(std::chrono::seconds(30));
            peer.close();
            return;
        }
        peer.send(head + "\r\n");
        constexpr std::size_t kPart = 64 << 10;
        const std::size_t step = pauseMs != 0 ? kPart : std::max<std::size_t>(body.size(), 1);
        for (std::size_t at = 0; at < body.size(); at += step) {
            const std::string_view part = std::string_view(body).substr(at, step);
            if (!peer.send(part) || (pauseMs != 0 && !peer.pause(std::chrono::milliseconds(pauseMs)))) {
                peer.close();
                return;
            }
            sent += part.size();
        }
        if (isCut) {
            peer.close();
        }
    }

    std::atomic<bool> m_hasCut = false;
    HttpDouble m_server{[this](const HttpRequest& request, HttpPeer& peer) { answer(request, peer); }};
};

} // namespace gufo::test
