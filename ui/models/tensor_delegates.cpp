#include "ui/models/tensor_delegates.h"

#include "ui/theme/theme.h"
#include "ui/widgets/value_delegate.h"

#include <QLineEdit>
#include <QPainter>

namespace gufo::ui {
namespace {

constexpr int kSquare = 8;
constexpr int kPadding = 7;
constexpr int kTypeGap = 6;
constexpr int kBarsHeight = 16;
constexpr double kCurvePitch = 3;
constexpr double kCurvePen = 0.8; // so that a curve without width is visible

void paintBars(QPainter& painter, const QRect& area, const QByteArray& bars, Token token) {
    const int pitch = std::max(2, std::min(3, area.width() / static_cast<int>(bars.size())));
    const int left = area.left() + std::max(0, (area.width() - pitch * static_cast<int>(bars.size())) / 2);
    const int bottom = area.center().y() + kBarsHeight / 2;
    for (qsizetype i = 0; i < bars.size(); ++i) {
        const int height =
            static_cast<quint8>(bars[i]) == 0 ? 0 : std::max(1, static_cast<quint8>(bars[i]) * kBarsHeight / 255);
        painter.fillRect(left + pitch * static_cast<int>(i), bottom - height, pitch - 1, height, themeColor(token));
    }
}

// A band from the lowest to the highest value of each part.
void paintCurve(QPainter& painter, const QRect& area, const QByteArray& curve, Token token) {
    const qsizetype parts = curve.size() / 2;
    const double pitch = std::min(kCurvePitch, static_cast<double>(area.width()) / static_cast<double>(parts));
    const double left = area.left() + std::max(0.0, (area.width() - pitch * static_cast<double>(parts)) / 2);
    const double bottom = area.center().y() + kBarsHeight / 2;
    const auto y = [&](qsizetype i) { return bottom - static_cast<quint8>(curve[i]) * (kBarsHeight - 1) / 255.0; };
    QPolygonF band;
    for (qsizetype i = 0; i < parts; ++i) {
        band << QPointF(left + pitch * (static_cast<double>(i) + 0.5), y(2 * i + 1));
    }
    for (qsizetype i = parts; i-- > 0;) {
        band << QPointF(left + pitch * (static_cast<double>(i) + 0.5), y(2 * i));
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(themeColor(token), kCurvePen));
    painter.setBrush(themeColor(token));
    painter.drawPolygon(band);
    painter.restore();
}

} // namespace

void TensorCellDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.data(kTypeIdRole).isValid()) {
        option->text.clear(); // painted separately, beside the colour square
    }
}

void TensorCellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    if (index.column() == 0 && index.data(kChangedRole).toBool()) {
        paintChangeBar(*painter, QRect(0, option.rect.top(), option.rect.right(), option.rect.height()),
                       index.data(kAddedRole).toBool());
    }
    if (const QVariant type = index.data(kTypeIdRole); type.isValid()) {
        const QRect square(option.rect.left() + kPadding, option.rect.center().y() - kSquare / 2 + 1, kSquare, kSquare);
        painter->fillRect(square, tensorTypeColor(type.toUInt()));
        painter->setFont(option.font);
        painter->setPen(themeColor(Token::Text));
        painter->drawText(option.rect.adjusted(kPadding + kSquare + kTypeGap, 0, 0, 0),
                          Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
    }
    const QByteArray bars = index.data(kBarsRole).toByteArray();
    if (!bars.isEmpty()) {
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        paintBars(*painter, option.rect.adjusted(kPadding, 0, -kPadding, 0), bars,
                  selected ? Token::Accent : Token::Faint);
    }
    if (const QByteArray curve = index.data(kCurveRole).toByteArray(); !curve.isEmpty()) {
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        paintCurve(*painter, option.rect.adjusted(kPadding, 0, -kPadding, 0), curve,
                   selected ? Token::Accent : Token::Faint);
    }
    if (index.data(kGroupStartRole).toBool()) {
        painter->setPen(themeColor(Token::Line));
        painter->drawLine(option.rect.topLeft(), option.rect.topRight());
    }
}

QSize TensorCellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return {QStyledItemDelegate::sizeHint(option, index).width(), kTensorRowHeight};
}

QWidget* TensorCellDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                          const QModelIndex& index) const {
    auto* line = qobject_cast<QLineEdit*>(CellDelegate::createEditor(parent, option, index));
    if (line != nullptr) {
        follow(line, line, &QLineEdit::textChanged, index);
    }
    return line;
}

void TensorCellDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    if (!isChanged(*editor)) { // updates of the model must not overwrite typed text
        CellDelegate::setEditorData(editor, index);
    }
}

void TensorCellDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
    setRefused(editor, !model->setData(index, static_cast<QLineEdit*>(editor)->text(), Qt::EditRole));
}

bool TensorCellDelegate::isChanged(const QWidget& editor) const {
    return static_cast<const QLineEdit&>(editor).isModified();
}

QString TensorCellDelegate::problem(const QWidget& editor, const QModelIndex& index) const {
    return m_nameCheck ? m_nameCheck(index, static_cast<const QLineEdit&>(editor).text()) : QString();
}

} // namespace gufo::ui

#include "moc_tensor_delegates.cpp"
