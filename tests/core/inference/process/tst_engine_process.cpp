// Tests engine processes that are missing, die, say nothing or break the protocol: each is an error that says so, in
// time, and never a crash or a wait without end.
#include "base/detail.h"
#include "inference/process/process_model.h"
#include "inference/process/process_session.h"
#include "llama_double_model.h"
#include "support/test_unit.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

using namespace gufo;
using namespace gufo::inference;
using namespace std::chrono_literals;

namespace {

// Long enough for a busy machine to answer.
constexpr EngineProcess::Patience kShort{.start = 60s, .ping = 200ms, .silence = 4s, .stop = 2s};

Result<std::unique_ptr<EngineProcess>> start(const char* lie, const EngineProcess::Patience& patience = {}) {
    qputenv("LYING_ENGINE", lie);
    return EngineProcess::start(GUFO_LYING_ENGINE, {}, patience);
}

// The name of the error's detail, and what it says.
struct Said {
    QByteArray code;
    QByteArray detail;
    QByteArray text;
};
Said said(const Error& error) {
    const auto bytes = [](std::string_view text) {
        return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
    };
    const bool hasDetail = !error.args.empty() && error.args[0].detail();
    return {bytes(errorName(error.code)), hasDetail ? bytes(detailName(*error.args[0].detail())) : QByteArray(),
            error.args.empty() ? QByteArray() : QByteArray::fromStdString(error.args[0].text())};
}

} // namespace

class TestEngineProcess : public QObject {
    Q_OBJECT

    test::LlamaDoubleModel m_model;

    // The session of a lying engine, whose vocabulary has 4 tokens.
    Result<std::unique_ptr<Session>> session(const char* lie) {
        qputenv("LYING_ENGINE", lie);
        auto loaded = loadInProcess(m_model.model(), GUFO_LYING_ENGINE);
        return loaded ? (*loaded)->startSession({.context = 64}) : std::unexpected(loaded.error());
    }

private slots:
    void greetings_data() {
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QByteArray>("detail");
        QTest::addColumn<std::chrono::seconds>("patience");
        QTest::addColumn<QByteArray>("text"); // null: any
        const auto row = [](const char* lie, const char* code, const char* detail, std::chrono::seconds patience = 60s,
                            const QByteArray& text = {}) {
            QTest::newRow(lie) << QByteArray(code) << QByteArray(detail) << patience << text;
        };
        row("says nothing", "not_runnable", "engine_silent", 1s);
        row("ends at once", "not_runnable", "engine_exited", 60s, "engine_exited 7 no display");
        for (const char* lie : {"greets with garbage", "greets with nothing", "greets with Done"}) {
            row(lie, "not_runnable", "engine_protocol_broken");
        }
        row("has another protocol", "not_supported", "engine_of_other_build");
        row("refuses without a reason", "not_supported", "engine_layout_differs");
    }
    void greetings() {
        QFETCH(QByteArray, code);
        QFETCH(QByteArray, detail);
        QFETCH(std::chrono::seconds, patience);
        QFETCH(QByteArray, text);
        EngineProcess::Patience waits;
        waits.start = patience;
        const auto process = start(QTest::currentDataTag(), waits);
        QVERIFY(!process);
        const Said what = said(process.error());
        QCOMPARE(what.code, code);
        QCOMPARE(what.detail, detail);
        QCOMPARE(text.isNull() ? text : what.text, text);
    }

    void missingProgram() {
        const auto none = EngineProcess::start({}, {});
        QVERIFY(!none);
        QCOMPARE(said(none.error()).detail, QByteArray("engine_not_installed"));
        const auto wrong = EngineProcess::start("/no/such/program", {});
        QVERIFY(!wrong && wrong.error().code == ErrorCode::FileNotFound);
    }

    void lies_data() {
        QTest::addColumn<QByteArray>("detail");
        for (const char* lie :
             {"loads an empty vocabulary", "loads a vast vocabulary", "loads a longer context",
              "answers Load with Done", "answers Load with a row", "holds fewer than before", "holds more than asked",
              "sends a short row", "sends a later row first", "sends a second row", "sends no row", "is done too early",
              "announces a huge message", "sends an unknown message", "greets again"}) {
            QTest::newRow(lie) << QByteArray("engine_protocol_broken");
        }
        QTest::newRow("ends in a message") << QByteArray("engine_exited");
    }
    void lies() {
        QFETCH(QByteArray, detail);
        auto opened = session(QTest::currentDataTag());
        if (!opened) {
            QCOMPARE(said(opened.error()).detail, detail);
            return;
        }
        Session& lying = **opened;
        QVERIFY(lying.evaluate(std::vector<TokenId>{TokenId(1UL)}, Logits::Last, {}));
        QVERIFY(std::ranges::equal(lying.logits(0), std::vector<float>{1, 2, 3, 4}));
        const auto evaluated = lying.evaluate(std::vector<TokenId>{TokenId(2UL)}, Logits::Last, {});
        QVERIFY(!evaluated);
        QCOMPARE(said(evaluated.error()).detail, detail);
        // It is gone for good, and says the same again.
        const auto again = lying.evaluate(std::vector<TokenId>{TokenId(2UL)}, Logits::Last, {});
        QVERIFY(!again);
        QCOMPARE(said(again.error()).detail, detail);
        QCOMPARE(lying.truncate(0), std::size_t{0});
        QVERIFY(lying.saveState().empty());
    }

    void progressThatIsNoNumber() {
        Progress progress;
        qputenv("LYING_ENGINE", "progress is not a number");
        const auto loaded = loadInProcess(m_model.model(), GUFO_LYING_ENGINE);
        QVERIFY(loaded && (*loaded)->startSession({.context = 64}, {.stop = {}, .progress = &progress}));
        QCOMPARE(progress.done(), std::uint64_t{0});
    }

    void stateLongerThanAnnounced() {
        auto opened = session("saves more than announced");
        QVERIFY(opened.has_value());
        QVERIFY((*opened)->saveState().empty());
        opened = session("saves less"); // than the 3 bytes that it announces
        QVERIFY(opened.has_value());
        QVERIFY((*opened)->saveState().empty());
    }

    // The last output consists of whole lines, and not of all lines.
    void lastOutput() {
        m_model.behave("exit=decode");
        const auto loaded = loadInProcess(m_model.model(), GUFO_LLAMA_HELPER_DOUBLE);
        const auto opened = (*loaded)->startSession({.context = 64});
        QVERIFY(opened.has_value());
        const auto evaluated = (*opened)->evaluate(std::vector<TokenId>{TokenId(1UL)}, Logits::Last, {});
        QVERIFY(!evaluated);
        QCOMPARE(said(evaluated.error()).text,
                 QByteArray("engine_exited 3 first line\nGGML_ASSERT(device != nullptr) failed"));
    }

    // A stopped process gives no sign of life.
    void frozen() {
        m_model.behave("frozen");
        auto process = EngineProcess::start(GUFO_LLAMA_HELPER_DOUBLE, {}, kShort);
        QVERIFY(process.has_value());
        QVERIFY(load(**process));
        const auto reply = (*process)->ask(channel::Evaluate{.tokens = {1}}, nothing, {});
        QVERIFY(!reply);
        QCOMPARE(said(reply.error()).detail, QByteArray("engine_silent"));
    }

    // A process that only takes long answers pings, and is waited for.
    void slowIsNotSilent() {
        m_model.behave("stuck=6000");
        auto process = EngineProcess::start(GUFO_LLAMA_HELPER_DOUBLE, {}, kShort);
        QVERIFY(process.has_value());
        QVERIFY(load(**process));
        const auto reply = (*process)->ask(channel::Evaluate{.tokens = {1}}, anything, {});
        QVERIFY(reply && std::holds_alternative<channel::Done>(*reply));
    }

    // A cancelled process that goes on computing is waited for by the next request, but not without end.
    void doesNotStop() {
        m_model.behave("stuck=20000");
        auto process = EngineProcess::start(GUFO_LLAMA_HELPER_DOUBLE, {}, kShort);
        QVERIFY(process.has_value());
        QVERIFY(load(**process));
        std::stop_source stop;
        std::jthread stopper([&] {
            std::this_thread::sleep_for(50ms);
            stop.request_stop();
        });
        const auto reply = (*process)->ask(channel::Evaluate{.tokens = {1}}, anything, {.stop = stop.get_token()});
        QVERIFY(!reply && reply.error().code == ErrorCode::Cancelled);
        const auto next = (*process)->ask(channel::Truncate{0}, nothing, {});
        QVERIFY(!next);
        QCOMPARE(said(next.error()).detail, QByteArray("engine_stuck"));
    }

    void endsWithItsOwner() {
        m_model.behave({});
        auto process = EngineProcess::start(GUFO_LLAMA_HELPER_DOUBLE, {});
        QVERIFY(process.has_value());
        const pid_t id = (*process)->id();
        QCOMPARE(::kill(id, 0), 0);
        process->reset();
        QCOMPARE(::kill(id, 0), -1);
    }

private:
    static bool nothing(const channel::Reply&) { return false; }
    static bool anything(const channel::Reply&) { return true; }
    bool load(EngineProcess& process) {
        const auto reply = process.ask(channel::Load{.files = {m_model.path().toStdString()},
                                                     .context = 64,
                                                     .batch = 32,
                                                     .threads = 1,
                                                     .outputs = 32,
                                                     .gpuLayers = 0,
                                                     .keys = 1,
                                                     .values = 1},
                                       anything, {});
        return reply && std::holds_alternative<channel::Loaded>(*reply);
    }
};

GUFO_TEST(TestEngineProcess)
#include "tst_engine_process.moc"
