#include "ui/shell/native_path.h"

#include "formats/container/container.h"
#include "formats/ollama/store.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/places.h"

#include <QDir>
#include <QFile>

namespace gufo::ui {

QByteArray pathBytes(const std::filesystem::path& path) {
#ifdef Q_OS_WIN
    const std::u8string text = path.u8string();
    return {reinterpret_cast<const char*>(text.data()), static_cast<qsizetype>(text.size())};
#else
    return QByteArray::fromStdString(path.native());
#endif
}

std::filesystem::path pathFromBytes(const QByteArray& bytes) {
#ifdef Q_OS_WIN
    return std::u8string(reinterpret_cast<const char8_t*>(bytes.data()), static_cast<std::size_t>(bytes.size()));
#else
    return bytes.toStdString();
#endif
}

QString encodeBytes(const QByteArray& bytes) { return QString::fromLatin1(bytes.toPercentEncoding("/ ,:+=@()[]")); }

QByteArray decodeBytes(const QString& text) { return QByteArray::fromPercentEncoding(text.toLatin1()); }

QString encodePath(const std::filesystem::path& path) { return encodeBytes(pathBytes(path)); }

std::filesystem::path decodePath(const QString& text) { return pathFromBytes(decodeBytes(text)); }

QString qtPath(const std::filesystem::path& path) {
#ifdef Q_OS_WIN
    return QString::fromStdWString(path.native());
#else
    return QFile::decodeName(pathBytes(path));
#endif
}

std::filesystem::path fromQtPath(const QString& path) {
#ifdef Q_OS_WIN
    return path.toStdWString();
#else
    return pathFromBytes(QFile::encodeName(path));
#endif
}

bool isQtPath(const std::filesystem::path& path) { return fromQtPath(qtPath(path)) == path; }

std::filesystem::path absolutePath(const std::filesystem::path& path) {
    std::error_code error;
    std::filesystem::path absolute = std::filesystem::absolute(path, error);
    const std::filesystem::path normal = (error ? path : absolute).lexically_normal();
    // A separator at the end would leave a folder without a name.
    return normal.has_filename() || !normal.has_relative_path() ? normal : normal.parent_path();
}

QString fileNameText(const std::filesystem::path& path) {
    if (net::isAddress(path.native())) { // of a model on a server
        return fileNameText(hub::ModelPlace::parse(path.native()));
    }
    const QByteArray name = pathBytes(path.filename());
    return displayText({name.data(), static_cast<std::size_t>(name.size())});
}

QString modelNameText(const std::filesystem::path& path) {
    if (net::isAddress(path.native())) {
        return modelNameText(hub::ModelPlace::parse(path.native()));
    }
    if (const auto name = ollama::nameOfManifest(path)) {
        return displayText(*name);
    }
    QString name = fileNameText(path);
    if (const Container* container = containerByName(path.filename())) {
        name.chop(static_cast<qsizetype>(suffixIn(path.filename(), *container).size()));
    }
    return name;
}

} // namespace gufo::ui
