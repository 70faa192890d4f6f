// Tests that many findings of the same kind stand under one row.
#include "model/finding_code.h"
#include "support/edited_page.h"
#include "support/test_unit.h"
#include "support/ui_test_settings.h"
#include "ui/pages/overview/finding_groups.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace gufo;
using namespace gufo::ui;

class TestFindingGroups : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        m_settings = std::make_unique<UiTestSettings>();
        Theme::instance().apply();
    }
    void foldsTheSameKind();
    void fewAreNotFolded();
    void totals();
    void unfoldsByMouseAndKeyboard();
    void copiesAllOfAGroup();

private:
    static Finding finding(FindingCode code, int number, Place place = {}) {
        return {code, std::move(place), {number}};
    }
    static std::shared_ptr<Validation> many() {
        auto validation = std::make_shared<Validation>();
        for (int i = 0; i < 50; ++i) {
            validation->findings.push_back(
                finding(FindingCode::DuplicateKey, i, Place::key("key." + std::to_string(i))));
        }
        validation->findings.push_back(finding(FindingCode::TrailingBytes, 7));
        return validation;
    }
    std::unique_ptr<UiTestSettings> m_settings;
};

void TestFindingGroups::foldsTheSameKind() {
    FindingsModel findings;
    FindingGroups groups(&findings);
    const QAbstractItemModelTester tester(&groups, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(groups.rowCount(), 0);
    findings.setValidation(many(), 0);
    QCOMPARE(groups.rowCount(), 2);
    const QModelIndex group = groups.index(0);
    QVERIFY(groups.isGroup(group) && !groups.isGroup(groups.index(1)));
    QCOMPARE(group.data().toString(), QStringLiteral("Two keys have the same name (50)"));
    QCOMPARE(group.data(FindingsModel::MarkRole).toInt(), static_cast<int>(Mark::Error));
    QVERIFY(group.data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("folded")));
    QCOMPARE(groups.findingsAt(group).size(), 50U);
    QVERIFY(!groups.indexOf(7).isValid());
    groups.setUnfolded(group, true);
    QCOMPARE(groups.rowCount(), 52);
    QCOMPARE(groups.findingAt(groups.index(8)).value(), 7);
    QCOMPARE(groups.indexOf(7).row(), 8);
    QCOMPARE(groups.index(8).data(FindingGroups::DepthRole).toInt(), 1);
    QCOMPARE(groups.findingAt(groups.index(51)).value(), 50);
    findings.setValidation(many(), 0); // checks that are repeated after an edit leave it unfolded
    QCOMPARE(groups.rowCount(), 52);
    groups.setUnfolded(groups.index(0), false);
    QCOMPARE(groups.rowCount(), 2);
}

void TestFindingGroups::fewAreNotFolded() {
    auto validation = std::make_shared<Validation>();
    for (int i = 0; i < 3; ++i) {
        validation->findings.push_back(finding(FindingCode::DuplicateKey, i));
    }
    FindingsModel findings;
    FindingGroups groups(&findings);
    findings.setValidation(validation, 0);
    QCOMPARE(groups.rowCount(), 3);
    QVERIFY(!groups.isGroup(groups.index(0)));
}

void TestFindingGroups::totals() {
    auto validation = std::make_shared<Validation>();
    for (int i = 0; i < 23; ++i) {
        validation->findings.push_back(finding(FindingCode::TensorPastEnd, 1 << 20));
    }
    FindingsModel findings;
    FindingGroups groups(&findings);
    findings.setValidation(validation, 0);
    QVERIFY(groups.index(0).data(FindingsModel::MessageRole).toString().contains(QStringLiteral("23.0 MiB")));
    // What the reader says of the whole file comes first, and counts tensors that it does not list.
    auto whole = std::make_shared<Validation>(*validation);
    whole->findings.push_back({FindingCode::TensorDataMissing, {}, {30, 30 << 20}});
    whole->findings.push_back({FindingCode::FindingsOmitted, {}, {7, std::string("tensor_past_end")}});
    findings.setValidation(whole, 0);
    QCOMPARE(groups.findingAt(groups.index(0)).value(), 23);
    QCOMPARE(groups.index(1).data().toString().section(QLatin1Char(' '), -1), QStringLiteral("(30)"));
    QCOMPARE(groups.index(1).data(FindingsModel::MessageRole), groups.index(0).data(FindingsModel::MessageRole));
}

void TestFindingGroups::unfoldsByMouseAndKeyboard() {
    test::GgufBuilder file;
    test::addSmallLlama(file);
    for (int i = 0; i < 6; ++i) {
        file.key("odd key " + std::to_string(i), std::uint32_t{1});
    }
    const test::EditedPage<OverviewPage> shown(file);
    auto* panel = shown.page.findChild<FindingsPanel*>();
    QTRY_VERIFY(panel->findings()->validation() != nullptr);
    const auto groupRow = [panel] {
        for (int row = 0; row < panel->groups()->rowCount(); ++row) {
            if (panel->groups()->isGroup(panel->groups()->index(row))) {
                return row;
            }
        }
        return -1;
    };
    QVERIFY(groupRow() >= 0);
    const QModelIndex group = panel->groups()->index(groupRow());
    const int before = panel->groups()->rowCount();
    FindingsView* view = panel->view();
    view->setFocus();
    view->setCurrentIndex(group);
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(panel->groups()->rowCount(), before + 6);
    QTest::keyClick(view, Qt::Key_Left);
    QCOMPARE(panel->groups()->rowCount(), before);
    QTest::keyClick(view, Qt::Key_Right);
    QCOMPARE(panel->groups()->rowCount(), before + 6);
    QTest::keyClick(view, Qt::Key_Left);
    view->scrollTo(group);
    QStyleOptionViewItem option;
    option.initFrom(view);
    option.rect = view->visualRect(group);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, FindingsDelegate::linkRect(option, group).center());
    QCOMPARE(panel->groups()->rowCount(), before + 6);
    // The findings below lead to their places.
    QSignalSpy wanted(panel, &FindingsPanel::placeRequested);
    view->setCurrentIndex(panel->groups()->index(groupRow() + 1));
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(wanted.count(), 1);
}

void TestFindingGroups::copiesAllOfAGroup() {
    test::GgufBuilder file;
    test::addSmallLlama(file);
    for (int i = 0; i < 6; ++i) {
        file.key("odd key " + std::to_string(i), std::uint32_t{1});
    }
    const test::EditedPage<OverviewPage> shown(file);
    auto* panel = shown.page.findChild<FindingsPanel*>();
    QTRY_VERIFY(panel->findings()->validation() != nullptr);
    for (int row = 0; row < panel->groups()->rowCount(); ++row) {
        if (panel->groups()->isGroup(panel->groups()->index(row))) {
            panel->view()->selectionModel()->select(panel->groups()->index(row), QItemSelectionModel::ClearAndSelect);
        }
    }
    QCOMPARE(panel->copyText(CopyFormat::Tsv).trimmed().split(QLatin1Char('\n')).size(), 7); // and the header
}

GUFO_TEST_WIDGETS(TestFindingGroups)
#include "tst_finding_groups.moc"
