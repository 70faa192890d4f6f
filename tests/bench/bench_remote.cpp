// Measures what models on servers cost, against a server on the loopback interface:
//
// - The header of a model with 150,000 tokens: requests until the first keys are known (goal: at most 3), and the bytes
//   that were fetched beyond the header (goal: at most 64 KiB); the same when it is in the cache.
// - A repository of 30 models: the headers of all, read side by side (goal: at most 8 connections) and one after the
//   other. The server waits before each reply, as a distant one would.
// - The rate of a download, relative to the slower one of two: reading the same bytes from the same server (by curl, if
//   it is installed), and computing their SHA-256. Goal: at least 0.9. On few cores these tasks and the server compete,
//   so the rate and the processor time are also compared with both tasks at the same time. A finished download has been
//   written to the disk, unlike the file of curl, so it is also compared with both tasks and fsync.
#include "base/sha256.h"
#include "best_of.h"
#include "formats/fetched_model.h"
#include "goal_verdict.h"
#include "hub/download.h"
#include "hub/remote_model.h"
#include "net/remote_source.h"
#include "support/gguf_builder.h"
#include "support/http_double.h"

#include <QCoreApplication>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <optional>
#include <span>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace gufo;

namespace {

constexpr std::size_t kFileBytes = std::size_t{512} << 20;
constexpr std::size_t kTokens = 150'000;
constexpr int kRounds = 5;
constexpr std::uint64_t kMostRequests = 3; // until the first keys are known
constexpr int kMostKiBBeyond = 64;         // fetched in addition to the header

void serve(const std::string& file, const test::HttpRequest& request, test::HttpPeer& peer) {
    unsigned long long first = 0;
    unsigned long long last = file.size() - 1;
    const bool isPart = std::sscanf(request.header("range").c_str(), "bytes=%llu-%llu", &first, &last) == 2;
    last = std::min<unsigned long long>(last, file.size() - 1);
    const std::string_view body = std::string_view(file).substr(first, last - first + 1);
    peer.send(std::string(isPart ? "HTTP/1.1 206 Part" : "HTTP/1.1 200 OK") +
              "\r\nETag: \"bench\"\r\nContent-Length: " + std::to_string(body.size()) + "\r\nContent-Range: bytes " +
              std::to_string(first) + '-' + std::to_string(last) + '/' + std::to_string(file.size()) + "\r\n\r\n");
    peer.send(body);
}

std::string modelFile() {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < kTokens; ++i) {
        words.push_back(std::string(2 + i * 8 / kTokens, static_cast<char>('a' + i % 26)));
    }
    test::GgufBuilder file;
    file.key("general.architecture", "llama").key("general.name", "Owl").key("tokenizer.ggml.tokens", words);
    file.key("tokenizer.ggml.token_type", std::vector<std::int32_t>(kTokens, 1)).key("tokenizer.ggml.merges", words);
    for (int i = 0; i < 400; ++i) {
        file.tensor("blk." + std::to_string(i) + ".weight", 0, {256, 256});
    }
    const auto bytes = file.build();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool measureHeader(const std::filesystem::path& cache, const char* what) {
    const std::string file = modelFile();
    static std::unique_ptr<test::HttpDouble> server;
    if (server == nullptr) { // the same address both times
        server = std::make_unique<test::HttpDouble>(
            [file](const test::HttpRequest& request, test::HttpPeer& peer) { serve(file, request, peer); });
    }
    const auto source = net::RemoteSource::open(net::Client::shared(), {.url = server->url("/m.gguf")}, {}, cache);
    if (!source) {
        return false;
    }
    std::uint64_t requestsAtFirstKeys = 0;
    const auto model = readFetchedModel(*source, {}, {}, [&](const Model&) {
        requestsAtFirstKeys = requestsAtFirstKeys == 0 ? (*source)->requests() : requestsAtFirstKeys;
    });
    if (!model) {
        return false;
    }
    const std::uint64_t header = (*model)->files[0].headerBytes;
    const auto beyond = static_cast<double>((*source)->fetchedBytes()) - static_cast<double>(header);
    std::printf(
        "%-14s header of %.1f MiB: first keys after %llu requests (goal 3: %s), all after %llu; %+.0f KiB beyond "
        "it (goal %+d: %s)\n",
        what, static_cast<double>(header) / (1 << 20), static_cast<unsigned long long>(requestsAtFirstKeys),
        bench::goalVerdict(true, requestsAtFirstKeys <= kMostRequests),
        static_cast<unsigned long long>((*source)->requests()), beyond / 1024, kMostKiBBeyond,
        bench::goalVerdict(true, beyond <= kMostKiBBeyond * 1024));
    return true;
}

// The headers of 30 models of a server that takes its time for each reply.
bool measureRepository(const std::filesystem::path& cache) {
    constexpr auto kDelay = std::chrono::milliseconds(20);
    constexpr std::size_t kModels = 30;
    const std::string file = modelFile();
    const auto read = [&](std::size_t group, const char* what) -> std::optional<double> {
        setenv("XDG_CACHE_HOME", (cache / what).c_str(), 1); // NOLINT(concurrency-mt-unsafe): no other thread runs
        test::HttpDouble server([&](const test::HttpRequest& request, test::HttpPeer& peer) {
            peer.pause(kDelay);
            serve(file, request, peer);
        });
        std::vector<hub::ModelFiles> models;
        for (std::size_t i = 0; i < kModels; ++i) {
            const std::string path = "m" + std::to_string(i) + ".gguf";
            models.push_back({.name = path, .files = {{.path = path, .url = server.url("/" + path)}}});
        }
        std::size_t known = 0;
        const auto client = std::make_shared<net::Client>();
        const double seconds =
            bench::bestOf(1, [&] {
                for (std::size_t first = 0; first < kModels;) {
                    const std::size_t count = std::min(group, kModels - first);
                    const auto done = hub::readHeaders(client, std::span(models).subspan(first, count),
                                                       [&](std::size_t, const auto& model) { known += model ? 1 : 0; });
                    first += done ? count : kModels;
                }
            }).passed;
        std::printf("%-14s headers of %zu models in %.1f s, %zu requests, at most %d connections (goal: 8)\n", what,
                    kModels, seconds, server.requests().size(), server.maxConnections());
        const bool isRight = known == kModels && server.maxConnections() <= static_cast<int>(hub::kHeaderConnections);
        return isRight ? std::optional(seconds) : std::nullopt;
    };
    const auto together = read(kModels, "side by side");
    const auto apart = read(1, "one by one");
    if (!together || !apart) {
        return false;
    }
    std::printf("               %.1f × as fast side by side\n", *apart / *together);
    return true;
}

// The cost of a piece of work: elapsed time, and the processor time of curl and of this process, which also runs the
// server.
struct Cost {
    double passed = 0;
    double processor = 0;
};

Cost costOf(const std::function<void()>& work) {
    const auto processor = [] {
        double seconds = 0;
        for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
            rusage usage{};
            ::getrusage(who, &usage);
            for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
                seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
            }
        }
        return seconds;
    };
    const auto start = std::chrono::steady_clock::now();
    const double before = processor();
    work();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    return {.passed = passed.count(), .processor = processor() - before};
}

double median(std::vector<double> values) {
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    return values[values.size() / 2];
}

// In each round, everything is measured once, so that disturbances affect all alike; the medians of the ratios count.
bool measureDownload(const std::filesystem::path& folder) {
    std::string file(kFileBytes, '\0');
    for (std::size_t i = 0; i < file.size(); i += 64) {
        file[i] = static_cast<char>(i >> 6U);
    }
    test::HttpDouble server(
        [&](const test::HttpRequest& request, test::HttpPeer& peer) { serve(file, request, peer); });
    const std::string url = server.url("/m.gguf");
    const auto client = net::Client::shared();
    std::string digest;
    const std::string curl = "curl -sf -o '" + (folder / "curl").native() + "' " + url;
    const bool hasCurl = std::system("command -v curl >/dev/null") == 0;
    bool isRight = true;
    const auto hash = [&] { digest = hexText(sha256(std::as_bytes(std::span(file)))); };
    const auto read = [&] {
        const auto reply = hasCurl ? Result<net::Reply>() : client->send({.url = url, .maxBytes = kFileBytes}, {}, {});
        isRight = (hasCurl ? std::system(curl.c_str()) == 0 : reply.has_value()) && isRight;
    };
    const auto both = [&] {
        const std::jthread hashing(hash);
        read();
    };
    const auto durable = [&] {
        both();
        const int written = ::open((folder / "curl").c_str(), O_RDWR);
        isRight = (!hasCurl || (written >= 0 && ::fsync(written) == 0)) && isRight;
        ::close(written);
    };
    const auto download = [&] {
        const hub::ModelFiles model{.name = "m.gguf",
                                    .files = {{.path = "m.gguf", .bytes = kFileBytes, .sha256 = digest, .url = url}}};
        isRight = hub::download(*client, model, {.folder = folder, .replaces = true}).has_value() && isRight;
    };
    std::vector<double> ofSlower;
    std::vector<double> ofBoth;
    std::vector<double> ofDurable;
    std::vector<double> processor;
    Cost best{.passed = 1e9, .processor = 1e9};
    Cost bestRead = best;
    Cost bestHash = best;
    const auto improve = [](Cost& known, const Cost& now) {
        known = {std::min(known.passed, now.passed), std::min(known.processor, now.processor)};
    };
    for (int round = 0; round < kRounds && isRight; ++round) {
        const Cost hashed = costOf(hash);
        const Cost plain = costOf(read);
        const Cost downloaded = costOf(download);
        const Cost together = costOf(both);
        const Cost synced = costOf(durable);
        improve(best, downloaded);
        improve(bestRead, plain);
        improve(bestHash, hashed);
        ofSlower.push_back(std::max(plain.passed, hashed.passed) / downloaded.passed);
        ofBoth.push_back(together.passed / downloaded.passed);
        ofDurable.push_back(synced.passed / downloaded.passed);
        processor.push_back((plain.processor + hashed.processor) / downloaded.processor);
    }
    if (!isRight) {
        return false;
    }
    const auto rate = [](double seconds) { return static_cast<double>(kFileBytes) / seconds / 1e6; };
    const double share = median(ofSlower);
    std::printf("download       %.0f MB/s; %s %.0f MB/s, SHA-256 %.0f MB/s: %.2f of the slower (goal 0.9: %s)\n",
                rate(best.passed), hasCurl ? "curl" : "plain read", rate(bestRead.passed), rate(bestHash.passed), share,
                bench::goalVerdict(true, share >= 0.9));
    std::printf("               %.2f of both at the same time, %.2f of both and fsync; processor time of a read and of "
                "SHA-256 is %.2f of the download's\n",
                median(ofBoth), median(ofDurable), median(processor));
    return true;
}

} // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    const auto folder = std::filesystem::temp_directory_path() / ("gufo-bench-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const bool isRight = measureHeader(folder / "cache", "first look") &&
                         measureHeader(folder / "cache", "from cache") && measureRepository(folder) &&
                         measureDownload(folder);
    std::filesystem::remove_all(folder);
    return isRight ? 0 : 1;
}
