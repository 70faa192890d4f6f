#include "ui/pages/overview/imatrix_model.h"

#include "model/tensor_role.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/widgets/elided_label.h"

#include <QStringList>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::size_t kNameBytes = 200;
constexpr std::size_t kShownChannels = 3;

QString channelText(const ImportantColumn& channel) {
    return QStringLiteral("%1 (%2 %)").arg(formatCount(channel.column), formatReal(100 * channel.share, 3));
}

QString channelsText(const ImatrixRow& entry, std::size_t maximum) {
    QStringList texts;
    for (std::size_t i = 0; i < std::min(maximum, entry.top.size()); ++i) {
        texts << channelText(entry.top[i]);
    }
    return texts.join(QStringLiteral(", "));
}

std::optional<std::uint32_t> blockOf(const std::string& name) { return parseTensorName(name).block; }

bool contains(const std::vector<std::string>& sorted, const std::string& name) {
    return std::ranges::binary_search(sorted, name);
}

} // namespace

void ImatrixModel::setEntries(std::vector<ImatrixRow> entries) {
    beginResetModel();
    m_entries = std::move(entries);
    std::ranges::sort(m_entries, {},
                      [](const ImatrixRow& entry) { return std::pair(orderOf(blockOf(entry.tensor)), entry.tensor); });
    rebuild();
    endResetModel();
}

void ImatrixModel::setPartners(std::optional<ImatrixPartners> partners) {
    beginResetModel();
    m_partners = std::move(partners);
    rebuild();
    endResetModel();
}

void ImatrixModel::rebuild() {
    m_lines.clear();
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const std::string& name = m_entries[i].tensor;
        const Fit fit = !m_partners                                 ? Fit::NotCompared
                        : contains(m_partners->withoutTensor, name) ? Fit::NoTensor
                        : contains(m_partners->otherShape, name)    ? Fit::OtherShape
                        : contains(m_partners->withoutValues, name) ? Fit::NoValues
                                                                    : Fit::Fits;
        m_lines.push_back({.tensor = name, .block = blockOf(name), .entry = i, .fit = fit});
    }
    if (m_partners) {
        for (const std::string& name : m_partners->withoutEntry) {
            m_lines.push_back({.tensor = name, .block = blockOf(name), .fit = Fit::NoEntry});
        }
    }
    arrange(m_lines.size());
}

const ImatrixRow* ImatrixModel::entryAt(int row) const { return entryOf(m_lines[lineAt(row)]); }

const ImatrixRow* ImatrixModel::entryOf(const Line& line) const {
    return line.entry ? &m_entries[*line.entry] : nullptr;
}

QString ImatrixModel::text(std::size_t at, int column) const {
    const Line& line = m_lines[at];
    const ImatrixRow* entry = entryOf(line);
    switch (column) {
    case Tensor:
        return headText(line.tensor, kNameBytes);
    case Used:
        return entry == nullptr ? QStringLiteral("—")
                                : tr("%1 of %2").arg(formatCount(entry->used()), formatCount(entry->counts.size()));
    case Rows:
        return entry == nullptr ? QStringLiteral("—") : formatReal(entry->rows(), 12);
    case Channels:
        return entry == nullptr ? QStringLiteral("—") : channelsText(*entry, kShownChannels);
    default:
        break;
    }
    switch (line.fit) {
    case Fit::NotCompared:
        return {};
    case Fit::Fits:
        return tr("fits");
    case Fit::NoEntry:
        return tr("no entry");
    case Fit::NoTensor:
        return tr("no such tensor");
    case Fit::OtherShape:
        return tr("other shape");
    case Fit::NoValues:
        return tr("no values");
    }
    return {};
}

QString ImatrixModel::toolTip(std::size_t at, int column) const {
    const Line& line = m_lines[at];
    const ImatrixRow* entry = entryOf(line);
    if (column == Channels && entry != nullptr) {
        return tr("Columns with the largest sums of squared inputs, as shares of the tensor's sum: %1")
            .arg(channelsText(*entry, ImatrixRow::kTop));
    }
    if (column == Used && entry != nullptr && entry->used() < entry->counts.size()) {
        return tr("No token was routed to %n matrices. They are quantised without importance.", nullptr,
                  numerus(entry->counts.size() - entry->used()));
    }
    if (column == Partner && line.fit == Fit::NoEntry) {
        return tr("The model has this matrix, but the file says nothing about it. It is quantised without importance.");
    }
    if (column == Partner && line.fit == Fit::NoValues) {
        return tr(
            "All values of the entry are 0, or no token was counted. The tensor is quantised without importance.");
    }
    return column == Tensor ? plainToolTip(text(at, Tensor)) : QString();
}

bool ImatrixModel::isWarning(std::size_t at, int column) const {
    const ImatrixRow* entry = entryOf(m_lines[at]);
    return (column == Partner && m_lines[at].fit != Fit::Fits) ||
           (column == Used && entry != nullptr && entry->used() < entry->counts.size());
}

QString ImatrixModel::title(int column) const {
    switch (column) {
    case Tensor:
        return tr("Tensor");
    case Used:
        return tr("Matrices used");
    case Rows:
        return tr("Rows");
    case Channels:
        return tr("Top channels");
    case Partner:
        return tr("In the model");
    default:
        return {};
    }
}

MatrixTableModel::Place ImatrixModel::placeOf(std::size_t line) const {
    return {orderOf(m_lines[line].block), m_lines[line].tensor};
}

double ImatrixModel::figure(std::size_t at, int column) const {
    const ImatrixRow* entry = entryOf(m_lines[at]);
    switch (column) {
    case Used:
        return entry == nullptr ? -1.0 : static_cast<double>(entry->used()) / static_cast<double>(entry->counts.size());
    case Rows:
        return entry == nullptr ? -1.0 : entry->rows();
    case Channels:
        return entry == nullptr || entry->top.empty() ? -1.0 : entry->top.front().share;
    case Partner:
        return static_cast<double>(m_lines[at].fit);
    default:
        return 0.0;
    }
}

} // namespace gufo::ui

#include "moc_imatrix_model.cpp"
