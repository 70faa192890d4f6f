// Keys of servers: in memory without a secret store, and in the store once the server has answered.
#include "secret_store_double.h"
#include "support/test_unit.h"
#include "ui/run/server_keys.h"

#include <QSignalSpy>
#include <QTest>

using gufo::test::StoreDouble;
using namespace gufo::ui;

namespace {

const std::string kAddress = "https://example.org";
const QString kName = QStringLiteral("server https://example.org");

} // namespace

class TestServerKeys : public QObject {
    Q_OBJECT

private slots:
    void keepsThemInMemory() {
        ServerKeys keys;
        QVERIFY(!keys.isLasting());
        QVERIFY(keys.key(kAddress).empty());
        keys.set(kAddress, "secret");
        keys.keep(kAddress);
        keys.look(kAddress);
        QCOMPARE(keys.key(kAddress), std::string("secret"));
        QVERIFY(keys.key("https://example.org:8080").empty());
        keys.forget(kAddress);
        QVERIFY(keys.key(kAddress).empty());
    }

    void storesThemWhenTheServerHasAnswered() {
        const auto store = std::make_shared<StoreDouble>();
        ServerKeys keys;
        keys.setStore(store);
        QVERIFY(keys.isLasting());
        keys.set(kAddress, "sec"); // while it is typed
        keys.set(kAddress, "secret");
        store->answer();
        QVERIFY(store->secrets.empty());
        keys.keep(kAddress);
        store->answer();
        QCOMPARE(store->secrets[kName], QStringLiteral("secret"));
        keys.keep(kAddress);
        QVERIFY(store->pending.empty()); // it is there already
        keys.set(kAddress, "other");
        keys.keep(kAddress);
        store->answer();
        QCOMPARE(store->secrets[kName], QStringLiteral("other"));
        keys.set(kAddress, "");
        keys.keep(kAddress);
        store->answer();
        QVERIFY(!store->secrets.contains(kName));
    }

    void findsThemLater() {
        const auto store = std::make_shared<StoreDouble>();
        store->secrets[kName] = QStringLiteral("secret");
        ServerKeys keys;
        keys.setStore(store);
        const QSignalSpy found(&keys, &ServerKeys::found);
        QVERIFY(keys.key(kAddress).empty() && store->asked.empty()); // it is not asked without need
        keys.look(kAddress);
        keys.look(kAddress);
        QCOMPARE(store->asked.size(), std::size_t{1});
        store->answer();
        QCOMPARE(found.count(), 1);
        QCOMPARE(keys.key(kAddress), std::string("secret"));
        keys.keep(kAddress);
        QVERIFY(store->pending.empty());
        keys.look("https://elsewhere.org");
        store->answer();
        QCOMPARE(found.count(), 1);
    }

    void typedKeysAreNewer() {
        const auto store = std::make_shared<StoreDouble>();
        store->secrets[kName] = QStringLiteral("old");
        ServerKeys keys;
        keys.setStore(store);
        const QSignalSpy found(&keys, &ServerKeys::found);
        keys.look(kAddress);
        keys.set(kAddress, "new");
        store->answer();
        QCOMPARE(found.count(), 0);
        QCOMPARE(keys.key(kAddress), std::string("new"));
        keys.keep(kAddress);
        store->answer();
        QCOMPARE(store->secrets[kName], QStringLiteral("new"));
    }

    void removesThemFromTheStore() {
        const auto store = std::make_shared<StoreDouble>();
        store->secrets[kName] = QStringLiteral("secret");
        ServerKeys keys;
        keys.setStore(store);
        keys.forget(kAddress);
        store->answer();
        QVERIFY(store->secrets.empty());
    }

    void tellsWhatTheStoreRefuses() {
        const auto store = std::make_shared<StoreDouble>();
        store->problem = QStringLiteral("no service");
        ServerKeys keys;
        keys.setStore(store);
        const QSignalSpy failed(&keys, &ServerKeys::failed);
        keys.look(kAddress);
        store->answer();
        QCOMPARE(failed.count(), 1);
        QCOMPARE(failed.at(0).at(0).toString(), QStringLiteral("no service"));
        keys.set(kAddress, "secret");
        keys.keep(kAddress);
        store->answer();
        QCOMPARE(failed.count(), 2);
        QCOMPARE(keys.key(kAddress), std::string("secret")); // the program can use it nevertheless
    }

    // An answer may come after the program has other keys, or none any more.
    void lateAnswersAreIgnored() {
        const auto store = std::make_shared<StoreDouble>();
        store->secrets[kName] = QStringLiteral("secret");
        auto keys = std::make_unique<ServerKeys>();
        keys->setStore(store);
        keys->look(kAddress);
        keys->setStore(nullptr);
        store->answer();
        QVERIFY(keys->key(kAddress).empty());
        keys->setStore(store);
        keys->look(kAddress);
        keys.reset();
        store->answer();
    }
};

GUFO_TEST(TestServerKeys)
#include "tst_server_keys.moc"
