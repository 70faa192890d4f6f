#include "ui/mainwindow/tabs/arriving_header.h"

#include "net/remote_source.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"

#include <algorithm>
#include <iterator>

namespace gufo::ui {
namespace {

constexpr qsizetype kLongestValue = 200; // characters; the view elides them anyway

} // namespace

QStringList arrivingColumns(Arriving what) {
    return what == Arriving::Keys
               ? QStringList{ArrivingModel::tr("Key"), ArrivingModel::tr("Type"), ArrivingModel::tr("Value")}
               : QStringList{ArrivingModel::tr("Tensor"), ArrivingModel::tr("Type"), ArrivingModel::tr("Shape"),
                             ArrivingModel::tr("Size")};
}

hub::OpeningWatch ArrivingHeader::watch() {
    return {.source =
                [this](const std::shared_ptr<const net::RemoteSource>& source) {
                    const std::scoped_lock lock(m_mutex);
                    m_sources.push_back(source);
                },
            .header = [this](const Model& header) { add(header); }};
}

// Each call has the rows of the one before and more, or is about another shard.
void ArrivingHeader::add(const Model& header) {
    const ByteSource* shard = header.files[0].source.get();
    m_opened = m_opened == nullptr ? shard : m_opened;
    if (m_shard != shard) {
        m_shardTensors = 0;
        m_shard = shard;
    }
    std::vector<ArrivedRow> keys;
    std::size_t index = 0;
    for (const KeyValue& entry : header.metadata) {
        if (shard == m_opened && index++ >= m_keys) {
            keys.push_back({displayText(entry.key), formatValueType(entry.value),
                            namedValue(entry.key, entry.value, header.metadata.architecture()).left(kLongestValue)});
        }
    }
    m_keys += keys.size();
    std::vector<ArrivedRow> tensors;
    for (const std::size_t end = header.tensors.size(); m_shardTensors < end; ++m_shardTensors) {
        const TensorInfo& tensor = header.tensors[m_shardTensors];
        const auto bytes = tensor.type() != nullptr ? tensorBytes(*tensor.type(), tensor.shape) : std::nullopt;
        tensors.push_back({displayText(tensor.name), displayText(tensor.typeName()), formatShape(tensor.shape),
                           bytes ? formatBytes(*bytes) : QString()});
    }
    const std::scoped_lock lock(m_mutex);
    std::ranges::move(keys, std::back_inserter(m_rows[static_cast<std::size_t>(Arriving::Keys)]));
    std::ranges::move(tensors, std::back_inserter(m_rows[static_cast<std::size_t>(Arriving::Tensors)]));
}

std::vector<ArrivedRow> ArrivingHeader::rowsFrom(Arriving what, std::size_t first) const {
    const std::scoped_lock lock(m_mutex);
    const std::vector<ArrivedRow>& rows = m_rows[static_cast<std::size_t>(what)];
    return {rows.begin() + static_cast<std::ptrdiff_t>(std::min(first, rows.size())), rows.end()};
}

std::uint64_t ArrivingHeader::receivedBytes() const {
    const std::scoped_lock lock(m_mutex);
    std::uint64_t bytes = 0;
    for (const auto& source : m_sources) {
        bytes += source->fetchedBytes();
    }
    return bytes;
}

QString ArrivingHeader::redirectedHost() const {
    const std::scoped_lock lock(m_mutex);
    return m_sources.empty() ? QString() : QString::fromStdString(m_sources.front()->redirectedHost());
}

bool ArrivingHeader::isConnected() const {
    const std::scoped_lock lock(m_mutex);
    return !m_sources.empty();
}

ArrivingModel::ArrivingModel(Arriving what, QObject* parent)
    : QAbstractTableModel(parent)
    , m_what(what)
    , m_columns(arrivingColumns(what)) {}

void ArrivingModel::append(std::vector<ArrivedRow> rows) {
    if (rows.empty()) {
        return;
    }
    const auto first = static_cast<int>(m_rows.size());
    beginInsertRows({}, first, first + static_cast<int>(rows.size()) - 1);
    std::ranges::move(rows, std::back_inserter(m_rows));
    endInsertRows();
}

void ArrivingModel::clear() {
    beginResetModel();
    m_rows.clear();
    endResetModel();
}

int ArrivingModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ArrivingModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant ArrivingModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || role != Qt::DisplayRole) {
        return {};
    }
    return m_rows[static_cast<std::size_t>(index.row())][index.column()];
}

QVariant ArrivingModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return orientation == Qt::Horizontal && role == Qt::DisplayRole ? m_columns[section] : QVariant();
}

} // namespace gufo::ui

#include "moc_arriving_header.cpp"
