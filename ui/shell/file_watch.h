// Notices when an open file changes on disk: immediately if the system reports it (inotify and similar); otherwise, as
// on network drives and for names that Qt cannot represent, when check() is called, for example when the window is
// activated.
#pragma once

#include "ui/shell/chosen_models.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <vector>

namespace gufo::ui {

enum class FileChange : std::uint8_t {
    Gone,
    Replaced,    // by another file: the version that was read still exists as long as it is mapped
    Overwritten, // another program wrote into the file: only what was copied of the version that was read still exists
};
// "m.gguf has been replaced by another file."
[[nodiscard]] QString fileChangeText(const std::filesystem::path& path, FileChange change);

class FileWatch : public QObject {
    Q_OBJECT

public:
    explicit FileWatch(QObject* parent = nullptr);

    // Replaces the watched files. Each has the stamp that it had when it was read.
    void setFiles(std::vector<WatchedFile> files);

    // Compares the stamps off the UI thread. Emits changed() once for a file that differs.
    void check();

signals:
    void changed(const std::filesystem::path& path, gufo::ui::FileChange change);

private:
    QFileSystemWatcher m_watcher;
    QTimer m_settle; // a file that is being written changes many times a second
    std::vector<WatchedFile> m_files;
};

} // namespace gufo::ui
