// Types that are asked for by patterns of names: which tensors they reach, which patterns have no effect, and the
// patterns that are made for chosen tensors.
#include "quantize/recipe.h"
#include "recipe_models.h"
#include "support/test_unit.h"

#include <QTest>

#include <algorithm>

using namespace gufo;
using namespace gufo::test;

class TestTypeOverride : public QObject {
    Q_OBJECT

private slots:
    void overridesWin();
    void overridesApplyToWhatIsQuantised_data();
    void overridesApplyToWhatIsQuantised();
    void overridesWithoutEffect_data();
    void overridesWithoutEffect();
    void fullNames_data();
    void fullNames();
    void patternsOfTensors_data();
    void patternsOfTensors();
};

void TestTypeOverride::overridesWin() {
    const auto model = transformer({.blocks = 4});
    RecipeRequest request = requestOf("Q4_K_M");
    request.overrides = {overrideBy("blk.1.", TensorType::Q8_0), overrideBy("attn_q", TensorType::Q3_K)};
    QCOMPARE(typeOf(*model, request, "blk.1.attn_q.weight"), QStringLiteral("Q8_0"));
    QCOMPARE(typeOf(*model, request, "blk.2.attn_q.weight"), QStringLiteral("Q3_K"));
    QCOMPARE(typeOf(*model, request, "blk.1.attn_norm.weight"), QStringLiteral("F32"));
    request.outputType = id(TensorType::F16);
    request.embeddingType = id(TensorType::Q5_0);
    QCOMPARE(typeOf(*model, request, "output.weight"), QStringLiteral("F16"));
    QCOMPARE(typeOf(*model, request, "token_embd.weight"), QStringLiteral("Q5_0"));
    // A token embedding that also serves as output takes the type requested for either; its own has priority.
    const auto tied = transformer({.blocks = 2, .output = false});
    QCOMPARE(typeOf(*tied, request, "token_embd.weight"), QStringLiteral("Q5_0"));
    request.embeddingType.reset();
    QCOMPARE(typeOf(*tied, request, "token_embd.weight"), QStringLiteral("F16"));
    request.overrides.insert(request.overrides.begin(), overrideBy("output", TensorType::Q2_K));
    QCOMPARE(typeOf(*model, request, "output.weight"), QStringLiteral("Q2_K"));
}

void TestTypeOverride::overridesApplyToWhatIsQuantised_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QStringList>("changed");
    QTest::addColumn<bool>("warns");
    QTest::newRow("a role") << "attn_q" << QStringList{"blk.0.attn_q.weight"} << false;
    QTest::newRow("norms beside it") << "attn" << QStringList{"blk.0.attn_q.weight"} << false;
    QTest::newRow("a router beside the experts") << "ffn_gate" << QStringList{"blk.0.ffn_gate_exps.weight"} << false;
    QTest::newRow("everything") << "." << QStringList{"blk.0.attn_q.weight", "blk.0.ffn_gate_exps.weight"} << false;
    QTest::newRow("a norm by name") << "blk.0.attn_norm.weight" << QStringList{"blk.0.attn_norm.weight"} << true;
    QTest::newRow("escaped") << "^blk\\.0\\.attn_norm\\.weight$" << QStringList{"blk.0.attn_norm.weight"} << true;
    QTest::newRow("a bias by name") << "blk.0.attn_q.bias" << QStringList{"blk.0.attn_q.bias"} << true;
    QTest::newRow("a list of names") << "^(blk.0.attn_norm.weight|blk.0.ffn_gate_inp.weight)$"
                                     << QStringList{"blk.0.attn_norm.weight", "blk.0.ffn_gate_inp.weight"} << true;
}

void TestTypeOverride::overridesApplyToWhatIsQuantised() {
    QFETCH(QString, pattern);
    QFETCH(QStringList, changed);
    QFETCH(bool, warns);
    const auto model = ModelMaker("llama")
                           .tensor("blk.0.attn_norm.weight", {512})
                           .tensor("blk.0.attn_q.weight", {512, 512})
                           .tensor("blk.0.attn_q.bias", {512})
                           .tensor("blk.0.attn_q_norm.weight", {512, 2})
                           .tensor("blk.0.ffn_gate_inp.weight", {512, 4})
                           .tensor("blk.0.ffn_gate_exps.weight", {512, 512, 4})
                           .tensor("blk.0.tid2eid", {512, 8}, TensorType::I32)
                           .model();
    RecipeRequest request = requestOf("F32"); // changes nothing by itself
    request.overrides = {overrideBy(pattern.toStdString(), TensorType::Q4_K)};
    const auto plan = planRecipe(*model, request);
    QVERIFY(plan);
    QStringList names;
    for (const PlannedTensor& planned : plan->tensors) {
        const TensorInfo& tensor = model->tensor(planned.tensor);
        if (planned.typeId != tensor.typeId) {
            QCOMPARE(planned.reason, TypeReason::Override);
            names << QString::fromUtf8(tensor.name.data(), static_cast<qsizetype>(tensor.name.size()));
        }
    }
    QCOMPARE(names, changed);
    QCOMPARE(plan->keptByRecipes.size(), warns ? static_cast<std::size_t>(changed.size()) : 0);
    QVERIFY(plan->idle.empty());
}

void TestTypeOverride::overridesWithoutEffect_data() {
    QTest::addColumn<QStringList>("patterns");
    QTest::addColumn<QString>("error"); // empty: idle
    QTest::newRow("matches nothing") << QStringList{"atn_q"} << "override_matches_nothing atn_q";
    QTest::newRow("the second matches nothing") << QStringList{"attn_q", "x"} << "override_matches_nothing x";
    QTest::newRow("only a norm") << QStringList{"norm"} << "override_matches_only_kept norm blk.0.attn_norm.weight";
    QTest::newRow("all norms") << QStringList{"^blk\\.\\d+\\.attn_norm\\.weight$"}
                               << "override_matches_only_kept ^blk\\.\\d+\\.attn_norm\\.weight$ blk.0.attn_norm.weight";
    QTest::newRow("an earlier one decides") << QStringList{"attn", "attn_q"} << "";
}

void TestTypeOverride::overridesWithoutEffect() {
    QFETCH(QStringList, patterns);
    QFETCH(QString, error);
    const auto model =
        ModelMaker("llama").tensor("blk.0.attn_norm.weight", {512}).tensor("blk.0.attn_q.weight", {512, 512}).model();
    RecipeRequest request = requestOf("Q4_K_M");
    for (const QString& pattern : patterns) {
        request.overrides.push_back(overrideBy(pattern.toStdString(), TensorType::Q8_0));
    }
    const auto plan = planRecipe(*model, request);
    QCOMPARE(plan.has_value(), error.isEmpty());
    if (plan) {
        QVERIFY(plan->idle == std::vector<std::size_t>{1});
    } else {
        QCOMPARE(plan.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(QString::fromStdString(plan.error().args.front().text()), error);
    }
}

void TestTypeOverride::fullNames_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<bool>("full");
    QTest::newRow("name") << "blk.0.a.weight" << true;
    QTest::newRow("anchors") << "^blk.0.a.weight$" << true;
    QTest::newRow("escaped") << "^blk\\.0\\.a\\.weight$" << true;
    QTest::newRow("first of a list") << "blk.0.a.weight|b" << true;
    QTest::newRow("last of a list") << "^(?:b|blk.0.a.weight)$" << true;
    QTest::newRow("a part") << "a.weight" << false;
    QTest::newRow("a part of it") << "blk.0.a.weigh" << false;
    QTest::newRow("class") << "blk.\\d.a.weight" << false;
    QTest::newRow("repetition") << "blk.0.a.weight*" << false;
    QTest::newRow("a list with an expression") << "blk.0.a.weight|b+" << false;
    QTest::newRow("after an expression") << "b+|blk.0.a.weight" << false;
    QTest::newRow("ends in a backslash") << "blk.0.a.weight\\" << false;
    QTest::newRow("nothing") << "" << false;
    QTest::newRow("only anchors") << "^$" << false;
    QTest::newRow("only a group") << "()" << false;
}

void TestTypeOverride::fullNames() {
    QFETCH(QString, pattern);
    QTEST(namesInFull(pattern.toStdString(), "blk.0.a.weight"), "full");
}

void TestTypeOverride::patternsOfTensors_data() {
    QTest::addColumn<QStringList>("tensors");
    QTest::addColumn<QStringList>("patterns");
    QTest::newRow("one") << QStringList{"blk.1.attn_q.weight"} << QStringList{"^blk\\.1\\.attn_q\\.weight$"};
    QTest::newRow("all of a role") << QStringList{"blk.0.attn_q.weight", "blk.1.attn_q.weight", "blk.2.attn_q.weight"}
                                   << QStringList{"^blk\\.\\d+\\.attn_q\\.weight$"};
    QTest::newRow("some of a role") << QStringList{"blk.0.attn_q.weight", "blk.2.attn_q.weight"}
                                    << QStringList{"^blk\\.(0|2)\\.attn_q\\.weight$"};
    QTest::newRow("two roles") << QStringList{"blk.0.attn_q.weight", "blk.0.attn_v.weight", "blk.1.attn_q.weight"}
                               << QStringList{"^blk\\.(0|1)\\.attn_q\\.weight$", "^blk\\.0\\.attn_v\\.weight$"};
    QTest::newRow("no block") << QStringList{"token_embd.weight"} << QStringList{"^token_embd\\.weight$"};
    QTest::newRow("norms") << QStringList{"blk.0.attn_norm.weight", "blk.1.attn_norm.weight"}
                           << QStringList{"^(blk\\.0\\.attn_norm\\.weight|blk\\.1\\.attn_norm\\.weight)$"};
}

// Each pattern is a regular expression that decides about exactly these tensors.
void TestTypeOverride::patternsOfTensors() {
    QFETCH(QStringList, tensors);
    QFETCH(QStringList, patterns);
    const auto model = transformer({.blocks = 3});
    std::vector<TensorIndex> indices;
    for (const QString& tensor : tensors) {
        indices.push_back(*model->findTensor(tensor.toStdString()));
    }
    QStringList made;
    RecipeRequest request = requestOf("F32");
    for (const std::string& pattern : patternsOf(*model, indices)) {
        made << QString::fromStdString(pattern);
        request.overrides.push_back(overrideBy(pattern, TensorType::Q8_0));
    }
    QCOMPARE(made, patterns);
    const auto plan = planRecipe(*model, request);
    QVERIFY(plan);
    for (const PlannedTensor& planned : plan->tensors) {
        QCOMPARE(planned.reason == TypeReason::Override, std::ranges::find(indices, planned.tensor) != indices.end());
    }
}

GUFO_TEST(TestTypeOverride)
#include "tst_type_override.moc"
