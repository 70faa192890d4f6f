// The keys of servers, by address. They are in memory until the program ends, and also in the system's secret store
// once keep() was called, if there is a store.
//
// Threads: UI thread only. No function waits for the store.
#pragma once

#include "ui/run/secret_store.h"

#include <QObject>

#include <map>
#include <set>
#include <string>

namespace gufo::ui {

class ServerKeys : public QObject {
    Q_OBJECT

public:
    explicit ServerKeys(QObject* parent = nullptr)
        : QObject(parent) {}
    // The keys that all windows share.
    [[nodiscard]] static ServerKeys& shared();

    // Null: keys are forgotten when the program ends. Forgets what was read from the store before.
    void setStore(std::shared_ptr<SecretStore> store);
    [[nodiscard]] bool isLasting() const { return m_store != nullptr; }

    // The key that is in memory; empty: none.
    [[nodiscard]] std::string key(const std::string& address) const;
    // Asks the store once for the key of an address that has none in memory; found() follows if the store has one.
    void look(const std::string& address);
    void set(const std::string& address, const std::string& key);
    // Also stores the key that is in memory; called when its server has answered. An empty key is removed.
    void keep(const std::string& address);
    void forget(const std::string& address);

signals:
    void found(const std::string& address);
    void failed(const QString& problem); // of the store

private:
    void tell(const QString& problem);

    std::shared_ptr<SecretStore> m_store;
    std::map<std::string, std::string> m_keys;
    std::set<std::string> m_asked; // addresses that the store was asked for
    std::map<std::string, std::string> m_kept;
};

} // namespace gufo::ui
