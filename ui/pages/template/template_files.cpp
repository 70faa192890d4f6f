#include "ui/pages/template/template_files.h"

#include "base/detail.h"
#include "base/output_file.h"
#include "text/template/chat_templates.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringDecoder>

namespace gufo::ui {
namespace {

constexpr qint64 kLargest = 16 << 20;

std::filesystem::path nativePath(const QString& path) { return QFile::encodeName(path).toStdString(); }

std::unexpected<Error> invalid(const QString& path, Arguments why) {
    return std::unexpected(
        Error{.code = ErrorCode::InvalidArgument, .file = nativePath(path), .place = {}, .args = std::move(why)});
}

Result<std::vector<FileTemplate>> templatesOf(const QJsonObject& config, const QString& path) {
    const QJsonValue value = config[QStringLiteral("chat_template")];
    const QString first = QString::fromLatin1(text::kDefaultTemplate.data());
    std::vector<FileTemplate> templates;
    if (value.isString()) {
        templates.push_back({first, value.toString()});
    }
    for (const QJsonValue& each : value.toArray()) {
        const QString name = each[QStringLiteral("name")].toString();
        const QJsonValue source = each[QStringLiteral("template")];
        if (!name.isEmpty() && source.isString()) {
            templates.push_back({name, source.toString()});
        }
    }
    if (templates.empty()) {
        return invalid(path, {Detail::FileWithoutTemplate});
    }
    return templates;
}

// The array of names after adding some and removing one. Empty if nothing changes.
std::optional<Change> namesWith(const QStringList& added, const QString& removed, const Metadata& metadata) {
    QStringList names;
    const auto key = std::string(text::kChatTemplateNamesKey);
    for (const text::ChatTemplate& each : text::chatTemplates(metadata)) {
        if (each.name != text::kDefaultTemplate) {
            names.append(QString::fromStdString(each.name));
        }
    }
    const QStringList before = names;
    for (const QString& name : added) {
        if (name != QString::fromUtf8(text::kDefaultTemplate) && !names.contains(name)) {
            names.append(name);
        }
    }
    names.removeAll(removed);
    if (names == before) {
        return std::nullopt;
    }
    if (names.isEmpty()) {
        const bool isThere = metadata.find(key) != nullptr;
        return isThere ? std::optional<Change>(DeleteKey{.key = key}) : std::nullopt;
    }
    std::vector<std::string> texts;
    for (const QString& name : names) {
        texts.push_back(name.toStdString());
    }
    return SetKey{.key = key, .value = OwnedValue::strings(texts)};
}

} // namespace

Result<std::vector<FileTemplate>> readTemplates(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        const ErrorCode code = !file.exists()                                  ? ErrorCode::FileNotFound
                               : file.error() == QFileDevice::PermissionsError ? ErrorCode::PermissionDenied
                                                                               : ErrorCode::ReadFailed;
        return std::unexpected(Error{.code = code, .file = nativePath(path), .place = {}, .args = {}});
    }
    const QByteArray bytes = file.read(kLargest + 1);
    if (bytes.size() > kLargest) {
        return std::unexpected(Error{.code = ErrorCode::LimitExceeded,
                                     .file = nativePath(path),
                                     .place = {},
                                     .args = {Detail::Bytes, file.size(), kLargest}});
    }
    QStringDecoder decoder(QStringDecoder::Utf8);
    const QString text = decoder(bytes);
    if (decoder.hasError()) {
        return invalid(path, {Detail::FileNotUtf8});
    }
    if (!path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive)) {
        return std::vector<FileTemplate>{{QString::fromLatin1(text::kDefaultTemplate.data()), text}};
    }
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(bytes, &error);
    if (error.error != QJsonParseError::NoError) {
        return invalid(path, {Detail::FileNotJson, error.errorString().toStdString()});
    }
    return templatesOf(document.object(), path);
}

Result<> writeTemplate(const QString& path, const QString& source) {
    return writeWholeFile(nativePath(path), source.toStdString());
}

std::vector<Change> changesThatSet(const std::vector<FileTemplate>& templates, const Metadata& metadata) {
    std::vector<Change> changes;
    QStringList names;
    for (const FileTemplate& each : templates) {
        names.append(each.name);
        changes.emplace_back(SetKey{.key = text::chatTemplateKey(each.name.toStdString()),
                                    .value = OwnedValue::string(each.source.toStdString())});
    }
    if (auto list = namesWith(names, {}, metadata)) {
        changes.push_back(*std::move(list));
    }
    return changes;
}

std::vector<Change> changesThatDelete(const std::string& key, const Metadata& metadata) {
    std::vector<Change> changes{DeleteKey{.key = key}};
    if (auto list = namesWith({}, QString::fromUtf8(text::chatTemplateName(key)), metadata)) {
        changes.push_back(*std::move(list));
    }
    return changes;
}

} // namespace gufo::ui
