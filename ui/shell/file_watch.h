// Notices when a file that is open changes on disk: at once where the system tells (inotify and the like), otherwise,
// as on network drives or for names that Qt cannot hold, when check() is called, as on the window's activation.
#pragma once

#include "ui/shell/model_files.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <vector>

namespace gufo::ui {

class FileWatch : public QObject {
    Q_OBJECT

public:
    explicit FileWatch(QObject* parent = nullptr);

    // Watches these files from now on, instead of those before; each with its stamp at the time of reading.
    void setFiles(std::vector<WatchedFile> files);

    // Compares the stamps, off the UI thread; emits changed() once for a file that differs.
    void check();

signals:
    void changed(const std::filesystem::path& path, bool gone);

private:
    QFileSystemWatcher m_watcher;
    QTimer m_settle; // a file that is being written changes many times a second
    std::vector<WatchedFile> m_files;
};

} // namespace gufo::ui
