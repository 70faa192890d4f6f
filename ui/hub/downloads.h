// The downloads of the program: those that run, and the last ones that ended, newest first. They are kept in the
// settings, as {"list": [download…]}, so that a download that was stopped can go on after a restart.
//
// Threads: UI thread only.
#pragma once

#include "hub/model_place.h"

#include <QAbstractTableModel>
#include <QDateTime>

#include <filesystem>
#include <optional>
#include <vector>

namespace gufo::ui {

enum class DownloadState { Running, Complete, Stopped, Failed };

struct Download {
    quint64 id = 0;
    hub::ModelPlace address; // as the user opened it, without secrets
    QString name;
    std::filesystem::path folder;
    std::filesystem::path file; // or the first shard; empty until it is complete
    quint64 done = 0;           // bytes
    quint64 total = 0;          // 0: not known
    DownloadState state = DownloadState::Running;
    QString problem; // why it failed
    QDateTime begun;
};

class Downloads : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, State, Host, Folder, Begun, ColumnCount };
    static constexpr int kMaximum = 100;

    explicit Downloads(QObject* parent = nullptr);
    // The list of the program.
    [[nodiscard]] static Downloads& instance();
    // Reads the settings again. What ran when they were written was interrupted.
    void read();

    // Adds a running download, and returns its id. One of the same model into the same folder is replaced.
    quint64 begin(const hub::ModelPlace& address, const QString& name, const std::filesystem::path& folder,
                  quint64 total);
    void progress(quint64 id, quint64 done, quint64 total);
    void complete(quint64 id, const std::filesystem::path& file);
    void stopped(quint64 id); // has no effect on a download that ended in another way
    void fail(quint64 id, const QString& problem);
    void remove(int row); // not while it runs
    [[nodiscard]] const Download& at(int row) const { return m_downloads[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void stopRequested(quint64 id); // by the list, from the dialog that downloads
    void showRequested(quint64 id);

private:
    [[nodiscard]] int rowOf(quint64 id) const; // −1: none
    void changed(int row, bool writes);
    void end(quint64 id, DownloadState state, const QString& problem, const std::filesystem::path& file);
    [[nodiscard]] QString stateText(const Download& download) const;
    void write() const;

    std::vector<Download> m_downloads;
    quint64 m_lastId = 0;
};

// The addresses from which files on this computer were downloaded, as far as they are known. They are kept in the
// settings, without the commit, so that a later check compares with the newest version.
void rememberOrigin(const std::filesystem::path& file, const hub::ModelPlace& address);
[[nodiscard]] std::optional<hub::ModelPlace> knownOrigin(const std::filesystem::path& file);

} // namespace gufo::ui
