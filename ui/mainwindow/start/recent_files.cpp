#include "ui/mainwindow/start/recent_files.h"

#include "model/key_catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/native_path.h"
#include "ui/shell/places.h"
#include "ui/shell/settings.h"

#include <algorithm>

namespace gufo::ui {
namespace {

QString text(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

// The file type that the file states ("Q4_K_M"), or the type of most of its bytes.
QString typeText(const Model& model) {
    constexpr std::string_view kFileType = "general.file_type";
    if (const auto declared = model.metadata.integer(kFileType)) {
        if (const auto name = enumName(kFileType, model.metadata.architecture(), *declared)) {
            return text(*name);
        }
    }
    const auto shares = model.typeShares();
    return shares.empty() ? QString() : QString::fromStdString(shares.front().name);
}

} // namespace

RecentFile describeModel(const Model& model, const hub::ModelPlace& openedAs) {
    const Model::Totals totals = model.totals();
    return {.place = openedAs.isLocal() ? absolutePath(model.path()) : openedAs.kept(),
            .architecture = displayText(model.metadata.architecture()),
            .parameters = totals.weights,
            .type = typeText(model),
            .bytes = totals.fileBytes,
            .shards = static_cast<int>(model.files.size()),
            .opened = QDateTime::currentDateTime()};
}

RecentFiles::RecentFiles(QObject* parent)
    : QObject(parent) {
    QSettings settings;
    const int count = std::min(settings.beginReadArray(setting::kRecent), kMaximum);
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        if (auto place = decodePlace(settings.value("path").toString())) {
            m_files.push_back({.place = *std::move(place),
                               .architecture = settings.value("architecture").toString(),
                               .parameters = settings.value("parameters").toULongLong(),
                               .type = settings.value("type").toString(),
                               .bytes = settings.value("bytes").toULongLong(),
                               .shards = settings.value("shards", 1).toInt(),
                               .opened = settings.value("opened").toDateTime()});
        }
    }
}

void RecentFiles::add(RecentFile file) {
    std::erase_if(m_files, [&](const RecentFile& known) { return known.place == file.place; });
    m_files.insert(m_files.begin(), std::move(file));
    if (m_files.size() > kMaximum) {
        m_files.resize(kMaximum);
    }
    save();
    emit changed();
}

void RecentFiles::remove(const hub::ModelPlace& place) {
    if (std::erase_if(m_files, [&](const RecentFile& known) { return known.place == place; }) > 0) {
        save();
        emit changed();
    }
}

void RecentFiles::clear() {
    m_files.clear();
    save();
    emit changed();
}

void RecentFiles::save() const {
    QSettings settings;
    settings.remove(setting::kRecent);
    settings.beginWriteArray(setting::kRecent, static_cast<int>(m_files.size()));
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        const RecentFile& file = m_files[i];
        settings.setArrayIndex(static_cast<int>(i));
        settings.setValue("path", encodePlace(file.place));
        settings.setValue("architecture", file.architecture);
        settings.setValue("parameters", static_cast<qulonglong>(file.parameters));
        settings.setValue("type", file.type);
        settings.setValue("bytes", static_cast<qulonglong>(file.bytes));
        settings.setValue("shards", file.shards);
        settings.setValue("opened", file.opened);
    }
    settings.endArray();
}

} // namespace gufo::ui

#include "moc_recent_files.cpp"
