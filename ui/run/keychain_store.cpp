// The system's secret store through QtKeychain, where CMake finds that library.
#include "ui/run/secret_store.h"

#if defined(GUFO_KEYCHAIN)
#include <QCoreApplication>
#include <qt6keychain/keychain.h>

#include <utility>
#endif

namespace gufo::ui {
#if defined(GUFO_KEYCHAIN)
namespace {

QString serviceName() { return QStringLiteral("gufo"); }

// What went wrong; empty if nothing did. That there is no such entry is the answer, not a problem.
QString problemOf(const QKeychain::Job& job) {
    if (job.error() == QKeychain::NoError || job.error() == QKeychain::EntryNotFound) {
        return {};
    }
    const QString words = job.errorString().trimmed();
    return words.isEmpty() ? QCoreApplication::translate("gufo::ui::SecretStore", "it refused access") : words;
}

class KeychainStore final : public SecretStore {
public:
    void read(const QString& name, std::function<void(const QString&, const QString&)> done) override {
        auto* job = new QKeychain::ReadPasswordJob(serviceName());
        start(job, name, [job, done = std::move(done)] {
            const QString problem = problemOf(*job);
            done(problem.isEmpty() ? job->textData() : QString(), problem);
        });
    }
    void write(const QString& name, const QString& secret, std::function<void(const QString&)> done) override {
        auto* job = new QKeychain::WritePasswordJob(serviceName());
        job->setTextData(secret);
        start(job, name, [job, done = std::move(done)] { done(problemOf(*job)); });
    }
    void remove(const QString& name, std::function<void(const QString&)> done) override {
        auto* job = new QKeychain::DeletePasswordJob(serviceName());
        start(job, name, [job, done = std::move(done)] { done(problemOf(*job)); });
    }

private:
    // A job deletes itself when it has finished. A secret is never written to a plain file instead.
    template<typename Finished>
    static void start(QKeychain::Job* job, const QString& name, Finished finished) {
        job->setInsecureFallback(false);
        job->setKey(name);
        QObject::connect(job, &QKeychain::Job::finished, job, std::move(finished));
        job->start();
    }
};

} // namespace

std::shared_ptr<SecretStore> systemSecretStore() { return std::make_shared<KeychainStore>(); }

#else

std::shared_ptr<SecretStore> systemSecretStore() { return nullptr; }

#endif

} // namespace gufo::ui
