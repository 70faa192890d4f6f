#include "support/convert_fixtures.h"
#include "support/test_unit.h"
#include "ui/convert/plan_key_model.h"
#include "ui/convert/plan_tensor_model.h"
#include "ui/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QColor>
#include <QTest>

#include <set>

using namespace gufo;
using namespace gufo::ui;

class TestPlanModels : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }
    void showsThePlan();
    void showsWhatHasNoPlace();
    void wordsEveryOperation();
    void wordsEveryReason();
};

namespace {

std::shared_ptr<const PlannedConversion> planOf(const QString& fixture, const convert::ConvertRequest& request = {}) {
    auto planned = planConversionOf(test::convertFixture(fixture, false).source(), nullptr, nullptr, {request}, {});
    return planned.planned ? *planned.planned : nullptr;
}

int rowWhere(const QAbstractItemModel& model, int column, const QString& text) {
    for (int row = 0; row < model.rowCount(); ++row) {
        if (model.index(row, column).data().toString() == text) {
            return row;
        }
    }
    return -1;
}

} // namespace

void TestPlanModels::showsThePlan() {
    PlanTensorModel tensors;
    PlanKeyModel keys;
    const QAbstractItemModelTester tensorTester(&tensors, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QAbstractItemModelTester keyTester(&keys, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto planned = planOf("llama");
    QVERIFY(planned != nullptr);
    tensors.setPlan(planned);
    keys.setPlan(planned);
    QCOMPARE(tensors.rowCount(), static_cast<int>(planned->plan.rows.size() + planned->plan.unused.size()));
    QCOMPARE(keys.rowCount(), static_cast<int>(planned->plan.keys.size()));
    const int query = rowWhere(tensors, PlanTensorModel::Target, "blk.0.attn_q.weight");
    QVERIFY(query >= 0);
    QCOMPARE(tensors.index(query, PlanTensorModel::Sources).data().toString(),
             QString("model.layers.0.self_attn.q_proj.weight"));
    QVERIFY(tensors.index(query, PlanTensorModel::Operations).data().toString().startsWith("interleave the halves"));
    const int norm = rowWhere(tensors, PlanTensorModel::Target, "output_norm.weight");
    QCOMPARE(tensors.index(norm, PlanTensorModel::Operations).data().toString(), QString("rename"));
    QCOMPARE(tensors.index(norm, PlanTensorModel::Type).data().toString(), QString("F32"));
    const int width = rowWhere(keys, PlanKeyModel::Key, "llama.embedding_length");
    QCOMPARE(keys.index(width, PlanKeyModel::From).data().toString(), QString("config.json:hidden_size"));
    QCOMPARE(keys.index(width, PlanKeyModel::Type).data().toString(), QString("u32"));
    for (int row = 0; row < keys.rowCount(); ++row) {
        QVERIFY(!keys.index(row, PlanKeyModel::From).data().toString().isEmpty());
        QVERIFY(keys.index(row, PlanKeyModel::KeyValue).data().toString().size() <= 201);
    }
    tensors.setPlan(planOf("olmoe")); // experts are stacked
    const int experts = rowWhere(tensors, PlanTensorModel::Target, "blk.0.ffn_gate_exps.weight");
    QVERIFY(experts >= 0);
    QVERIFY(tensors.index(experts, PlanTensorModel::Operations).data().toString().startsWith("stack "));
    QVERIFY(tensors.index(experts, PlanTensorModel::Sources).data().toString().contains(" more"));
    keys.setPlan(nullptr);
    QCOMPARE(keys.rowCount(), 0);
}

void TestPlanModels::showsWhatHasNoPlace() {
    PlanTensorModel tensors;
    const QAbstractItemModelTester tester(&tensors, QAbstractItemModelTester::FailureReportingMode::QtTest);
    tensors.setUnmapped({"model.strange.weight", "other"});
    QCOMPARE(tensors.rowCount(), 2);
    QCOMPARE(tensors.index(0, PlanTensorModel::Sources).data().toString(), QString("model.strange.weight"));
    QCOMPARE(tensors.index(0, 0).data(Qt::ForegroundRole).value<QColor>(), themeColor(Token::ErrorText));
    tensors.setPlan(planOf("qwen2"));
    QVERIFY(tensors.rowCount() > 2);
}

void TestPlanModels::wordsEveryOperation() {
    std::set<QString> texts;
    for (const convert::OperationFact& fact : convert::operationFacts()) {
        convert::Operation operation{.kind = fact.kind};
        for (std::size_t i = 0; i < fact.parameters.size(); ++i) {
            operation.parameters.push_back(static_cast<std::int64_t>(1'001 + i));
        }
        const QString text = operationText(operation);
        QVERIFY2(!text.isEmpty() && !text.contains('%'), qPrintable(text)); // every field has a parameter
        texts.insert(text);
    }
    QCOMPARE(texts.size(), convert::operationFacts().size()); // and no two are alike
    QCOMPARE(operationsText({{.kind = convert::OperationKind::Rename}}), QString("rename"));
    QCOMPARE(operationsText({{.kind = convert::OperationKind::Rename}, {.kind = convert::OperationKind::Transpose}}),
             QString("transpose"));
    QCOMPARE(operationText({.kind = convert::OperationKind::Add, .parameters = {-1}}), QString("add −1"));
    QCOMPARE(operationText({.kind = convert::OperationKind::Reshape, .parameters = {4, 1, 64}}),
             QString("reshape to 4 × 1 × 64"));
}

// Every reason that a fixture gives has words of its own.
void TestPlanModels::wordsEveryReason() {
    std::size_t reasons = 0;
    for (const QString& name : test::convertFixtureRoot(false).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const auto planned = planOf(name);
        if (planned == nullptr) {
            continue;
        }
        for (const convert::UnusedTensor& unused : planned->plan.unused) {
            const std::string reason(unused.reason);
            QVERIFY2(droppedText(unused.reason) != QString::fromStdString(reason), reason.c_str());
            ++reasons;
        }
    }
    QVERIFY(reasons > 0);
}

GUFO_TEST_WIDGETS(TestPlanModels)
#include "tst_plan_models.moc"
