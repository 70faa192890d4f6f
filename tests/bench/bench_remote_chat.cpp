// Measures what the protocol adds to each token of an answer from llama-server: the time from the moment at which a
// server on the loopback sends an event, with 8 candidates, until the listener has the piece; and how many tokens per
// second the client can take if the server sends them all at once. Goal: less than 2 ms for each token.
#include "inference/session/engine_table.h"
#include "support/run_models.h"
#include "support/server_double.h"

#include <QCoreApplication>

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace gufo;
using namespace gufo::inference;
using Clock = std::chrono::steady_clock;

namespace {

constexpr double kGoalMs = 2;
constexpr std::uint32_t kTokens = 200;
constexpr std::uint32_t kManyTokens = 2000;
constexpr std::size_t kProgressEvents = 2; // which the server sends before the first token

double msBetween(Clock::time_point a, Clock::time_point b) {
    return std::chrono::duration<double, std::milli>(b - a).count();
}

// The times at which the pieces of an answer arrive; empty after an error.
std::vector<Clock::time_point> receive(const test::ServerDouble& server, const std::shared_ptr<const Model>& model,
                                       std::uint32_t tokens) {
    std::vector<Clock::time_point> times;
    const auto responder = remoteEngine()->open(model, {.server = {.address = server.address()}}, {});
    if (!responder) {
        return times;
    }
    ResponseListener listener;
    listener.piece = [&](const ResponsePiece&, const ResponseFigures&) {
        times.push_back(Clock::now());
        return true;
    };
    const auto response =
        (*responder)
            ->respond({.prompt = std::string("Once"), .settings = {.maxTokens = tokens, .candidates = 8}}, listener,
                      {});
    return response && times.size() == tokens ? times : std::vector<Clock::time_point>();
}

} // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    const auto model = test::tinyRunnable();
    const test::ServerDouble slow(model, {.fault = test::Fault::Slow});
    const auto received = receive(slow, model, kTokens);
    const auto sent = slow.sendTimes();
    const test::ServerDouble fast(model);
    const auto started = Clock::now();
    const auto many = receive(fast, model, kManyTokens);
    if (received.empty() || many.empty() || sent.size() < kProgressEvents + received.size()) {
        std::fputs("bench_remote_chat: there was no whole answer\n", stderr);
        return 1;
    }
    std::vector<double> added;
    for (std::size_t i = 0; i < received.size(); ++i) {
        added.push_back(msBetween(sent[kProgressEvents + i], received[i]));
    }
    std::ranges::sort(added);
    const double median = added[added.size() / 2];
    std::printf("added to each token: %.3f ms (median), %.3f ms (99 of 100), goal %.0f ms: ratio %.1f\n", median,
                added[added.size() * 99 / 100], kGoalMs, kGoalMs / median);
    const double each = msBetween(started, many.back()) / kManyTokens;
    std::printf("all at once: %.3f ms for each token, %.0f tokens/s\n", each, 1000 / each);
    const bool reached = median < kGoalMs && each < kGoalMs;
    std::printf("goal %s\n", reached ? "reached" : "MISSED");
    return reached ? 0 : 1;
}
