#include "ui/pages/tensors/models/tensor_rows.h"

#include "base/ascii.h"
#include "ui/document/model_document.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/model_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/value_delegate.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace gufo::ui {
namespace {

struct ColumnFact {
    const char* title;
    const char* toolTip;
    bool figure;
};
constexpr std::array<ColumnFact, kTensorColumns> kColumns{{
    {QT_TRANSLATE_NOOP("gufo::Tensors", "Name"), "", false},
    {QT_TRANSLATE_NOOP("gufo::Tensors", "Type"), "", false},
    {QT_TRANSLATE_NOOP("gufo::Tensors", "Shape"),
     QT_TRANSLATE_NOOP("gufo::Tensors", "Weights along each dimension, fastest first: columns × rows"), true},
    {QT_TRANSLATE_NOOP("gufo::Tensors", "Size"), QT_TRANSLATE_NOOP("gufo::Tensors", "Bytes in the file"), true},
    {QT_TRANSLATE_NOOP("gufo::Tensors", "σ"),
     QT_TRANSLATE_NOOP("gufo::Tensors", "Standard deviation of the weights, computed in the background"), true},
    {QT_TRANSLATE_NOOP("gufo::Tensors", "Distribution"),
     QT_TRANSLATE_NOOP("gufo::Tensors",
                       "Weights in equal bins over mean ± 4σ; of norms and biases, the values in their order"),
     false},
    {QT_TRANSLATE_NOOP("gufo::Tensors", "Bits/weight"), "", true},
    {QT_TRANSLATE_NOOP("gufo::Tensors", "Block"), "", true},
    {QT_TRANSLATE_NOOP("gufo::Tensors", "Role"), "", false},
    {QT_TRANSLATE_NOOP("gufo::Tensors", "Offset"),
     QT_TRANSLATE_NOOP("gufo::Tensors", "First byte of the tensor in its file"), true},
    {QT_TRANSLATE_NOOP("gufo::Tensors", "Weights"), "", true},
}};

const ColumnFact& factOf(TensorColumn column) { return kColumns[static_cast<std::size_t>(column)]; }

template<typename T>
int order(const T& a, const T& b) {
    return a < b ? -1 : b < a ? 1 : 0;
}

// Missing values sort last.
template<typename T>
int orderOptional(const std::optional<T>& a, const std::optional<T>& b) {
    return a && b ? order(*a, *b) : static_cast<int>(!a) - static_cast<int>(!b);
}

// Like formatReal(), but with the same number of figures for 0.03 and 0.0312, so that columns are easy to compare.
QString steadyReal(double value, int significant) {
    const double magnitude = std::abs(value);
    if (!(magnitude >= 1e-4 && magnitude < 1e6)) {
        return formatReal(value, significant);
    }
    const int decimals = significant - 1 - static_cast<int>(std::floor(std::log10(magnitude)));
    return formatFixed(value, std::max(decimals, 0));
}

// The leading digits without leading zeros.
std::string_view number(std::string_view text) {
    const std::size_t end = static_cast<std::size_t>(std::ranges::find_if_not(text, isAsciiDigit) - text.begin());
    const std::size_t zeros = std::min(text.find_first_not_of('0'), end);
    return text.substr(zeros, end - zeros);
}

} // namespace

QString tensorColumnTitle(TensorColumn column) {
    return QCoreApplication::translate("gufo::Tensors", factOf(column).title);
}

QString tensorColumnToolTip(TensorColumn column) {
    const char* text = factOf(column).toolTip;
    return *text != '\0' ? QCoreApplication::translate("gufo::Tensors", text) : QString();
}

QVariant tensorColumnHeader(int section, Qt::Orientation orientation, int role) {
    if (orientation != Qt::Horizontal || section < 0 || section >= kTensorColumns) {
        return {};
    }
    const auto column = static_cast<TensorColumn>(section);
    switch (role) {
    case Qt::DisplayRole:
        return tensorColumnTitle(column);
    case Qt::ToolTipRole:
        return tensorColumnToolTip(column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((isFigure(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
        return {};
    }
}

bool isFigure(TensorColumn column) { return factOf(column).figure; }

int compareNaturally(std::string_view a, std::string_view b) {
    while (!a.empty() && !b.empty()) {
        if (isAsciiDigit(a.front()) && isAsciiDigit(b.front())) {
            const std::string_view left = number(a);
            const std::string_view right = number(b);
            if (left.size() != right.size()) {
                return order(left.size(), right.size());
            }
            if (const int digits = left.compare(right); digits != 0) {
                return digits;
            }
            a.remove_prefix(static_cast<std::size_t>(left.data() + left.size() - a.data()));
            b.remove_prefix(static_cast<std::size_t>(right.data() + right.size() - b.data()));
        } else if (a.front() != b.front()) {
            return order(static_cast<unsigned char>(a.front()), static_cast<unsigned char>(b.front()));
        } else {
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    return order(a.size(), b.size());
}

namespace {

QString changeText(const Difference& difference) {
    QStringList parts;
    if (difference.added) {
        parts << QCoreApplication::translate("gufo::Tensors", "Added: its bytes come from another file");
    }
    if (difference.changed) {
        parts << QCoreApplication::translate("gufo::Tensors", "Replaced by a tensor of another file");
    }
    if (difference.renamed) {
        parts << QCoreApplication::translate("gufo::Tensors", "Was called %1").arg(displayText(difference.oldName));
    }
    if (difference.moved) {
        parts << QCoreApplication::translate("gufo::Tensors", "Moved to another place");
    }
    return parts.join(QLatin1Char('\n'));
}

} // namespace

TensorRows::TensorRows(std::shared_ptr<const Model> model, const TensorSummaries* summaries,
                       const ModelDocument* document)
    : m_model(std::move(model))
    , m_summaries(summaries)
    , m_document(document) {
    if (areMany()) {
        return;
    }
    m_parsed.reserve(m_model->tensors.size());
    m_names.reserve(m_model->tensors.size());
    for (const TensorInfo& tensor : m_model->tensors) {
        m_parsed.push_back(parseTensorName(tensor.name));
        m_names.push_back(displayText(tensor.name));
    }
}

QString TensorRows::name(TensorIndex tensor) const {
    return areMany() ? displayText(info(tensor).name) : m_names[tensor.value];
}

QVariant TensorRows::data(TensorIndex tensor, TensorColumn column, int role) const {
    switch (role) {
    case Qt::DisplayRole:
        return text(tensor, column);
    case Qt::ToolTipRole:
        return plainToolTip(toolTip(tensor, column));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((isFigure(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::FontRole:
        return column == TensorColumn::Name ? QVariant(themeFont(TextStyle::Mono)) : QVariant();
    case kTensorIndexRole:
        return tensor.value;
    case kTypeIdRole:
        return column == TensorColumn::Type ? QVariant(info(tensor).typeId) : QVariant();
    case kBarsRole:
    case kCurveRole: {
        const TensorSummary* summary = column == TensorColumn::Distribution ? m_summaries->find(tensor) : nullptr;
        if (summary == nullptr) {
            return {};
        }
        const std::vector<std::uint8_t>& heights = role == kBarsRole ? summary->bars : summary->curve;
        return QByteArray(reinterpret_cast<const char*>(heights.data()), static_cast<qsizetype>(heights.size()));
    }
    case Qt::BackgroundRole:
        return difference(tensor) != nullptr ? QVariant(themeColor(Token::ChangedRow)) : QVariant();
    case kChangedRole:
        return difference(tensor) != nullptr;
    case kAddedRole:
        return difference(tensor) != nullptr && difference(tensor)->added;
    case kExactRole:
        return exact(tensor, column);
    case Qt::EditRole: // names are edited in the table
        return column == TensorColumn::Name ? name(tensor) : QVariant();
    case Qt::AccessibleTextRole:
        return column == TensorColumn::Distribution ? pictureText(tensor) : text(tensor, column);
    default:
        return {};
    }
}

const Difference* TensorRows::difference(TensorIndex tensor) const {
    return m_document != nullptr ? m_document->document().differenceOfTensor(info(tensor).name) : nullptr;
}

QString TensorRows::text(TensorIndex tensor, TensorColumn column) const {
    const TensorInfo& facts = info(tensor);
    const TensorName role = parsed(tensor);
    switch (column) {
    case TensorColumn::Name:
        return name(tensor);
    case TensorColumn::Type:
        return QString::fromStdString(facts.typeName());
    case TensorColumn::Shape:
        return formatShape(facts.shape);
    case TensorColumn::Size:
        return facts.bytes ? formatBytes(*facts.bytes) : QString();
    case TensorColumn::Sigma: {
        const TensorSummary* summary = m_summaries->find(tensor);
        return summary != nullptr && summary->std ? steadyReal(*summary->std, 3) : QString();
    }
    case TensorColumn::Distribution:
        return {};
    case TensorColumn::BitsPerWeight: {
        const auto bits = facts.bitsPerWeight();
        return bits ? formatBitsPerWeight(*bits) : QString();
    }
    case TensorColumn::Block:
        return role.block ? QString::number(*role.block) : QString();
    case TensorColumn::Role:
        return displayText(role.role);
    case TensorColumn::Offset:
        return formatCount(facts.offset);
    case TensorColumn::Weights:
        return facts.shape.weights() ? formatCount(facts.weights()) : QString();
    }
    return {};
}

QVariant TensorRows::exact(TensorIndex tensor, TensorColumn column) const {
    const TensorInfo& facts = info(tensor);
    const auto orNothing = [](const auto& value) { return value ? QVariant::fromValue(*value) : QVariant(); };
    switch (column) {
    case TensorColumn::Size:
        return facts.bytes ? QVariant::fromValue(quint64{*facts.bytes}) : QVariant();
    case TensorColumn::Sigma: {
        const TensorSummary* summary = m_summaries->find(tensor);
        return summary != nullptr ? orNothing(summary->std) : QVariant();
    }
    case TensorColumn::BitsPerWeight:
        return orNothing(facts.bitsPerWeight());
    default:
        return {};
    }
}

QString TensorRows::toolTip(TensorIndex tensor, TensorColumn column) const {
    const TensorInfo& facts = info(tensor);
    switch (column) {
    case TensorColumn::Name: {
        const RoleFact* fact = parsed(tensor).fact;
        const QString tip = fact != nullptr ? name(tensor) + QLatin1Char('\n') + roleMeaning(*fact) : name(tensor);
        const Difference* changed = difference(tensor);
        return changed != nullptr ? tip + QLatin1Char('\n') + changeText(*changed) : tip;
    }
    case TensorColumn::Size: {
        if (!facts.bytes) {
            return QCoreApplication::translate("gufo::Tensors", "The size of this type is unknown.");
        }
        const QString bytes = QCoreApplication::translate("gufo::Tensors", "%1 bytes", nullptr, numerus(*facts.bytes))
                                  .arg(formatCount(*facts.bytes));
        return facts.complete() ? bytes
                                : QCoreApplication::translate("gufo::Tensors", "%1, of which %2 are in the file")
                                      .arg(bytes, formatCount(facts.bytesPresent));
    }
    case TensorColumn::Distribution:
        return pictureText(tensor);
    default:
        return {};
    }
}

QString TensorRows::pictureText(TensorIndex tensor) const {
    const TensorSummary* summary = m_summaries->find(tensor);
    if (summary == nullptr || summary->curve.empty()) {
        return summary == nullptr || summary->bars.empty()
                   ? QString()
                   : QCoreApplication::translate("gufo::Tensors", "Weights in equal bins over mean ± 4σ");
    }
    const std::uint64_t count = info(tensor).shape[0];
    return QCoreApplication::translate("gufo::Tensors", "%1 values in their order, from %2 to %3", nullptr,
                                       numerus(count))
        .arg(formatCount(count), formatReal(static_cast<double>(summary->low)),
             formatReal(static_cast<double>(summary->high)));
}

int TensorRows::compare(TensorIndex a, TensorIndex b, TensorColumn column) const {
    const TensorInfo& left = info(a);
    const TensorInfo& right = info(b);
    const auto sigma = [this](TensorIndex tensor) {
        const TensorSummary* summary = m_summaries->find(tensor);
        return summary != nullptr ? summary->std : std::nullopt;
    };
    switch (column) {
    case TensorColumn::Name:
        return compareNaturally(left.name, right.name);
    case TensorColumn::Type:
        return compareNaturally(left.typeName(), right.typeName());
    case TensorColumn::Shape:
        for (std::size_t i = 0; i < Shape::kMaxDimensions; ++i) {
            if (const int found = order(left.shape[i], right.shape[i]); found != 0) {
                return found;
            }
        }
        return 0;
    case TensorColumn::Size:
        return orderOptional(left.bytes, right.bytes);
    case TensorColumn::Sigma:
    case TensorColumn::Distribution:
        return orderOptional(sigma(a), sigma(b));
    case TensorColumn::BitsPerWeight:
        return orderOptional(left.bitsPerWeight(), right.bitsPerWeight());
    case TensorColumn::Block:
        return orderOptional(parsed(a).block, parsed(b).block);
    case TensorColumn::Role:
        return parsed(a).role.compare(parsed(b).role);
    case TensorColumn::Offset: {
        const int file = order(left.file, right.file);
        return file != 0 ? file : order(left.offset, right.offset);
    }
    case TensorColumn::Weights:
        return order(left.weights(), right.weights());
    }
    return 0;
}

} // namespace gufo::ui
