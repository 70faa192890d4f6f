#include "ui/convert/plan_tensor_model.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <utility>

namespace gufo::ui {
namespace {

constexpr std::size_t kSourcesShown = 3;
constexpr std::size_t kSourcesInToolTip = 40;

QString typeText(std::uint32_t typeId) {
    const TensorTypeFact* type = findTensorType(typeId);
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

using convert::OperationKind;

constexpr const char* kContext = "gufo::ui::ConvertDialog";

struct OperationWords {
    OperationKind kind;
    // with %1 … for the parameters in their order, %L for a list's, %R for a list of rows after the axis, and %F
    // for a factor
    const char* text;
};
// One row for each kind, in the order of the enumeration.
constexpr auto kWords = std::to_array<OperationWords>({
    {OperationKind::Rename, QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "rename")},
    {OperationKind::Reshape, QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "reshape to %L")},
    {OperationKind::PermuteRope,
     QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "interleave the halves of each of %2 heads")},
    {OperationKind::UnpermuteRope,
     QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "separate the interleaved halves of each of %2 heads")},
    {OperationKind::Add, QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "add %1")},
    {OperationKind::Scale, QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "multiply by %F")},
    {OperationKind::NegateExponential, QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "negative exponential, −exp(x)")},
    {OperationKind::LogarithmOfNegative, QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "logarithm, ln(−x)")},
    {OperationKind::Reciprocal, QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "reciprocal, 1/x")},
    {OperationKind::RoundToTernary, QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "round to −s, 0 or s")},
    {OperationKind::Transpose, QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "transpose")},
    {OperationKind::SliceRows, QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "take %3 rows from row %2 on")},
    {OperationKind::EveryOther,
     QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "take one of every %3 rows, from row %2 on")},
    {OperationKind::PickRows, QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "take rows %R")},
    {OperationKind::RegroupRows,
     QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "gather the parts of %3 groups of %4 rows")},
    {OperationKind::UngroupRows,
     QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "scatter the parts back to %3 groups of %4 rows")},
    {OperationKind::TakeParts,
     QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "take %5 rows from row %4 on of each of %2 groups")},
    {OperationKind::Stack, QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "stack %1 tensors")},
    {OperationKind::Unstack, QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "take tensor %1 of the %2 in it")},
    {OperationKind::Compute, QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "compute from the configuration")},
    {OperationKind::RepackMxfp4, QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "repack MXFP4 without loss")},
    {OperationKind::RepackNvfp4, QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "repack NVFP4 without loss")},
    {OperationKind::RepackLegacy, QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "repack blocks from before GGUF")},
    {OperationKind::DequantiseBlocks,
     QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "decode 8-bit floats with scales of blocks of %1 × %2")},
    {OperationKind::DequantiseGptq, QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "decode GPTQ of %1 bits")},
    {OperationKind::DequantiseAwq, QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "decode AWQ of %1 bits")},
    {OperationKind::DequantisePacked,
     QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "decode packed codes of %1 bits in groups of %2")},
    {OperationKind::DequantiseAffine,
     QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "decode affine codes of %1 bits in groups of %2")},
    {OperationKind::DequantiseRows,
     QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "decode 8-bit integers with a scale for each row")},
    {OperationKind::DequantiseTable,
     QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "decode 4-bit codes with a table of levels")},
    {OperationKind::DequantiseTernary,
     QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "decode ternary weights with one scale")},
});
static_assert([] {
    for (std::size_t i = 0; i < kWords.size(); ++i) {
        if (kWords[i].kind != static_cast<OperationKind>(i)) {
            return false;
        }
    }
    return true;
}());

constexpr auto kReasons = std::to_array<std::pair<std::string_view, const char*>>({
    {"activation_scale", QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "a scale for activations")},
    {"encoding_detail", QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "a detail of the encoding")},
    {"computed", QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "runtimes compute it")},
    {"mask", QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "a mask that runtimes compute")},
    {"other_modality", QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "belongs to images or sound")},
    {"dense_layer", QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "a dense layer that runtimes cannot apply")},
    {"draft_layers", QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "layers for multi-token prediction")},
    {"training_head", QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "needed for training only")},
    {"pooler", QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "a pooling that this model does not use")},
    {"not_used", QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "the model does not use it")},
    {"zero", QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "it is zero, and runtimes have no place for it")},
    {"tied", QT_TRANSLATE_NOOP("gufo::ui::ConvertDialog", "the same as the token embedding")},
});

QString numberText(std::int64_t number) {
    return (number < 0 ? QString(QChar(0x2212)) : QString()) +
           formatCount(number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number));
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

QString operationText(const convert::Operation& operation) {
    const auto index = static_cast<std::size_t>(operation.kind);
    QString text = QCoreApplication::translate(kContext, kWords[index].text);
    QStringList all;
    for (std::size_t i = 0; i < operation.parameters.size(); ++i) {
        all << numberText(operation.parameters[i]);
    }
    if (operation.kind == OperationKind::Scale) {
        text.replace(QStringLiteral("%F"), formatReal(convert::factorOf(operation)));
    }
    text.replace(QStringLiteral("%L"), all.join(QStringLiteral(" × ")));
    text.replace(QStringLiteral("%R"), all.mid(1).join(QStringLiteral(", ")));
    for (qsizetype i = all.size(); i-- > 0;) {
        text.replace(QStringLiteral("%") + QString::number(i + 1), all[i]);
    }
    return text;
}

QString operationsText(const std::vector<convert::Operation>& operations) {
    QStringList steps;
    for (const convert::Operation& operation : operations) {
        if (operation.kind != OperationKind::Rename) {
            steps << operationText(operation);
        }
    }
    return steps.isEmpty() ? operationText({.kind = OperationKind::Rename}) : steps.join(QStringLiteral(", "));
}

QString droppedText(std::string_view reason) {
    const auto found = std::ranges::find(kReasons, reason, &std::pair<std::string_view, const char*>::first);
    return found != kReasons.end() ? QCoreApplication::translate(kContext, found->second)
                                   : QString::fromUtf8(reason.data(), static_cast<qsizetype>(reason.size()));
}

} // namespace gufo::ui

#include "moc_plan_tensor_model.cpp"
