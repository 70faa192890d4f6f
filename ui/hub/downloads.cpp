#include "ui/hub/downloads.h"

#include "ui/messages/figure_text.h"
#include "ui/shell/native_path.h"
#include "ui/shell/places.h"
#include "ui/shell/settings.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>

namespace gufo::ui {
namespace {

struct StateRow {
    DownloadState state;
    const char* name; // in the settings
};
constexpr std::array<StateRow, 3> kStates{
    {{DownloadState::Complete, "complete"}, {DownloadState::Stopped, "stopped"}, {DownloadState::Failed, "failed"}}};

QJsonObject saved(const Download& download) {
    const auto* state = std::ranges::find(kStates, download.state, &StateRow::state);
    return {{QStringLiteral("address"), encodePlace(download.address)},
            {QStringLiteral("name"), download.name},
            {QStringLiteral("folder"), encodePath(download.folder)},
            {QStringLiteral("file"), encodePath(download.file)},
            {QStringLiteral("done"), QString::number(download.done)}, // JSON has no integers of 64 bits
            {QStringLiteral("total"), QString::number(download.total)},
            {QStringLiteral("state"), QLatin1String(state != kStates.end() ? state->name : "running")},
            {QStringLiteral("problem"), download.problem},
            {QStringLiteral("begun"), download.begun.toString(Qt::ISODate)}};
}

Download restored(const QJsonObject& object) {
    const QString name = object[QStringLiteral("state")].toString();
    const auto* state =
        std::ranges::find_if(kStates, [&](const StateRow& each) { return name == QLatin1String(each.name); });
    return {.address = decodePlace(object[QStringLiteral("address")].toString()).value_or(hub::ModelPlace()),
            .name = object[QStringLiteral("name")].toString(),
            .folder = decodePath(object[QStringLiteral("folder")].toString()),
            .file = decodePath(object[QStringLiteral("file")].toString()),
            .done = object[QStringLiteral("done")].toString().toULongLong(),
            .total = object[QStringLiteral("total")].toString().toULongLong(),
            .state = state != kStates.end() ? state->state : DownloadState::Stopped,
            .problem = object[QStringLiteral("problem")].toString(),
            .begun = QDateTime::fromString(object[QStringLiteral("begun")].toString(), Qt::ISODate)};
}

constexpr qsizetype kMaxKept = 200;

} // namespace

Downloads::Downloads(QObject* parent)
    : QAbstractTableModel(parent) {
    read();
}

Downloads& Downloads::instance() {
    static Downloads downloads;
    return downloads;
}

void Downloads::read() {
    beginResetModel();
    m_downloads.clear();
    for (const QJsonValue& each : readJson(QSettings(), setting::kDownloads).value(QStringLiteral("list")).toArray()) {
        if (m_downloads.size() < kMaximum) {
            m_downloads.push_back(restored(each.toObject()));
            m_downloads.back().id = ++m_lastId;
        }
    }
    endResetModel();
}

void Downloads::write() const {
    QJsonArray list;
    for (const Download& each : m_downloads) {
        list.append(saved(each));
    }
    QSettings settings;
    writeJson(settings, setting::kDownloads, {{QStringLiteral("list"), list}});
}

quint64 Downloads::begin(const hub::ModelPlace& address, const QString& name, const std::filesystem::path& folder,
                         quint64 total) {
    const hub::ModelPlace kept = address.kept();
    const auto same = std::ranges::find_if(m_downloads, [&](const Download& each) {
        return each.address == kept && each.folder == folder && each.state != DownloadState::Running;
    });
    if (same != m_downloads.end()) {
        remove(static_cast<int>(same - m_downloads.begin()));
    }
    beginInsertRows({}, 0, 0);
    m_downloads.insert(m_downloads.begin(), {.id = ++m_lastId,
                                             .address = kept,
                                             .name = name,
                                             .folder = folder,
                                             .total = total,
                                             .begun = QDateTime::currentDateTime()});
    endInsertRows();
    for (int row = rowCount() - 1; row >= 0 && rowCount() > kMaximum; --row) {
        if (at(row).state != DownloadState::Running) {
            remove(row);
        }
    }
    write();
    return m_lastId;
}

int Downloads::rowOf(quint64 id) const {
    const auto found = std::ranges::find(m_downloads, id, &Download::id);
    return found != m_downloads.end() ? static_cast<int>(found - m_downloads.begin()) : -1;
}

void Downloads::changed(int row, bool writes) {
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
    if (writes) {
        write();
    }
}

void Downloads::progress(quint64 id, quint64 done, quint64 total) {
    const int row = rowOf(id);
    if (row < 0 || at(row).state != DownloadState::Running) {
        return;
    }
    Download& download = m_downloads[static_cast<std::size_t>(row)];
    download.done = done;
    download.total = total;
    changed(row, false);
}

void Downloads::end(quint64 id, DownloadState state, const QString& problem, const std::filesystem::path& file) {
    const int row = rowOf(id);
    if (row < 0 || at(row).state != DownloadState::Running) {
        return;
    }
    Download& download = m_downloads[static_cast<std::size_t>(row)];
    download.state = state;
    download.problem = problem;
    download.file = file;
    changed(row, true);
}

void Downloads::complete(quint64 id, const std::filesystem::path& file) { end(id, DownloadState::Complete, {}, file); }

void Downloads::stopped(quint64 id) { end(id, DownloadState::Stopped, {}, {}); }

void Downloads::fail(quint64 id, const QString& problem) { end(id, DownloadState::Failed, problem, {}); }

void Downloads::remove(int row) {
    if (at(row).state == DownloadState::Running) {
        return;
    }
    beginRemoveRows({}, row, row);
    m_downloads.erase(m_downloads.begin() + row);
    endRemoveRows();
    write();
}

int Downloads::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_downloads.size());
}

int Downloads::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString Downloads::stateText(const Download& download) const {
    const QString share = download.total > 0
                              ? tr("%1 of %2").arg(formatBytes(download.done), formatBytes(download.total))
                          : download.done > 0 ? formatBytes(download.done)
                                              : QString();
    switch (download.state) {
    case DownloadState::Running:
        return share.isEmpty() ? tr("begins") : share;
    case DownloadState::Complete:
        return download.total > 0 ? tr("complete, %1").arg(formatBytes(download.total)) : tr("complete");
    case DownloadState::Stopped:
        return share.isEmpty() ? tr("stopped") : tr("stopped at %1").arg(share);
    case DownloadState::Failed:
        return tr("failed: %1").arg(download.problem);
    }
    return {};
}

QVariant Downloads::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Download& download = at(index.row());
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) {
        return {};
    }
    switch (index.column()) {
    case Name:
        return download.name;
    case State:
        return stateText(download);
    case Host:
        return hostOf(download.address);
    case Folder:
        return displayPath(download.folder);
    case Begun:
        return QLocale().toString(download.begun, QLocale::ShortFormat);
    default:
        return {};
    }
}

QVariant Downloads::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Name:
        return tr("Model");
    case State:
        return tr("State");
    case Host:
        return tr("From");
    case Folder:
        return tr("Folder");
    case Begun:
        return tr("Begun");
    default:
        return {};
    }
}

void rememberOrigin(const std::filesystem::path& file, const hub::ModelPlace& address) {
    hub::ModelPlace kept = address;
    if (const hub::HubName* written = address.hubName(); written && written->name.hub != net::Hub::Ollama) {
        hub::ModelName name = written->name;
        name.revision.clear();
        kept = hub::HubName::of(std::move(name));
    }
    QSettings settings;
    QJsonObject origins = readJson(settings, setting::kOrigins);
    if (origins.size() >= kMaxKept) {
        origins.erase(origins.begin());
    }
    origins.insert(encodePath(file), encodePlace(kept));
    writeJson(settings, setting::kOrigins, origins);
}

std::optional<hub::ModelPlace> knownOrigin(const std::filesystem::path& file) {
    return decodePlace(readJson(QSettings(), setting::kOrigins).value(encodePath(file)).toString());
}

} // namespace gufo::ui

#include "moc_downloads.cpp"
