#include "ui/shell/places.h"

#include "formats/container/container.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/native_path.h"
#include "ui/shell/settings.h"

#include <QMimeData>
#include <QUrl>

namespace gufo::ui {

QString hostOf(const hub::ModelPlace& place) {
    const QUrl url(QString::fromStdString(place.contactedAddress()));
    const QString host = url.host();
    return url.port() < 0 ? host : QStringLiteral("%1:%2").arg(host).arg(url.port());
}

QString pathText(const hub::ModelPlace& place) {
    const auto* path = place.localPath();
    return path != nullptr ? displayPath(*path) : displayText(place.keptText());
}

QString fileNameText(const hub::ModelPlace& place) {
    const auto* path = place.localPath();
    return path != nullptr ? fileNameText(*path) : displayText(place.fileName());
}

QString folderText(const hub::ModelPlace& place) {
    if (const auto* path = place.localPath()) {
        return displayPath(path->parent_path());
    }
    const std::string kept = place.keptText();
    return displayText(std::string_view(kept).substr(0, kept.rfind('/')));
}

QString modelNameText(const hub::ModelPlace& place) {
    if (const auto* path = place.localPath()) {
        return modelNameText(*path);
    }
    QString name = fileNameText(place);
    const std::filesystem::path file = pathFromBytes(name.toUtf8());
    if (const Container* container = containerByName(file)) {
        name.chop(static_cast<qsizetype>(suffixIn(file, *container).size()));
    }
    return name;
}

QString copiedText(const hub::ModelPlace& place) {
    const auto* path = place.localPath();
    return path != nullptr ? qtPath(*path) : pathText(place);
}

QString encodePlace(const hub::ModelPlace& place) {
    const auto* path = place.localPath();
    return encodeBytes(path != nullptr ? pathBytes(*path) : QByteArray::fromStdString(place.keptText()));
}

std::optional<hub::ModelPlace> decodePlace(const QString& text) {
    return text.isEmpty() ? std::nullopt : std::optional(hub::ModelPlace::parse(decodeBytes(text).toStdString()));
}

std::optional<hub::ModelPlace> typedPlace(const QString& text) {
    return hub::ModelPlace::parseTyped(text.trimmed().toStdString());
}

Places placesOf(const QMimeData& data) {
    // Links that mean no model, such as links to web pages, stay with the widget under the pointer.
    Places places;
    const auto addLink = [&](const QByteArray& link) {
        auto place = hub::ModelPlace::parseLink(link.toStdString());
        if (place) {
            places.push_back(*std::move(place));
        }
    };
#ifdef Q_OS_WIN
    for (const QUrl& url : data.urls()) {
        if (url.isLocalFile()) {
            places.emplace_back(fromQtPath(url.toLocalFile()));
        } else {
            addLink(url.toEncoded());
        }
    }
#else
    // QUrl would replace bytes that are not UTF-8, so the list is parsed here (RFC 2483: lines and # comments; RFC
    // 8089: file URLs with an empty host, the local host, or no authority).
    for (QByteArray line : data.data(QStringLiteral("text/uri-list")).split('\n')) {
        line = line.trimmed();
        if (!line.startsWith("file:")) {
            addLink(line);
            continue;
        }
        line.remove(0, 5);
        if (line.startsWith("//")) {
            const auto slash = line.indexOf('/', 2);
            line = slash < 0 ? QByteArray() : line.mid(slash);
        }
        if (line.startsWith('/')) {
            places.emplace_back(pathFromBytes(QByteArray::fromPercentEncoding(line)));
        }
    }
#endif
    return places;
}

QStringList allowedPlainHosts() { return QSettings().value(setting::kPlainHosts).toStringList(); }

void setPlainHostAllowed(const QString& host, bool allowed) {
    QStringList hosts = allowedPlainHosts();
    hosts.removeAll(host);
    if (allowed) {
        hosts << host;
    }
    QSettings().setValue(setting::kPlainHosts, hosts);
    applyAllowedPlainHosts();
}

void applyAllowedPlainHosts() {
    std::vector<std::string> hosts;
    for (const QString& host : allowedPlainHosts()) {
        hosts.push_back(host.toStdString());
    }
    net::setPlainHosts(std::move(hosts));
}

} // namespace gufo::ui
