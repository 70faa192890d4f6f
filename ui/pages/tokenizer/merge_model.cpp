#include "ui/pages/tokenizer/merge_model.h"

#include "ui/messages/key_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <string>

namespace gufo::ui {
namespace {

constexpr std::size_t kTextBytes = 200;

} // namespace

void MergeModel::setVocabulary(std::shared_ptr<const TokenArrays> vocabulary) {
    beginResetModel();
    m_vocabulary = std::move(vocabulary);
    m_links.reset();
    setItems(m_vocabulary ? m_vocabulary->mergeCount() : 0);
    endResetModel();
}

void MergeModel::follow(std::shared_ptr<const TokenArrays> vocabulary) {
    const std::uint64_t rules = vocabulary->mergeCount();
    followItems(rules, [&] {
        m_vocabulary = std::move(vocabulary);
        m_links.reset();
    });
}

void MergeModel::setLinks(std::shared_ptr<const TokenLinks> links) {
    m_links = std::move(links);
    if (rowCount() > 0) {
        emit dataChanged(index(0, ResultId), index(rowCount() - 1, ResultId));
    }
}

std::optional<std::uint64_t> MergeModel::resultId(std::uint64_t rank) const {
    const TokenArrays::Merge merge = m_vocabulary->merge(rank);
    return m_links ? m_links->find(std::string(merge.left).append(merge.right)) : std::nullopt;
}

int MergeModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int{ColumnCount}; }

QVariant MergeModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const bool number = index.column() == Rank || index.column() == ResultId;
    switch (role) {
    case Qt::ToolTipRole:
        return plainToolTip(data(index, Qt::DisplayRole).toString());
    case Qt::DisplayRole: {
        const std::uint64_t rank = itemOf(index);
        const TokenArrays::Merge merge = m_vocabulary->merge(rank);
        switch (index.column()) {
        case Rank:
            return QString::number(rank);
        case Left:
            return headText(merge.left, kTextBytes);
        case Right:
            return headText(merge.right, kTextBytes);
        case Result:
            return headText(std::string(merge.left).append(merge.right), kTextBytes);
        default: {
            const auto id = resultId(rank);
            return id ? QString::number(*id) : QString();
        }
        }
    }
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::FontRole:
        return number ? QVariant() : QVariant(themeFont(TextStyle::Mono));
    case Qt::ForegroundRole:
        return number ? QVariant(themeColor(Token::Muted)) : QVariant();
    default:
        return {};
    }
}

QVariant MergeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        const bool number = section == Rank || section == ResultId;
        return QVariant::fromValue((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    const QStringList titles{tr("Rank"), tr("Left"), tr("Right"), tr("Result"), tr("Result id")};
    return titles[section];
}

} // namespace gufo::ui

#include "moc_merge_model.cpp"
