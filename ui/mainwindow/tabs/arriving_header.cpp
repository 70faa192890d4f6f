#include "ui/mainwindow/tabs/arriving_header.h"

#include "net/remote_source.h"
#include "ui/messages/figure_text.h"

#include <array>
#include <iterator>

namespace gufo::ui {
namespace {

constexpr qsizetype kLongestValue = 200; // characters; the view elides them anyway

} // namespace

hub::OpeningWatch ArrivingHeader::watch() {
    return {.source =
                [this](const std::shared_ptr<const net::RemoteSource>& source) {
                    const std::scoped_lock lock(m_mutex);
                    m_sources.push_back(source);
                },
            .keys = [this](const Metadata& keys) { addKeys(keys); }};
}

// Each call has the keys of the one before and more.
void ArrivingHeader::addKeys(const Metadata& keys) {
    std::size_t index = 0;
    std::vector<ArrivedKey> added;
    const std::size_t known = [this] {
        const std::scoped_lock lock(m_mutex);
        return m_keys.size();
    }();
    for (const KeyValue& entry : keys) {
        if (index++ >= known) {
            added.push_back({.name = displayText(entry.key),
                             .type = formatValueType(entry.value),
                             .value = formatValue(entry.value).left(kLongestValue)});
        }
    }
    const std::scoped_lock lock(m_mutex);
    std::ranges::move(added, std::back_inserter(m_keys));
}

std::vector<ArrivedKey> ArrivingHeader::keysFrom(std::size_t first) const {
    const std::scoped_lock lock(m_mutex);
    return first < m_keys.size()
               ? std::vector<ArrivedKey>(m_keys.begin() + static_cast<std::ptrdiff_t>(first), m_keys.end())
               : std::vector<ArrivedKey>();
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

void ArrivingKeysModel::append(std::vector<ArrivedKey> keys) {
    if (keys.empty()) {
        return;
    }
    const auto first = static_cast<int>(m_keys.size());
    beginInsertRows({}, first, first + static_cast<int>(keys.size()) - 1);
    std::ranges::move(keys, std::back_inserter(m_keys));
    endInsertRows();
}

void ArrivingKeysModel::clear() {
    beginResetModel();
    m_keys.clear();
    endResetModel();
}

int ArrivingKeysModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_keys.size());
}

int ArrivingKeysModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant ArrivingKeysModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || role != Qt::DisplayRole) {
        return {};
    }
    const ArrivedKey& key = m_keys[static_cast<std::size_t>(index.row())];
    return index.column() == NameColumn ? key.name : index.column() == TypeColumn ? key.type : key.value;
}

QVariant ArrivingKeysModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    const std::array<QString, ColumnCount> titles{tr("Key"), tr("Type"), tr("Value")};
    return titles[static_cast<std::size_t>(section)];
}

} // namespace gufo::ui
