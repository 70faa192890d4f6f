#include "ui/shell/remote_path.h"

#include "hub/model_name.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/settings.h"

#include <QUrl>

#include <vector>

namespace gufo::ui {

bool isRemotePath(const std::filesystem::path& path) { return hub::isRemote(path.native()); }

bool isRepositoryPath(const std::filesystem::path& path) {
    const auto name = hub::parseModelName(path.native());
    // A name on Ollama's registry means one model, and a path that has a suffix one file.
    return name && name->hub != net::Hub::Ollama && name->quantisation.empty() &&
           std::filesystem::path(name->path).extension().empty();
}

std::filesystem::path remotePathOf(const QString& text) {
    const std::string typed = text.trimmed().toStdString();
    if (net::isAddress(typed) || hub::parseModelName(typed)) {
        return typed;
    }
    const auto name = hub::parseShortName(typed);
    return name ? hub::shownName(*name) : std::string();
}

QString hostOf(const std::filesystem::path& path) {
    const QUrl url(QString::fromStdString(contactedAddress(path)));
    const QString host = url.host();
    return url.port() < 0 ? host : QStringLiteral("%1:%2").arg(host).arg(url.port());
}

std::string contactedAddress(const std::filesystem::path& path) {
    const auto name = hub::parseModelName(path.native());
    return name ? net::endpointOf(name->hub) : path.native();
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

std::filesystem::path keptPath(const std::filesystem::path& path) {
    return net::isAddress(path.native()) ? net::shownAddress(path.native()) : path.native();
}

QString remoteName(const std::filesystem::path& path) {
    const std::string kept = keptPath(path).native();
    return displayText(hub::decodedPath(std::string_view(kept).substr(kept.rfind('/') + 1)));
}

} // namespace gufo::ui
