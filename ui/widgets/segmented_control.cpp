#include "ui/widgets/segmented_control.h"

#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPainterPath>
#include <QToolButton>

namespace gufo::ui {
namespace {

constexpr int kHeight = 26;
constexpr int kIcon = 14;
constexpr int kPadding = 10;

class Segment : public QAbstractButton {
public:
    Segment(QWidget* parent, QString iconName)
        : QAbstractButton(parent)
        , m_iconName(std::move(iconName)) {
        setCheckable(true);
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
        connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    }

    [[nodiscard]] QSize sizeHint() const override {
        const int icon = m_iconName.isEmpty() ? 0 : kIcon + 6;
        return {fontMetrics().horizontalAdvance(text()) + icon + 2 * kPadding, kHeight};
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const Token fill = isChecked()                   ? Token::Selection
                           : underMouse() && isEnabled() ? Token::ButtonHover
                                                         : Token::Button;
        const bool leftmost = x() == 0;
        const bool rightmost = geometry().right() + 1 >= parentWidget()->width();
        // There is one outline around all segments: a segment's rounded rectangle extends past the edges that it
        // shares.
        const QRectF outline = QRectF(rect()).adjusted(leftmost ? 0.5 : -8.5, 0.5, rightmost ? -0.5 : 8.5, -0.5);
        painter.setPen(themeColor(Token::StrongLine));
        painter.setBrush(themeColor(fill));
        painter.drawRoundedRect(outline, 4, 4);
        if (!leftmost) {
            painter.drawLine(QPointF(0.5, 1), QPointF(0.5, height() - 1));
        }
        const Token ink = !isEnabled() ? Token::Faint : isChecked() ? Token::Accent : Token::Text;
        int x0 = (width() - (sizeHint().width() - 2 * kPadding)) / 2;
        if (!m_iconName.isEmpty()) {
            themeIcon(m_iconName, ink).paint(&painter, x0, (height() - kIcon) / 2, kIcon, kIcon);
            x0 += kIcon + 6;
        }
        painter.setPen(themeColor(ink));
        painter.drawText(QRect(x0, 0, width() - x0, height()), Qt::AlignVCenter | Qt::TextShowMnemonic, text());
        if (hasFocus()) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(themeColor(Token::Accent));
            painter.drawRoundedRect(QRectF(rect()).adjusted(2.5, 2.5, -2.5, -2.5), 2, 2);
        }
    }

private:
    QString m_iconName;
};

} // namespace

SegmentedControl::SegmentedControl(const QString& accessibleName, QWidget* parent)
    : QWidget(parent) {
    setAccessibleName(accessibleName);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&m_group, &QButtonGroup::idClicked, this, &SegmentedControl::chosen);
}

void SegmentedControl::addSegment(const QString& text, const QString& iconName, const QString& toolTip) {
    auto* segment = new Segment(this, iconName);
    segment->setText(text);
    segment->setToolTip(toolTip);
    segment->setAccessibleName(text);
    const int id = static_cast<int>(m_group.buttons().size());
    segment->setChecked(id == 0);
    m_group.addButton(segment, id);
    layout()->addWidget(segment);
}

void SegmentedControl::setCurrent(int index) {
    if (QAbstractButton* button = m_group.button(index)) {
        button->setChecked(true);
    }
}

} // namespace gufo::ui

#include "moc_segmented_control.cpp"
