// What has arrived of the header of a model on a server, while it is being opened: its keys and its tensors, as rows of
// tables that only grow.
//
// Threads: ArrivingHeader is thread-safe: the opening job writes it, and the view reads it. The models of the tables
// belong to the UI thread.
#pragma once

#include "hub/remote_model.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <array>
#include <memory>
#include <mutex>
#include <vector>

namespace gufo::ui {

enum class Arriving : std::uint8_t { Keys, Tensors };
inline constexpr std::array kAllArriving = {Arriving::Keys, Arriving::Tensors};

// Keys: name, type, value (the beginning of long ones). Tensors: name, type, shape, size.
using ArrivedRow = QStringList;
[[nodiscard]] QStringList arrivingColumns(Arriving what);

class ArrivingHeader {
public:
    // For the job; must not outlive the header.
    [[nodiscard]] hub::OpeningWatch watch();

    [[nodiscard]] std::vector<ArrivedRow> rowsFrom(Arriving what, std::size_t first) const;
    [[nodiscard]] std::uint64_t receivedBytes() const;
    [[nodiscard]] QString redirectedHost() const; // empty if the server has not sent the reader on
    [[nodiscard]] bool isConnected() const;       // the server has sent the beginning of the file

private:
    void add(const Model& header);

    mutable std::mutex m_mutex; // guards the next two members
    std::array<std::vector<ArrivedRow>, kAllArriving.size()> m_rows;
    std::vector<std::shared_ptr<const net::RemoteSource>> m_sources; // of all shards
    // Only the opening job uses them: the shards, which m_sources keeps alive, and how much of them was added.
    const ByteSource* m_opened = nullptr;
    const ByteSource* m_shard = nullptr; // whose header arrives
    std::size_t m_shardTensors = 0;
    std::size_t m_keys = 0; // of the opened file; the keys of other shards repeat them
};

// Rows are only appended.
class ArrivingModel : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit ArrivingModel(Arriving what, QObject* parent = nullptr);

    [[nodiscard]] Arriving what() const { return m_what; }
    void append(std::vector<ArrivedRow> rows);
    void clear();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    Arriving m_what;
    QStringList m_columns;
    std::vector<ArrivedRow> m_rows;
};

} // namespace gufo::ui
