#include "ui/shell/native_path.h"

#include "formats/container/container.h"
#include "formats/ollama/store.h"
#include "hub/model_name.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/remote_path.h"

#include <QDir>
#include <QFile>
#include <QMimeData>
#include <QUrl>

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

QString encodePath(const std::filesystem::path& path) {
    return QString::fromLatin1(pathBytes(path).toPercentEncoding("/ ,:+=@()[]"));
}

std::filesystem::path decodePath(const QString& text) {
    return pathFromBytes(QByteArray::fromPercentEncoding(text.toLatin1()));
}

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
    if (isRemotePath(path)) {
        return path;
    }
    std::error_code error;
    std::filesystem::path absolute = std::filesystem::absolute(path, error);
    const std::filesystem::path normal = (error ? path : absolute).lexically_normal();
    // A separator at the end would leave a folder without a name.
    return normal.has_filename() || !normal.has_relative_path() ? normal : normal.parent_path();
}

namespace {

// Other links, such as links to web pages, stay with the widget under the pointer.
bool isModelLink(const std::filesystem::path& link) {
    return hub::parseModelName(link.native()).has_value() ||
           (net::isAddress(link.native()) && containerByName(pathFromBytes(remoteName(link).toUtf8())) != nullptr);
}

} // namespace

std::vector<std::filesystem::path> pathsOf(const QMimeData& data) {
    std::vector<std::filesystem::path> paths;
#ifdef Q_OS_WIN
    for (const QUrl& url : data.urls()) {
        const std::filesystem::path link = url.toEncoded().toStdString();
        if (url.isLocalFile()) {
            paths.push_back(fromQtPath(url.toLocalFile()));
        } else if (isModelLink(link)) {
            paths.push_back(link);
        }
    }
#else
    // QUrl would replace bytes that are not UTF-8, so the list is parsed here (RFC 2483: lines and # comments; RFC
    // 8089: file URLs with an empty host, the local host, or no authority).
    for (QByteArray line : data.data(QStringLiteral("text/uri-list")).split('\n')) {
        line = line.trimmed();
        if (const std::filesystem::path link = pathFromBytes(line); isModelLink(link)) {
            paths.push_back(link);
            continue;
        }
        if (!line.startsWith("file:")) {
            continue;
        }
        line.remove(0, 5);
        if (line.startsWith("//")) {
            const auto slash = line.indexOf('/', 2);
            line = slash < 0 ? QByteArray() : line.mid(slash);
        }
        if (line.startsWith('/')) {
            paths.push_back(pathFromBytes(QByteArray::fromPercentEncoding(line)));
        }
    }
#endif
    return paths;
}

QString fileNameText(const std::filesystem::path& path) {
    if (isRemotePath(path)) {
        return remoteName(path);
    }
    const QByteArray name = pathBytes(path.filename());
    return displayText({name.data(), static_cast<std::size_t>(name.size())});
}

QString folderText(const std::filesystem::path& path) {
    if (!isRemotePath(path)) {
        return displayPath(path.parent_path());
    }
    const std::string kept = keptPath(path).native();
    return displayText(std::string_view(kept).substr(0, kept.rfind('/')));
}

QString modelNameText(const std::filesystem::path& path) {
    if (const auto name = ollama::nameOfManifest(path); name && !isRemotePath(path)) {
        return displayText(*name);
    }
    QString name = fileNameText(path);
    const std::filesystem::path file = isRemotePath(path) ? pathFromBytes(name.toUtf8()) : path.filename();
    if (const Container* container = containerByName(file)) {
        name.chop(static_cast<qsizetype>(suffixIn(file, *container).size()));
    }
    return name;
}

} // namespace gufo::ui
