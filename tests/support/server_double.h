// A server on the loopback interface that speaks llama-server's protocol and OpenAI's as they were recorded from
// llama.cpp 0.7.0, or misbehaves as a test asks. It pretends to run a model of the tests and answers " one two three
// four one …" like the engines of stand_in_engine.h.
//
// Thread contract: functions may be called on any thread. The server has a thread of its own, so a test may block
// while it uses the server.
#pragma once

#include "model/model.h"
#include "text/tokenizer/tokenizer.h"

#include <QThread>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

class QTcpServer;
class QTcpSocket;

namespace gufo::test {

// What is wrong with the server.
enum class Fault {
    None,
    Slow,       // 20 ms before each event
    Hangs,      // accepts a request for an answer and never replies
    Cut,        // closes the connection after two tokens
    EndsEarly,  // ends the reply after two tokens, without the event that ends the answer
    WrongJson,  // an event whose JSON is cut
    WrongKinds, // events whose members are of other kinds than expected
    ErrorInStream,
    Unauthorised,   // whatever the key is
    Loading,        // 503 until finishLoading()
    SplitCharacter, // sends each byte of a stream separately, so that characters are split
    Comments,       // comments between events, CR LF line ends, data in several lines
    Page,           // an HTML page for every path
    OneCharacter,   // two tokens make up one character; llama-server reports the second only
};

struct DoubleOptions {
    Fault fault = Fault::None;
    bool isLlamaServer = true; // otherwise it has only OpenAI's protocol
    std::string key{};         // empty: requests need none
    bool isOtherModel = false; // states other sizes than the model's
    std::uint32_t context = 512;
    bool thinks = false; // OpenAI's protocol: sends reasoning before the answer
    bool callsTool = false;
    int port = 0; // 0: any
};

class ServerDouble {
public:
    struct Seen {
        std::string method;
        std::string path;
        std::string key;
        std::string body;
    };

    explicit ServerDouble(std::shared_ptr<const Model> model, DoubleOptions options = {});
    ~ServerDouble();
    ServerDouble(const ServerDouble&) = delete;
    ServerDouble& operator=(const ServerDouble&) = delete;

    [[nodiscard]] std::string address() const { return "http://127.0.0.1:" + std::to_string(m_port); }
    [[nodiscard]] std::vector<Seen> seen() const;
    [[nodiscard]] std::string lastBody(const std::string& path) const; // of the last request for a path
    // Connections that the client closed before the reply was complete.
    [[nodiscard]] int aborted() const { return m_aborted; }
    // The times at which the events of streams were sent, for figures about the client.
    using Time = std::chrono::steady_clock::time_point;
    [[nodiscard]] std::vector<Time> sendTimes() const;
    void finishLoading() { m_isLoading = false; }
    [[nodiscard]] const std::vector<TokenId>& words() const { return m_words; } // the tokens of kStandInWords

private:
    struct Step { // bytes to send, `delay` milliseconds after the previous ones
        std::string bytes;
        int delay = 0;
    };
    struct Script {
        int status = 200;
        std::string type = "application/json";
        std::vector<Step> steps{};
        bool isStream = false;
        bool breaksOff = false; // closes the connection instead of ending the reply
        bool hangs = false;
    };
    void accept();
    void read(QTcpSocket* socket);
    void play(QTcpSocket* socket, const std::shared_ptr<Script>& script, std::size_t step);
    [[nodiscard]] Script answerTo(const Seen& request);
    [[nodiscard]] std::string props() const;
    [[nodiscard]] std::string models() const;
    [[nodiscard]] Script completion(const std::string& body) const;
    [[nodiscard]] Script chat(const std::string& body) const;
    [[nodiscard]] Script streamOf(std::vector<std::string> events) const;
    [[nodiscard]] std::string tokenJson(std::size_t word, std::size_t count, bool after, bool withIds) const;

    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    std::vector<TokenId> m_words;
    DoubleOptions m_options;
    std::atomic<bool> m_isLoading;
    std::atomic<int> m_aborted = 0;
    QThread m_thread;
    QObject m_context; // lives on the thread
    QTcpServer* m_server = nullptr;
    int m_port = 0;
    mutable std::mutex m_mutex;
    std::vector<Seen> m_seen;
    std::vector<Time> m_sendTimes;
};

} // namespace gufo::test
