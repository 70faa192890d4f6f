#include "ui/saving/review_model.h"

#include "tensor/tensor_type.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/save_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <algorithm>

namespace gufo::ui {
namespace {

QString tensorText(const Model& model, std::string_view name) {
    const auto index = model.findTensor(name);
    if (!index) {
        return {};
    }
    const TensorInfo& tensor = model.tensor(*index);
    return QStringLiteral("%1 %2").arg(QString::fromStdString(tensor.typeName()), formatShape(tensor.shape));
}

QString orderText(ByteOrder order) {
    return order == ByteOrder::Little ? ReviewModel::tr("little-endian") : ReviewModel::tr("big-endian");
}

} // namespace

void ReviewModel::setState(State state) {
    beginResetModel();
    m_state = std::move(state);
    endResetModel();
}

ReviewModel::State ReviewModel::stateOf(const Document& document) {
    return {.base = document.base(),
            .current = document.current(),
            .target = document.target(),
            .rows = document.differences()};
}

const Difference* ReviewModel::difference(int row) const {
    return row >= 0 && row < rowCount() ? &m_state.rows[static_cast<std::size_t>(row)] : nullptr;
}

int ReviewModel::rowOf(const Difference& difference) const {
    const auto it = std::ranges::find_if(m_state.rows, [&](const Difference& other) {
        return other.subject == difference.subject && other.name == difference.name &&
               other.occurrence == difference.occurrence;
    });
    return it == m_state.rows.end() ? -1 : static_cast<int>(it - m_state.rows.begin());
}

int ReviewModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_state.rows.size());
}

int ReviewModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString ReviewModel::before(int row) const {
    const Difference& difference = m_state.rows[static_cast<std::size_t>(row)];
    switch (difference.subject) {
    case Difference::Subject::Key:
        return difference.before
                   ? valueInLine(difference.oldName, *difference.before, m_state.base->metadata.architecture())
                   : QString();
    case Difference::Subject::Tensor:
        return difference.added ? QString() : tensorText(*m_state.base, difference.oldName);
    case Difference::Subject::Target:
        return difference.name == "version"      ? QString::number(m_state.base->version)
               : difference.name == "byte_order" ? orderText(m_state.base->byteOrder)
                                                 : tr("kept");
    }
    return {};
}

QString ReviewModel::after(int row) const {
    const Difference& difference = m_state.rows[static_cast<std::size_t>(row)];
    switch (difference.subject) {
    case Difference::Subject::Key: {
        const QString array = arrayChangeText(difference);
        return !array.isEmpty() ? array
               : difference.after
                   ? valueInLine(difference.name, *difference.after, m_state.current->metadata.architecture())
                   : QString();
    }
    case Difference::Subject::Tensor:
        return difference.deleted ? QString() : tensorText(*m_state.current, difference.name);
    case Difference::Subject::Target:
        return difference.name == "version"      ? QString::number(m_state.target.version)
               : difference.name == "byte_order" ? orderText(m_state.target.byteOrder)
                                                 : tr("left out");
    }
    return {};
}

QVariant ReviewModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Difference& difference = m_state.rows[static_cast<std::size_t>(index.row())];
    const auto text = [&]() -> QString {
        switch (index.column()) {
        case KindColumn:
            return differenceKind(difference);
        case NameColumn:
            return differenceName(difference);
        case BeforeColumn:
            return before(index.row());
        case AfterColumn:
            return after(index.row());
        default:
            return {};
        }
    };
    switch (role) {
    case Qt::DisplayRole:
        return text();
    case Qt::ToolTipRole:
        return index.column() == RevertColumn ? tr("Revert this change") : plainToolTip(text());
    case Qt::AccessibleTextRole:
        return index.column() == RevertColumn ? tr("Revert this change") : text();
    case Qt::FontRole:
        return themeFont(index.column() == KindColumn ? TextStyle::Table : TextStyle::Mono);
    case Qt::ForegroundRole:
        if (index.column() == KindColumn) {
            return themeColor(difference.added ? Token::Good : difference.deleted ? Token::ErrorText : Token::Accent);
        }
        return index.column() == BeforeColumn ? QVariant(themeColor(Token::Muted)) : QVariant();
    case Qt::DecorationRole:
        return index.column() == RevertColumn ? QVariant(themeIcon(QStringLiteral("undo"), Token::Accent)) : QVariant();
    default:
        return {};
    }
}

QVariant ReviewModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case KindColumn:
        return tr("Change");
    case NameColumn:
        return tr("Key or tensor");
    case BeforeColumn:
        return tr("In the file");
    case AfterColumn:
        return tr("Now");
    default:
        return {};
    }
}

} // namespace gufo::ui

#include "moc_review_model.cpp"
