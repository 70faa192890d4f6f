// Tests the engine of the Run page: loading, answers, stopping within a token, and destruction without waiting.
#include "base/error.h"
#include "document/open_model.h"
#include "support/gguf_builder.h"
#include "support/idle.h"
#include "support/run_models.h"
#include "support/test_unit.h"
#include "support/ui_watchdog.h"
#include "test_paths.h"
#include "ui/run/run_engine.h"
#include "ui/run/running_answer.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTest>

using namespace gufo;
using namespace gufo::ui;

class TestRunEngine : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { WorkerThread::waitForAll(); }
    void loadsAndUnloads();
    void saysWhyItCannotLoad();
    void answersAsTheReference();
    void stopsWithinAToken();
    void endsWhileWorking();
    void knowsTheTurnBefore();
    void goesOnAfterABeginning();
    void performsInOrder();
};

namespace {

bool waitReady(RunEngine& engine) {
    return QTest::qWaitFor([&] { return engine.state() == RunEngine::State::Ready; });
}

bool waitFinished(Answer& answer) {
    return QTest::qWaitFor([&] { return answer.isFinished(); }, 20'000);
}

using inference::ResponsePiece;
using inference::ResponseRequest;

std::string textOf(const std::vector<ResponsePiece>& tokens) {
    std::string text;
    for (const ResponsePiece& token : tokens) {
        text += token.bytes;
    }
    return text;
}

ResponseRequest endless(const std::string& prompt = "Once") {
    ResponseRequest request{.prompt = prompt};
    request.settings.sampler.temperature = 0;
    request.settings.sampler.ignoreEnd = true;
    request.settings.shift = true;
    return request;
}

} // namespace

void TestRunEngine::loadsAndUnloads() {
    RunEngine engine;
    QSignalSpy states(&engine, &RunEngine::stateChanged);
    QVERIFY(engine.facts() == nullptr);
    engine.load(test::tinyRunnable(), {.context = 64, .threads = 1});
    QCOMPARE(engine.state(), RunEngine::State::Loading);
    QVERIFY(waitReady(engine));
    QCOMPARE(engine.facts()->options.context, 64U);
    QCOMPARE(engine.facts()->options.threads, 1U);
    QVERIFY(engine.facts()->tokenizer != nullptr);
    engine.unload();
    QCOMPARE(engine.state(), RunEngine::State::Unloaded);
    QVERIFY(engine.facts() == nullptr);
    QCOMPARE(states.count(), 3);
    // Unloading during a load suppresses its result.
    engine.load(test::tinyRunnable(), {});
    engine.unload();
    WorkerThread::waitForAll();
    test::spinEventLoop(); // its signals would have arrived
    QCOMPARE(engine.state(), RunEngine::State::Unloaded);
}

void TestRunEngine::saysWhyItCannotLoad() {
    test::GgufBuilder file;
    file.key("general.architecture", "nonesuch");
    file.tensor("token_embd.weight", 0, {32, 3});
    RunEngine engine;
    QSignalSpy failed(&engine, &RunEngine::loadFailed);
    engine.load(test::modelOf(file.build()), {});
    QVERIFY(QTest::qWaitFor([&] { return failed.count() == 1; }));
    QCOMPARE(engine.state(), RunEngine::State::Unloaded);
    QVERIFY(!failed.at(0).at(0).value<Error>().args.empty());
}

void TestRunEngine::answersAsTheReference() {
    const QString folder = QStringLiteral(GUFO_SHARED_DIR "/thirdparty/models/");
    QFile json(folder + "stories260K.json");
    const auto model = openModel((folder + "stories260K.gguf").toStdString());
    if (!model || !json.open(QIODevice::ReadOnly)) {
        QSKIP("the trained model of another project (../shared/thirdparty/models) is not here");
    }
    const QJsonObject greedy = QJsonDocument::fromJson(json.readAll())["greedy"].toObject();
    RunEngine engine;
    engine.load(*model, {.context = 256});
    QVERIFY(waitReady(engine));
    const std::string prompt = greedy["prompt"].toString().toStdString();
    ResponseRequest request{.prompt = prompt};
    request.settings.sampler.temperature = 0;
    request.settings.maxTokens = 60;
    request.settings.candidates = 5;
    Answer answer(&engine, request);
    QVERIFY(waitFinished(answer));
    QVERIFY(!answer.error().has_value());
    const auto tokens = answer.takePieces();
    QCOMPARE(tokens.size(), std::size_t{60});
    for (const ResponsePiece& token : tokens) {
        QCOMPARE(token.candidates.size(), std::size_t{5});
        QCOMPARE(token.candidates.front().token, token.token);
    }
    const std::string text = textOf(tokens);
    const std::string whole = greedy["text"].toString().toStdString();
    const std::size_t at = whole.find(prompt) + prompt.size();
    QCOMPARE(QString::fromStdString(text), QString::fromStdString(whole.substr(at, text.size())));
    QCOMPARE(answer.shownBytes(), text.size());
    QCOMPARE(answer.reason(), std::optional(inference::StopReason::MaxTokens));
    QCOMPARE(answer.figures().tokens, std::size_t{60});
    QVERIFY(answer.figures().tokensPerSecond() > 0);
    QVERIFY(answer.figures().bytesPerSecond() > 0);
}

void TestRunEngine::stopsWithinAToken() {
    RunEngine engine;
    engine.load(test::tinyRunnable(), {.context = 128, .threads = 1});
    QVERIFY(waitReady(engine));
    Answer answer(&engine, endless());
    QSignalSpy grown(&answer, &Answer::grown);
    QVERIFY(QTest::qWaitFor([&] { return grown.count() > 3; }));
    QCOMPARE(engine.state(), RunEngine::State::Working);
    answer.stop();
    QVERIFY(QTest::qWaitFor([&] { return answer.isFinished(); }, 200));
    QVERIFY(!answer.error().has_value());
    QVERIFY(!answer.reason().has_value());
    QCOMPARE(engine.state(), RunEngine::State::Ready);
    // Stopping the engine also stops the answer and the waiting work.
    Answer first(&engine, endless());
    Answer second(&engine, endless());
    engine.stop();
    QVERIFY(waitFinished(second));
    QVERIFY(first.isFinished());
    QCOMPARE(second.figures().tokens, std::size_t{0});
}

void TestRunEngine::endsWhileWorking() {
    UiWatchdog watchdog;
    watchdog.step("engines that go while they work");
    for (int i = 0; i < 8; ++i) {
        auto engine = std::make_unique<RunEngine>();
        engine->load(test::tinyRunnable(), {.context = 128, .threads = 2});
        if (i % 2 == 0) {
            QVERIFY(waitReady(*engine));
            auto answer = std::make_unique<Answer>(engine.get(), endless());
            QSignalSpy grown(answer.get(), &Answer::grown);
            QVERIFY(QTest::qWaitFor([&] { return grown.count() >= i; }));
            if (i % 4 == 0) {
                answer.reset(); // before the engine
            }
            engine.reset();
        }
    }
    watchdog.finish();
    QVERIFY2(watchdog.isQuick(), watchdog.verdict());
    QElapsedTimer clock;
    clock.start();
    WorkerThread::waitForAll();
    QVERIFY(clock.elapsed() < 2000);
}

void TestRunEngine::knowsTheTurnBefore() {
    RunEngine engine;
    engine.load(test::tinyRunnable(), {.context = 256, .threads = 1});
    QVERIFY(waitReady(engine));
    const std::string prompt = "<|user|>one two three<|end|><|assistant|>";
    ResponseRequest request = endless(prompt);
    request.settings.maxTokens = 12;
    Answer first(&engine, request);
    QVERIFY(waitFinished(first));
    const auto tokens = first.takePieces();
    inference::KnownText known{.text = prompt + textOf(tokens), .ids = first.prompt().ids};
    for (const ResponsePiece& token : tokens) {
        known.ids.push_back(*token.token);
    }
    ResponseRequest next = request;
    next.prompt = known.text + "<|end|><|user|>four<|end|><|assistant|>";
    next.known = known;
    Answer second(&engine, next);
    QVERIFY(waitFinished(second));
    QVERIFY(!second.error().has_value());
    // All tokens of the first answer are reused except the last, which was drawn but not evaluated.
    QCOMPARE(second.figures().readTokens, second.prompt().ids.size() - known.ids.size() + 1);
}

void TestRunEngine::goesOnAfterABeginning() {
    RunEngine engine;
    engine.load(test::tinyRunnable(), {.context = 256, .threads = 1});
    QVERIFY(waitReady(engine));
    ResponseRequest request = endless();
    request.settings.maxTokens = 10;
    Answer whole(&engine, request);
    QVERIFY(waitFinished(whole));
    const auto all = whole.takePieces();
    for (std::size_t i = 0; i < 4; ++i) {
        request.begun.tokens.push_back(*all[i].token);
    }
    request.settings.maxTokens = 6;
    Answer rest(&engine, request);
    QVERIFY(waitFinished(rest));
    const auto tokens = rest.takePieces();
    QCOMPARE(tokens.size(), std::size_t{6});
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        QCOMPARE(tokens[i].token, all[i + 4].token);
        QCOMPARE(tokens[i].bytes, all[i + 4].bytes);
    }
}

void TestRunEngine::performsInOrder() {
    RunEngine engine;
    engine.load(test::tinyRunnable(), {.context = 64, .threads = 1});
    QVERIFY(waitReady(engine));
    std::vector<int> order;
    for (int i = 0; i < 3; ++i) {
        engine.perform<int>([i](inference::Responder&, const JobContext&) -> Result<int> { return i; },
                            [&order](Result<int> result) { order.push_back(*result); });
    }
    QVERIFY(QTest::qWaitFor([&] { return order.size() == 3; }));
    QCOMPARE(order, (std::vector<int>{0, 1, 2}));
    QCOMPARE(engine.state(), RunEngine::State::Ready);
}

GUFO_TEST_WIDGETS(TestRunEngine)
#include "tst_run_engine.moc"
