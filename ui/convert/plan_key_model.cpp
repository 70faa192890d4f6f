#include "ui/convert/plan_key_model.h"

#include "convert/architecture.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

namespace gufo::ui {
namespace {

constexpr qsizetype kCellCharacters = 200;
constexpr qsizetype kToolTipCharacters = 2'000;

QString beginning(QString text, qsizetype maximum) {
    if (text.size() > maximum) {
        text.truncate(maximum);
        text += QChar(0x2026);
    }
    return text;
}

} // namespace

void PlanKeyModel::setPlan(std::shared_ptr<const PlannedConversion> planned) {
    beginResetModel();
    m_planned = std::move(planned);
    endResetModel();
}

int PlanKeyModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || m_planned == nullptr ? 0 : static_cast<int>(m_planned->plan.keys.size());
}

QVariant PlanKeyModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const convert::PlannedKey& key = m_planned->plan.keys[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == Qt::FontRole && column != From) {
        return themeFont(TextStyle::Mono);
    }
    if (role == Qt::ForegroundRole && (column == Type || (column == From && key.from.empty()))) {
        return themeColor(Token::Muted);
    }
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) {
        return {};
    }
    const convert::Architecture* known = m_planned->plan.architecture;
    const std::string_view architecture = known != nullptr ? known->name : std::string_view();
    QString text;
    switch (column) {
    case Key:
        text = displayText(key.key);
        break;
    case Type:
        text = formatValueType(key.value.value());
        break;
    case KeyValue:
        text = beginning(namedValue(key.key, key.value.value(), architecture),
                         role == Qt::DisplayRole ? kCellCharacters : kToolTipCharacters);
        break;
    case From:
        text = key.from.empty() ? tr("constant") : displayText(key.from);
        break;
    default:
        break;
    }
    return role == Qt::ToolTipRole ? plainToolTip(text) : text.replace(u'\n', QChar(0x21B5));
}

QVariant PlanKeyModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return role == Qt::TextAlignmentRole ? QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter) : QVariant();
    }
    switch (section) {
    case Key:
        return tr("Key");
    case Type:
        return tr("Type");
    case KeyValue:
        return tr("Value");
    case From:
        return tr("From");
    default:
        return {};
    }
}

} // namespace gufo::ui

#include "moc_plan_key_model.cpp"
