// The structure of a model: every tensor in one part, the parts that the engine binds, runs of blocks, contradictions
// between keys and tensors, and files that lie.
#include "convert/convert_folder.h"
#include "convert/source_structure.h"
#include "document/open_model.h"
#include "inference/engine/binding/graph_traits.h"
#include "inference/structure/model_structure.h"
#include "model/hyper_parameters.h"
#include "model/tensor_role.h"
#include "support/convert_fixtures.h"
#include "support/fixture_models.h"
#include "support/gguf_builder.h"
#include "support/model_files.h"
#include "support/page_models.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

namespace {

// How often each tensor of the model is in a part.
std::vector<int> uses(const Model& model, const ModelStructure& structure) {
    std::vector<int> counts(model.tensors.size());
    const auto count = [&](const std::vector<StructurePart>& parts) {
        for (const StructurePart& part : parts) {
            for (const TensorIndex tensor : part.tensors) {
                ++counts[tensor.value];
            }
        }
    };
    for (const StructureStack& stack : structure.stacks) {
        count(stack.begin);
        count(stack.end);
        for (const StructureBlock& block : stack.blocks) {
            count(block.parts);
        }
    }
    return counts;
}

std::size_t blocksIn(const std::vector<StructureRun>& runs) {
    std::size_t blocks = 0;
    for (const StructureRun& run : runs) {
        blocks = run.first == blocks ? blocks + run.blocks() : SIZE_MAX;
    }
    return blocks;
}

ModelStructure structureOfFixture(const QString& name) { return *structureOf(*openFixture(name)); }

const StructureStack& mainStack(const ModelStructure& structure) { return structure.stacks.back(); }

// The arguments of a fact, as in "4 16"; nothing if the part lacks it.
std::optional<QString> factOf(const StructurePart* part, StructureFact fact) {
    if (part == nullptr) {
        return std::nullopt;
    }
    const auto found = std::ranges::find(part->facts, fact, &PartFact::fact);
    if (found == part->facts.end()) {
        return std::nullopt;
    }
    QStringList args;
    for (const Argument& argument : found->args) {
        args << QString::fromStdString(argument.text());
    }
    return args.join(u' ');
}

void addBoxes(QStringList& lines, const std::vector<StructurePart>& parts) {
    for (const StructurePart& part : parts) {
        QString line = QString::fromUtf8(graphPartName(part.part));
        for (const PartFact& fact : part.facts) {
            line += QStringLiteral(", %1").arg(QString::fromUtf8(structureFactName(fact.fact)));
            for (const Argument& argument : fact.args) {
                line += u' ' + QString::fromStdString(argument.text());
            }
        }
        lines << line + (part.contradicted ? QStringLiteral(" !") : QString());
    }
}

// All that a picture shows, but for the tensors. Those that a conversion leaves out, such as masks, are at the end.
QString outline(const ModelStructure& structure) {
    QStringList lines{QString::fromStdString(structure.architecture)};
    for (const StructureStack& stack : structure.stacks) {
        lines << QStringLiteral("stack %1").arg(QString::fromUtf8(stack.prefix));
        addBoxes(lines, stack.begin);
        for (const StructureRun& run : stack.runs) {
            lines << QStringLiteral("run %1 %2 %3").arg(run.first).arg(run.period).arg(run.repeats);
        }
        for (const StructureBlock& block : stack.blocks) {
            lines << QStringLiteral("block %1 of kind %2 %3").arg(block.number).arg(block.kind).arg(block.parallel);
            addBoxes(lines, block.parts);
        }
        std::vector<StructurePart> end = stack.end;
        if (!end.empty() && end.back().part == GraphPart::Other) {
            end.pop_back();
        }
        addBoxes(lines, end);
    }
    return lines.join(u'\n');
}

std::vector<StructureBlock> blocksOfKinds(const QByteArray& kinds) {
    std::vector<StructureBlock> blocks;
    for (const char kind : kinds) {
        blocks.push_back({.number = static_cast<std::uint32_t>(blocks.size()), .kind = static_cast<std::size_t>(kind)});
    }
    return blocks;
}

} // namespace

class TestModelStructure : public QObject {
    Q_OBJECT

private slots:
    // Of every model that the repository has, and of the files of other projects.
    void everyTensorIsInOnePart_data() { addModelRows({"models", "vocab", "legacy"}); }
    void everyTensorIsInOnePart() {
        QFETCH(const QString, path);
        GUFO_SKIP_IF_ABSENT(path);
        const auto model = openModel(path.toStdString());
        QVERIFY(model.has_value());
        const auto structure = structureOf(**model);
        QVERIFY(structure.has_value());
        const std::vector<int> counts = uses(**model, *structure);
        for (std::size_t i = 0; i < counts.size(); ++i) {
            QVERIFY2(counts[i] == 1, std::string((*model)->tensors[i].name).c_str());
        }
        for (const StructureStack& stack : structure->stacks) {
            QCOMPARE(blocksIn(stack.runs), stack.blocks.size());
        }
    }

    // The picture of a model that runs has no contradictions, and every tensor has a place.
    void agreesWithTheEngine_data() {
        QTest::addColumn<QString>("path");
        for (const char* folder : {GUFO_TEST_DATA "/architectures", GUFO_TEST_DATA "/encoders"}) {
            for (const QString& path : modelsIn(QString::fromUtf8(folder))) {
                QTest::newRow(qPrintable(path.section('/', -2))) << path;
            }
        }
    }
    void agreesWithTheEngine() {
        QFETCH(const QString, path);
        const auto model = openModel(path.toStdString());
        QVERIFY(model.has_value());
        const auto structure = structureOf(**model);
        QVERIFY(structure.has_value());
        QVERIFY(structure->isKnown);
        QVERIFY(!structure->refused);
        QCOMPARE(structure->contradictions.size(), std::size_t{0});
        for (const StructureStack& stack : structure->stacks) {
            for (const StructureBlock& block : stack.blocks) {
                QVERIFY(!block.parts.empty());
                QVERIFY(block.find(GraphPart::Other) == nullptr);
            }
            QVERIFY(std::ranges::find(stack.begin, GraphPart::Other, &StructurePart::part) == stack.begin.end());
            QVERIFY(std::ranges::find(stack.end, GraphPart::Other, &StructurePart::part) == stack.end.end());
        }
    }

    // Each architecture of the engine has a fixture, so that none is drawn by names alone.
    void everyArchitectureIsDrawn() {
        std::set<std::string> drawn;
        for (const QString& path : committedModels()) {
            const auto model = openModel(path.toStdString());
            const auto structure = model ? structureOf(**model) : std::unexpected(model.error());
            if (structure && structure->isKnown && !structure->refused) {
                drawn.insert(structure->architecture);
            }
        }
        // As t5, and as the models whose text halves they have (tst_inference).
        drawn.insert({"t5encoder", "qwen2vl", "qwen3vl", "qwen3vlmoe"});
        for (const GraphTraits& row : graphTraits()) {
            QVERIFY2(drawn.contains(std::string(row.name)), std::string(row.name).c_str());
        }
    }

    void foldsRuns_data() {
        QTest::addColumn<QByteArray>("kinds");
        QTest::addColumn<QByteArray>("runs"); // "first period repeats"
        QTest::newRow("none") << QByteArray() << QByteArray();
        QTest::newRow("one") << QByteArray("a") << QByteArray("0 1 1");
        QTest::newRow("equal") << QByteArray("aaaa") << QByteArray("0 1 4");
        QTest::newRow("hybrid") << QByteArray("aaabaaabaaab") << QByteArray("0 4 3");
        QTest::newRow("windows with a rest") << QByteArray("aabaabaa") << QByteArray("0 3 2, 6 1 2");
        QTest::newRow("dense first, prediction last") << QByteArray("abbbc") << QByteArray("0 1 1, 1 1 3, 4 1 1");
        QTest::newRow("irregular") << QByteArray("abcde") << QByteArray("0 1 1, 1 1 1, 2 1 1, 3 1 1, 4 1 1");
        QTest::newRow("alternating") << QByteArray("ababab") << QByteArray("0 2 3");
    }
    void foldsRuns() {
        QFETCH(const QByteArray, kinds);
        QFETCH(const QByteArray, runs);
        QStringList found;
        for (const StructureRun& run : foldRuns(blocksOfKinds(kinds))) {
            found << QStringLiteral("%1 %2 %3").arg(run.first).arg(run.period).arg(run.repeats);
        }
        QCOMPARE(found.join(QStringLiteral(", ")).toUtf8(), runs);
    }

    void tellsWhatTheEngineDoes_data() {
        QTest::addColumn<QString>("fixture");
        QTest::addColumn<int>("part");
        QTest::addColumn<int>("fact");
        QTest::addColumn<bool>("told"); // in any block
        const auto row = [](const char* name, const char* fixture, GraphPart part, StructureFact fact,
                            bool told = true) {
            QTest::newRow(name) << QString::fromUtf8(fixture) << static_cast<int>(part) << static_cast<int>(fact)
                                << told;
        };
        row("window", "gemma3", GraphPart::Attention, StructureFact::Window);
        row("QK norm", "gemma3", GraphPart::Attention, StructureFact::QkNorm);
        row("no QK norm", "gemma2", GraphPart::Attention, StructureFact::QkNorm, false);
        row("cap of scores", "gemma2", GraphPart::Attention, StructureFact::ScoreCap);
        row("sinks", "gpt-oss", GraphPart::Attention, StructureFact::Sinks);
        row("latent row", "deepseek2", GraphPart::Attention, StructureFact::LatentRow);
        row("best positions", "deepseek32", GraphPart::Indexer, StructureFact::BestPositions);
        row("no RoPE", "smollm3", GraphPart::Attention, StructureFact::NoRope);
        row("ALiBi", "bloom", GraphPart::Attention, StructureFact::Alibi);
        row("gate", "qwen3next", GraphPart::Attention, StructureFact::OutputGate);
        row("kind of state", "qwen3next", GraphPart::Recurrence, StructureFact::Kind);
        row("RWKV", "rwkv6", GraphPart::Recurrence, StructureFact::Kind);
        row("experts", "gpt-oss", GraphPart::Router, StructureFact::ExpertsUsed);
        row("shared experts", "deepseek2", GraphPart::SharedExperts, StructureFact::Width);
        row("caches of other blocks", "gemma3n", GraphPart::Attention, StructureFact::SharedCache);
        row("sparse gates", "gemma3n", GraphPart::FeedForward, StructureFact::Sparse);
    }
    void tellsWhatTheEngineDoes() {
        QFETCH(const QString, fixture);
        QFETCH(const int, part);
        QFETCH(const int, fact);
        QFETCH(const bool, told);
        const ModelStructure structure = structureOfFixture(fixture);
        const auto& blocks = mainStack(structure).blocks;
        QVERIFY(!blocks.empty());
        const bool any = std::ranges::any_of(blocks, [&](const StructureBlock& block) {
            return factOf(block.find(static_cast<GraphPart>(part)), static_cast<StructureFact>(fact)).has_value();
        });
        QCOMPARE(any, told);
    }

    // The same tensor is another part in another architecture, which its name does not say.
    void partsAreThoseOfTheEngine() {
        const auto partOf = [](const QString& fixture, std::string_view role) -> std::optional<GraphPart> {
            const auto model = openFixture(fixture);
            const auto structure = structureOf(*model);
            for (const StructureBlock& block : mainStack(*structure).blocks) {
                for (const StructurePart& part : block.parts) {
                    for (const TensorIndex tensor : part.tensors) {
                        if (parseTensorName(model->tensor(tensor).name).role == role) {
                            return part.part;
                        }
                    }
                }
            }
            return std::nullopt;
        };
        QCOMPARE(partOf("gpt-oss", "post_attention_norm"), GraphPart::FeedNorm);
        QCOMPARE(partOf("gemma2", "post_attention_norm"), GraphPart::MixPostNorm);
        QCOMPARE(partOf("qwen3next", "attn_gate"), GraphPart::Recurrence);
        QCOMPARE(partOf("rwkv6", "attn_norm_2"), GraphPart::FeedNorm);
    }

    void drawsAHybrid() {
        const ModelStructure structure = structureOfFixture(QStringLiteral("qwen3next"));
        const StructureStack& stack = mainStack(structure);
        const bool state = std::ranges::any_of(
            stack.blocks, [](const StructureBlock& block) { return block.find(GraphPart::Recurrence) != nullptr; });
        const bool attends = std::ranges::any_of(
            stack.blocks, [](const StructureBlock& block) { return block.find(GraphPart::Attention) != nullptr; });
        QVERIFY(state && attends);
        std::set<std::size_t> kinds;
        for (const StructureBlock& block : stack.blocks) {
            kinds.insert(block.kind);
        }
        QVERIFY(kinds.size() >= 2);
    }

    // The output of a model without one of its own is its embedding.
    void tiedOutput() {
        GgufBuilder file;
        addSmallLlama(file);
        const auto model = readModel(file);
        const auto structure = structureOf(*model);
        QVERIFY(structure.has_value());
        const auto& end = mainStack(*structure).end;
        const auto output = std::ranges::find(end, GraphPart::Output, &StructurePart::part);
        QVERIFY(output != end.end());
        QVERIFY(output->tensors.empty());
        QVERIFY(factOf(&*output, StructureFact::Tied).has_value());
    }

    // The keys say one thing and the tensors another: the tensors are drawn, and what differs is marked.
    void marksContradictions() {
        GgufBuilder file;
        addSmallLlama(file, 3); // keys of three blocks, whose feed-forward has no gate and only one matrix
        file.tensor("blk.1.ffn_down.weight", kQ8_0, {256, 64}); // keys: 128 wide
        file.tensor("blk.1.mystery.weight", kF32, {64});
        file.tensor("blk.7.attn_norm.weight", kF32, {64}); // a block too many
        const auto model = readModel(file);
        const auto structure = structureOf(*model);
        QVERIFY(structure.has_value());
        const StructureStack& stack = mainStack(*structure);
        QCOMPARE(stack.blocks.size(), std::size_t{4});
        QCOMPARE(factOf(stack.blocks[1].find(GraphPart::FeedForward), StructureFact::Width), QStringLiteral("256"));
        QVERIFY(stack.blocks[1].find(GraphPart::FeedForward)->contradicted);
        QVERIFY(stack.blocks[1].find(GraphPart::Other)->contradicted);
        std::map<StructureFact, int> counts;
        for (const Contradiction& each : structure->contradictions) {
            ++counts[each.what.fact];
        }
        QVERIFY(counts[StructureFact::MissingTensor] > 0);
        QCOMPARE(counts[StructureFact::OtherShape], 1);
        QVERIFY(counts[StructureFact::NoPlace] >= 1);
        QCOMPARE(counts[StructureFact::OtherBlockCount], 1);
    }

    void declaredBlocksWithoutTensors() {
        GgufBuilder file;
        addSmallLlama(file, 2);
        file.key("general.note", "the file ends early");
        GgufBuilder longer;
        longer.key("general.architecture", "llama");
        longer.key("llama.block_count", std::uint32_t{5});
        longer.key("llama.context_length", std::uint32_t{2048});
        longer.key("llama.embedding_length", std::uint32_t{64});
        longer.key("llama.feed_forward_length", std::uint32_t{128});
        longer.key("llama.attention.head_count", std::uint32_t{4});
        longer.tensor("token_embd.weight", kQ8_0, {64, 6});
        longer.tensor("blk.0.attn_norm.weight", kF32, {64});
        const auto model = readModel(longer);
        const auto structure = structureOf(*model);
        QVERIFY(structure.has_value());
        const StructureStack& stack = mainStack(*structure);
        QCOMPARE(stack.blocks.size(), std::size_t{5});
        QVERIFY(!stack.blocks[0].parts.empty());
        QVERIFY(stack.blocks[4].parts.empty());
    }

    void keysThatCannotBeUsed() {
        GgufBuilder file;
        file.key("general.architecture", "llama");
        file.tensor("token_embd.weight", kQ8_0, {64, 6});
        file.tensor("blk.0.attn_q.weight", kQ8_0, {64, 64});
        const auto model = readModel(file);
        const auto structure = structureOf(*model);
        QVERIFY(structure.has_value());
        QVERIFY(structure->refused.has_value());
        QCOMPARE(mainStack(*structure).blocks.size(), std::size_t{1});
        QVERIFY(mainStack(*structure).blocks[0].find(GraphPart::Attention) != nullptr);
    }

    // What keys state that cannot be used is no fact, and is compared with the tensors.
    void refusedKeysSayNothing() {
        GgufBuilder file;
        file.key("general.architecture", "llama");
        file.key("llama.block_count", std::uint32_t{3});
        file.key("llama.context_length", std::uint32_t{2048});
        file.key("llama.embedding_length", std::uint32_t{96});
        file.key("llama.feed_forward_length", std::uint32_t{128});
        file.key("llama.attention.head_count", std::uint32_t{5}); // does not divide the width
        file.tensor("token_embd.weight", kQ8_0, {64, 6});
        file.tensor("blk.0.attn_q.weight", kQ8_0, {64, 64});
        file.tensor("blk.0.ffn_down.weight", kQ8_0, {256, 64});
        const auto model = readModel(file);
        const auto structure = structureOf(*model);
        QVERIFY(structure.has_value());
        QVERIFY(structure->refused.has_value());
        const StructureStack& stack = mainStack(*structure);
        QCOMPARE(stack.blocks.size(), std::size_t{1});
        QVERIFY(!factOf(stack.blocks[0].find(GraphPart::Attention), StructureFact::Heads).has_value());
        std::map<StructureFact, int> counts;
        for (const Contradiction& each : structure->contradictions) {
            ++counts[each.what.fact];
        }
        QCOMPARE(counts[StructureFact::OtherBlockCount], 1);
        QCOMPARE(counts[StructureFact::OtherWidth], 2);
        QVERIFY(stack.blocks[0].find(GraphPart::FeedForward)->contradicted);
        QVERIFY(stack.begin.front().contradicted);
    }

    void unknownArchitecture() {
        GgufBuilder file;
        file.key("general.architecture", "tomorrow");
        file.key("tomorrow.attention.head_count", std::uint32_t{4});
        file.key("tomorrow.embedding_length", std::uint32_t{64});
        file.tensor("token_embd.weight", kQ8_0, {64, 6});
        for (std::uint32_t i = 0; i < 6; ++i) {
            const std::string prefix = "blk." + std::to_string(i) + ".";
            file.tensor(prefix + (i % 3 == 2 ? "attn_q.weight" : "ssm_in.weight"), kQ8_0, {64, 64});
            file.tensor(prefix + "ffn_up.weight", kQ8_0, {64, 128});
            file.tensor(prefix + "wonder.weight", kQ8_0, {64, 128});
        }
        const auto structure = structureOf(*readModel(file));
        QVERIFY(structure.has_value());
        QVERIFY(!structure->isKnown);
        QVERIFY(structure->contradictions.empty());
        const StructureStack& stack = mainStack(*structure);
        QCOMPARE(stack.runs.size(), std::size_t{1});
        QCOMPARE(stack.runs[0], (StructureRun{.first = 0, .period = 3, .repeats = 2}));
        QVERIFY(stack.blocks[0].find(GraphPart::Recurrence) != nullptr);
        QVERIFY(stack.blocks[2].find(GraphPart::Attention) != nullptr);
        QCOMPARE(factOf(stack.blocks[2].find(GraphPart::Attention), StructureFact::Heads), QStringLiteral("4 16"));
        QVERIFY(stack.blocks[0].find(GraphPart::Other) != nullptr);
    }

    void projector() {
        GgufBuilder file;
        file.key("general.architecture", "clip");
        file.key("general.type", "mmproj");
        file.key("clip.has_vision_encoder", true);
        file.key("clip.projector_type", "mlp");
        file.key("clip.vision.block_count", std::uint32_t{2});
        file.key("clip.vision.embedding_length", std::uint32_t{64});
        file.key("clip.vision.attention.head_count", std::uint32_t{4});
        file.key("clip.vision.patch_size", std::uint32_t{14});
        file.tensor("v.patch_embd.weight", kF32, {14, 14, 3, 64});
        for (std::uint32_t i = 0; i < 2; ++i) {
            const std::string prefix = "v.blk." + std::to_string(i) + ".";
            for (const char* role : {"ln1", "ln2"}) {
                file.tensor(prefix + role + ".weight", kF32, {64});
            }
            file.tensor(prefix + "attn_q.weight", kF32, {64, 64});
            file.tensor(prefix + "ffn_up.weight", kF32, {64, 128});
        }
        file.tensor("mm.0.weight", kF32, {64, 64});
        file.tensor("mm.2.weight", kF32, {64, 64});
        const auto model = readModel(file);
        const auto structure = structureOf(*model);
        QVERIFY(structure.has_value());
        QCOMPARE(std::ranges::count(uses(*model, *structure), 1), std::ptrdiff_t(model->tensors.size()));
        const auto vision = std::ranges::find(structure->stacks, std::string_view("v."), &StructureStack::prefix);
        QVERIFY(vision != structure->stacks.end());
        QCOMPARE(vision->blocks.size(), std::size_t{2});
        QCOMPARE(vision->runs.size(), std::size_t{1});
        QCOMPARE(factOf(vision->blocks[0].find(GraphPart::Attention), StructureFact::Heads), QStringLiteral("4 16"));
        // The projector follows the encoder.
        QCOMPARE(structure->stacks.size(), std::size_t{1});
        QVERIFY(std::ranges::find(vision->end, GraphPart::Projector, &StructurePart::part) != vision->end.end());
    }

    void adapter() {
        GgufBuilder file;
        file.key("general.architecture", "llama");
        file.key("general.type", "adapter");
        file.key("adapter.type", "lora");
        for (std::uint32_t i = 0; i < 3; ++i) {
            const std::string prefix = "blk." + std::to_string(i) + ".attn_q.weight.";
            file.tensor(prefix + "lora_a", kF32, {64, 8});
            file.tensor(prefix + "lora_b", kF32, {8, 64});
        }
        const auto structure = structureOf(*readModel(file));
        QVERIFY(structure.has_value());
        const StructureStack& stack = mainStack(*structure);
        QCOMPARE(stack.runs.size(), std::size_t{1});
        QCOMPARE(factOf(stack.blocks[0].find(GraphPart::Attention), StructureFact::Rank), QStringLiteral("8"));
    }

    // Block numbers up to four billion, more blocks than any model has, and names without any order.
    void hostileNames() {
        ModelMaker maker("llama");
        maker.u32("llama.block_count", 4'000'000'000U);
        for (std::uint32_t i = 0; i < 20'000; ++i) {
            maker.tensor("blk." + std::to_string(i * 200'003U) + ".attn_q.weight", {1});
            maker.tensor("p" + std::to_string(i) + ".layers.3.self_attn.q_proj.weight", {1});
        }
        const auto model = maker.model();
        const auto structure = structureOf(*model);
        QVERIFY(structure.has_value());
        QVERIFY(structure->stacks.size() <= ModelStructure::kMaxStacks + 1);
        const std::vector<int> counts = uses(*model, *structure);
        QCOMPARE(std::ranges::count(counts, 1), std::ptrdiff_t(counts.size()));
        for (const StructureStack& stack : structure->stacks) {
            QVERIFY(stack.blocks.size() <= kMaxBlocks);
        }
    }

    void cancelled() {
        std::stop_source stop;
        stop.request_stop();
        const auto structure = structureOf(*openFixture(QStringLiteral("gemma3")), {.stop = stop.get_token()});
        QVERIFY(!structure.has_value());
        QCOMPARE(structure.error().code, ErrorCode::Cancelled);
    }

    // Folders, checkpoints and files from before GGUF, by the keys that describe() gives them.
    void otherContainers_data() {
        QTest::addColumn<QString>("path");
        for (const ConvertFixture& fixture : convertFixtures()) {
            QTest::addRow("%s%s", fixture.shared ? "shared " : "", qPrintable(fixture.name))
                << QString::fromStdString(fixture.source().native());
        }
        for (const char* name : {"all.safetensors", "parameters.pt", "zip.pt", "pickle.pt", "tar.pt"}) {
            QTest::newRow(name) << QStringLiteral(GUFO_TEST_DATA "/containers/") + QString::fromUtf8(name);
        }
    }
    void otherContainers() {
        QFETCH(const QString, path);
        const auto model = openModel(path.toStdString());
        QVERIFY2(model.has_value(), qPrintable(path));
        const auto described = convert::describeStructure(*model);
        QVERIFY(described.has_value());
        const std::vector<int> counts = uses(**model, described->structure);
        QCOMPARE(std::ranges::count(counts, 1), std::ptrdiff_t(counts.size()));
    }

    // A folder has the structure of its conversion: the same stacks, runs, kinds, boxes and facts.
    void folderLikeItsConversion_data() { addConvertRows(); }
    void folderLikeItsConversion() {
        QFETCH(const QString, name);
        const ConvertFixture fixture = convertFixture(name);
        GUFO_SKIP_WITHOUT_FIXTURE(fixture);
        const auto source = convert::SourceFolder::open(fixture.source());
        QVERIFY(source.has_value());
        const auto plan = convert::planConversion(*source);
        QVERIFY(plan.has_value());
        QTemporaryDir folder;
        const std::filesystem::path out = folder.filePath(QStringLiteral("converted.gguf")).toStdString();
        QVERIFY(convert::writeConverted(*source, *plan, {}, out).has_value());
        const auto converted = openModel(out);
        QVERIFY(converted.has_value());
        const auto model = openModel(fixture.source());
        QVERIFY(model.has_value());
        const auto described = convert::describeStructure(*model);
        QVERIFY(described.has_value());
        QCOMPARE(outline(described->structure), outline(*structureOf(**converted)));
        QVERIFY(described->structure.isKnown);
        QCOMPARE(described->structure.contradictions.size(), std::size_t{0});
    }
};

GUFO_TEST_APPLESS(TestModelStructure)
#include "tst_model_structure.moc"
