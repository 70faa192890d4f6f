// What has arrived of the header of a model on a server, while it is being opened.
//
// Threads: ArrivingHeader is thread-safe: the opening job writes it, and the view reads it. The model belongs to the UI
// thread.
#pragma once

#include "hub/remote_model.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <memory>
#include <mutex>
#include <vector>

namespace gufo::ui {

struct ArrivedKey {
    QString name;
    QString type;
    QString value; // the beginning of long ones
};

class ArrivingHeader {
public:
    // For the job; must not outlive the header.
    [[nodiscard]] hub::OpeningWatch watch();

    // The keys from `first` on.
    [[nodiscard]] std::vector<ArrivedKey> keysFrom(std::size_t first) const;
    [[nodiscard]] std::uint64_t receivedBytes() const;
    [[nodiscard]] QString redirectedHost() const; // empty if the server has not sent the reader on
    [[nodiscard]] bool isConnected() const;       // the server has sent the beginning of the file

private:
    void addKeys(const Metadata& keys);

    mutable std::mutex m_mutex; // guards all members
    std::vector<ArrivedKey> m_keys;
    std::vector<std::shared_ptr<const net::RemoteSource>> m_sources; // of all shards
};

// The table of arrived keys. Rows are only appended.
class ArrivingKeysModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { NameColumn, TypeColumn, ValueColumn, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void append(std::vector<ArrivedKey> keys);
    void clear();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<ArrivedKey> m_keys;
};

} // namespace gufo::ui
