// Settings and sessions as earlier versions wrote them: nobody's recent files, tabs, downloads and origins are lost.
#include "remote_window.h"
#include "support/test_unit.h"
#include "ui/compare/compare_tab.h"
#include "ui/hub/downloads.h"
#include "ui/mainwindow/start/recent_files.h"
#include "ui/mainwindow/tabs/repository_tab.h"
#include "ui/shell/places.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace gufo;
using namespace gufo::ui;
using gufo::test::placeOf;
using gufo::test::RemoteWindow;

namespace {

// JSON is written with single quotes here, because moc misreads raw strings in this file.
QString quoted(const char* json) { return QString::fromLatin1(json).replace(u'\'', u'"'); }
QJsonObject parsed(const char* json) { return QJsonDocument::fromJson(quoted(json).toLatin1()).object(); }

} // namespace

class TestKeptPlaces : public QObject {
    Q_OBJECT

private slots:
    void init() { m_r = std::make_unique<RemoteWindow>(); }
    void cleanup() { m_r.reset(); }

    // The form is percent-encoded bytes, of which only those that need it are encoded, without the query of addresses.
    void theFormIsUnchanged_data() {
        QTest::addColumn<QString>("kept");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("isLocal");
        const auto row = [](const char* kept, const char* text, bool isLocal) {
            QTest::newRow(kept) << QString::fromLatin1(kept) << QByteArray(text) << isLocal;
        };
        row("/models/a b (1)+[x]=y,z@1:2.gguf", "/models/a b (1)+[x]=y,z@1:2.gguf", true);
        row("/m/gr%C3%B6%C3%9Fe.gguf", "/m/größe.gguf", true);
        row("/m/%FF%FE%80.gguf", "/m/\xFF\xFE\x80.gguf", true);
        row("/m/100%25%3F.gguf", "/m/100%?.gguf", true);
        row("https://example.org/a%2520b.gguf", "https://example.org/a%20b.gguf", false);
        row("hf.co/owl/night-GGUF:Q8_0", "hf.co/owl/night-GGUF:Q8_0", false);
        row("ollama.com/library/night:8b", "ollama.com/library/night:8b", false);
    }
    void theFormIsUnchanged() {
        QFETCH(QString, kept);
        QFETCH(QByteArray, text);
        QFETCH(bool, isLocal);
        const auto place = decodePlace(kept);
        QVERIFY(place);
        QCOMPARE(QByteArray::fromStdString(place->text()), text);
        QCOMPARE(place->isLocal(), isLocal);
        QCOMPARE(encodePlace(*place), kept);
    }

    void secretsAreNotKept() {
        QCOMPARE(encodePlace(placeOf("https://owl:word@example.org/m.gguf?Signature=x#y")),
                 QStringLiteral("https://example.org/m.gguf"));
        QVERIFY(!decodePlace(QString()));
    }

    void recentFiles() {
        QSettings settings;
        settings.beginWriteArray(setting::kRecent, 4);
        const char* kept[] = {"/m/a b.gguf", "hf.co/owl/night-GGUF:Q8_0", "https://example.org/m.gguf", ""};
        for (int i = 0; i < 4; ++i) {
            settings.setArrayIndex(i);
            settings.setValue("path", QString::fromLatin1(kept[i]));
            settings.setValue("architecture", QStringLiteral("llama"));
        }
        settings.endArray();
        const RecentFiles recent;
        QCOMPARE(recent.files().size(), 3U);
        QCOMPARE(recent.files()[0].place, std::filesystem::path("/m/a b.gguf"));
        QVERIFY(recent.files()[1].place.hubName() != nullptr);
        QCOMPARE(recent.files()[1].place.hubName()->name.quantisation, "Q8_0");
        QCOMPARE(recent.files()[2].place, hub::ModelPlace(hub::Url{"https://example.org/m.gguf"}));
    }

    void downloadsAndOrigins() {
        QSettings settings;
        settings.setValue(setting::kDownloads,
                          quoted("{'list':[{'address':'hf.co/owl/night-GGUF:Q8_0','name':'n','folder':'/d'}]}"));
        settings.setValue(setting::kOrigins, quoted("{'/d/n.gguf':'hf.co/owl/night-GGUF/n.gguf'}"));
        Downloads list;
        QCOMPARE(list.rowCount(), 1);
        QCOMPARE(list.at(0).address, placeOf("hf.co/owl/night-GGUF:Q8_0"));
        QCOMPARE(knownOrigin("/d/n.gguf"), placeOf("hf.co/owl/night-GGUF/n.gguf"));
        QVERIFY(!knownOrigin("/d/other.gguf"));
    }

    void sessions() {
        const auto file = writeFile(m_r->fixture->root / "own.gguf", tinyModel());
        QJsonObject local = parsed("{'page':'overview'}");
        local.insert(QStringLiteral("path"), QString::fromStdString(file.native()));
        const QJsonArray tabs{
            local,
            parsed("{'page':'overview','path':'hf.co/owl/night-GGUF:Q8_0'}"),
            parsed("{'page':'overview','path':'https://example.org/a%2520b.gguf'}"),
            parsed("{'page':'repository','repository':'hf.co/owl/night-GGUF'}"),
            parsed("{'page':'repository','repository':'http://gone.example.org/owl/night'}"),
            parsed("{'page':'map','compare':['https://example.org/a.gguf','hf.co/owl/night:Q8_0'],'reference':'hf.co/"
                   "owl/night:Q8_0'}"),
        };
        MainWindow& window = m_r->window();
        window.restoreTabs({{QStringLiteral("tabs"), tabs}, {QStringLiteral("current"), 3}});
        QCOMPARE(window.tabCount(), 6);
        QCOMPARE(window.modelTabAt(0)->place(), file);
        QTRY_VERIFY(window.modelTabAt(0)->model() != nullptr);
        QVERIFY(window.modelTabAt(1)->isWaiting() && window.modelTabAt(1)->place().hubName() != nullptr);
        QVERIFY(window.modelTabAt(2)->isWaiting() && window.modelTabAt(2)->place().url() != nullptr);
        const auto* repository = qobject_cast<RepositoryTab*>(window.tabAt(3));
        QVERIFY(repository != nullptr && repository->isWaiting());
        QCOMPARE(repository->name().name.repository, "owl/night-GGUF");
        // Of a mirror that the environment names no longer.
        QVERIFY(window.modelTabAt(4) != nullptr && window.modelTabAt(4)->isWaiting());
        const auto* compared = qobject_cast<CompareTab*>(window.tabAt(5));
        QVERIFY(compared != nullptr);
        QCOMPARE(compared->comparison().places(),
                 (Places{hub::Url{"https://example.org/a.gguf"}, placeOf("hf.co/owl/night:Q8_0")}));
        QCOMPARE(compared->comparison().referencePlace(), placeOf("hf.co/owl/night:Q8_0"));
        QCOMPARE(m_r->requests(), 0U);
        // They are kept as they were.
        const QJsonArray again = window.saveTabs().value(QStringLiteral("tabs")).toArray();
        for (int i = 0; i < 4; ++i) {
            for (const char* key : {"path", "repository"}) {
                QCOMPARE(again[i].toObject().value(QLatin1String(key)), tabs[i].toObject().value(QLatin1String(key)));
            }
        }
        QCOMPARE(again[5].toObject().value(QLatin1String("compare")),
                 tabs[5].toObject().value(QLatin1String("compare")));
    }

private:
    std::unique_ptr<RemoteWindow> m_r;
};

GUFO_TEST_WIDGETS(TestKeptPlaces)
#include "tst_kept_places.moc"
