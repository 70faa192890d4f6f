// A secret store for tests.
#pragma once

#include "ui/run/secret_store.h"

#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace gufo::test {

// A store that answers when the test lets it, as a real one may ask the user for a password first.
class StoreDouble final : public ui::SecretStore {
public:
    std::map<QString, QString> secrets;
    QString problem; // why it refuses
    std::vector<QString> asked;

    void read(const QString& name, std::function<void(const QString&, const QString&)> done) override {
        asked.push_back(name);
        pending.push_back([this, name, done = std::move(done)] {
            const auto found = secrets.find(name);
            done(problem.isEmpty() && found != secrets.end() ? found->second : QString(), problem);
        });
    }
    void write(const QString& name, const QString& secret, std::function<void(const QString&)> done) override {
        pending.push_back([this, name, secret, done = std::move(done)] {
            if (problem.isEmpty()) {
                secrets[name] = secret;
            }
            done(problem);
        });
    }
    void remove(const QString& name, std::function<void(const QString&)> done) override {
        pending.push_back([this, name, done = std::move(done)] {
            secrets.erase(name);
            done(problem);
        });
    }
    void answer() {
        for (const auto& each : std::exchange(pending, {})) {
            each();
        }
    }

    std::vector<std::function<void()>> pending;
};

} // namespace gufo::test
