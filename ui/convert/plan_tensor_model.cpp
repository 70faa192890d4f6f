#include "ui/convert/plan_tensor_model.h"

#include "ui/convert/plan_words.h"
#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

namespace gufo::ui {
namespace {

constexpr std::size_t kSourcesShown = 3;
constexpr std::size_t kSourcesInToolTip = 40;

QString typeText(std::uint32_t typeId) {
    const TensorTypeInfo* type = findTensorType(typeId);
    return type != nullptr ? QString::fromLatin1(type->name.data(), static_cast<qsizetype>(type->name.size()))
                           : QString::number(typeId);
}

// The first names, and how many follow.
QString namesText(const std::vector<std::string>& names, std::size_t maximum, const QString& separator) {
    QStringList shown;
    for (std::size_t i = 0; i < std::min(names.size(), maximum); ++i) {
        shown << displayText(names[i]);
    }
    if (names.size() > maximum) {
        shown << PlanTensorModel::tr("%n more", nullptr, static_cast<int>(names.size() - maximum));
    }
    return shown.join(separator);
}

} // namespace

void PlanTensorModel::setPlan(std::shared_ptr<const PlannedConversion> planned) {
    beginResetModel();
    m_planned = std::move(planned);
    m_unmapped.clear();
    endResetModel();
}

void PlanTensorModel::setUnmapped(QStringList names) {
    beginResetModel();
    m_planned.reset();
    m_unmapped = std::move(names);
    endResetModel();
}

int PlanTensorModel::rowCount(const QModelIndex& parent) const {
    if (parent.isValid()) {
        return 0;
    }
    return m_planned != nullptr ? static_cast<int>(m_planned->plan.rows.size() + m_planned->plan.unused.size())
                                : static_cast<int>(m_unmapped.size());
}

QString PlanTensorModel::plannedText(std::size_t number, int column) const {
    const convert::PlannedRow& row = m_planned->plan.rows[number];
    switch (column) {
    case Target:
        return displayText(row.target);
    case Type:
        return typeText(row.typeId);
    case TensorShape:
        return formatShape(row.shape);
    case Size:
        return formatBytes(row.bytes);
    case Operations:
        return number < m_planned->losses.size() && m_planned->losses[number]
                   ? tr("±%1: %2", "largest error of a weight: what is done")
                         .arg(formatReal(*m_planned->losses[number]), operationsText(row.operations))
                   : operationsText(row.operations);
    case Sources:
        return namesText(row.sources, kSourcesShown, QStringLiteral(", "));
    default:
        return {};
    }
}

QVariant PlanTensorModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const auto row = static_cast<std::size_t>(index.row());
    const int column = index.column();
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue((column == Size ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role == Qt::FontRole && (column == Target || column == Sources)) {
        return themeFont(TextStyle::Mono);
    }
    const bool planned = m_planned != nullptr && row < m_planned->plan.rows.size();
    if (role == Qt::ToolTipRole && planned) {
        const convert::PlannedRow& one = m_planned->plan.rows[row];
        return plainToolTip(column == Sources ? namesText(one.sources, kSourcesInToolTip, QStringLiteral("\n"))
                                              : plannedText(row, column));
    }
    if (role == Qt::DisplayRole && planned) {
        return plannedText(row, column);
    }
    if (planned) {
        return {};
    }
    if (role == Qt::ForegroundRole) {
        return themeColor(m_planned == nullptr ? Token::ErrorText : Token::Muted);
    }
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) {
        return {};
    }
    const convert::UnusedTensor* unused =
        m_planned != nullptr ? &m_planned->plan.unused[row - m_planned->plan.rows.size()] : nullptr;
    switch (column) {
    case Target:
        return unused != nullptr ? tr("left out") : tr("no place");
    case Operations:
        return unused != nullptr ? droppedText(unused->reason) : tr("the architecture has no such tensor");
    case Sources:
        return unused != nullptr ? displayText(unused->name) : m_unmapped[static_cast<qsizetype>(row)];
    default:
        return {};
    }
}

QVariant PlanTensorModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue((section == Size ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Target:
        return tr("Tensor");
    case Type:
        return tr("Type");
    case TensorShape:
        return tr("Shape");
    case Size:
        return tr("Size");
    case Operations:
        return tr("Operations");
    case Sources:
        return tr("Sources");
    default:
        return {};
    }
}

} // namespace gufo::ui

#include "moc_plan_tensor_model.cpp"
