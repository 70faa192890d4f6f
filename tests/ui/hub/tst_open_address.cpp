// Models on servers in the window: by which ways they are opened, that nothing is sent before, the bytes fetched for
// which page, and what the user is told when a server misbehaves.
#include "hub/repository.h"
#include "net/model_address.h"
#include "net/remote_source.h"
#include "remote_window.h"
#include "support/idle.h"
#include "support/page_parts.h"
#include "support/test_unit.h"
#include "ui/document/fetching.h"
#include "ui/hub/address_field.h"
#include "ui/hub/download_dialog.h"
#include "ui/hub/open_address_dialog.h"
#include "ui/mainwindow/go_to/go_to_field.h"
#include "ui/mainwindow/tabs/remote_states.h"
#include "ui/mainwindow/tabs/repository_tab.h"
#include "ui/mainwindow/tabs/tab_states.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/run/run_page.h"
#include "ui/pages/tensors/tensor_detail.h"
#include "ui/pages/tensors/tensor_list.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/shell/native_path.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/places.h"
#include "ui/widgets/empty_state.h"

#include <QCheckBox>
#include <QDropEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QTableView>

using namespace gufo;
using namespace gufo::ui;
using gufo::test::FileFault;
using gufo::test::kName;
using gufo::test::RemoteWindow;

namespace {

template<typename P>
P* pageOf(ModelTab* tab) {
    for (std::size_t i = 0; i < tab->pages().size(); ++i) {
        if (auto* page = qobject_cast<P*>(tab->pages()[i])) {
            tab->showPage(static_cast<int>(i));
            return page;
        }
    }
    return nullptr;
}

} // namespace

class TestOpenAddress : public QObject {
    Q_OBJECT

private slots:
    void init() { m_r = std::make_unique<RemoteWindow>(); }
    void cleanup() { m_r.reset(); }

    void namesAndAddresses_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("path"); // empty: neither an address nor a name
        QTest::addColumn<bool>("isRepository");
        QTest::addColumn<QString>("shown");
        const auto row = [](const char* typed, const char* path, bool isRepository, const char* shown) {
            QTest::newRow(typed) << typed << path << isRepository << shown;
        };
        row("owl/night-GGUF", "hf.co/owl/night-GGUF", true, "night-GGUF");
        row(" hf.co/owl/night-GGUF ", "hf.co/owl/night-GGUF", true, "night-GGUF");
        row("owl/night-GGUF:Q4_K_M", "hf.co/owl/night-GGUF:Q4_K_M", false, "night-GGUF:Q4_K_M");
        row("hf.co/owl/night-GGUF/a/m.gguf", "hf.co/owl/night-GGUF/a/m.gguf", false, "m");
        row("https://huggingface.co/owl/night-GGUF/tree/main", "https://huggingface.co/owl/night-GGUF/tree/main", true,
            "main");
        row("https://example.org/a%20b.gguf?key=1", "https://example.org/a%20b.gguf?key=1", false, "a b");
        row("ollama.com/library/llama3:8b", "ollama.com/library/llama3:8b", false, "llama3:8b");
        row("modelscope.cn/models/owl/night", "modelscope.cn/models/owl/night", true, "night");
        row("model.gguf", "", false, "");
        row("/home/owl/model.gguf", "", false, "");
        row("ftp://example.org/m.gguf", "", false, "");
    }
    void namesAndAddresses() {
        QFETCH(QString, typed);
        QFETCH(QString, path);
        QFETCH(QString, shown);
        qunsetenv("HF_ENDPOINT");
        qunsetenv("MODELSCOPE_ENDPOINT");
        const auto found = typedPlace(typed);
        QCOMPARE(found.has_value(), !path.isEmpty());
        if (found) {
            QCOMPARE(QString::fromStdString(found->text()), path);
            QTEST(found->isRepository(), "isRepository");
            QVERIFY(!found->isLocal());
            QCOMPARE(modelNameText(*found), shown);
            QVERIFY(!pathText(*found).contains(QLatin1Char('?')));
        }
    }

    // The dialog says which host it would contact, and only contacts it on the button.
    void byDialog() {
        QTest::keyClick(&m_r->window(), Qt::Key_L, Qt::ControlModifier);
        auto* dialog = m_r->window().findChild<OpenAddressDialog*>();
        QVERIFY(dialog != nullptr);
        QTRY_VERIFY(dialog->isVisible());
        QVERIFY(!dialog->openButton()->isEnabled());
        QTest::keyClicks(dialog->address()->edit(), "nonsense");
        QVERIFY(!dialog->openButton()->isEnabled());
        QVERIFY(dialog->address()->explanation().contains("neither"));
        dialog->address()->edit()->clear();
        QTest::keyClicks(dialog->address()->edit(), "hf.co/owl/night-GGUF");
        QVERIFY(dialog->openButton()->text().contains("files"));
        QVERIFY(!dialog->downloadButton()->isEnabled());
        QTest::keyClicks(dialog->address()->edit(), ":Q8_0");
        QVERIFY(dialog->address()->explanation().contains(QString::fromStdString(m_r->host())));
        QVERIFY(dialog->downloadButton()->isEnabled());
        QVERIFY(test::waitUntilIdle());
        QCOMPARE(m_r->requests(), 0U);
        QTest::mouseClick(dialog->openButton(), Qt::LeftButton);
        QTRY_VERIFY(m_r->window().currentModelTab() != nullptr);
        ModelTab* tab = m_r->window().currentModelTab();
        QVERIFY(WindowFixture::waitOpened(tab));
        QVERIFY2(tab->isReady(), qPrintable(tab->errorText()));
        QCOMPARE(tab->title(), "night-GGUF:Q8_0");
        QVERIFY(tab->findChild<ServerStrip*>("serverStrip")->isVisible());
        QVERIFY(tab->findChild<QLabel*>("serverHost")->text().contains(QString::fromStdString(m_r->host())));
        QCOMPARE(m_r->fixture->manager->recent()->files().front().place, test::placeOf(kName));
        QCOMPARE(m_r->fixture->manager->recent()->files().front().architecture, "llama");
    }

    void plainHttpNeedsConsent() {
        AddressField field;
        field.setText("http://models.example.org/m.gguf");
        QVERIFY(!field.place().has_value());
        QVERIFY(!field.findChild<QCheckBox*>("consentBox")->isHidden());
        QVERIFY(field.explanation().contains("encryption"));
        field.findChild<QCheckBox*>("consentBox")->click();
        QCOMPARE(field.place(), test::placeOf("http://models.example.org/m.gguf"));
        QVERIFY(net::plainHosts().empty()); // not before the address is used
        field.keepConsent();
        QCOMPARE(net::plainHosts(), std::vector<std::string>{"models.example.org"});
        QCOMPARE(net::requestFor("http://models.example.org/m.gguf").plainHosts.size(), 1U);
        AddressField second; // the consent holds, and can be withdrawn
        second.setText("http://models.example.org/other.gguf");
        QVERIFY(second.place().has_value());
        second.findChild<QCheckBox*>("consentBox")->click();
        QVERIFY(!second.place().has_value());
        second.keepConsent();
        QVERIFY(net::plainHosts().empty());
        second.setText("http://127.0.0.1/m.gguf"); // this computer needs none
        QVERIFY(second.findChild<QCheckBox*>("consentBox")->isHidden());
        QVERIFY(second.place().has_value());
        second.setText("https://user:word@example.org/m.gguf");
        QVERIFY(!second.place().has_value());
    }

    void byGoToField() {
        auto* field = m_r->window().findChild<GoToField*>();
        QTest::keyClick(&m_r->window(), Qt::Key_K, Qt::ControlModifier);
        QTest::keyClicks(field, "owl/night-GGUF");
        QCOMPARE(field->results()->count(), 1);
        QVERIFY(test::waitUntilIdle());
        QCOMPARE(m_r->requests(), 0U);
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY(qobject_cast<RepositoryTab*>(m_r->window().tabAt(0)) != nullptr);
        // With a model open, its own names come first.
        QVERIFY(m_r->fixture->open(writeFile(m_r->fixture->root / "own.gguf", tinyModel())) != nullptr);
        QTest::keyClick(&m_r->window(), Qt::Key_K, Qt::ControlModifier);
        QTest::keyClicks(field, m_r->fileUrl().c_str());
        QTRY_COMPARE(field->results()->count(), 1);
        QTest::keyClick(field, Qt::Key_Escape);
    }

    void byDroppedLink() {
        QMimeData data;
        data.setData("text/uri-list", QByteArray::fromStdString(m_r->fileUrl() + "\r\n"));
        QDragEnterEvent enter(QPoint(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&m_r->window(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&m_r->window(), &drop);
        QTRY_VERIFY(m_r->window().currentModelTab() != nullptr);
        QVERIFY(WindowFixture::waitOpened(m_r->window().currentModelTab()));
        QVERIFY(m_r->window().currentModelTab()->model() != nullptr);
        data.setData("text/uri-list", "https://example.org/page.html\r\n"); // not a model: left to the widgets
        QVERIFY(placesOf(data).empty());
        data.setData("text/uri-list", "https://huggingface.co/owl/night\r\nfile:///tmp/a.gguf\r\n");
        QCOMPARE(placesOf(data).size(), 2U);
    }

    // A restored tab shows its address and waits, and so does the one of a closed tab.
    void restoredTabsWait() {
        m_r->show(m_r->fileUrl() + "?signature=secret");
        QVERIFY(WindowFixture::waitOpened(m_r->window().currentModelTab()));
        QVERIFY(m_r->window().currentModelTab()->model() != nullptr);
        m_r->show("hf.co/owl/night-GGUF");
        auto* listed = qobject_cast<RepositoryTab*>(m_r->window().currentTab());
        QVERIFY(listed != nullptr);
        QTRY_VERIFY(listed->page() != nullptr);
        m_r->window().openComparison({test::placeOf(m_r->fileUrl()), test::placeOf(kName)});
        QVERIFY(test::waitUntilIdle());
        m_r->window().close();
        const std::size_t before = m_r->requests();
        m_r->fixture->window = m_r->fixture->newWindow();
        m_r->fixture->manager->restoreSession(m_r->fixture->window);
        QCOMPARE(m_r->window().tabCount(), 3);
        for (int i = 0; i < 3; ++i) {
            m_r->window().showTab(m_r->window().tabAt(i));
            QVERIFY(test::waitUntilIdle());
        }
        QTest::qWait(0);
        QCOMPARE(m_r->requests(), before);
        ModelTab* tab = m_r->window().modelTabAt(0);
        QVERIFY(tab->isWaiting());
        QVERIFY(tab->place().text().find("secret") == std::string::npos); // it was not kept
        m_r->window().showTab(tab);
        QTest::mouseClick(tab->findChild<WaitingView*>()->findChild<QPushButton*>("contactButton"), Qt::LeftButton);
        QVERIFY(WindowFixture::waitOpened(tab));
        QVERIFY(tab->model() != nullptr);
        QVERIFY(m_r->requests() > before);
        auto* repository = qobject_cast<RepositoryTab*>(m_r->window().tabAt(1));
        QVERIFY(repository != nullptr && repository->isWaiting());
        m_r->window().showTab(repository);
        QTest::mouseClick(repository->findChild<WaitingView*>()->findChild<QPushButton*>("contactButton"),
                          Qt::LeftButton);
        QTRY_VERIFY(repository->page() != nullptr);
    }

    // Overview takes the header and one page at most; a tensor is fetched when the user asks for it.
    void onlyWhatIsLookedAtIsFetched() {
        ModelTab* tab = m_r->open(m_r->fileUrl());
        QVERIFY(tab != nullptr && tab->isReady());
        QVERIFY(test::waitUntilIdle());
        const auto model = tab->model();
        QVERIFY(isOnServer(*model));
        const std::uint64_t header = model->files.front().headerBytes;
        QVERIFY2(m_r->hub.sent <= header + net::RemoteSource::kPage, qPrintable(QString::number(m_r->hub.sent)));
        for (std::size_t i = 0; i < tab->pages().size(); ++i) { // no page fetches weights by itself
            tab->showPage(static_cast<int>(i));
            QVERIFY(test::waitUntilIdle());
        }
        QVERIFY2(m_r->hub.sent <= header + net::RemoteSource::kPage, qPrintable(QString::number(m_r->hub.sent)));

        auto* page = pageOf<TensorsPage>(tab);
        const auto tensor = *model->findTensor("blk.0.attn_q.weight");
        QVERIFY(page->goTo(Place::tensor("blk.0.attn_q.weight")));
        auto* detail = page->findChild<TensorDetail*>();
        QVERIFY(detail->fetchButton()->isVisible());
        const std::uint64_t missing = bytesToFetch(*model, model->tensor(tensor));
        QVERIFY(missing > 0);
        QVERIFY(detail->fetchButton()->text().contains(formatBytes(missing)));
        const auto* texts = detail->fetchButton()->parentWidget()->findChild<EmptyState*>();
        const int gap = detail->fetchButton()->y() - texts->geometry().bottom();
        QVERIFY2(gap >= 0 && gap < 8 && texts->height() < 160, qPrintable(QString::number(texts->height())));
        const std::uint64_t before = m_r->hub.sent;
        QTest::mouseClick(detail->fetchButton(), Qt::LeftButton);
        QTRY_COMPARE(bytesToFetch(*model, model->tensor(tensor)), 0U);
        QVERIFY(test::waitUntilIdle());
        QCOMPARE(m_r->hub.sent - before, missing);
        QVERIFY(!detail->fetchButton()->isVisible());
        QVERIFY(detail->statistics().index(0, 1).data().toString() != QString());

        // A sort by σ takes the weights that are here, and offers to fetch the rest.
        auto* table = qobject_cast<QTableView*>(page->list().views()[0]);
        const int sigma = static_cast<int>(TensorColumn::Sigma);
        table->horizontalHeader()->setSortIndicator(sigma, Qt::DescendingOrder);
        QVERIFY(test::waitUntilIdle());
        QCOMPARE(m_r->hub.sent - before, missing);
        QTRY_VERIFY(page->list().fetchButton()->isVisible());
        QTest::mouseClick(page->list().fetchButton(), Qt::LeftButton);
        QTRY_COMPARE(bytesToFetch(*model), 0U);
        QVERIFY(test::waitUntilIdle());
        QTRY_VERIFY(!page->list().fetchButton()->isVisible());
    }

    // Nothing of it can be changed or written, and the user is told why.
    void editingIsExplained() {
        ModelTab* tab = m_r->open(m_r->fileUrl());
        QVERIFY(tab != nullptr && tab->isReady());
        QVERIFY(!tab->document()->can(Capability::EditMetadata));
        QVERIFY(tab->document()->whyNot(Capability::EditMetadata).contains("download"));
        for (const char* name : {"quantise", "showInFileManager", "checkOrigin"}) {
            QVERIFY2(!m_r->window().namedAction(name)->isEnabled(), name);
        }
        for (const char* name : {"save", "saveAs", "saveWithOptions"}) {
            QVERIFY2(m_r->window().namedAction(name)->isEnabled(), name);
            m_r->window().namedAction(name)->trigger();
            const auto notices = tab->findChildren<NoticeBar*>();
            const auto shown = std::ranges::find_if(notices, [](const NoticeBar* bar) { return bar->isVisible(); });
            QVERIFY2(shown != notices.end(), name);
            QVERIFY((*shown)->text().contains("downloaded first"));
            (*shown)->hide();
        }
    }

    // Engines on this computer read a file, and so does a llama-server that Gufo starts; one that runs does not.
    void runningNeedsADownload() {
        ModelTab* tab = m_r->open(m_r->fileUrl());
        QVERIFY(tab != nullptr && tab->isReady());
        auto* page = pageOf<RunPage>(tab);
        LoadPanel* panel = test::part<LoadPanel>(*page);
        QTRY_VERIFY(panel->downloadButton()->isVisible());
        QVERIFY(!panel->loadButton()->isVisible());
        const QString host = QStringLiteral("127.0.0.1");
        QVERIFY2(panel->verdictText().contains(host), qPrintable(panel->verdictText()));
        panel->findChild<QComboBox*>("engineCombo")
            ->setCurrentIndex(panel->findChild<QComboBox*>("engineCombo")->findData(QStringLiteral("server")));
        QTRY_VERIFY(panel->loadButton()->isVisible());
        QVERIFY(!panel->downloadButton()->isVisible());
        ServerPanel* servers = panel->serverPanel();
        servers->setProgram(QStringLiteral("/bin/false"));
        servers->findChild<QComboBox*>("choiceCombo")
            ->setCurrentIndex(servers->findChild<QComboBox*>("choiceCombo")->findData(QStringLiteral("start")));
        QVERIFY(servers->startsOne());
        QTRY_VERIFY(panel->downloadButton()->isVisible());
        QVERIFY(!panel->loadButton()->isVisible() && !panel->loadButton()->isEnabled());
        QVERIFY2(panel->verdictText().contains("llama-server") && panel->verdictText().contains(host),
                 qPrintable(panel->verdictText()));
        QTest::mouseClick(panel->downloadButton(), Qt::LeftButton);
        auto* dialog = m_r->window().findChild<DownloadDialog*>();
        QVERIFY(dialog != nullptr);
        QTRY_VERIFY(dialog->isVisible());
        dialog->close();
        servers->findChild<QComboBox*>("choiceCombo")
            ->setCurrentIndex(servers->findChild<QComboBox*>("choiceCombo")->findData(QStringLiteral("other")));
        QTRY_VERIFY(panel->loadButton()->isVisible());
        QVERIFY(!panel->downloadButton()->isVisible());
    }

    // Each fault ends in a message with its reason, and in no wrong byte.
    void faults_data() {
        QTest::addColumn<FileFault>("fault");
        QTest::addColumn<QString>("words");
        QTest::newRow("no ranges") << FileFault::NoRanges << "does not send parts";
        QTest::newRow("another range") << FileFault::WrongRange << "than the one requested";
        QTest::newRow("a body that ends early") << FileFault::ShortBody << "";
        QTest::newRow("changed meanwhile") << FileFault::Changed << "changed";
        QTest::newRow("another size later") << FileFault::OtherSize << "changed";
        QTest::newRow("not found") << FileFault::NotFound << "404";
        QTest::newRow("a loop of redirects") << FileFault::Loop << "redirect";
        QTest::newRow("compressed") << FileFault::Gzip << "gzip";
        QTest::newRow("an impossible size") << FileFault::HugeSize << "";
    }
    void faults() {
        QFETCH(FileFault, fault);
        QFETCH(QString, words);
        std::string large = test::remoteModelFile("{{ messages }}", 120'000);
        m_r->hub.files["night-Q8_0.gguf"] = std::move(large);
        m_r->hub.fault = fault;
        m_r->show(m_r->fileUrl());
        ModelTab* tab = m_r->window().currentModelTab();
        QTRY_VERIFY_WITH_TIMEOUT(tab->isReady() || tab->hasFailed(), 20'000);
        QVERIFY(tab->hasFailed());
        QVERIFY2(tab->errorText().contains(words, Qt::CaseInsensitive), qPrintable(tab->errorText()));
        QVERIFY(tab->errorText().contains("127.0.0.1")); // which server it was
        m_r->hub.fault = FileFault::None;                // the button of the error opens it after all
        QTest::mouseClick(tab->findChild<ErrorView*>()->findChild<QPushButton*>(), Qt::LeftButton);
        QVERIFY(WindowFixture::waitOpened(tab));
        QVERIFY2(tab->model() != nullptr, qPrintable(tab->errorText()));
    }

private:
    std::unique_ptr<RemoteWindow> m_r;
};

GUFO_TEST_WIDGETS(TestOpenAddress)
#include "tst_open_address.moc"
