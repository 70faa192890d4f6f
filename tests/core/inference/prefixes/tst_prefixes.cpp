// Prompts whose beginnings were evaluated before: how many tokens are evaluated again, that a fresh
// session has the same results, and how much memory the saved states take.
#include "../session_helpers.h"
#include "inference/engine/gufo_engine.h"
#include "inference/engine_table.h"
#include "inference/interface/session.h"
#include "inference/prefixes/prefix_keeper.h"
#include "support/run_models.h"
#include "support/test_unit.h"

#include <QTest>

#include <array>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

namespace {

// Full attention, sliding windows, latent attention, and blocks with a recurrent state beside or instead of attention.
constexpr std::array kModels{"llama",  "gemma3",   "deepseek2",   "mamba", "jamba",
                             "qwen35", "lfm2-swa", "kimi-linear", "rwkv7"};

constexpr PrefixLimits kRoomy{.memoryBytes = 64 << 20, .byFreeMemory = false};
// A recurrent session goes back to the token before the last one, so it evaluates two.
constexpr std::size_t kFewest = 2;

// A session with its keeper, as a responder has them.
struct Reader {
    std::unique_ptr<Session> session;
    PrefixKeeper keeper;
    std::vector<Error> refused{};

    Reader(const LoadedModel& model, PrefixStore* store)
        : session(start(model, exactly(kContext, 16)))
        , keeper(store, "key", *session) {}
    // Returns how many tokens were evaluated.
    std::size_t read(std::span<const TokenId> prompt, std::size_t common = 0, std::string_view conversation = "one") {
        const auto evaluated = [this] { return session->figures().promptTokens + session->figures().generatedTokens; };
        const std::uint64_t before = evaluated();
        const bool isRead =
            keeper.prepare(prompt, common, conversation, {}, refused) && evaluateTo(*session, prompt, Logits::Last, {});
        return isRead ? evaluated() - before : SIZE_MAX;
    }
    // An answer: tokens that are evaluated one by one.
    void answer(std::span<const TokenId> tokens) const {
        for (const TokenId token : tokens) {
            (void)session->evaluate({&token, 1}, Logits::Last, {});
        }
    }
    [[nodiscard]] std::vector<float> logits() const {
        const auto row = session->logits(0);
        return {row.begin(), row.end()};
    }
};

// A model, a store with room for its states, and tokens to read.
struct Setting {
    std::shared_ptr<const LoadedModel> model;
    PrefixStore store{kRoomy};
    std::vector<TokenId> tokens;

    explicit Setting(const QString& name)
        : model(loadForInference(openFixture(name)).value())
        , tokens(randomTokens(120, start(*model, exactly(kContext, 16))->vocabulary())) {}
    [[nodiscard]] std::span<const TokenId> run(std::size_t first, std::size_t count) const {
        return std::span(tokens).subspan(first, count);
    }
};

std::vector<TokenId> joined(std::span<const TokenId> a, std::span<const TokenId> b) {
    std::vector<TokenId> both(a.begin(), a.end());
    both.insert(both.end(), b.begin(), b.end());
    return both;
}

} // namespace

class TestPrefixes : public QObject {
    Q_OBJECT

    static void addModels() {
        QTest::addColumn<QString>("name");
        for (const char* name : kModels) {
            QTest::newRow(name) << name;
        }
    }
    static void compare(const Reader& reader, const LoadedModel& model, std::span<const TokenId> prompt) {
        Reader fresh(model, nullptr);
        QCOMPARE(fresh.read(prompt), prompt.size());
        const double difference = largestDifference(reader.logits(), fresh.logits());
        QVERIFY2(difference <= 1e-3,
                 qPrintable(QString::number(difference))); // batches of other sizes round differently
    }

private slots:
    void answersAreRegenerated_data() { addModels(); }
    // The answer is longer than a window, so that a windowed session cannot go back by itself.
    void answersAreRegenerated() {
        QFETCH(QString, name);
        Setting setting(name);
        Reader reader(*setting.model, &setting.store);
        const auto prompt = setting.run(0, 50);
        QCOMPARE(reader.read(prompt), std::size_t{50});
        reader.answer(setting.run(50, 60));
        const std::size_t again = reader.read(prompt);
        QVERIFY2(again <= kFewest, qPrintable(QString::number(again)));
        compare(reader, *setting.model, prompt);
    }

    void branchesAreReturnedTo_data() { addModels(); }
    // Another answer has replaced the first one, to which the conversation returns.
    void branchesAreReturnedTo() {
        QFETCH(QString, name);
        Setting setting(name);
        Reader reader(*setting.model, &setting.store);
        const auto question = setting.run(0, 40);
        const auto first = joined(question, setting.run(40, 30));
        const auto second = joined(question, setting.run(80, 30));
        QCOMPARE(reader.read(first), std::size_t{70});
        QVERIFY(reader.read(second, 0) <= 70);
        const std::size_t again = reader.read(first);
        QVERIFY2(again <= kFewest, qPrintable(QString::number(again)));
        compare(reader, *setting.model, first);
    }

    void systemPromptsAreShared_data() { addModels(); }
    void systemPromptsAreShared() {
        QFETCH(QString, name);
        Setting setting(name);
        Reader reader(*setting.model, &setting.store);
        const auto system = setting.run(0, 48);
        const auto one = joined(system, setting.run(50, 20));
        const auto other = joined(system, setting.run(90, 17));
        QCOMPARE(reader.read(one, system.size()), std::size_t{68});
        reader.answer(setting.run(70, 40));
        QCOMPARE(reader.read(other, system.size(), "two"), std::size_t{17});
        compare(reader, *setting.model, other);
    }

    void modelsAreOpenedAgain_data() { addModels(); }
    void modelsAreOpenedAgain() {
        QFETCH(QString, name);
        Setting setting(name);
        const auto prompt = setting.run(0, 50);
        const auto conversation = setting.run(0, 90);
        {
            Reader reader(*setting.model, &setting.store);
            QCOMPARE(reader.read(prompt), std::size_t{50});
            reader.answer(setting.run(50, 30));
            reader.keeper.release();
        }
        Reader reader(*setting.model, &setting.store);
        QCOMPARE(reader.read(conversation), std::size_t{10}); // what follows the answer
        compare(reader, *setting.model, conversation);
        const std::size_t again = reader.read(prompt);
        QVERIFY2(again <= kFewest, qPrintable(QString::number(again)));
    }

    void memoryIsBounded_data() { addModels(); }
    void memoryIsBounded() {
        QFETCH(QString, name);
        Setting setting(name);
        const auto prompt = [&](std::size_t i) { return setting.run(i, 40); }; // no two begin with the same tokens
        Reader one(*setting.model, &setting.store);
        QCOMPARE(one.read(prompt(0)), std::size_t{40});
        one.keeper.release();
        const std::uint64_t ofOne = setting.store.bytes();
        QVERIFY(ofOne > 0);
        PrefixStore store({.memoryBytes = 3 * ofOne + ofOne / 2, .byFreeMemory = false});
        for (std::size_t i = 0; i < 10; ++i) {
            Reader reader(*setting.model, &store);
            QCOMPARE(reader.read(prompt(i)), std::size_t{40});
            reader.keeper.release();
            QVERIFY(store.bytes() <= 3 * ofOne + ofOne / 2);
        }
        // The latest ones are there, the first one is not.
        Reader reader(*setting.model, &store);
        QVERIFY(reader.read(prompt(9)) <= kFewest);
        QCOMPARE(reader.read(prompt(0)), std::size_t{40});
        PrefixStore none({.memoryBytes = 16, .byFreeMemory = false});
        Reader forgetful(*setting.model, &none);
        QCOMPARE(forgetful.read(prompt(0)), std::size_t{40});
        forgetful.keeper.release();
        QCOMPARE(none.count(), std::size_t{0});
    }

    void shiftedStatesAreNotSaved() {
        Setting setting("llama");
        Reader reader(*setting.model, &setting.store);
        QCOMPARE(reader.read(setting.run(0, 60)), std::size_t{60});
        QVERIFY(reader.session->shift(4, 20, {}));
        reader.keeper.noteShift(4);
        QVERIFY(reader.read(setting.run(70, 40)) != SIZE_MAX);
        QCOMPARE(setting.store.count(), std::size_t{0});
        QVERIFY(reader.read(setting.run(0, 40)) != SIZE_MAX); // what replaced it is whole again
        QCOMPARE(setting.store.count(), std::size_t{1});
    }

    void conversationsAreForgotten() {
        Setting setting("llama");
        const auto prompt = setting.run(0, 40);
        Reader reader(*setting.model, &setting.store);
        QCOMPARE(reader.read(prompt, 0, "deleted"), std::size_t{40});
        setting.store.forget("deleted");
        reader.keeper.release(); // the session still holds its tokens
        QCOMPARE(setting.store.count(), std::size_t{0});
        Reader again(*setting.model, &setting.store);
        QCOMPARE(again.read(prompt, 0, "other"), std::size_t{40});
    }

    // A state that a session refuses is dropped, and the prompt is evaluated.
    void unusableStatesAreDropped() {
        Setting setting("llama");
        const auto saved = setting.run(0, 40);
        setting.store.add(
            {.key = "key", .tokens = {saved.begin(), saved.end()}, .cutsAnywhere = true, .state = {std::byte{1}}});
        Reader reader(*setting.model, &setting.store);
        QCOMPARE(reader.read(setting.run(0, 50)), std::size_t{50});
        QCOMPARE(setting.store.count(), std::size_t{0});
        compare(reader, *setting.model, setting.run(0, 50));
    }

    void keysDistinguishModelsAndOptions() {
        const auto model = openFixture("llama");
        const SessionOptions options{.context = 128};
        const std::string key = prefixKey(*model, "engine", options);
        QCOMPARE(key.size(), std::size_t{64});
        QCOMPARE(prefixKey(*openFixture("llama"), "engine", options), key);
        QVERIFY(prefixKey(*openFixture("llama-tied"), "engine", options) != key);
        QVERIFY(prefixKey(*openFixture("llama-yarn"), "engine", options) != key);
        QVERIFY(prefixKey(*model, "other", options) != key);
        SessionOptions other = options;
        other.values = KvCacheType::Q8_0;
        QVERIFY(prefixKey(*model, "engine", other) != key);
        other = options;
        other.rope.base = 5e5;
        QVERIFY(prefixKey(*model, "engine", other) != key);
        other = options;
        other.threads = 7; // results do not depend on it
        QCOMPARE(prefixKey(*model, "engine", other), key);
        // Other weights with the same header.
        const std::string random = prefixKey(*tinyRunnable({.blocks = 2}), "engine", options);
        QVERIFY(prefixKey(*tinyRunnable({.blocks = 3}), "engine", options) != random);
    }

    // ---- through a responder, which applies the template and chooses where to save

    void respondersReuse() {
        const auto store = std::make_shared<PrefixStore>(kRoomy);
        const SessionOptions options{.context = 512, .threads = 1, .prefixes = store};
        const auto model = tinyRunnable();
        const auto ask = [](const std::string& question, const std::string& conversation) {
            ResponseRequest request{
                .prompt =
                    ChatPrompt{.messages = {{.role = "system", .content = "one two three four one two three four"},
                                            {.role = "user", .content = question}}},
                .settings = {.maxTokens = 20},
                .conversation = conversation};
            request.settings.sampler.temperature = 0;
            request.settings.sampler.ignoreEnd = true;
            return request;
        };
        std::string text;
        const auto respond = [&](Responder& responder, const ResponseRequest& request) {
            text.clear();
            ResponseListener listener;
            listener.piece = [&](const ResponsePiece& piece, const ResponseFigures&) {
                text += piece.shown;
                return true;
            };
            const auto response = responder.respond(request, listener, {});
            return response ? response->figures : ResponseFigures{.readTokens = SIZE_MAX};
        };
        auto responder = engines().front().open(model, options, {});
        QVERIFY(responder);
        const ResponseFigures first = respond(**responder, ask("Once upon the night", "a"));
        const std::string answer = text;
        QCOMPARE(first.readTokens, first.promptTokens);
        QCOMPARE(first.reusedTokens, std::size_t{0});
        const ResponseFigures again = respond(**responder, ask("Once upon the night", "a"));
        QCOMPARE(again.readTokens, std::size_t{1});
        QCOMPARE(again.reusedTokens, first.promptTokens - 1);
        QCOMPARE(text, answer);
        const ResponseFigures other = respond(**responder, ask("three owls", "b"));
        QVERIFY2(other.readTokens < other.promptTokens / 2, qPrintable(QString::number(other.readTokens)));
        const ResponseFigures back = respond(**responder, ask("Once upon the night", "a"));
        QCOMPARE(back.readTokens, std::size_t{1}); // saved before the other conversation replaced it
        QCOMPARE(text, answer);
        responder->reset(); // the model is closed
        auto reopened = engines().front().open(openModelAgain(model), options, {});
        QVERIFY(reopened);
        QCOMPARE(respond(**reopened, ask("Once upon the night", "a")).readTokens, std::size_t{1});
        QCOMPARE(text, answer);
        // Without a store, a new session evaluates everything.
        auto without = engines().front().open(model, {.context = 512, .threads = 1}, {});
        QVERIFY(without);
        QCOMPARE(respond(**without, ask("Once upon the night", "a")).readTokens, first.promptTokens);
        QCOMPARE(text, answer);
    }

private:
    static std::shared_ptr<const Model> openModelAgain(const std::shared_ptr<const Model>& model) {
        auto again = tinyRunnable();
        return again != model ? again : nullptr;
    }
};

GUFO_TEST(TestPrefixes)
#include "tst_prefixes.moc"
