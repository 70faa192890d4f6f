#include "ui/run/server_keys.h"

#include <QPointer>

namespace gufo::ui {
namespace {

QString nameOf(const std::string& address) { return QStringLiteral("server ") + QString::fromStdString(address); }

} // namespace

ServerKeys& ServerKeys::shared() {
    static ServerKeys keys;
    return keys;
}

void ServerKeys::setStore(std::shared_ptr<SecretStore> store) {
    m_store = std::move(store);
    m_keys.clear();
    m_asked.clear();
    m_kept.clear();
}

std::string ServerKeys::key(const std::string& address) const {
    const auto found = m_keys.find(address);
    return found != m_keys.end() ? found->second : std::string();
}

void ServerKeys::look(const std::string& address) {
    if (m_store == nullptr || address.empty() || m_keys.contains(address) || !m_asked.insert(address).second) {
        return;
    }
    m_store->read(nameOf(address), [self = QPointer(this), store = m_store.get(), address](const QString& secret,
                                                                                           const QString& problem) {
        if (self == nullptr || self->m_store.get() != store) {
            return;
        }
        self->tell(problem);
        // A key that was typed in the meantime is newer.
        if (!secret.isEmpty() && self->m_keys.try_emplace(address, secret.toStdString()).second) {
            self->m_kept[address] = secret.toStdString();
            emit self->found(address);
        }
    });
}

void ServerKeys::set(const std::string& address, const std::string& key) { m_keys[address] = key; }

void ServerKeys::keep(const std::string& address) {
    const std::string now = key(address);
    const auto kept = m_kept.find(address);
    if (m_store == nullptr || address.empty() || (kept != m_kept.end() ? kept->second == now : now.empty())) {
        return;
    }
    const auto told = [self = QPointer(this), address, now](const QString& problem) {
        if (self != nullptr) {
            self->tell(problem);
            if (problem.isEmpty()) {
                self->m_kept[address] = now;
            }
        }
    };
    if (now.empty()) {
        m_store->remove(nameOf(address), told);
    } else {
        m_store->write(nameOf(address), QString::fromStdString(now), told);
    }
}

void ServerKeys::forget(const std::string& address) {
    m_keys.erase(address);
    m_kept.erase(address);
    m_asked.insert(address);
    if (m_store != nullptr && !address.empty()) {
        m_store->remove(nameOf(address), [self = QPointer(this)](const QString& problem) {
            if (self != nullptr) {
                self->tell(problem);
            }
        });
    }
}

void ServerKeys::tell(const QString& problem) {
    if (!problem.isEmpty()) {
        emit failed(problem);
    }
}

} // namespace gufo::ui

#include "moc_server_keys.cpp"
