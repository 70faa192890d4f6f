// Chats with models whose blocks are recurrent: going back to another branch needs a copy of their state, because a
// state cannot forget tokens.
#include "run_page_test.h"
#include "support/fixture_models.h"
#include "support/test_unit.h"

class TestRunHybrids : public RunPageTest {
    Q_OBJECT

private slots:
    void init() { prepare(); }
    void cleanup() { finish(); }
    void branchesKeepTheirStates_data();
    void branchesKeepTheirStates();

private:
    // A tiny model of the architecture with a chat template, which answers greedily and briefly.
    RunPage& openHybrid(const QString& name);
    std::vector<std::uint32_t> idsOf(std::size_t index);

    std::shared_ptr<const Model> m_fixture; // the keys and tensors of the model refer to its bytes
};

namespace {

constexpr const char* kTemplate =
    "{%- for message in messages %}{{- message.role + ':' + message.content + '\n' }}{%- endfor %}"
    "{%- if add_generation_prompt %}{{- 'assistant:' }}{%- endif %}";
constexpr int kMaxTokens = 8;

} // namespace

RunPage& TestRunHybrids::openHybrid(const QString& name) {
    m_fixture = test::openFixture(name);
    auto maker = test::copyOf(*m_fixture, [](std::string_view) { return false; });
    maker.text("tokenizer.chat_template", kTemplate);
    RunPage& page = openModel(maker.model());
    part<SamplerPanel>(page)->lengthField()->setValue(kMaxTokens);
    inference::SamplerSettings settings = part<SamplerPanel>(page)->sampler();
    settings.temperature = 0;
    settings.ignoreEnd = true;
    part<SamplerPanel>(page)->setSampler(settings);
    return page;
}

std::vector<std::uint32_t> TestRunHybrids::idsOf(std::size_t index) {
    std::vector<std::uint32_t> ids;
    for (const TurnToken& token : turn(index).tokens) {
        ids.push_back(token.id);
    }
    return ids;
}

void TestRunHybrids::branchesKeepTheirStates_data() {
    QTest::addColumn<QString>("name");
    for (const char* name :
         {"qwen35", "kimi-linear", "granitehybrid", "falcon-h1", "jamba", "lfm2", "mamba2", "rwkv7"}) {
        QTest::newRow(name) << name;
    }
}

// What an answer is does not depend on the branches that were taken before it.
void TestRunHybrids::branchesKeepTheirStates() {
    QFETCH(QString, name);
    std::vector<std::vector<std::uint32_t>> plain;
    RunPage* page = &openHybrid(name);
    for (const char* question : {"one", "two", "six"}) {
        say(question);
        QVERIFY(waitIdle());
        QVERIFY2(shownText(*page, "notice").isEmpty(), qPrintable(shownText(*page, "notice")));
        plain.push_back(idsOf(turns() - 1));
        QCOMPARE(plain.back().size(), std::size_t{kMaxTokens});
    }
    finish();
    page = &openHybrid(name);
    say("one");
    QVERIFY(waitIdle());
    say("two");
    QVERIFY(waitIdle());
    QVERIFY(idsOf(1) == plain[0] && idsOf(3) == plain[1]);

    constexpr int kKept = 3;
    part<ChatSession>(*page)->tryAnother(turn(1).id, kKept);
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{2});
    QCOMPARE(part<ChatSession>(*page)->tree().siblings(turn(1).id).count, 2);
    const std::vector<std::uint32_t> other = idsOf(1);
    QVERIFY(std::equal(other.begin(), other.begin() + kKept, plain[0].begin()));
    QVERIFY(other[kKept] != plain[0][kKept]);
    say("two");
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{4});

    part<ChatSession>(*page)->step(turn(1).id, -1);
    QCOMPARE(turns(), std::size_t{4});
    QVERIFY(idsOf(1) == plain[0] && idsOf(3) == plain[1]);
    say("six");
    QVERIFY(waitIdle());
    QVERIFY(idsOf(5) == plain[2]);
}

GUFO_TEST_WIDGETS(TestRunHybrids)
#include "tst_run_hybrids.moc"
