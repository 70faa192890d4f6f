#include "support/server_double.h"

#include "support/stand_in_engine.h"
#include "text/template/chat_templates.h"

#include <QHostAddress>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace gufo::test {
namespace {

constexpr std::array<double, 2> kSharesLeft{0.7, 0.3}; // after the samplers

std::string jsonOf(const QJsonObject& object) {
    return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}
QJsonObject objectOf(const std::string& text) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}
QString textOf(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

std::string errorJson(int code, const char* words, const char* kind) {
    return jsonOf({{"error", QJsonObject{{"code", code}, {"message", words}, {"type", kind}}}});
}

} // namespace

ServerDouble::ServerDouble(std::shared_ptr<const Model> model, DoubleOptions options)
    : m_model(std::move(model))
    , m_options(std::move(options))
    , m_isLoading(m_options.fault == Fault::Loading) {
    m_tokenizer = text::makeTokenizer(*m_model).value();
    for (const char* word : kStandInWords) {
        for (std::size_t i = 0; i < m_tokenizer->vocabulary().size(); ++i) {
            if (m_tokenizer->bytesOf(TokenId(i)) == word) {
                m_words.emplace_back(i);
            }
        }
    }
    m_context.moveToThread(&m_thread);
    m_thread.start();
    QMetaObject::invokeMethod(
        &m_context,
        [this] {
            m_server = new QTcpServer(&m_context);
            QObject::connect(m_server, &QTcpServer::newConnection, &m_context, [this] { accept(); });
            const bool listens = m_server->listen(QHostAddress::LocalHost, static_cast<quint16>(m_options.port));
            m_port = listens ? m_server->serverPort() : 0;
        },
        Qt::BlockingQueuedConnection);
}

ServerDouble::~ServerDouble() {
    QMetaObject::invokeMethod(&m_context, [this] { delete m_server; }, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

std::vector<ServerDouble::Seen> ServerDouble::seen() const {
    const std::scoped_lock lock(m_mutex);
    return m_seen;
}

std::vector<ServerDouble::Time> ServerDouble::sendTimes() const {
    const std::scoped_lock lock(m_mutex);
    return m_sendTimes;
}

std::string ServerDouble::lastBody(const std::string& path) const {
    const auto all = seen();
    const auto last = std::find_if(all.rbegin(), all.rend(), [&](const Seen& each) { return each.path == path; });
    return last != all.rend() ? last->body : std::string();
}

void ServerDouble::accept() {
    while (QTcpSocket* socket = m_server->nextPendingConnection()) {
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        QObject::connect(socket, &QTcpSocket::readyRead, &m_context, [this, socket] { read(socket); });
        QObject::connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
    }
}

void ServerDouble::read(QTcpSocket* socket) {
    QByteArray received = socket->property("received").toByteArray() + socket->readAll();
    socket->setProperty("received", received);
    const qsizetype end = received.indexOf("\r\n\r\n");
    if (end < 0) {
        return;
    }
    const QByteArray head = received.left(end);
    qsizetype length = 0;
    Seen request;
    for (const QByteArray& line : head.split('\n')) {
        const qsizetype colon = line.indexOf(':');
        const QByteArray name = line.left(colon).trimmed().toLower();
        const QByteArray value = line.mid(colon + 1).trimmed();
        length = name == "content-length" ? value.toLongLong() : length;
        request.key =
            name == "authorization" ? value.mid(static_cast<qsizetype>(strlen("Bearer "))).toStdString() : request.key;
    }
    if (received.size() < end + 4 + length) {
        return;
    }
    const QList<QByteArray> words = head.left(head.indexOf('\r')).split(' ');
    request.method = words.value(0).toStdString();
    request.path = words.value(1).toStdString();
    request.body = received.mid(end + 4, length).toStdString();
    socket->setProperty("received", received.mid(end + 4 + length));
    {
        const std::scoped_lock lock(m_mutex);
        m_seen.push_back(request);
    }
    const auto script = std::make_shared<Script>(answerTo(request));
    if (script->hangs) {
        socket->setProperty("replying", true);
        QObject::connect(socket, &QTcpSocket::disconnected, &m_context, [this] { ++m_aborted; });
        return;
    }
    QByteArray reply = "HTTP/1.1 " + QByteArray::number(script->status) +
                       " Word\r\nContent-Type: " + QByteArray::fromStdString(script->type) + "\r\n";
    if (script->isStream) {
        socket->write(reply + "Transfer-Encoding: chunked\r\n\r\n");
        socket->setProperty("replying", true);
        QObject::connect(socket, &QTcpSocket::disconnected, &m_context,
                         [this, socket] { m_aborted += socket->property("replying").toBool() ? 1 : 0; });
        play(socket, script, 0);
        return;
    }
    QByteArray body;
    for (const Step& step : script->steps) {
        body += QByteArray::fromStdString(step.bytes);
    }
    socket->write(reply + "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body);
}

void ServerDouble::play(QTcpSocket* socket, const std::shared_ptr<Script>& script, std::size_t step) {
    if (step == script->steps.size()) {
        socket->setProperty("replying", false);
        if (script->breaksOff) {
            socket->disconnectFromHost();
        } else {
            socket->write("0\r\n\r\n");
        }
        return;
    }
    const auto send = [this, socket, script, step] {
        if (socket->state() != QAbstractSocket::ConnectedState) {
            return; // the client has closed the connection
        }
        const std::string& bytes = script->steps[step].bytes;
        {
            const std::scoped_lock lock(m_mutex);
            m_sendTimes.push_back(std::chrono::steady_clock::now());
        }
        socket->write(QByteArray::number(static_cast<qulonglong>(bytes.size()), 16) + "\r\n" +
                      QByteArray::fromStdString(bytes) + "\r\n");
        socket->flush();
        play(socket, script, step + 1);
    };
    if (script->steps[step].delay == 0) {
        send();
    } else {
        QTimer::singleShot(script->steps[step].delay, socket, send);
    }
}

ServerDouble::Script ServerDouble::answerTo(const Seen& request) {
    const auto body = [](std::string text, int status = 200) {
        return Script{.status = status, .steps = {{.bytes = std::move(text)}}};
    };
    const auto unknown = [&] { return body(errorJson(404, "File Not Found", "not_found_error"), 404); };
    if (m_options.fault == Fault::Page) {
        return {.type = "text/html", .steps = {{.bytes = "<html><body>Welcome</body></html>"}}};
    }
    if (m_isLoading) {
        return body(errorJson(503, "Loading model", "unavailable_error"), 503);
    }
    if (request.path == "/health") {
        return m_options.isLlamaServer ? body(R"({"status":"ok"})") : unknown();
    }
    if (m_options.fault == Fault::Unauthorised || (!m_options.key.empty() && request.key != m_options.key)) {
        return body(errorJson(401, "Invalid API Key", "authentication_error"), 401);
    }
    if (request.path == "/v1/models") {
        return body(models());
    }
    if (request.path == "/v1/chat/completions") {
        return chat(request.body);
    }
    if (!m_options.isLlamaServer) {
        return unknown();
    }
    if (request.path == "/props") {
        return body(props());
    }
    if (request.path == "/tokenize") {
        const QJsonObject asked = objectOf(request.body);
        const auto encoding = m_tokenizer->encode(
            asked["content"].toString().toStdString(),
            {.addBos = asked["add_special"].toBool() && m_tokenizer->addsBos(), .parseSpecial = true});
        QJsonArray ids;
        for (const TokenId id : encoding->ids) {
            ids.append(static_cast<qint64>(id.value));
        }
        return body(jsonOf({{"tokens", ids}}));
    }
    if (request.path == "/apply-template") {
        QString prompt;
        for (const QJsonValue& each : objectOf(request.body)["messages"].toArray()) {
            prompt += each["role"].toString() + QStringLiteral(": ") + each["content"].toString() + u'|';
        }
        return body(jsonOf({{"prompt", prompt}}));
    }
    return request.path == "/completion" ? completion(request.body) : unknown();
}

std::string ServerDouble::props() const {
    const auto templates = text::chatTemplates(m_model->metadata);
    const QString source = templates.empty() ? QString() : textOf(templates.front().source);
    return jsonOf({{"default_generation_settings", QJsonObject{{"n_ctx", static_cast<qint64>(m_options.context)}}},
                   {"total_slots", 1},
                   {"model_path", "/models/model.gguf"},
                   {"modalities", QJsonObject{{"vision", false}, {"audio", false}}},
                   {"chat_template", source},
                   {"bos_token", "<s>"},
                   {"build_info", "b11669-Debian"}});
}

std::string ServerDouble::models() const {
    const Model::Totals totals = m_model->totals();
    const auto size = static_cast<qint64>(totals.tensorBytes) + (m_options.isOtherModel ? 4096 : 0);
    const QJsonObject meta{{"n_vocab", static_cast<qint64>(m_tokenizer->vocabulary().size())},
                           {"n_ctx_train", 512},
                           {"n_params", static_cast<qint64>(totals.weights)},
                           {"size", size}};
    QJsonObject model{{"id", "some-model"}, {"object", "model"}};
    if (m_options.isLlamaServer) {
        model["meta"] = meta;
    }
    return jsonOf({{"object", "list"}, {"data", QJsonArray{model}}});
}

// An entry of completion_probabilities, or of OpenAI's logprobs.content: a word, and `count` candidates in its place.
std::string ServerDouble::tokenJson(std::size_t word, std::size_t count, bool after, bool withIds) const {
    const auto entry = [&](std::size_t index, double share) {
        const char* text = kStandInWords[index % kStandInWords.size()];
        QJsonArray bytes;
        for (const char* c = text; *c != '\0'; ++c) {
            bytes.append(static_cast<unsigned char>(*c));
        }
        QJsonObject made{{"token", text}, {"bytes", bytes}};
        if (withIds) {
            made["id"] = static_cast<qint64>(m_words[index % m_words.size()].value);
        }
        made[after ? "prob" : "logprob"] = after ? share : std::log(share);
        return made;
    };
    const std::span<const double> shares = after ? std::span<const double>(kSharesLeft) : std::span(kStandInShares);
    QJsonObject token = entry(word, shares.front());
    QJsonArray top;
    for (std::size_t i = 0; i < std::min(count, shares.size()); ++i) {
        top.append(entry(word + i, shares[i]));
    }
    token[after ? "top_probs" : "top_logprobs"] = top;
    return jsonOf(token);
}

ServerDouble::Script ServerDouble::streamOf(std::vector<std::string> events) const {
    Script script{.type = "text/event-stream", .isStream = true};
    if (m_options.fault == Fault::Cut || m_options.fault == Fault::EndsEarly) {
        events.resize(std::min<std::size_t>(events.size(), 4));
        script.breaksOff = m_options.fault == Fault::Cut;
    }
    const int delay = m_options.fault == Fault::Slow ? 20 : 0;
    for (const std::string& event : events) {
        if (m_options.fault == Fault::Comments) {
            script.steps.push_back({.bytes = ": ping\r\nid: 7\r\nevent: message\r\ndata:" + event + "\r\n\r\n"});
        } else if (m_options.fault == Fault::SplitCharacter) {
            for (const char c : "data: " + event + "\n\n") {
                script.steps.push_back({.bytes = std::string(1, c), .delay = static_cast<unsigned char>(c) >= 0x80});
            }
        } else {
            script.steps.push_back({.bytes = "data: " + event + "\n\n", .delay = delay});
        }
    }
    return script;
}

ServerDouble::Script ServerDouble::completion(const std::string& body) const {
    if (m_options.fault == Fault::Hangs) {
        return {.hangs = true};
    }
    const QJsonObject asked = objectOf(body);
    const QJsonArray prompt = asked["prompt"].toArray();
    if (prompt.size() >= static_cast<qsizetype>(m_options.context)) {
        return {
            .status = 400,
            .steps = {{.bytes = jsonOf({{"error", QJsonObject{{"code", 400},
                                                              {"message", "exceeds the available context size"},
                                                              {"n_prompt_tokens", prompt.size()},
                                                              {"n_ctx", static_cast<qint64>(m_options.context)}}}})}}};
    }
    const auto last =
        std::ranges::find(m_words, TokenId(static_cast<std::size_t>(prompt.isEmpty() ? 0 : prompt.last().toInteger())));
    const std::size_t first = last == m_words.end() ? 0 : static_cast<std::size_t>(last - m_words.begin()) + 1;
    const auto candidates = static_cast<std::size_t>(asked["n_probs"].toInt());
    const bool after = asked["post_sampling_probs"].toBool();
    if (!asked["stream"].toBool()) { // the probability of one token
        const auto wanted =
            TokenId(static_cast<std::size_t>(asked["logit_bias"].toArray()[0].toArray()[0].toInteger()));
        const bool expected = wanted == m_words[first % m_words.size()];
        QJsonObject token = objectOf(tokenJson(first, candidates, false, true));
        token["id"] = static_cast<qint64>(wanted.value);
        token["token"] = "";
        token["logprob"] = std::log(expected ? kStandInShares[0] : 0.01);
        return {.steps = {{.bytes = jsonOf({{"content", ""},
                                            {"stop", true},
                                            {"stop_type", "limit"},
                                            {"completion_probabilities", QJsonArray{token}}})}}};
    }
    const qint64 maximum = asked["n_predict"].toInteger();
    const auto count = static_cast<std::size_t>(maximum < 0 ? 2000 : maximum);
    const auto timings = [&](std::size_t done) { // the first token takes no time of its own
        return QJsonObject{{"cache_n", 1},
                           {"prompt_n", prompt.size() - 1},
                           {"prompt_ms", 5.0},
                           {"predicted_n", static_cast<qint64>(done)},
                           {"predicted_ms", 2.0 * static_cast<double>(done) - 2.0}};
    };
    std::vector<std::string> events;
    for (const qsizetype read : {qsizetype{0}, prompt.size()}) {
        events.push_back(jsonOf({{"content", ""},
                                 {"tokens", QJsonArray{0}},
                                 {"stop", false},
                                 {"tokens_evaluated", prompt.size()},
                                 {"prompt_progress", QJsonObject{{"total", prompt.size()}, {"processed", read}}}}));
    }
    const auto tokensUpTo = [&](std::size_t i) { // one of them may be unreported
        return static_cast<qint64>(i + (m_options.fault == Fault::OneCharacter && i >= 1 ? 2 : 1));
    };
    for (std::size_t i = 0; i < count; ++i) {
        QJsonObject event{{"content", kStandInWords[(first + i) % kStandInWords.size()]},
                          {"tokens", QJsonArray{static_cast<qint64>(m_words[(first + i) % m_words.size()].value)}},
                          {"stop", false},
                          {"tokens_predicted", tokensUpTo(i)},
                          {"tokens_evaluated", prompt.size()},
                          {"timings", timings(i + 1)}};
        if (candidates != 0) {
            event["completion_probabilities"] = QJsonArray{objectOf(tokenJson(first + i, candidates, after, true))};
        }
        if (m_options.fault == Fault::SplitCharacter) {
            event["content"] = QStringLiteral(" é€😀");
            event["tokens"] = QJsonArray(); // the words of the model have other texts
        }
        if (m_options.fault == Fault::OneCharacter && i == 1) {
            event["content"] = QStringLiteral("é");
        }
        events.push_back(jsonOf(event));
    }
    if (m_options.fault == Fault::WrongJson) {
        events[3] = events[3].substr(0, events[3].size() / 2);
    } else if (m_options.fault == Fault::WrongKinds) {
        events[3] = R"({"content":["a"],"tokens":"x","stop":"no","completion_probabilities":{"id":[]}})";
    } else if (m_options.fault == Fault::ErrorInStream) {
        events[3] = errorJson(500, "Compute error.", "server_error");
    }
    events.push_back(jsonOf({{"content", ""},
                             {"tokens", QJsonArray()},
                             {"stop", true},
                             {"stop_type", "limit"},
                             {"truncated", false},
                             {"tokens_predicted", static_cast<qint64>(count)},
                             {"tokens_evaluated", prompt.size()},
                             {"timings", timings(count)}}));
    return streamOf(std::move(events));
}

ServerDouble::Script ServerDouble::chat(const std::string& body) const {
    if (m_options.fault == Fault::Hangs) {
        return {.hangs = true};
    }
    const QJsonObject asked = objectOf(body);
    const auto event = [](const QJsonObject& choice) { return jsonOf({{"choices", QJsonArray{choice}}}); };
    std::vector<std::string> events{event({{"delta", QJsonObject{{"role", "assistant"}, {"content", QJsonValue()}}}})};
    if (m_options.thinks) {
        events.push_back(event({{"delta", QJsonObject{{"reasoning_content", "Let me "}}}}));
        events.push_back(event({{"delta", QJsonObject{{"reasoning_content", "count."}}}}));
    }
    const auto call = [&](const QJsonObject& function) {
        const QJsonObject part{{"index", 0}, {"id", "a"}, {"type", "function"}, {"function", function}};
        return event({{"delta", QJsonObject{{"tool_calls", QJsonArray{part}}}}});
    };
    const std::size_t maximum =
        asked.contains("max_tokens") ? static_cast<std::size_t>(asked["max_tokens"].toInt()) : 2000;
    std::size_t count = maximum;
    if (m_options.callsTool) {
        count = 0;
        events.push_back(call({{"name", "weather"}, {"arguments", "{\"city\":"}}));
        events.push_back(call({{"arguments", "\"Oslo\"}"}}));
    }
    const auto top = static_cast<std::size_t>(asked["top_logprobs"].toInt());
    for (std::size_t i = 0; i < count; ++i) {
        const bool splits = m_options.fault == Fault::SplitCharacter;
        QJsonObject choice{
            {"delta", QJsonObject{{"content", splits ? QStringLiteral(" é€😀") : QString(kStandInWords[i % 4])}}}};
        if (asked["logprobs"].toBool() && !splits) {
            choice["logprobs"] = QJsonObject{{"content", QJsonArray{objectOf(tokenJson(i, top, false, false))}}};
        }
        events.push_back(event(choice));
    }
    if (m_options.fault == Fault::WrongJson) {
        events[2] = events[2].substr(0, events[2].size() / 2);
    } else if (m_options.fault == Fault::WrongKinds) {
        events[2] = R"({"choices":"none","usage":7})";
    } else if (m_options.fault == Fault::ErrorInStream) {
        events[2] = errorJson(500, "Compute error.", "server_error");
    }
    events.push_back(
        event({{"delta", QJsonObject()}, {"finish_reason", m_options.callsTool ? "tool_calls" : "length"}}));
    events.push_back(
        jsonOf({{"choices", QJsonArray()},
                {"usage", QJsonObject{{"completion_tokens", static_cast<qint64>(count)}, {"prompt_tokens", 7}}}}));
    events.push_back("[DONE]");
    return streamOf(std::move(events));
}

} // namespace gufo::test
