// What the Overview says about a model: its facts, shape and map, for models, vocabularies, adapters, importance
// matrices, folders and files that are cut off.
#include "base/byte_source.h"
#include "document/open_model.h"
#include "formats/gguf/read/reader.h"
#include "overview_pages.h"
#include "support/safetensors_builder.h"
#include "support/test_unit.h"
#include "test_paths.h"
#include "ui/pages/overview/block_map.h"
#include "ui/pages/overview/type_bar.h"
#include "ui/theme/theme.h"
#include "ui/widgets/empty_state.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace gufo;
using namespace gufo::ui;
using test::GgufBuilder;
using test::overviewOf;
using test::ShownPage;
using test::smallLlama;

class TestOverviewSummary : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }
    void cleanup() { Job::waitForAll(); }
    void summarises_data();
    void summarises();
    void givesEncodersNoOutput();
    void tellsAboutAdaptersAndMatrices();
    void describesFolders();
    void describesAdapterFolders();
    void countsOnlyBytesThatAreThere();
    void ownNameIsNoBaseModel();
    void groupsTheMap();
    void mapShowsMissingBlocks();
};

namespace {

using FillFile = void (*)(GgufBuilder& file);
using CheckOverview = void (*)(const Overview& overview);

// "value|detail" of the fact with this label.
QString factOf(const Overview& overview, const QString& label) {
    const auto found = std::ranges::find(overview.facts, label, &OverviewFact::label);
    return found != overview.facts.end() ? found->value + u'|' + found->detail : QString();
}

} // namespace

void TestOverviewSummary::summarises_data() {
    QTest::addColumn<FillFile>("fill");
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("panels");
    QTest::addColumn<int>("loose");
    QTest::addColumn<CheckOverview>("check"); // what only this kind has
    const auto row = [](
                         const char* title, FillFile fill, const char* name, int panels, int loose,
                         CheckOverview check = [](const Overview&) {}) {
        QTest::newRow(title) << fill << QString::fromLatin1(name) << panels << loose << check;
    };
    row(
        "model", [](GgufBuilder& file) { test::addSmallLlama(file); }, "", 1, 2,
        [](const Overview& overview) {
            QCOMPARE(overview.facts[0].value, QStringLiteral("llama"));
            QCOMPARE(overview.facts[4].value, QStringLiteral("2,048"));
            QCOMPARE(overview.facts[6].value, QStringLiteral("—"));
            QVERIFY(overview.loose[0].detail.contains(QStringLiteral("tied")));
            QVERIFY(std::ranges::any_of(overview.shape, [](const OverviewRow& shape) {
                return shape.label == QLatin1String("Key/value heads") && shape.value == QLatin1String("2 (2 : 1)");
            }));
            QVERIFY(overviewText(overview, CopyFormat::Markdown, Figures::Full)
                        .contains(QStringLiteral("| 1 | F32 | Q8_0 | Q8_0 |")));
        });
    row("vocabulary", [](GgufBuilder& file) { test::addSmallVocabulary(file); }, "Vocabulary", 0, 0);
    row("nothing", [](GgufBuilder&) {}, "Metadata", 0, 0);
    row(
        "projector",
        [](GgufBuilder& file) {
            file.key("general.architecture", "clip");
            file.tensor("v.blk.0.attn_q.weight", 0, {32, 32}).tensor("v.patch_embd.weight", 0, {32, 3});
        },
        "Multimodal projector", 1, 1);
    row(
        "adapter",
        [](GgufBuilder& file) {
            file.key("general.type", "adapter").key("adapter.type", "lora");
            file.tensor("blk.0.attn_q.weight.lora_a", 0, {32, 4}).tensor("blk.0.attn_q.weight.lora_b", 0, {4, 32});
        },
        "LoRA adapter", 1, 0,
        [](const Overview& overview) { QCOMPARE(overview.panels[0].rows[0].cells[0].tensors.size(), 2U); });
}

void TestOverviewSummary::summarises() {
    QFETCH(FillFile, fill);
    QFETCH(CheckOverview, check);
    GgufBuilder file;
    fill(file);
    const auto overview = overviewOf(file);
    QVERIFY(overview);
    QTEST(overview->kind, "name");
    QTEST(static_cast<int>(overview->panels.size()), "panels");
    QTEST(static_cast<int>(overview->loose.size()), "loose");
    QCOMPARE(overview->facts.size(), 8U);
    check(*overview);
}

// Their embedding is no output, although they have no other.
void TestOverviewSummary::givesEncodersNoOutput() {
    GgufBuilder file;
    file.key("general.architecture", "bert").tensor("token_embd.weight", 0, {32, 8});
    const auto overview = overviewOf(file);
    QVERIFY(overview);
    QCOMPARE(overview->loose.size(), std::size_t{1});
    QCOMPARE(overview->loose[0].detail, QStringLiteral("1.00 KiB"));
}

void TestOverviewSummary::tellsAboutAdaptersAndMatrices() {
    const auto value = [](const Overview& overview, const char* label) {
        const auto found = std::ranges::find(overview.facts, QString::fromLatin1(label), &OverviewFact::label);
        return found != overview.facts.end() ? found->value + QStringLiteral(" | ") + found->detail : QString();
    };
    GgufBuilder adapter;
    adapter.key("general.architecture", "llama").key("general.type", "adapter").key("adapter.type", "lora");
    adapter.key("adapter.lora.alpha", 16.0F);
    adapter.tensor("blk.0.attn_q.weight.lora_a", 0, {32, 4}).tensor("blk.0.attn_q.weight.lora_b", 0, {4, 32});
    adapter.tensor("blk.0.attn_k.weight.lora_a", 0, {32, 8}).tensor("blk.0.attn_k.weight.lora_b", 0, {8, 32});
    auto overview = overviewOf(adapter);
    QVERIFY(overview);
    QCOMPARE(value(*overview, "Kind"), QStringLiteral("LoRA adapter | for llama"));
    QVERIFY(value(*overview, "Rank").startsWith(QStringLiteral("4–8 | 2 ")));
    QVERIFY(value(*overview, "Alpha").startsWith(QStringLiteral("16 | ")));
    GgufBuilder matrix;
    matrix.key("general.type", "imatrix").key("imatrix.chunk_count", std::uint32_t{40});
    matrix.key("imatrix.chunk_size", std::uint32_t{512})
        .key("imatrix.datasets", std::vector<std::string>{"calibration.txt"});
    matrix.tensor("blk.0.attn_q.weight.in_sum2", 0, {32, 1}).tensor("blk.0.attn_q.weight.counts", 0, {1, 1});
    overview = overviewOf(matrix);
    QVERIFY(overview);
    QVERIFY(value(*overview, "Kind").startsWith(QStringLiteral("Importance matrix")));
    QVERIFY(value(*overview, "Entries").startsWith(QStringLiteral("1 | 2 ")));
    QVERIFY(value(*overview, "Chunks").startsWith(QStringLiteral("40 | ")));
    QVERIFY(value(*overview, "Tokens read").startsWith(QStringLiteral("20,480")));
    QVERIFY(value(*overview, "Dataset").startsWith(QStringLiteral("calibration.txt")));
}

// A folder's configuration and the names of its tensors say what GGUF's keys say.
void TestOverviewSummary::describesFolders() {
    const auto model = openModel(GUFO_TEST_DATA "/convert/qwen2/source");
    QVERIFY(model);
    const auto overview = *summarise(*model, {});
    QCOMPARE(factOf(*overview, "Architecture"), "qwen2|dense, 2 blocks");
    QCOMPARE(factOf(*overview, "Context"), "256|tokens, trained");
    QCOMPARE(factOf(*overview, "Vocabulary"), "304|");
    QCOMPARE(overview->panels.size(), 1U);
    QCOMPARE(overview->panels[0].blocks.size(), 2U);
    QStringList roles;
    for (const MapRow& row : overview->panels[0].rows) {
        roles << row.role;
    }
    QVERIFY2(roles.contains("attn_q") && roles.contains("ffn_down") && roles.contains("post_attention_layernorm"),
             qPrintable(roles.join(' ')));
    const auto hasRow = [&](const QString& label, const QString& value) {
        return std::ranges::any_of(overview->shape,
                                   [&](const OverviewRow& row) { return row.label == label && row.value == value; });
    };
    QVERIFY(hasRow("Query heads", "4") && hasRow("Output", "tied to token_embd"));
    QVERIFY(std::ranges::any_of(overview->loose,
                                [](const LooseTensor& tensor) { return tensor.detail.endsWith("(tied)"); }));
    ShownPage shown(*model);
    QVERIFY(shown.ready);
    QVERIFY(!shown.page.findChild<EmptyState*>()->isVisible());
    QVERIFY(shown.page.findChild<BlockMap*>()->isVisible());
}

void TestOverviewSummary::describesAdapterFolders() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    std::ofstream(path / "adapter_config.json") << R"({"peft_type":"LORA","r":4,"lora_alpha":8})";
    test::SafetensorsBuilder weights;
    weights.tensor("base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight", "F32", {4, 8});
    weights.tensor("base_model.model.model.layers.0.self_attn.q_proj.lora_B.weight", "F32", {16, 4});
    weights.write(path / "adapter_model.safetensors");
    const auto model = openModel(path);
    QVERIFY(model);
    const auto overview = *summarise(*model, {});
    QCOMPARE(overview->kind, "LoRA adapter");
    QCOMPARE(factOf(*overview, "Rank"), "4|1 adapted weight");
    QCOMPARE(factOf(*overview, "Alpha"), "8|scale: alpha / rank");
    QCOMPARE(overview->panels.size(), 1U);
}

// The bar of a truncated file shows the bytes that it has, not the bytes that it declares.
void TestOverviewSummary::countsOnlyBytesThatAreThere() {
    const std::vector<std::byte> whole = smallLlama().build();
    const auto shownBy = [&](std::size_t bytes) {
        auto model = gguf::read(std::make_shared<MemorySource>(
            std::vector<std::byte>(whole.begin(), whole.begin() + std::ptrdiff_t(bytes))));
        const auto overview = model ? *summarise(*model, {}) : nullptr;
        TypeBar bar;
        bar.setOverview(*overview);
        std::uint64_t sum = overview->headerBytes;
        for (const auto& [type, present] : overview->presentBytes) {
            sum += present;
        }
        return std::pair(sum <= bytes, bar.accessibleDescription());
    };
    const auto [fits, text] = shownBy(whole.size());
    QVERIFY(fits);
    QVERIFY2(!text.contains(QStringLiteral(" of ")), qPrintable(text));
    const auto [fitsCut, cut] = shownBy(whole.size() * 2 / 3);
    QVERIFY(fitsCut);
    QVERIFY2(cut.contains(QStringLiteral(" of ")), qPrintable(cut));
}

void TestOverviewSummary::ownNameIsNoBaseModel() {
    GgufBuilder file = smallLlama();
    file.key("general.basename", "Owl").key("general.organization", "Nest");
    const OverviewFact baseModel = overviewOf(file)->facts.back();
    QCOMPARE(baseModel.label, QStringLiteral("Base model"));
    QCOMPARE(baseModel.value, QStringLiteral("—"));
    QCOMPARE(baseModel.detail, QStringLiteral("not stated"));
    file.key("general.base_model.0.name", "Bird");
    QCOMPARE(overviewOf(file)->facts.back().value, QStringLiteral("Bird"));
}

void TestOverviewSummary::groupsTheMap() {
    const auto overview = overviewOf(smallLlama());
    const MapPanel& panel = overview->panels.at(0);
    QStringList rows;
    for (const MapRow& row : panel.rows) {
        rows << (row.startsGroup ? u'|' + row.role : row.role);
    }
    QCOMPARE(rows, (QStringList{"attn_norm", "attn_q", "|ffn_up"}));
    QCOMPARE(panel.rows[1].cells[1].bits, std::optional(8.5));
    QVERIFY(panel.rows[1].cells[1].quantised);
    QVERIFY(!panel.rows[0].cells[1].quantised);
    QCOMPARE(panel.rows[1].bytes, 2U * 64 * 64 / 32 * 34);
}

// Blocks that the file does not have leave gaps. A damaged name with a large number adds no thousands of them.
void TestOverviewSummary::mapShowsMissingBlocks() {
    const auto withBlocks = [](const std::vector<std::uint32_t>& blocks) {
        GgufBuilder file;
        file.key("general.architecture", "llama");
        for (const std::uint32_t block : blocks) {
            file.tensor("blk." + std::to_string(block) + ".attn_q.weight", 0, {8});
        }
        return overviewOf(file);
    };
    const auto overview = withBlocks({0, 1, 4});
    const MapPanel& panel = overview->panels.at(0);
    QCOMPARE(panel.blocks, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
    QCOMPARE(panel.rows.at(0).cells.size(), 5U);
    QVERIFY(panel.rows[0].cells[2].tensors.empty());
    QVERIFY(!panel.rows[0].cells[4].tensors.empty());
    const auto later = withBlocks({2, 3});
    QCOMPARE(later->panels.at(0).blocks.size(), 4U);
    const auto damaged = withBlocks({0, 1, 2'000});
    QCOMPARE(damaged->panels.at(0).blocks, (std::vector<std::uint32_t>{0, 1, 2'000}));
}

GUFO_TEST_WIDGETS(TestOverviewSummary)
#include "tst_overview_summary.moc"
