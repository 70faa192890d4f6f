// The layout of a diagram: what it contains, that nothing overlaps, and that hostile files make a bounded one.
#include "inference/structure/model_structure.h"
#include "support/fixture_models.h"
#include "support/model_files.h"
#include "support/test_unit.h"
#include "ui/messages/structure_text.h"
#include "ui/report/diagram_layout.h"

#include <QTest>

#include <set>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;
using namespace gufo::ui;

namespace {

const TextMeasure kMeasure = estimatedMeasure(12);

std::size_t countOf(const DiagramLayout& layout, DiagramItem::Kind kind) {
    return static_cast<std::size_t>(std::ranges::count(layout.items, kind, &DiagramItem::kind));
}

} // namespace

class TestDiagramLayout : public QObject {
    Q_OBJECT

private slots:
    void everyModel_data() {
        QTest::addColumn<QString>("path");
        for (const QString& path : committedModels()) {
            QTest::newRow(qPrintable(path.section('/', -2))) << path;
        }
    }
    // Whatever is unfolded, each of its parts is drawn once, parts and rows do not overlap, and all is inside.
    void everyModel() {
        QFETCH(const QString, path);
        const auto model = openModel(path.toStdString());
        QVERIFY(model.has_value());
        const auto structure = structureOf(**model);
        QVERIFY(structure.has_value());
        for (std::size_t stack = 0; stack < structure->stacks.size(); ++stack) {
            const auto& blocks = structure->stacks[stack].blocks;
            for (std::size_t block = 0; block < blocks.size(); ++block) {
                const qreal width = block % 2 == 0 ? DiagramLayout::kUsual : DiagramLayout::kNarrowest;
                const DiagramLayout layout = layOutDiagram(*structure, DiagramBlock{stack, block}, kMeasure, width);
                QCOMPARE(layout.size.width(), width);
                std::multiset<const StructurePart*> drawn;
                std::vector<QRectF> boxes;
                for (const DiagramItem& item : layout.items) {
                    QVERIFY(QRectF(QPointF(), layout.size).contains(item.rect));
                    if (item.isChosen()) {
                        for (const QRectF& other : boxes) {
                            QVERIFY(!other.intersects(item.rect));
                        }
                        boxes.push_back(item.rect);
                    }
                    if (item.part != nullptr) {
                        drawn.insert(item.part);
                    }
                }
                for (const StructurePart& part : blocks[block].parts) {
                    QCOMPARE(drawn.count(&part), std::size_t{1});
                }
                QCOMPARE(std::ranges::count(layout.items, true, &DiagramItem::unfolded), std::ptrdiff_t{1});
            }
        }
    }

    void foldedRunsAreRows() {
        const auto model = openFixture(QStringLiteral("qwen3next"));
        const auto structure = structureOf(*model);
        const DiagramLayout layout = layOutDiagram(*structure, std::nullopt, kMeasure);
        QCOMPARE(countOf(layout, DiagramItem::Kind::Run), structure->stacks.back().runs.size());
        QCOMPARE(countOf(layout, DiagramItem::Kind::Sum), std::size_t{0});
        std::size_t blocks = 0;
        for (const DiagramItem& item : layout.items) {
            blocks += item.count;
        }
        QCOMPARE(blocks, structure->stacks.back().blocks.size());
    }

    void summaries() {
        const auto text = [](const QString& fixture) {
            return stackText(structureOf(*openFixture(fixture))->stacks.back());
        };
        const QString hybrid = text(QStringLiteral("qwen3next"));
        QVERIFY2(hybrid.contains(QStringLiteral("gated delta net")), qPrintable(hybrid));
        QVERIFY2(hybrid.contains(QStringLiteral("attention")), qPrintable(hybrid));
        QVERIFY2(text(QStringLiteral("mamba")).contains(QStringLiteral("Mamba")), "Mamba");
        const QString whole = structureText(*structureOf(*openFixture(QStringLiteral("gpt-oss"))));
        for (const char* said : {"sinks", "experts", "window of", "RMS norm"}) {
            QVERIFY2(whole.contains(QString::fromUtf8(said)), qPrintable(whole));
        }
    }

    // Kinds of blocks that the same words name are told apart by what they have, or else by their tensors.
    void likeKindsAreToldApart() {
        const StructurePart attention{.part = GraphPart::Attention};
        const StructurePart feedForward{.part = GraphPart::FeedForward};
        StructureStack stack;
        stack.blocks = {{.number = 0, .kind = 0, .parts = {attention}},
                        {.number = 1, .kind = 1, .parts = {attention, feedForward}},
                        {.number = 2, .kind = 0, .parts = {attention}},
                        {.number = 3, .kind = 2, .parts = {attention}}};
        stack.runs = {{.first = 0}, {.first = 1}, {.first = 2}, {.first = 3}};
        QCOMPARE(stackText(stack), QStringLiteral("4 blocks = 1 attention + 1 attention (+ %1) + 1 attention + "
                                                  "1 attention (other tensors)")
                                       .arg(graphPartText(GraphPart::FeedForward)));
    }

    // A norm goes with its branch, which is what a block lacks.
    void lackingBranches() {
        const StructurePart attention{.part = GraphPart::Attention};
        const StructurePart norm{.part = GraphPart::FeedNorm};
        const StructurePart feedForward{.part = GraphPart::FeedForward};
        StructureStack stack;
        stack.blocks = {{.number = 0, .kind = 0, .parts = {attention, norm, feedForward}},
                        {.number = 1, .kind = 1, .parts = {attention}}};
        QCOMPARE(blockTitle(stack, stack.blocks[1]), QStringLiteral("attention (− Feed-forward)"));
        // And norms without a branch are drawn without one.
        ModelStructure structure;
        stack.blocks = {{.number = 0, .kind = 0, .parts = {attention, norm}}};
        stack.runs = {{.first = 0}};
        structure.stacks = {stack};
        QCOMPARE(countOf(layOutDiagram(structure, DiagramBlock{0, 0}, kMeasure), DiagramItem::Kind::Sum),
                 std::size_t{1});
    }

    void words_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, StructureFact fact, const Arguments& args, const char* expected) {
            QTest::newRow(name) << structureFactText({fact, args}) << QString::fromUtf8(expected);
        };
        row("one KV head", StructureFact::KvHeads, {1}, "1 KV head");
        row("KV heads", StructureFact::KvHeads, {8}, "8 KV heads");
        row("one head", StructureFact::Heads, {1, 64}, "1 head of 64");
        row("vocabulary", StructureFact::Vocabulary, {128'256, 4096}, "128,256 tokens of 4,096");
        row("base", StructureFact::RopeBase, {std::string("1e+06")}, "RoPE base 1,000,000");
        row("factor", StructureFact::Scaled, {std::string("0.125")}, "times 0.125");
        row("shape", StructureFact::OtherShape,
            {std::string("blk.0.w"), std::string("4096 × 64"), std::string("4096 × …")},
            "blk.0.w is 4,096 × 64, and the keys ask for 4,096 × …");
        const auto title = [](const char* name, const char* prefix, const char* expected) {
            StructureStack stack;
            stack.prefix = prefix;
            QTest::newRow(name) << stackTitle(stack) << QString::fromUtf8(expected);
        };
        title("image encoder", "v.", "Image encoder");
        title("a stack beside it", "v.deepstack.", "Image encoder, deepstack");
        StructureStack stack;
        const StructurePart attention{.part = GraphPart::Attention};
        const StructurePart experts{.part = GraphPart::Experts};
        stack.blocks = {{.number = 0, .kind = 0, .parts = {attention}},
                        {.number = 1, .kind = 1, .parts = {attention, experts}},
                        {.number = 2, .kind = 0, .parts = {attention}},
                        {.number = 3, .kind = 1, .parts = {attention, experts}}};
        stack.runs = foldRuns(stack.blocks);
        QTest::newRow("experts") << stackText(stack)
                                 << QStringLiteral("4 blocks = 2 × (1 attention + 1 attention with experts)");
    }
    void words() {
        QFETCH(const QString, text);
        QFETCH(const QString, expected);
        QCOMPARE(text, expected);
    }

    // Of equal runs, the first one of the main stack is unfolded, which is on the screen.
    void firstOfEqualRuns() {
        StructureStack stack;
        for (std::uint32_t i = 0; i < 6; ++i) {
            stack.blocks.push_back({.number = i, .kind = i / 2});
        }
        stack.runs = {{.first = 0, .repeats = 2}, {.first = 2, .repeats = 2}, {.first = 4, .repeats = 2}};
        ModelStructure structure;
        structure.stacks = {stack};
        QCOMPARE(mainBlock(structure), std::optional(DiagramBlock{0, 0}));
        structure.stacks = {stack, stack};
        QCOMPARE(mainBlock(structure), std::optional(DiagramBlock{1, 0}));
    }

    // Why a picture does not show what the engine binds.
    void origins() {
        ModelStructure structure{.architecture = "tomorrow", .isModel = true};
        QVERIFY(originText(structure).contains(QStringLiteral("does not know the architecture tomorrow")));
        structure.isModel = false; // an adapter
        QVERIFY(!originText(structure).contains(QStringLiteral("tomorrow")));
        structure.isModel = structure.isKnown = true;
        QVERIFY(originText(structure).isEmpty());
    }

    // Tensors without a known role have different titles in a block and outside of all blocks.
    void unknownTensorsAreToldApart() {
        ModelMaker maker("nothing");
        maker.tensor("blk.0.strange.weight", {4}).tensor("odd.weight", {4});
        const auto model = maker.model();
        const auto structure = structureOf(*model);
        QVERIFY(structure.has_value());
        QStringList titles;
        for (const DiagramItem& item : layOutDiagram(*structure, DiagramBlock{0, 0}, kMeasure).items) {
            if (item.kind == DiagramItem::Kind::Part) {
                titles << item.title;
            }
        }
        QCOMPARE(titles, (QStringList{"Other tensors of the block", "Other tensors"}));
        QVERIFY(structureText(*structure).contains("Other tensors of the block"));
    }

    // Every block differs from all others, and each name is long.
    void hostileStructure() {
        ModelMaker maker("nothing");
        for (std::uint32_t i = 0; i < 6'000; ++i) {
            maker.tensor("blk." + std::to_string(i) + ".attn_q.weight", {i + 1});
            maker.tensor("blk." + std::to_string(i) + "." + std::string(2'000, 'x') + ".weight", {1});
        }
        const auto model = maker.model();
        const auto structure = structureOf(*model);
        QVERIFY(structure.has_value());
        const DiagramLayout layout = layOutDiagram(*structure, DiagramBlock{0, 3}, kMeasure);
        QVERIFY(countOf(layout, DiagramItem::Kind::Row) <= DiagramLayout::kMaxRows);
        QVERIFY(layout.items.size() < 4 * DiagramLayout::kMaxRows);
        QCOMPARE(countOf(layout, DiagramItem::Kind::Note), std::size_t{1});
        QVERIFY(structureText(*structure).size() < 200'000);
    }

    void nothingToDraw() {
        const DiagramLayout layout = layOutDiagram(ModelStructure(), std::nullopt, kMeasure);
        QVERIFY(layout.items.empty());
        QVERIFY(!mainBlock(ModelStructure()).has_value());
    }
};

GUFO_TEST_WIDGETS(TestDiagramLayout)
#include "tst_diagram_layout.moc"
