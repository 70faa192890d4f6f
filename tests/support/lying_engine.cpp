// The process of an engine that breaks the protocol (core/channel/message.h). The environment variable LYING_ENGINE
// names what it does; until then it keeps to the protocol, with a vocabulary of 4 tokens.
#include "channel/child_process.h"
#include "channel/endpoint.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <unistd.h>

using namespace gufo::channel;

namespace {

bool always() { return true; }

class Liar {
public:
    explicit Liar(std::string_view lie)
        : m_lie(lie) {}

    int run() {
        if (is("says nothing")) {
            sleepLong();
        }
        if (is("ends at once")) {
            std::fprintf(stderr, "no display\n");
            return 7;
        }
        if (is("greets with garbage")) {
            bytes({0xFF, 0xFF, 0xFF, 0xFF, 0x00});
        } else if (is("greets with nothing")) {
            bytes({0, 0, 0, 0});
        } else if (is("greets with Done")) {
            say(Done{0});
        } else if (is("has another protocol")) {
            say(Hello{.protocol = kProtocol + 1, .version = "0.7.0"});
        } else if (is("refuses without a reason")) {
            say(Refused{.why = Refusal::OtherLayout, .details = {}});
        } else {
            say(Hello{.version = "0.7.0"});
        }
        while (m_endpoint.receive(always) == Endpoint::Got::Message) {
            answer(readRequest(m_endpoint.body()).value());
        }
        return 0;
    }

private:
    [[nodiscard]] bool is(std::string_view lie) const { return m_lie == lie; }
    void say(const Reply& reply) { (void)m_endpoint.send(bytesOf(reply), always); }
    void bytes(std::initializer_list<int> values) {
        std::vector<std::byte> all;
        for (const int value : values) {
            all.push_back(static_cast<std::byte>(value));
        }
        (void)m_endpoint.send(all, always);
    }
    static void sleepLong() { std::this_thread::sleep_for(std::chrono::hours(1)); }

    void answer(const Request& request) {
        if (std::holds_alternative<Ping>(request)) {
            say(Pong());
        } else if (const auto* load = std::get_if<Load>(&request)) {
            say(Loading{is("progress is not a number") ? 0.0F / 0.0F : 0.5F});
            if (is("loads an empty vocabulary")) {
                say(Loaded{.context = load->context, .vocabulary = 0});
            } else if (is("loads a vast vocabulary")) {
                say(Loaded{.context = load->context, .vocabulary = 0xFFFF'FFFF});
            } else if (is("loads a longer context")) {
                say(Loaded{.context = load->context + 1, .vocabulary = 4});
            } else if (is("answers Load with Done")) {
                say(Done{0});
            } else if (is("answers Load with a row")) {
                say(Row{0, {1, 2, 3, 4}});
            } else {
                say(Loaded{.context = load->context, .vocabulary = 4, .threads = 1});
            }
        } else if (const auto* evaluate = std::get_if<Evaluate>(&request)) {
            say(*evaluate);
        } else if (std::holds_alternative<SaveState>(request)) {
            say(StateBegins{is("saves more than announced") ? 1U : 3U});
            say(StatePart{{std::byte{1}, std::byte{2}}});
            say(Done{0});
        } else {
            say(Done{0});
        }
    }

    void say(const Evaluate& evaluate) {
        const auto held = static_cast<std::uint32_t>(evaluate.keep + evaluate.tokens.size());
        if (m_honest) { // the first evaluation
            m_honest = false;
            say(Row{0, {1, 2, 3, 4}});
            say(Done{held});
        } else if (is("holds fewer than before")) {
            say(Progress{evaluate.keep - 1});
        } else if (is("holds more than asked")) {
            say(Progress{held + 1});
        } else if (is("sends a short row")) {
            say(Row{0, {1, 2, 3}});
        } else if (is("sends a later row first")) {
            say(Row{1, {1, 2, 3, 4}});
        } else if (is("sends a second row")) {
            say(Row{0, {1, 2, 3, 4}});
            say(Row{1, {1, 2, 3, 4}});
        } else if (is("sends no row")) {
            say(Done{held});
        } else if (is("is done too early")) {
            say(Row{0, {1, 2, 3, 4}});
            say(Done{held - 1});
        } else if (is("announces a huge message")) {
            bytes({0x01, 0x00, 0x00, 0x7F, 0x05});
        } else if (is("ends in a message")) {
            bytes({0x10, 0x00, 0x00, 0x00, 0x05, 0x00});
            std::fprintf(stderr, "half of it\n");
            ::_exit(1);
        } else if (is("sends an unknown message")) {
            bytes({0x01, 0x00, 0x00, 0x00, 0x63});
        } else if (is("greets again")) {
            say(Hello{.version = "0.7.0"});
        } else {
            say(Row{0, {1, 2, 3, 4}});
            say(Done{held});
        }
    }

    std::string_view m_lie;
    bool m_honest = true;
    Endpoint m_endpoint{ChildProcess::kSocket};
};

} // namespace

int main() {
    const char* const lie = std::getenv("LYING_ENGINE");
    return Liar(lie != nullptr ? lie : "").run();
}
