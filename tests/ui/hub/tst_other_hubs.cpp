// Models on ModelScope and in Ollama's registry in the window, and servers that it does not talk to.
#include "remote_window.h"
#include "support/idle.h"
#include "support/test_unit.h"
#include "test_paths.h"
#include "ui/mainwindow/tabs/remote_states.h"
#include "ui/mainwindow/tabs/repository_tab.h"
#include "ui/pages/repository/repository_page.h"

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

using namespace gufo;
using namespace gufo::ui;
using gufo::test::HttpDouble;
using gufo::test::HttpPeer;
using gufo::test::HttpRequest;
using gufo::test::RemoteWindow;

class TestOtherHubs : public QObject {
    Q_OBJECT

private slots:
    void init() { m_r = std::make_unique<RemoteWindow>(); }
    void cleanup() { m_r.reset(); }

    // Its repository is listed like one of Hugging Face, with the template of the base model, and opened from the list.
    void modelScope() {
        qunsetenv("HF_ENDPOINT"); // the double's addresses must not look like Hugging Face's
        m_r->hub.files["mmproj-night-F16.gguf"] = test::remoteModelFile();
        m_r->show("modelscope.cn/models/owl/night-GGUF");
        auto* tab = qobject_cast<RepositoryTab*>(m_r->window().currentTab());
        QVERIFY(tab != nullptr);
        QTRY_VERIFY2(tab->page() != nullptr && tab->isReady(), qPrintable(tab->errorText()));
        QTRY_VERIFY(!tab->page()->isReading());
        const RepositoryModel& files = tab->page()->files();
        QCOMPARE(files.rowCount(), 2);
        QCOMPARE(files.index(0, RepositoryModel::TypesColumn).data().toString(), "F32");
        QCOMPARE(files.index(1, RepositoryModel::KindColumn).data().toString(), "Projector");
        tab->page()->table()->selectRow(0);
        QTest::mouseClick(tab->page()->openButton(), Qt::LeftButton);
        ModelTab* model = m_r->window().currentModelTab();
        QVERIFY(model != nullptr && WindowFixture::waitOpened(model));
        QVERIFY2(model->model() != nullptr, qPrintable(model->errorText()));
        QVERIFY(model->findChild<QLabel*>("serverHost")->text().contains(QString::fromStdString(m_r->host())));
    }

    void ollama() {
        for (const char* name :
             {"ollama.com/library/night:8b", "ollama.com/library/night", "registry.ollama.ai/library/night:8b"}) {
            ModelTab* tab = m_r->open(name);
            QVERIFY2(tab != nullptr && tab->model() != nullptr, name);
            QVERIFY(tab->findChild<ServerStrip*>("serverStrip")->isVisible());
        }
        ModelTab* missing = m_r->open("ollama.com/library/day:8b");
        QVERIFY(missing != nullptr && missing->hasFailed());
        QVERIFY2(missing->errorText().contains("404"), qPrintable(missing->errorText()));
    }

    // Nothing is sent to a server whose certificate is not known; the message says so and how it may be mended.
    void unknownCertificate() {
        const auto read = [](const char* name) {
            QFile file(QStringLiteral(GUFO_TEST_DATA "/net/") + QString::fromLatin1(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const auto tls = std::make_shared<HttpDouble::Tls>(
            HttpDouble::Tls{QSslCertificate(read("self_signed.pem")), QSslKey(read("self_signed.key"), QSsl::Rsa)});
        HttpDouble server([](const HttpRequest&, HttpPeer& peer) { peer.close(); }, tls);
        ModelTab* tab = m_r->open(server.url("/m.gguf", "localhost"));
        QVERIFY(tab != nullptr && tab->hasFailed());
        for (const char* words : {"identity of localhost", "nothing was sent", "self-signed", "certificates"}) {
            QVERIFY2(tab->errorText().contains(words), qPrintable(tab->errorText()));
        }
        QVERIFY(server.requests().empty());
    }

    void redirectsThatAreNotFollowed_data() {
        QTest::addColumn<QByteArray>("target");
        QTest::addColumn<QString>("words");
        QTest::newRow("into a private network") << QByteArray("http://192.168.7.7/m.gguf") << "192.168.7.7";
        QTest::newRow("a file of this computer")
            << QByteArray("file:///etc/passwd") << "file:///etc/passwd\nits scheme is file";
        QTest::newRow("with a password") << QByteArray("https://user:word@example.org/m.gguf") << "password";
    }
    void redirectsThatAreNotFollowed() {
        QFETCH(QByteArray, target);
        QFETCH(QString, words);
        HttpDouble server([&](const HttpRequest&, HttpPeer& peer) {
            peer.send(("HTTP/1.1 302 Found\r\nLocation: " + target + "\r\nContent-Length: 0\r\n\r\n").toStdString());
        });
        ModelTab* tab = m_r->open(server.url("/m.gguf"));
        QVERIFY(tab != nullptr && tab->hasFailed());
        for (const QString& part : words.split(u'\n')) {
            QVERIFY2(tab->errorText().contains(part), qPrintable(tab->errorText()));
        }
        QVERIFY2(tab->errorText().contains("127.0.0.1"), qPrintable(tab->errorText())); // who redirects
        QVERIFY(!tab->errorText().contains("word@"));
        QCOMPARE(server.requests().size(), 1U);
    }

private:
    std::unique_ptr<RemoteWindow> m_r;
};

GUFO_TEST_WIDGETS(TestOtherHubs)
#include "tst_other_hubs.moc"
