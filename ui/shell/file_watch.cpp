#include "ui/shell/file_watch.h"

#include "ui/jobs/job.h"
#include "ui/shell/native_path.h"

namespace gufo::ui {
namespace {

constexpr int kSettleMs = 300;

FileChange changeOf(const std::optional<FileStamp>& before, const std::optional<FileStamp>& now) {
    if (!now) {
        return FileChange::Gone;
    }
    const bool isSame = before && before->device == now->device && before->inode == now->inode;
    return isSame ? FileChange::Overwritten : FileChange::Replaced;
}

} // namespace

QString fileChangeText(const std::filesystem::path& path, FileChange change) {
    const QString name = fileNameText(path);
    switch (change) {
    case FileChange::Gone:
        return FileWatch::tr("%1 no longer exists.").arg(name);
    case FileChange::Replaced:
        return FileWatch::tr("%1 has changed on disk: another file has its name.").arg(name);
    case FileChange::Overwritten:
        break;
    }
    return FileWatch::tr("%1 has changed on disk: another program wrote into it.").arg(name);
}

FileWatch::FileWatch(QObject* parent)
    : QObject(parent) {
    m_settle.setSingleShot(true);
    m_settle.setInterval(kSettleMs);
    connect(&m_settle, &QTimer::timeout, this, &FileWatch::check);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, [this] { m_settle.start(); });
}

void FileWatch::setFiles(std::vector<WatchedFile> files) {
    if (const QStringList before = m_watcher.files(); !before.isEmpty()) {
        m_watcher.removePaths(before);
    }
    m_files = std::move(files);
    QStringList paths;
    for (const WatchedFile& file : m_files) {
        if (file.stamp && isQtPath(file.path)) {
            paths << qtPath(file.path);
        }
    }
    if (!paths.isEmpty()) {
        m_watcher.addPaths(paths);
    }
}

void FileWatch::check() {
    startJob<std::vector<WatchedFile>>(
        this,
        [files = m_files](const JobContext&) -> Result<std::vector<WatchedFile>> {
            std::vector<WatchedFile> now;
            for (const WatchedFile& file : files) {
                now.push_back({file.path, stampOf(file.path)});
            }
            return now;
        },
        [this, before = m_files](const Result<std::vector<WatchedFile>>& now) {
            for (std::size_t i = 0; now && i < now->size(); ++i) {
                // The set of files may have been replaced in the meantime.
                if (i < m_files.size() && m_files[i].path == before[i].path && m_files[i].stamp == before[i].stamp &&
                    (*now)[i].stamp != before[i].stamp) {
                    m_files[i].stamp = (*now)[i].stamp;
                    emit changed(before[i].path, changeOf(before[i].stamp, (*now)[i].stamp));
                    return;
                }
            }
        });
}

} // namespace gufo::ui

#include "moc_file_watch.cpp"
