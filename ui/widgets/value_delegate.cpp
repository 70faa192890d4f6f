#include "ui/widgets/value_delegate.h"

#include "ui/theme/theme.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QPersistentModelIndex>

namespace gufo::ui {
namespace {

constexpr int kValuePadding = 8;
constexpr int kValueGap = 8;
constexpr int kBarWidth = 3;
constexpr char kFilled[] = "gufoFilled"; // keeps updates of the model from overwriting typed text

} // namespace

void paintChangeBar(QPainter& painter, const QRect& row, bool added) {
    painter.fillRect(QRect(row.left(), row.top(), kBarWidth, row.height()),
                     themeColor(added ? Token::Good : Token::Accent));
}

void ValueDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    if (index.column() == 0 && index.data(kChangedRole).toBool() &&
        qobject_cast<const QAbstractItemView*>(option.widget) != nullptr && !option.widget->inherits("QTreeView")) {
        paintChangeBar(*painter, option.rect, index.data(kAddedRole).toBool());
    }
    QStyleOptionViewItem styled = option;
    initStyleOption(&styled, index);
    const int left = option.rect.left() + kValuePadding + styled.fontMetrics.horizontalAdvance(styled.text) + kValueGap;
    const int end = paintBeside(*painter, option, index, left);
    const QString before = index.data(kBeforeTextRole).toString();
    if (before.isEmpty() || end >= option.rect.right() - 3 * kValuePadding) {
        return;
    }
    painter->save();
    QFont font = themeFont(TextStyle::Mono);
    font.setStrikeOut(true);
    painter->setFont(font);
    painter->setPen(themeColor(Token::Muted));
    const QRect area(end, option.rect.top(), option.rect.right() - end - kValuePadding / 2, option.rect.height());
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                      QFontMetrics(font).elidedText(before, Qt::ElideRight, area.width()));
    painter->restore();
}

int ValueDelegate::paintBeside(QPainter&, const QStyleOptionViewItem&, const QModelIndex&, int left) const {
    return left;
}

QWidget* ValueDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const {
    const QVariant subject = index.data(kValueSubjectRole);
    if (!subject.isValid()) {
        return nullptr;
    }
    auto* editor = new ValueEditor(subject.value<ValueSubject>(), parent);
    follow(editor, editor->field(), &ValueEditor::changed, index);
    connect(editor, &ValueEditor::pickRequested, this, [this, editor, index = QPersistentModelIndex(index)] {
        cancel(editor);
        emit pickRequested(index);
    });
    return editor;
}

void ValueDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    if (editor->property(kFilled).toBool()) {
        return;
    }
    editor->setProperty(kFilled, true);
    auto* field = static_cast<ValueEditor*>(editor);
    field->setValue(index.data(Qt::EditRole).value<OwnedValue>().value());
    field->selectAll();
}

void ValueDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
    if (const auto value = static_cast<ValueEditor*>(editor)->value()) {
        setRefused(editor, !model->setData(index, QVariant::fromValue(*value), Qt::EditRole));
    }
}

void ValueDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                         const QModelIndex& index) const {
    Q_UNUSED(index);
    editor->setGeometry(option.rect);
}

bool ValueDelegate::isChanged(const QWidget& editor) const {
    return static_cast<const ValueEditor&>(editor).isChanged();
}

QString ValueDelegate::problem(const QWidget& editor, const QModelIndex& index) const {
    Q_UNUSED(index);
    const auto value = static_cast<const ValueEditor&>(editor).value();
    return value ? QString() : value.error();
}

QAbstractItemView* ValueDelegate::completions(const QWidget& editor) const {
    return static_cast<const ValueEditor&>(editor).completions();
}

void ValueDelegate::hidePopups(QWidget& editor) const { static_cast<ValueEditor&>(editor).hidePopups(); }

bool ValueDelegate::handleKey(QWidget& editor, int key) {
    auto& field = static_cast<ValueEditor&>(editor);
    if (key != Qt::Key_F4 || !field.subject().namesToken) {
        return false;
    }
    emit field.pickRequested();
    return true;
}

} // namespace gufo::ui

#include "moc_value_delegate.cpp"
