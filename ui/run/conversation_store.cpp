#include "ui/run/conversation_store.h"

#include "base/detail.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSaveFile>
#include <QUuid>

#include <cerrno>

namespace gufo::ui {
namespace {

constexpr qint64 kMaxBytes = qint64{256} << 20U;
const QString kEnding = QStringLiteral(".json");

QString qt(const std::filesystem::path& path) { return QFile::decodeName(QByteArray::fromStdString(path.native())); }

std::filesystem::path fileOf(const std::filesystem::path& folder, const QString& id) {
    return folder / (id + kEnding).toStdString();
}

Error errorOf(const QFileDevice& file, const std::filesystem::path& path, ErrorCode code) {
    return {.code = code, .file = path, .place = {}, .args = {file.errorString().toStdString()}};
}

} // namespace

std::filesystem::path conversationFolder(const std::filesystem::path& all, const std::filesystem::path& model) {
    const QByteArray name =
        QCryptographicHash::hash(QByteArray::fromStdString(model.native()), QCryptographicHash::Sha256);
    return all / name.toHex().left(32).toStdString();
}

std::vector<StoredConversation> listConversations(const std::filesystem::path& folder) {
    std::vector<StoredConversation> found;
    for (const QFileInfo& info : QDir(qt(folder)).entryInfoList({u'*' + kEnding}, QDir::Files, QDir::Time)) {
        if (found.size() == kMaxConversations) {
            break;
        }
        const QString id = info.completeBaseName();
        if (const auto tree = readConversation(folder, id)) {
            found.push_back({.id = id, .title = tree->titleText(), .changed = info.lastModified()});
        }
    }
    return found;
}

Result<ChatTree> readConversation(const std::filesystem::path& folder, const QString& id) {
    const std::filesystem::path path = fileOf(folder, id);
    QFile file(qt(path));
    if (!file.open(QIODevice::ReadOnly)) {
        return std::unexpected(errorOf(file, path, file.exists() ? ErrorCode::ReadFailed : ErrorCode::FileNotFound));
    }
    if (file.size() > kMaxBytes) {
        return fail(ErrorCode::LimitExceeded, {},
                    {Detail::Bytes, std::to_string(file.size()), std::to_string(kMaxBytes)});
    }
    const QJsonDocument json = QJsonDocument::fromJson(file.readAll());
    if (!json.isObject()) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::ConversationNotJson});
    }
    return ChatTree::restore(json.object());
}

Result<> writeConversation(const std::filesystem::path& folder, const QString& id, const ChatTree& tree) {
    const std::filesystem::path path = fileOf(folder, id);
    QDir().mkpath(qt(folder));
    QFile::setPermissions(qt(folder), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    QSaveFile file(qt(path));
    if (!file.open(QIODevice::WriteOnly)) {
        return std::unexpected(errorOf(file, path, ErrorCode::WriteFailed));
    }
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    file.write(QJsonDocument(tree.save()).toJson(QJsonDocument::Compact));
    if (!file.commit()) {
        return std::unexpected(errorOf(file, path, ErrorCode::WriteFailed));
    }
    return {};
}

Result<> deleteConversation(const std::filesystem::path& folder, const QString& id) {
    const std::filesystem::path path = fileOf(folder, id);
    QFile file(qt(path));
    if (file.exists() && !file.remove()) {
        return std::unexpected(errorOf(file, path, ErrorCode::WriteFailed));
    }
    return {};
}

QString newConversationId() { return QUuid::createUuid().toString(QUuid::Id128); }

} // namespace gufo::ui
