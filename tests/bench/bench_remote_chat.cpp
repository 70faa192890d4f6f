// Measures what the protocol adds to each token of an answer from llama-server: the time from the moment at which a
// server on the loopback sends an event, with 8 candidates, until the listener has the piece; and the time for each
// token if the server sends them all at once. The time until a plain socket has the same bytes is measured in turn with
// it and subtracted, because it is the system's time, which is long on a busy machine. Goal: less than 2 ms for each
// token.
#include "goal_verdict.h"
#include "inference/engine_table.h"
#include "support/run_models.h"
#include "support/server_double.h"

#include <QCoreApplication>
#include <QTcpSocket>
#include <QUrl>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace gufo;
using namespace gufo::inference;
using Clock = std::chrono::steady_clock;
using Times = std::vector<Clock::time_point>;

namespace {

constexpr double kGoalMs = 2;
constexpr int kRounds = 5;
constexpr std::uint32_t kTokens = 50;
constexpr std::uint32_t kManyTokens = 2000;
constexpr std::size_t kProgressEvents = 2; // which the server sends before the first token

double msBetween(Clock::time_point a, Clock::time_point b) {
    return std::chrono::duration<double, std::milli>(b - a).count();
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

// The times at which the pieces of an answer arrive; empty after an error.
Times receive(Responder& responder, std::uint32_t tokens) {
    Times times;
    ResponseListener listener;
    listener.piece = [&](const ResponsePiece&, const ResponseFigures&) {
        times.push_back(Clock::now());
        return true;
    };
    const auto response = responder.respond(
        {.prompt = std::string("Once"), .settings = {.maxTokens = tokens, .candidates = 8}}, listener, {});
    return response && times.size() == tokens ? times : Times();
}

// The times at which a plain socket has the events with these tokens after the same request; empty after an error.
Times receivePlainly(const test::ServerDouble& server, std::uint32_t tokens) {
    const std::string body = server.lastBody("/completion");
    const QUrl address(QString::fromStdString(server.address()));
    QTcpSocket socket;
    socket.connectToHost(address.host(), static_cast<quint16>(address.port()));
    if (!socket.waitForConnected()) {
        return {};
    }
    const std::string head = "POST /completion HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
                             "Content-Length: " +
                             std::to_string(body.size()) + "\r\n\r\n";
    socket.write((head + body).c_str());
    Times times;
    std::string got;
    for (std::size_t at = 0; times.size() < kProgressEvents + tokens && socket.waitForReadyRead();) {
        got += socket.readAll().toStdString();
        const auto now = Clock::now();
        while ((at = got.find("data: ", at)) != std::string::npos) {
            times.push_back(now);
            ++at;
        }
        at = got.size() - std::min<std::size_t>(got.size(), 5); // the start of the next event may be cut
    }
    times.resize(std::min<std::size_t>(times.size(), kProgressEvents + tokens));
    times.erase(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(std::min(kProgressEvents, times.size())));
    return times.size() == tokens ? times : Times();
}

// The milliseconds from the sending of each token to its arrival. `before`: events that the server had sent earlier.
std::vector<double> delays(const test::ServerDouble& server, std::size_t before, const Times& received) {
    const auto sent = server.sendTimes();
    std::vector<double> all;
    for (std::size_t i = 0; i < received.size() && before + kProgressEvents + i < sent.size(); ++i) {
        all.push_back(msBetween(sent[before + kProgressEvents + i], received[i]));
    }
    return all;
}

struct Round {
    std::vector<double> delays{};      // of the tokens of a slow answer
    std::vector<double> plainDelays{}; // for a plain socket
    double each = 0;                   // ms for each token of a fast answer
    double plainEach = 0;
};

class Bench {
public:
    // Empty after an error.
    std::optional<Round> measure() {
        if (m_toSlow == nullptr || m_toFast == nullptr) {
            return std::nullopt;
        }
        Round round;
        std::size_t before = m_slow.sendTimes().size();
        round.delays = delays(m_slow, before, receive(*m_toSlow, kTokens));
        before = m_slow.sendTimes().size();
        round.plainDelays = delays(m_slow, before, receivePlainly(m_slow, kTokens));
        auto started = Clock::now();
        const auto many = receive(*m_toFast, kManyTokens);
        round.each = many.empty() ? 0 : msBetween(started, many.back()) / kManyTokens;
        started = Clock::now();
        const auto plainly = receivePlainly(m_fast, kManyTokens);
        round.plainEach = plainly.empty() ? 0 : msBetween(started, plainly.back()) / kManyTokens;
        const bool isWhole =
            round.delays.size() == kTokens && round.plainDelays.size() == kTokens && !many.empty() && !plainly.empty();
        return isWhole ? std::optional(std::move(round)) : std::nullopt;
    }

private:
    [[nodiscard]] std::unique_ptr<Responder> open(const test::ServerDouble& server) const {
        auto responder = remoteEngine()->open(m_model, {.server = {.address = server.address()}}, {});
        return responder ? std::move(*responder) : nullptr;
    }

    std::shared_ptr<const Model> m_model = test::tinyRunnable();
    test::ServerDouble m_slow{m_model, {.fault = test::Fault::Slow}};
    test::ServerDouble m_fast{m_model};
    std::unique_ptr<Responder> m_toSlow = open(m_slow);
    std::unique_ptr<Responder> m_toFast = open(m_fast);
};

} // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    Bench bench;
    std::vector<double> whole;
    std::vector<double> longest;
    std::vector<double> added;
    std::vector<double> each;
    std::vector<double> addedEach;
    for (int i = 0; i < kRounds; ++i) {
        auto round = bench.measure();
        if (!round) {
            std::fputs("bench_remote_chat: there was no whole answer\n", stderr);
            return 1;
        }
        const double typical = median(round->delays);
        whole.push_back(typical);
        longest.push_back(std::ranges::max(round->delays));
        added.push_back(typical - median(round->plainDelays));
        each.push_back(round->each);
        addedEach.push_back(round->each - round->plainEach);
    }
    std::printf(
        "one by one:  %.3f ms from sending to the listener (median), %.3f ms at most; a plain socket needs %.3f "
        "ms of it\n",
        median(whole), median(longest), median(whole) - median(added));
    std::printf("all at once: %.3f ms for each token, %.0f tokens/s; a plain socket needs %.3f ms of it\n",
                median(each), 1000 / median(each), median(each) - median(addedEach));
    const double most = std::max(median(added), median(addedEach));
    std::printf("added to each token: %.3f ms, goal %.0f ms: %s\n", most, kGoalMs,
                gufo::bench::goalVerdict(true, most < kGoalMs));
    return most < kGoalMs ? 0 : 1;
}
