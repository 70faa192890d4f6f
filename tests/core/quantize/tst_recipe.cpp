// Which type each tensor gets: compared with files made by llama.cpp's quantiser, and rule by rule.
#include "base/detail.h"
#include "document/open_model.h"
#include "model/file_type.h"
#include "recipe_models.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QFile>
#include <QTest>

#include <algorithm>

using namespace gufo;
using namespace gufo::test;

namespace {

// Returns the blocks whose tensor of a role has this type, as "0-3 6 9".
QString blocksWith(const Model& model, const RecipeRequest& request, const char* role, TensorType type) {
    const auto plan = planRecipe(model, request);
    QStringList runs;
    int first = -2;
    int last = -2;
    const auto flush = [&] {
        if (first >= 0) {
            runs << (first == last ? QString::number(first) : QStringLiteral("%1-%2").arg(first).arg(last));
        }
    };
    for (int block = 0;; ++block) {
        const auto index = model.findTensor("blk." + std::to_string(block) + "." + role);
        if (!index) {
            break;
        }
        if (plan->tensors[index->value].typeId == id(type)) {
            if (block != last + 1) {
                flush();
                first = block;
            }
            last = block;
        }
    }
    flush();
    return runs.join(' ');
}

} // namespace

class TestRecipe : public QObject {
    Q_OBJECT

private slots:
    void namesAreFileTypes();
    void findsNames();
    void asTheReferenceDoes_data();
    void asTheReferenceDoes();
    void moreBitsInSomeBlocks_data();
    void moreBitsInSomeBlocks();
    void outputAndEmbedding_data();
    void outputAndEmbedding();
    void modelsOfEightExperts();
    void expertsOfMxfp4();
    void smallValuesOfLargeModels();
    void keepsWhatIsSmall();
    void rowsThatFitNoBlock_data();
    void rowsThatFitNoBlock();
    void typesThatNeedImportance();
    void typesOfIkLlama();
    void refuses();
};

void TestRecipe::namesAreFileTypes() {
    double bits = 100;
    for (const Recipe& recipe : recipes()) {
        const FileTypeFact* fact = findFileType(recipe.name);
        QVERIFY2(fact != nullptr, recipe.name.data());
        QCOMPARE(fact->tensorType, id(recipe.type));
        QVERIFY(!fact->removed);
        QVERIFY2(tensorTypeFact(recipe.type).bitsPerWeight() <= bits, recipe.name.data());
        bits = tensorTypeFact(recipe.type).bitsPerWeight();
    }
}

void TestRecipe::findsNames() {
    QCOMPARE(findRecipe("q4_k_m")->name, std::string_view("Q4_K_M"));
    QCOMPARE(findRecipe("Q4_K")->name, std::string_view("Q4_K_M"));
    QCOMPARE(findRecipe("q3_k")->name, std::string_view("Q3_K_M"));
    QCOMPARE(findRecipe("Q5_K")->name, std::string_view("Q5_K_M"));
    QCOMPARE(findRecipe("iq2_xxs")->name, std::string_view("IQ2_XXS"));
    QVERIFY(findRecipe("Q6_0") == nullptr); // a type, but no mix
    QVERIFY(findRecipe("") == nullptr);
}

void TestRecipe::asTheReferenceDoes_data() {
    QTest::addColumn<QString>("original");
    QTest::addColumn<QString>("reference");
    QTest::addColumn<QString>("recipe");
    const QString models = QStringLiteral(GUFO_SHARED_DIR "/thirdparty/models/stories260K");
    for (const char* recipe : {"F16", "Q4_0", "Q8_0"}) {
        QTest::addRow("stories260K %s", recipe) << models + ".gguf" << models + "." + recipe + ".gguf" << recipe;
    }
    for (const char* model : {"llama", "qwen2"}) {
        for (const char* recipe : {"Q4_0", "Q8_0", "Q4_K_M", "Q6_K", "IQ4_XS"}) {
            const QString path = QStringLiteral(GUFO_TEST_DATA "/quantised/") + model;
            QTest::addRow("%s %s", model, recipe) << path + ".gguf" << path + "." + recipe + ".gguf" << recipe;
        }
    }
}

void TestRecipe::asTheReferenceDoes() {
    QFETCH(QString, original);
    QFETCH(QString, reference);
    QFETCH(QString, recipe);
    if (!QFile::exists(original) || !QFile::exists(reference)) {
        QSKIP("the trained model of another project (../shared/thirdparty/models) is not here");
    }
    const auto model = openModel(original.toStdString());
    const auto made = openModel(reference.toStdString());
    QVERIFY(model && made);
    const auto plan = planRecipe(**model, requestOf(recipe.toStdString()));
    QVERIFY(plan);
    QCOMPARE(plan->tensors.size(), (*made)->tensors.size());
    for (const PlannedTensor& planned : plan->tensors) {
        const std::string_view name = (*model)->tensor(planned.tensor).name;
        const TensorInfo& expected = (*made)->tensor(*(*made)->findTensor(name));
        QVERIFY2(planned.typeId == expected.typeId, name.data());
        QCOMPARE(planned.bytes, *expected.bytes);
    }
}

void TestRecipe::moreBitsInSomeBlocks_data() {
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<QString>("role");
    QTest::addColumn<QString>("type");
    QTest::addColumn<bool>("imatrix");
    QTest::addColumn<bool>("manyQueries");
    QTest::addColumn<QString>("blocks");
    // Of 32 blocks; an eighth is 4.
    const QString more = QStringLiteral("0-3 6 9 12 15 18 21 24 27-31");
    const QString all = QStringLiteral("0-31");
    const auto row = [](const char* recipe, const char* architecture, const char* role, const char* type, bool imatrix,
                        bool many, const QString& blocks) {
        QTest::addRow("%s %s %s %s%s%s", recipe, architecture, role, type, imatrix ? " imatrix" : "",
                      many ? " many" : "")
            << recipe << architecture << QString(role) + ".weight" << type << imatrix << many << blocks;
    };
    row("Q4_K_M", "llama", "attn_v", "Q6_K", false, false, more);
    row("Q4_K_M", "llama", "ffn_down", "Q6_K", false, false, more);
    row("Q4_K_M", "llama", "ffn_down", "Q6_K", true, true, more);
    row("Q4_K_M", "llama", "attn_q", "Q4_K", false, false, all);
    row("Q4_K_M", "llama", "ffn_up", "Q4_K", false, false, all);
    row("Q4_K_M", "falcon", "ffn_down", "Q6_K", false, false, "0-1");
    row("Q4_K_M", "falcon", "ffn_down", "Q5_K", false, false, "2-3 6 9 12 15 18 21 24 27-31");
    row("Q5_K_M", "llama", "attn_v", "Q6_K", false, false, more);
    row("Q5_K_M", "falcon", "ffn_down", "Q6_K", false, false, more);
    row("Q5_K_S", "llama", "ffn_down", "Q5_K", false, false, all);
    row("Q4_K_S", "llama", "attn_v", "Q5_K", false, false, "0-3");
    row("Q4_K_S", "llama", "ffn_down", "Q5_K", false, false, "0-3");
    row("Q4_K_S", "falcon", "ffn_down", "Q4_K", false, false, all);
    row("Q3_K_M", "llama", "attn_v", "Q5_K", false, false, "0-1");
    row("Q3_K_M", "llama", "attn_v", "Q4_K", false, false, "2-31");
    row("Q3_K_M", "llama", "ffn_down", "Q5_K", false, false, "0-1");
    row("Q3_K_M", "llama", "ffn_down", "Q4_K", false, false, "2-31");
    row("Q3_K_M", "llama", "attn_output", "Q4_K", false, false, all);
    row("Q3_K_M", "falcon", "ffn_down", "Q3_K", false, false, "4-5 7-8 10-11 13-14 16-17 19-20 22-23 25-26");
    row("Q3_K_L", "llama", "ffn_down", "Q5_K", false, false, all);
    row("Q3_K_L", "falcon", "attn_output", "Q4_K", false, false, all);
    row("Q3_K_S", "llama", "ffn_down", "Q3_K", false, false, all);
    row("IQ4_KS", "llama", "ffn_down", "Q5_K", false, false, "0-3");
    row("IQ4_KS", "llama", "ffn_down", "IQ4_KS", true, false, all);
    row("IQ4_KS", "llama", "attn_v", "IQ5_K", true, true, all);
    row("IQ3_KL", "llama", "ffn_down", "IQ4_KS", false, false, more);
    row("IQ3_KL", "llama", "attn_v", "IQ4_K", false, false, all);
    row("IQ2_KS", "llama", "attn_v", "IQ4_K", true, true, all);
    row("IQ2_KS", "llama", "attn_v", "Q2_K", true, false, all);
    row("IQ2_KL", "llama", "attn_v", "IQ4_KS", true, true, all);
    row("IQ5_KS", "llama", "attn_v", "IQ6_K", true, true, all);
    row("Q2_K", "llama", "attn_v", "Q3_K", false, false, all);
    row("Q2_K", "llama", "attn_v", "Q4_K", false, true, all);
    row("Q2_K", "llama", "ffn_down", "Q3_K", false, false, all);
    row("Q2_K", "llama", "attn_output", "Q3_K", false, false, all);
    row("Q2_K_S", "llama", "ffn_down", "Q4_K", false, false, "0-3");
    row("Q2_K_S", "llama", "attn_v", "Q4_K", false, true, all);
    row("Q2_K_S", "llama", "attn_v", "Q2_K", false, false, all);
    row("IQ4_XS", "llama", "attn_v", "Q5_K", false, true, all);
    row("IQ4_XS", "llama", "ffn_down", "Q5_K", false, false, "0-3");
    row("IQ4_NL", "llama", "ffn_down", "IQ4_NL", true, false, all);
    row("Q4_0", "llama", "ffn_down", "Q4_0", false, false, all);
    row("Q4_0", "llama", "ffn_down", "Q4_1", true, false, "0-3");
    row("Q5_0", "llama", "ffn_down", "Q5_1", true, false, "0-3");
    row("IQ3_M", "llama", "attn_v", "Q4_K", true, false, all);
    row("IQ3_M", "llama", "ffn_down", "Q4_K", true, false, "0-3");
    row("IQ3_M", "llama", "attn_output", "Q4_K", true, false, all);
    row("IQ3_M", "falcon", "attn_output", "IQ3_S", true, false, all);
    row("IQ3_S", "llama", "attn_v", "IQ3_S", true, false, all);
    row("IQ3_S", "llama", "attn_v", "Q4_K", true, true, all);
    row("IQ3_XS", "llama", "attn_q", "IQ3_XXS", true, false, all);
    row("IQ3_XS", "llama", "ffn_up", "IQ3_XXS", true, false, "4-27");
    row("IQ3_XS", "llama", "ffn_gate", "IQ3_XXS", true, false, "4-27");
    row("IQ3_XS", "llama", "ffn_down", "IQ3_S", true, false, all);
    row("IQ3_XXS", "llama", "attn_k", "IQ2_S", true, false, all);
    row("IQ3_XXS", "llama", "attn_v", "IQ3_XXS", true, false, all);
    row("IQ3_XXS", "llama", "attn_v", "IQ3_S", false, false, all);
    row("IQ3_XXS", "llama", "ffn_down", "Q4_K", false, false, "0-3");
    row("IQ3_XXS", "llama", "ffn_down", "Q3_K", false, false, "4-31");
    row("IQ3_XXS", "llama", "ffn_down", "IQ3_XXS", true, false, all);
    row("IQ2_M", "llama", "attn_output", "IQ3_S", true, false, all);
    row("IQ2_M", "llama", "ffn_up", "IQ2_S", true, false, all);
    row("IQ2_S", "llama", "ffn_down", "IQ3_S", true, false, "0-3");
    row("IQ2_S", "llama", "ffn_down", "IQ2_XS", true, false, "4-31");
    row("IQ2_XS", "llama", "attn_v", "Q2_K", true, false, all);
    row("IQ2_XXS", "llama", "attn_v", "Q4_K", true, true, all);
    row("IQ2_XXS", "llama", "attn_output", "IQ2_XXS", true, false, all);
    row("IQ1_M", "llama", "attn_output", "IQ2_XXS", true, false, all);
    row("IQ1_S", "llama", "ffn_down", "Q2_K", true, false, "0-3");
    row("IQ1_S", "llama", "ffn_down", "IQ1_S", true, false, "4-31");
    row("TQ1_0", "llama", "attn_v", "TQ1_0", false, false, all);
}

void TestRecipe::moreBitsInSomeBlocks() {
    QFETCH(QString, recipe);
    QFETCH(QString, architecture);
    QFETCH(QString, role);
    QFETCH(QString, type);
    QFETCH(bool, imatrix);
    QFETCH(bool, manyQueries);
    QFETCH(QString, blocks);
    const auto model =
        transformer({.architecture = architecture.toStdString(), .heads = 8, .kvHeads = manyQueries ? 2U : 8U});
    RecipeRequest request = requestOf(recipe.toStdString());
    request.hasImatrix = imatrix;
    const TensorType wanted = static_cast<TensorType>(findTensorType(type.toStdString())->id);
    QCOMPARE(blocksWith(*model, request, role.toUtf8().constData(), wanted), blocks);
}

void TestRecipe::outputAndEmbedding_data() {
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<bool>("tied");
    QTest::addColumn<QString>("output");
    QTest::addColumn<QString>("embedding");
    QTest::newRow("Q4_K_M") << "Q4_K_M" << "llama" << false << "Q6_K" << "Q4_K";
    QTest::newRow("tied") << "Q4_K_M" << "llama" << true << "" << "Q6_K";
    QTest::newRow("Q4_0") << "Q4_0" << "llama" << false << "Q6_K" << "Q4_0";
    QTest::newRow("Q8_0") << "Q8_0" << "llama" << false << "Q8_0" << "Q8_0";
    QTest::newRow("falcon") << "Q4_K_M" << "falcon" << false << "Q8_0" << "Q4_K";
    QTest::newRow("MXFP4_MOE") << "MXFP4_MOE" << "llama" << false << "Q8_0" << "Q8_0";
    QTest::newRow("F16") << "F16" << "llama" << false << "F16" << "F16";
    QTest::newRow("IQ3_S") << "IQ3_S" << "llama" << false << "Q6_K" << "IQ3_S";
    QTest::newRow("IQ3_XXS") << "IQ3_XXS" << "llama" << false << "Q5_K" << "IQ3_S";
    QTest::newRow("IQ2_M") << "IQ2_M" << "llama" << false << "Q5_K" << "IQ3_S";
    QTest::newRow("IQ2_XXS, tied") << "IQ2_XXS" << "llama" << true << "" << "Q5_K";
    QTest::newRow("IQ1_S, falcon") << "IQ1_S" << "falcon" << false << "Q8_0" << "Q2_K";
    QTest::newRow("TQ2_0") << "TQ2_0" << "llama" << false << "Q6_K" << "Q4_K";
    QTest::newRow("BF16, tied") << "BF16" << "llama" << true << "" << "BF16";
}

void TestRecipe::outputAndEmbedding() {
    QFETCH(QString, recipe);
    QFETCH(QString, architecture);
    QFETCH(bool, tied);
    QFETCH(QString, output);
    QFETCH(QString, embedding);
    const auto model = transformer({.architecture = architecture.toStdString(), .blocks = 2, .output = !tied});
    QCOMPARE(typeOf(*model, requestOf(recipe.toStdString()), "output.weight"), output);
    QCOMPARE(typeOf(*model, requestOf(recipe.toStdString()), "token_embd.weight"), embedding);
}

void TestRecipe::modelsOfEightExperts() {
    const auto eight = transformer({.blocks = 4, .experts = 8});
    const auto sixteen = transformer({.blocks = 4, .experts = 16});
    const RecipeRequest request = requestOf("Q4_K_M");
    QCOMPARE(typeOf(*eight, request, "blk.1.attn_v.weight"), QStringLiteral("Q8_0"));
    QCOMPARE(typeOf(*eight, request, "blk.1.attn_k.weight"), QStringLiteral("Q8_0"));
    QCOMPARE(typeOf(*eight, request, "blk.1.attn_output.weight"), QStringLiteral("Q5_K"));
    QCOMPARE(typeOf(*eight, requestOf("Q5_K_M"), "blk.1.attn_output.weight"), QStringLiteral("Q5_K"));
    QCOMPARE(typeOf(*eight, requestOf("Q3_K_L"), "blk.1.attn_output.weight"), QStringLiteral("Q3_K"));
    QCOMPARE(typeOf(*eight, requestOf("IQ3_M"), "blk.1.attn_k.weight"), QStringLiteral("Q8_0"));
    QCOMPARE(typeOf(*eight, requestOf("IQ3_M"), "blk.3.ffn_down_exps.weight"), QStringLiteral("Q4_K"));
    QCOMPARE(typeOf(*sixteen, requestOf("IQ3_M"), "blk.3.ffn_down_exps.weight"), QStringLiteral("IQ3_S"));
    QCOMPARE(typeOf(*eight, requestOf("IQ2_XS"), "blk.1.attn_k.weight"), QStringLiteral("Q4_K"));
    QCOMPARE(typeOf(*eight, requestOf("IQ2_XS"), "blk.1.attn_output.weight"), QStringLiteral("Q5_K"));
    QCOMPARE(typeOf(*sixteen, requestOf("IQ2_XS"), "blk.1.attn_v.weight"), QStringLiteral("Q4_K"));
    QCOMPARE(typeOf(*sixteen, requestOf("IQ2_XS"), "blk.1.attn_k.weight"), QStringLiteral("IQ2_XS"));
    QCOMPARE(typeOf(*sixteen, request, "blk.1.attn_k.weight"), QStringLiteral("Q4_K"));
    QCOMPARE(typeOf(*sixteen, request, "blk.3.ffn_down_exps.weight"), QStringLiteral("Q6_K"));
    QCOMPARE(typeOf(*sixteen, request, "blk.1.ffn_gate_inp.weight"), QStringLiteral("F32"));
}

void TestRecipe::expertsOfMxfp4() {
    const auto model = transformer({.blocks = 2, .experts = 16});
    QCOMPARE(typeOf(*model, requestOf("MXFP4_MOE"), "blk.1.ffn_up_exps.weight"), QStringLiteral("MXFP4"));
    QCOMPARE(typeOf(*model, requestOf("MXFP4_MOE"), "blk.1.attn_q.weight"), QStringLiteral("Q8_0"));
}

void TestRecipe::smallValuesOfLargeModels() {
    const auto large = transformer({.blocks = 80, .heads = 64, .kvHeads = 8});
    QCOMPARE(blocksWith(*large, requestOf("Q4_K_S"), "attn_v.weight", TensorType::Q5_K), QStringLiteral("0-79"));
    const auto every = transformer({.blocks = 80, .heads = 64, .kvHeads = 64});
    QCOMPARE(blocksWith(*every, requestOf("Q4_K_S"), "attn_v.weight", TensorType::Q5_K), QStringLiteral("0-3"));
}

void TestRecipe::keepsWhatIsSmall() {
    const auto kept = std::to_array<const char*>(
        {"blk.0.attn_norm.weight", "blk.0.attn_q.bias", "blk.0.ffn_gate_inp.weight", "blk.0.ssm_conv1d.weight",
         "blk.0.ssm_a", "blk.0.time_mix_w1.weight", "blk.0.time_mix_lerp_fused.weight", "position_embd.weight",
         "token_types.weight", "blk.0.attn_rel_b.weight", "per_layer_model_proj.weight", "blk.0.laurel_l.weight",
         "blk.0.altup_router.weight", "v.patch_embd.weight", "blk.0.shortconv.conv.weight"});
    ModelMaker maker("llama");
    for (const char* name : kept) {
        maker.tensor(name, {512, 512});
    }
    maker.tensor("blk.0.attn_q.weight", {512, 512}).tensor("blk.0.ssm_in.weight", {512, 512});
    maker.tensor("blk.0.ffn_gate_inp_shexp.weight", {512, 1}).tensor("blk.0.tid2eid.weight", {512, 8}, TensorType::I32);
    const auto model = maker.model();
    const auto plan = planRecipe(*model, requestOf("Q4_K_M"));
    QVERIFY(plan);
    for (const PlannedTensor& planned : plan->tensors) {
        const TensorInfo& tensor = model->tensor(planned.tensor);
        const bool changes = tensor.name == "blk.0.attn_q.weight" || tensor.name == "blk.0.ssm_in.weight";
        QVERIFY2((planned.typeId != tensor.typeId) == changes, tensor.name.data());
        QVERIFY2((planned.reason == TypeReason::Kept) == !changes, tensor.name.data());
    }
}

void TestRecipe::rowsThatFitNoBlock_data() {
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<quint64>("columns");
    QTest::addColumn<QString>("type");
    QTest::newRow("Q2_K, 288") << "Q2_K_S" << quint64{288} << "Q4_0";
    QTest::newRow("Q3_K, 288") << "Q3_K_S" << quint64{288} << "Q4_0";
    QTest::newRow("Q4_K, 288") << "Q4_K_S" << quint64{288} << "Q5_0";
    QTest::newRow("Q5_K, 288") << "Q5_K_S" << quint64{288} << "Q5_1";
    QTest::newRow("Q6_K, 288") << "Q6_K" << quint64{288} << "Q8_0";
    QTest::newRow("IQ4_XS, 288") << "IQ4_XS" << quint64{288} << "IQ4_NL";
    QTest::newRow("IQ3_S, 288") << "IQ3_S" << quint64{288} << "IQ4_NL";
    QTest::newRow("IQ1_M, 288") << "IQ1_M" << quint64{288} << "IQ4_NL";
    QTest::newRow("TQ1_0, 288") << "TQ1_0" << quint64{288} << "Q4_0";
    QTest::newRow("Q4_K, 172") << "Q4_K_S" << quint64{172} << "F16";
    QTest::newRow("Q8_0, 172") << "Q8_0" << quint64{172} << "F16";
    QTest::newRow("Q4_K, 512") << "Q4_K_S" << quint64{512} << "Q4_K";
}

void TestRecipe::rowsThatFitNoBlock() {
    QFETCH(QString, recipe);
    QFETCH(quint64, columns);
    QFETCH(QString, type);
    const auto model = ModelMaker("llama").tensor("blk.0.ffn_up.weight", {columns, 64}).model();
    const auto plan = planRecipe(*model, requestOf(recipe.toStdString()));
    const TensorTypeFact& wanted = *findTensorType(type.toStdString());
    QCOMPARE(plan->tensors.front().typeId, wanted.id);
    QCOMPARE(plan->tensors.front().bytes, columns / wanted.blockSize * wanted.blockBytes * 64);
    QCOMPARE(plan->tensors.front().reason, columns == 512 ? TypeReason::Recipe : TypeReason::Fallback);
}

// Only with an importance matrix, or where a type has enough bits, nothing is said.
void TestRecipe::typesThatNeedImportance() {
    const auto model = transformer({.blocks = 2});
    const auto needing = [&](const char* recipe, bool imatrix) {
        RecipeRequest request = requestOf(recipe);
        request.hasImatrix = imatrix;
        QStringList names;
        const auto plan = planRecipe(*model, request);
        for (const TensorIndex tensor : plan->needImportance) {
            names << QString::fromUtf8(model->tensor(tensor).name.data());
        }
        return names;
    };
    QVERIFY(needing("IQ2_XXS", false).contains("blk.1.ffn_up.weight"));
    QVERIFY(!needing("IQ2_XXS", false).contains("token_embd.weight")); // Q2_K
    QVERIFY(needing("IQ2_XXS", true).isEmpty());
    for (const char* recipe : {"Q2_K", "IQ3_S", "TQ1_0", "Q4_K_M"}) {
        QVERIFY2(needing(recipe, false).isEmpty(), recipe);
    }
}

void TestRecipe::typesOfIkLlama() {
    const auto model = transformer({.blocks = 2, .kvHeads = 2});
    const auto planned = [&](const char* recipe) { return planRecipe(*model, requestOf(recipe))->onlyIkLlama.size(); };
    QCOMPARE(planned("Q4_K_M"), std::size_t{0});
    QCOMPARE(planned("IQ4_XS"), std::size_t{0});
    // Seven matrices in each of two blocks, and the token embedding; the output is Q6_K.
    QCOMPARE(planned("IQ4_K"), std::size_t{15});
    // The shared values alone.
    RecipeRequest request{.rest = std::nullopt, .overrides = {overrideBy("attn_v", TensorType::IQ6_K)}};
    QCOMPARE(planRecipe(*model, request)->onlyIkLlama.size(), std::size_t{2});
}

void TestRecipe::refuses() {
    const auto model = ModelMaker("llama").tensor("blk.0.tid2eid", {512, 8}, TensorType::I32).model();
    RecipeRequest request = requestOf("Q4_K_M");
    request.outputType = id(TensorType::NVFP4);
    QCOMPARE(planRecipe(*model, request).error().code, ErrorCode::NotEncodable);
    request.outputType = id(TensorType::Q8_0);
    QCOMPARE(planRecipe(*model, request).error().args.front().detail(), Detail::NoOutputTensor);
    request.outputType.reset();
    request.embeddingType = id(TensorType::Q8_0);
    QCOMPARE(planRecipe(*model, request).error().args.front().detail(), Detail::NoTokenEmbedding);
    request.embeddingType.reset();
    request.overrides = {overrideBy("blk.0.tid2eid", TensorType::Q8_0)};
    request.overrides.front().typeId = 9999;
    QCOMPARE(planRecipe(*model, request).error().code, ErrorCode::NotEncodable);
    request.overrides.front().typeId = id(TensorType::Q8_0);
    const auto ids = planRecipe(*model, request);
    QCOMPARE(ids.error().code, ErrorCode::NotDecodable);
    QCOMPARE(ids.error().place.name, std::string("blk.0.tid2eid"));
}

GUFO_TEST(TestRecipe)
#include "tst_recipe.moc"
