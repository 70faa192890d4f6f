#include "ui/compare/differences/metadata_diff_model.h"

#include "base/utf8.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/theme/theme.h"

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::size_t kContextBytes = 12; // shown before the first difference of two texts
constexpr std::size_t kShownBytes = 300;
constexpr std::size_t kMaxComparedBytes = std::size_t{1} << 20U; // bytes, because cells are painted on the UI thread
constexpr std::size_t kNoDifference = ~std::size_t{0};

} // namespace

MetadataDiffModel::MetadataDiffModel(const Comparison& comparison, QObject* parent)
    : QAbstractTableModel(parent)
    , m_comparison(comparison) {
    refill();
}

void MetadataDiffModel::refill() {
    beginResetModel();
    m_metadata = m_comparison.metadata();
    m_differences = 0;
    m_tokenizers = false;
    if (m_metadata) {
        m_differences = static_cast<std::size_t>(
            std::ranges::count_if(m_metadata->rows, [](const MetadataRow& row) { return !row.same(); }));
        m_tokenizers =
            std::ranges::any_of(m_metadata->tokenizers, [](const TokenizerDifference& one) { return !one.same(); });
    }
    fillShown();
    endResetModel();
}

void MetadataDiffModel::setAll(bool all) {
    beginResetModel();
    m_all = all;
    fillShown();
    endResetModel();
}

void MetadataDiffModel::setFilter(const QString& text) {
    beginResetModel();
    m_filter = text;
    fillShown();
    endResetModel();
}

void MetadataDiffModel::fillShown() {
    m_shown.clear();
    for (std::size_t i = 0; m_metadata && i < m_metadata->rows.size(); ++i) {
        const MetadataRow& row = m_metadata->rows[i];
        if ((m_all || !row.same()) &&
            (m_filter.isEmpty() || displayText(row.key).contains(m_filter, Qt::CaseInsensitive))) {
            m_shown.push_back(i);
        }
    }
}

std::optional<std::size_t> MetadataDiffModel::metadataRow(int row) const {
    const int at = row - (m_tokenizers ? 1 : 0);
    return at >= 0 && at < static_cast<int>(m_shown.size()) ? std::optional(m_shown[static_cast<std::size_t>(at)])
                                                            : std::nullopt;
}

const MetadataRow* MetadataDiffModel::find(int row) const {
    const auto at = metadataRow(row);
    return at ? &m_metadata->rows[*at] : nullptr;
}

int MetadataDiffModel::rowOfKey(std::string_view key) const {
    for (int row = 0; row < rowCount(); ++row) {
        if (const MetadataRow* found = find(row); found != nullptr && found->key == key) {
            return row;
        }
    }
    return -1;
}

std::optional<std::size_t> MetadataDiffModel::fileOf(int column) const {
    return column >= kFirstFile && column < columnCount() ? std::optional(static_cast<std::size_t>(column - kFirstFile))
                                                          : std::nullopt;
}

const Value* MetadataDiffModel::value(const MetadataRow& row, std::size_t file) const {
    const auto index = row.cells[file].index;
    return index ? &m_comparison.files()[file].model->metadata[*index].value : nullptr;
}

int MetadataDiffModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size()) + (m_tokenizers ? 1 : 0);
}

int MetadataDiffModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kFirstFile + static_cast<int>(m_metadata ? m_comparison.files().size() : 0);
}

QString MetadataDiffModel::cellText(const MetadataRow& row, std::size_t file) const {
    const Value* found = value(row, file);
    if (found == nullptr) {
        return QStringLiteral("—");
    }
    const MetadataRow::Cell& cell = row.cells[file];
    if (cell.status == KeyStatus::Changed && cell.elements) {
        return tr("%1, %2 differ")
            .arg(formatValueType(*found),
                 cell.elements->differing == 0 ? tr("0 elements") : formatCount(cell.elements->differing));
    }
    if (const QString text = fromFirstDifference(row, file); !text.isEmpty()) {
        return text;
    }
    return valueText(row.key, *found, m_comparison.files()[file].model->metadata.architecture());
}

// Long texts often begin alike, so that a cell would not show that they differ.
QString MetadataDiffModel::fromFirstDifference(const MetadataRow& row, std::size_t file) const {
    const auto textIn = [&](std::size_t one) {
        const Value* found = value(row, one);
        return found != nullptr ? asString(*found) : std::nullopt;
    };
    const auto reference = textIn(m_metadata->reference);
    const auto inFile = textIn(file);
    if (!reference || !inFile) {
        return {};
    }
    const auto commonWith = [&](std::size_t one) {
        const auto other = textIn(one);
        if (row.cells[one].status != KeyStatus::Changed || !other) {
            return kNoDifference;
        }
        const std::string_view a = reference->substr(0, kMaxComparedBytes);
        const std::string_view b = other->substr(0, kMaxComparedBytes);
        return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
    };
    std::size_t common = kNoDifference;
    for (std::size_t one = 0; one < row.cells.size(); ++one) {
        if (one != m_metadata->reference && (file == m_metadata->reference || file == one)) {
            common = std::min(common, commonWith(one));
        }
    }
    if (common == kNoDifference || common < 2 * kContextBytes) {
        return {};
    }
    std::size_t from = common - kContextBytes;
    while (from < inFile->size() && isContinuationByte((*inFile)[from])) {
        ++from;
    }
    return QChar(0x2026) + headText(inFile->substr(from), kShownBytes);
}

QString MetadataDiffModel::statusText(const MetadataRow& row) const {
    if (row.same()) {
        return tr("same");
    }
    const std::size_t reference = m_metadata->reference;
    std::size_t absent = 0;
    bool changed = false;
    bool type = true;
    for (std::size_t file = 0; file < row.cells.size(); ++file) {
        absent += row.cells[file].index ? 0 : 1;
        if (file != reference && row.cells[file].status == KeyStatus::Changed) {
            changed = true;
            type = type && row.cells[file].typeOnly;
        }
    }
    if (changed) {
        return type ? tr("other type") : tr("changed");
    }
    return !row.cells[reference].index ? tr("added") : absent > 0 ? tr("removed") : tr("changed");
}

QString MetadataDiffModel::tokenizerText(std::size_t file) const {
    const TokenizerDifference& one = m_metadata->tokenizers[file];
    if (file == m_metadata->reference) {
        for (const TokenizerDifference& other : m_metadata->tokenizers) {
            if (other.referenceTokens > 0) {
                return tr("%n tokens", nullptr, numerus(other.referenceTokens));
            }
        }
        return {};
    }
    if (one.same()) {
        return tr("same");
    }
    QStringList parts{tr("%n tokens", nullptr, numerus(one.otherTokens))};
    const auto add = [&](std::uint64_t count, const QString& text) {
        if (count > 0) {
            parts << text;
        }
    };
    add(one.onlyInReference, tr("%n missing", nullptr, numerus(one.onlyInReference)));
    add(one.onlyInOther, tr("%n new", nullptr, numerus(one.onlyInOther)));
    add(one.otherIds, tr("%n other ids", nullptr, numerus(one.otherIds)));
    add(one.otherScores, tr("%n other scores", nullptr, numerus(one.otherScores)));
    add(one.otherTypes, tr("%n other types", nullptr, numerus(one.otherTypes)));
    return parts.join(QStringLiteral(", "));
}

QVariant MetadataDiffModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !m_metadata || index.row() >= rowCount()) {
        return {};
    }
    const auto file = fileOf(index.column());
    if (isTokenizerRow(index.row())) {
        if (role == Qt::DisplayRole || role == Qt::ToolTipRole) {
            const QString text = index.column() == kKey      ? tr("Tokenizer, token by token")
                                 : index.column() == kStatus ? tr("changed")
                                                             : tokenizerText(*file);
            return role == Qt::ToolTipRole ? text.toHtmlEscaped() : text;
        }
        if (role == Qt::ForegroundRole && index.column() == kStatus) {
            return themeColor(Token::Accent);
        }
        return {};
    }
    const MetadataRow& row = *find(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: {
        const QString text = index.column() == kKey      ? displayText(row.key)
                             : index.column() == kStatus ? statusText(row)
                                                         : cellText(row, *file);
        return role == Qt::ToolTipRole ? text.toHtmlEscaped() : text;
    }
    case Qt::FontRole:
        return index.column() == kKey || file ? QVariant(themeFont(TextStyle::Mono)) : QVariant();
    case Qt::ForegroundRole: {
        if (index.column() == kStatus && !row.same()) {
            return themeColor(row.cells[m_metadata->reference].index ? Token::Accent : Token::Good);
        }
        if (file && (!row.cells[*file].index || row.same())) {
            return themeColor(Token::Muted);
        }
        return {};
    }
    case Qt::BackgroundRole:
        return file && *file != m_metadata->reference && row.cells[*file].index &&
                       row.cells[*file].status != KeyStatus::Same
                   ? QVariant(themeColor(Token::ChangedRow))
                   : QVariant();
    default:
        return {};
    }
}

QVariant MetadataDiffModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    const auto file = fileOf(section);
    if (file) {
        return *file == m_metadata->reference ? tr("%1 (reference)").arg(m_comparison.files()[*file].label)
                                              : m_comparison.files()[*file].label;
    }
    return section == kKey ? tr("Key") : tr("Status");
}

} // namespace gufo::ui

#include "moc_metadata_diff_model.cpp"
