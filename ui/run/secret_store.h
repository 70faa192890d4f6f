// Where secrets are kept beyond the end of the program: the system's secret store (Secret Service, KWallet, Keychain,
// Credential Manager).
//
// Threads: UI thread only. No function waits: `done` is called on the UI thread later, with an empty `problem` or why
// the store cannot be used.
#pragma once

#include <QString>

#include <functional>
#include <memory>

namespace gufo::ui {

class SecretStore {
public:
    virtual ~SecretStore() = default;

    // `secret` is empty if the store has none of that name, which is no problem.
    virtual void read(const QString& name, std::function<void(const QString& secret, const QString& problem)> done) = 0;
    virtual void write(const QString& name, const QString& secret,
                       std::function<void(const QString& problem)> done) = 0;
    virtual void remove(const QString& name, std::function<void(const QString& problem)> done) = 0;
};

// The store of the system. Null if Gufo was built without QtKeychain.
[[nodiscard]] std::shared_ptr<SecretStore> systemSecretStore();

} // namespace gufo::ui
