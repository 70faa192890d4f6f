// The list of a repository: what it shows of each model before and after its header has been read, sorting, filtering,
// opening, comparing and cancelling, and what it tells when the hub misbehaves.
#include "hub/remote_model.h"
#include "remote_window.h"
#include "support/idle.h"
#include "support/test_unit.h"
#include "ui/compare/compare_tab.h"
#include "ui/mainwindow/tabs/repository_tab.h"
#include "ui/mainwindow/tabs/tab_states.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/repository/repository_page.h"
#include "ui/shell/notice_bar.h"
#include "ui/widgets/diff_view.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/job_bar.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QHeaderView>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>

using namespace gufo;
using namespace gufo::ui;
using gufo::test::FileFault;
using gufo::test::RemoteWindow;

namespace {

using Column = RepositoryModel::Column;

hub::Repository repositoryOf(std::initializer_list<std::pair<const char*, std::uint64_t>> files) {
    hub::Repository repository{.name = *hub::parseModelName("hf.co/owl/night-GGUF")};
    for (const auto& [path, bytes] : files) {
        repository.files.push_back(
            {.path = path, .bytes = bytes, .url = std::string("https://huggingface.co/") + path});
    }
    return repository;
}

QString cell(const QAbstractItemModel& model, int row, int column) {
    return model.index(row, column).data().toString();
}

} // namespace

class TestRepositoryPage : public QObject {
    Q_OBJECT

private slots:
    void factsArriveRowByRow() {
        RepositoryModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        model.setRepository(repositoryOf({{"n-Q4_K_M.gguf", 4'000},
                                          {"n-Q8_0-00001-of-00002.gguf", 5'000},
                                          {"n-Q8_0-00002-of-00002.gguf", 3'000},
                                          {"n-F16-00001-of-00003.gguf", 9'000},
                                          {"mmproj-n-F16.gguf", 100},
                                          {"README.md", 10}}),
                            1'000'000);
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(cell(model, 0, Column::NameColumn), "n-Q4_K_M.gguf");
        QCOMPARE(cell(model, 0, Column::TypesColumn), "Q4_K_M"); // what its name says
        QVERIFY(cell(model, 1, Column::NameColumn).contains("2 files"));
        QCOMPARE(cell(model, 1, Column::SizeColumn), formatBytes(8'000));
        QCOMPARE(model.filesAt(2).missing, 2U);
        QVERIFY(model.index(2, Column::NameColumn).data(Qt::ToolTipRole).toString().contains("missing"));
        QCOMPARE(cell(model, 3, Column::KindColumn), "Projector");
        QVERIFY(model.isPending(0));
        model.setFacts(0, {.architecture = "llama",
                           .bitsPerWeight = 4.5,
                           .types = "Q4_K 80 %, Q6_K 20 %",
                           .memory = 900'000,
                           .chatTemplate = "a"});
        model.setFacts(1, {.bitsPerWeight = 8.5, .types = "Q8_0", .memory = 2'000'000, .chatTemplate = "b"});
        model.setProblem(3, Error{ErrorCode::EmptyFile, {}, {}, {}, 0});
        QVERIFY(!model.isPending(0) && model.isPending(2) && !model.isPending(3));
        QCOMPARE(cell(model, 0, Column::TypesColumn), "Q4_K 80 %, Q6_K 20 %");
        QCOMPARE(cell(model, 0, Column::BitsColumn), "4.50");
        QCOMPARE(cell(model, 0, Column::FitsColumn), "fits");
        QCOMPARE(cell(model, 1, Column::FitsColumn), "too large");
        QCOMPARE(cell(model, 2, Column::FitsColumn), "");
        QVERIFY(!cell(model, 3, Column::TypesColumn).isEmpty());
        QCOMPARE(model.fittingCount(), 1);
        model.setBaseTemplate("b");
        QCOMPARE(cell(model, 0, Column::TemplateColumn), "not the base model's");
        QCOMPARE(cell(model, 1, Column::TemplateColumn), "as the base model");

        RepositoryFilter rows;
        rows.setSourceModel(&model);
        const QAbstractItemModelTester filterTester(&rows, QAbstractItemModelTester::FailureReportingMode::QtTest);
        rows.sort(Column::SizeColumn, Qt::DescendingOrder);
        QCOMPARE(cell(rows, 0, Column::NameColumn), "n-F16-00001-of-00003.gguf");
        rows.setOnlyFitting(true);
        QCOMPARE(rows.rowCount(), 1);
        rows.setOnlyFitting(false);
        rows.setFilterFixedString("q8_0");
        QCOMPARE(rows.rowCount(), 1);
    }

    void templatesAreComparedWithMostFiles() {
        RepositoryModel model;
        model.setRepository(repositoryOf({{"a.gguf", 1}, {"b.gguf", 2}, {"c.gguf", 3}, {"d.gguf", 4}}), 0);
        for (std::size_t row = 0; row < 4; ++row) {
            model.setFacts(row, {.chatTemplate = row == 2 ? "other" : row == 3 ? "" : "usual"});
        }
        QCOMPARE(cell(model, 0, Column::TemplateColumn), "as most files");
        QCOMPARE(cell(model, 1, Column::TemplateColumn), "as most files");
        QCOMPARE(cell(model, 2, Column::TemplateColumn), "another one");
        QCOMPARE(cell(model, 3, Column::TemplateColumn), "none");
        QCOMPARE(cell(model, 0, Column::FitsColumn), ""); // the machine's memory is not known
    }

    void headersAreReadSideBySide() {
        RemoteWindow remote;
        remote.hub.files.clear();
        for (int i = 0; i < 30; ++i) {
            remote.hub.files["night-" + std::to_string(10 + i) + ".gguf"] = test::remoteModelFile();
        }
        remote.hub.files["night-20.gguf"] = "not a model at all";
        remote.hub.files["night-21.gguf"] = test::remoteModelFile("{{ other }}");
        RepositoryTab* tab = list(remote);
        QVERIFY(tab != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(!tab->page()->isReading(), 60'000);
        const RepositoryModel& files = tab->page()->files();
        QCOMPARE(files.rowCount(), 30);
        int known = 0;
        for (int row = 0; row < 30; ++row) {
            QVERIFY(!files.isPending(row));
            known += cell(files, row, Column::TypesColumn) == "F32" ? 1 : 0;
        }
        QCOMPARE(known, 29);
        QVERIFY(remote.hub.server().maxConnections() <= static_cast<int>(hub::kHeaderConnections));
        QVERIFY(tab->page()->summary().contains("30 models"));
        // The weights, 1 MiB in each, stayed where they are.
        QVERIFY2(remote.hub.sent < 30U * (128U << 10U), qPrintable(QString::number(remote.hub.sent)));
        auto* filter = tab->page()->findChild<FilterField*>();
        QTest::keyClicks(filter, "another");
        QTest::keyClick(filter, Qt::Key_Return);
        QTRY_COMPARE(tab->page()->table()->model()->rowCount(), 1);
        QCOMPARE(cell(*tab->page()->table()->model(), 0, Column::NameColumn), "night-21.gguf");
    }

    void openedAndCompared() {
        RemoteWindow remote;
        remote.hub.files["night-F16.gguf"] = test::remoteModelFile("{{ other }}");
        RepositoryTab* tab = list(remote);
        QVERIFY(tab != nullptr);
        QTRY_VERIFY(!tab->page()->isReading());
        QTableView* table = tab->page()->table();
        QVERIFY(!tab->page()->compareButton()->isEnabled());
        table->selectAll();
        QVERIFY(tab->page()->compareButton()->isEnabled());
        QVERIFY(!tab->page()->downloadButton()->isEnabled());
        const std::uint64_t before = remote.hub.sent;
        QTest::mouseClick(tab->page()->compareButton(), Qt::LeftButton);
        CompareTab* compared = remote.window().currentCompareTab();
        QVERIFY(compared != nullptr);
        QTRY_VERIFY(compared->comparison().waitsForFetching());
        QTRY_VERIFY(compared->comparison().metadata() != nullptr);
        QVERIFY(!compared->comparison().metadata()->rows.empty());
        QVERIFY(test::waitUntilIdle());
        QVERIFY2(remote.hub.sent - before <= 2 * (64U << 10U), "weights were fetched");
        // On request, the weights are compared too.
        const auto notices = compared->findChildren<NoticeBar*>();
        const auto notice = std::ranges::find_if(notices, [](const NoticeBar* bar) { return bar->isVisible(); });
        QVERIFY(notice != notices.end());
        QTest::mouseClick((*notice)->actionButton(), Qt::LeftButton);
        QTRY_COMPARE(compared->comparison().state(), Comparison::State::Done);
        QVERIFY(remote.hub.sent - before > 1U << 20U);

        remote.window().showTab(tab);
        const QRect first = table->visualRect(table->model()->index(0, 0));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, first.center());
        QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, first.center());
        QTRY_VERIFY(remote.window().currentModelTab() != nullptr);
        QVERIFY(WindowFixture::waitOpened(remote.window().currentModelTab()));
        QVERIFY(remote.window().currentModelTab()->model() != nullptr);
    }

    // The hub is asked for the template of the base model that the repository names.
    void templatesAreComparedWithTheBaseModel() {
        RemoteWindow remote;
        remote.hub.files["night-F16.gguf"] = test::remoteModelFile("{{ other }}");
        remote.hub.baseFiles["tokenizer_config.json"] = R"({"chat_template": "{{ messages }}"})";
        RepositoryTab* tab = list(remote);
        QVERIFY(tab != nullptr);
        QTRY_VERIFY(!tab->page()->isReading());
        const RepositoryModel& files = tab->page()->files();
        QCOMPARE(cell(files, 0, Column::NameColumn), "night-F16.gguf");
        QCOMPARE(cell(files, 0, Column::TemplateColumn), "not the base model's");
        QCOMPARE(cell(files, 1, Column::TemplateColumn), "as the base model");

        tab->page()->table()->selectRow(1);
        QVERIFY(!tab->page()->findChild<QPushButton*>("templateButton")->isEnabled());
        tab->page()->table()->selectRow(0);
        QVERIFY(tab->page()->findChild<QPushButton*>("templateButton")->isEnabled());
        QTest::mouseClick(tab->page()->findChild<QPushButton*>("templateButton"), Qt::LeftButton);
        auto* dialog = tab->page()->findChild<TemplateDifferenceDialog*>();
        QVERIFY(dialog != nullptr);
        QTRY_VERIFY(!dialog->summary().isEmpty());
        QVERIFY(dialog->view()->toPlainText().contains("{{ messages }}"));
        QVERIFY(dialog->view()->toPlainText().contains("{{ other }}"));
        dialog->close();
    }

    // Cancelling keeps what has been read, and the rest can be read later.
    void cancelAndContinue() {
        RemoteWindow remote;
        remote.hub.files.clear();
        for (int i = 0; i < 12; ++i) {
            remote.hub.files["night-" + std::to_string(10 + i) + ".gguf"] =
                test::remoteModelFile("{{ messages }}", 60'000);
        }
        remote.hub.pauseMs = 100;
        RepositoryTab* tab = list(remote);
        QVERIFY(tab != nullptr);
        RepositoryPage* page = tab->page();
        QTRY_VERIFY(page->jobBar()->isVisible());
        QSignalSpy ended(page, &RepositoryPage::headersRead);
        QTest::mouseClick(page->jobBar()->findChild<QToolButton*>(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, 5'000);
        QVERIFY(page->findChild<QPushButton*>("readButton")->isVisible());
        QVERIFY(page->files().isPending(11));
        remote.hub.pauseMs = 0;
        QTest::mouseClick(page->findChild<QPushButton*>("readButton"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 2, 60'000);
        for (int row = 0; row < 12; ++row) {
            QVERIFY(!page->files().isPending(row));
        }
        QVERIFY(!page->findChild<QPushButton*>("readButton")->isVisible());
    }

    void hubsThatMisbehave_data() {
        QTest::addColumn<QByteArray>("reply");
        QTest::addColumn<QString>("words");
        QTest::newRow("HTML instead of JSON") << QByteArray("200 OK\n<html>hello</html>") << "";
        QTest::newRow("gated") << QByteArray("403 Forbidden\n{\"error\": \"Access is restricted\"}")
                               << "Access is restricted";
        QTest::newRow("unknown") << QByteArray("404 Not Found\n{\"error\": \"Repository not found\"}")
                                 << "Repository not found";
        QTest::newRow("busy") << QByteArray("503 Service Unavailable\n<h1>Later</h1>") << "503";
    }
    void hubsThatMisbehave() {
        QFETCH(QByteArray, reply);
        QFETCH(QString, words);
        const QByteArray body = reply.mid(reply.indexOf('\n') + 1);
        const QByteArray raw = "HTTP/1.1 " + reply.left(reply.indexOf('\n')) +
                               "\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
        RemoteWindow remote;
        test::HttpDouble server([&](const test::HttpRequest&, test::HttpPeer& peer) { peer.send(raw.toStdString()); });
        qputenv("HF_ENDPOINT", QByteArray::fromStdString(server.url("")));
        remote.show("hf.co/owl/night-GGUF");
        auto* tab = qobject_cast<RepositoryTab*>(remote.window().currentTab());
        QVERIFY(tab != nullptr);
        QTRY_VERIFY(tab->hasFailed());
        QVERIFY2(tab->errorText().contains(words), qPrintable(tab->errorText()));
        QVERIFY(tab->errorText().contains("owl/night-GGUF"));
        remote.hub.setEndpoints(); // the button asks again
        QTest::mouseClick(tab->findChild<ErrorView*>()->findChild<QPushButton*>(), Qt::LeftButton);
        QTRY_VERIFY(tab->page() != nullptr);
    }

private:
    static RepositoryTab* list(RemoteWindow& remote) {
        remote.show("hf.co/owl/night-GGUF");
        auto* tab = qobject_cast<RepositoryTab*>(remote.window().currentTab());
        return tab != nullptr && QTest::qWaitFor([tab] { return tab->page() != nullptr && tab->isReady(); }) ? tab
                                                                                                             : nullptr;
    }
};

GUFO_TEST_WIDGETS(TestRepositoryPage)
#include "tst_repository_page.moc"
