#include "model/finding_code.h"
#include "support/test_unit.h"
#include "ui/pages/overview/findings_model.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace gufo;
using namespace gufo::ui;

class TestFindingsModel : public QObject {
    Q_OBJECT

private slots:
    void listsFindingsThenChecksNotRun();
    void countsInWords_data();
    void countsInWords();
};

namespace {

Finding finding(FindingCode code, Place place = {}) { return {code, std::move(place), {7}}; }

} // namespace

void TestFindingsModel::listsFindingsThenChecksNotRun() {
    auto validation = std::make_shared<Validation>();
    validation->findings = {finding(FindingCode::DuplicateKey, Place::key("a.b", 3)),
                            finding(FindingCode::TrailingBytes)};
    validation->checksNotRun = {"weights_finite"};
    validation->checksWithoutCase = {"merges"};
    FindingsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    model.setValidation(validation, 3U << 20U);
    QCOMPARE(model.rowCount(), 3);
    const QModelIndex first = model.index(0);
    QCOMPARE(first.data(FindingsModel::MarkRole).toInt(), static_cast<int>(Mark::Error));
    QCOMPARE(first.data(FindingsModel::CodeRole).toString(), QStringLiteral("duplicate_key"));
    QVERIFY(first.data(FindingsModel::PlaceTextRole).toString().contains(QStringLiteral("a.b")));
    QVERIFY(first.data(Qt::AccessibleTextRole).toString().startsWith(QStringLiteral("Error: ")));
    QCOMPARE(*model.place(first), Place::key("a.b", 3));
    QVERIFY(!model.isNotRun(first));
    QCOMPARE(model.index(1).data(FindingsModel::PlaceTextRole).toString(), QString());
    const QModelIndex last = model.index(2);
    QVERIFY(model.isNotRun(last));
    QCOMPARE(model.place(last), nullptr);
    QCOMPARE(last.data(FindingsModel::MarkRole).toInt(), static_cast<int>(Mark::NotRun));
    QVERIFY(last.data(FindingsModel::MessageRole).toString().contains(QStringLiteral("3.00 MiB")));
    model.setValidation(validation, 0); // without weights there is no scan
    QCOMPARE(model.rowCount(), 2);
}

void TestFindingsModel::countsInWords_data() {
    QTest::addColumn<int>("errors");
    QTest::addColumn<int>("warnings");
    QTest::addColumn<int>("notes");
    QTest::addColumn<int>("passed");
    QTest::addColumn<QString>("text");
    QTest::newRow("none") << 0 << 0 << 0 << 41 << "41 checks passed";
    QTest::newRow("one of each") << 1 << 1 << 1 << 1 << "1 error, 1 warning, 1 note, 1 check passed";
    QTest::newRow("many") << 0 << 2 << 1'200 << 41 << "2 warnings, 1,200 notes, 41 checks passed";
}

void TestFindingsModel::countsInWords() {
    QFETCH(int, errors);
    QFETCH(int, warnings);
    QFETCH(int, notes);
    QFETCH(int, passed);
    auto validation = std::make_shared<Validation>();
    const auto add = [&](int count, FindingCode code) {
        validation->findings.insert(validation->findings.end(), static_cast<std::size_t>(count), finding(code));
    };
    add(errors, FindingCode::DuplicateKey);
    add(warnings, FindingCode::TrailingBytes);
    add(notes, FindingCode::OddKey);
    validation->checksPassed = static_cast<std::uint32_t>(passed);
    FindingsModel model;
    QCOMPARE(model.countsText(), QString());
    model.setValidation(validation, 0);
    QTEST(model.countsText(), "text");
}

GUFO_TEST_WIDGETS(TestFindingsModel)
#include "tst_findings_model.moc"
