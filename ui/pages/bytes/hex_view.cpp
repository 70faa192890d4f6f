#include "ui/pages/bytes/hex_view.h"

#include "ui/messages/field_text.h"
#include "ui/theme/accessibility.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kMargin = 12;
constexpr int kOffsetDigits = 11;
constexpr int kWide = 16; // bytes in a row
constexpr int kNarrow = 8;
constexpr int kRowPadding = 5;
constexpr int kWheelRows = 3;
constexpr int kWheelStep = 120;
constexpr std::uint64_t kBarSteps = 1'000'000'000; // of a file with more rows

QString hexDigits(std::uint64_t value, int digits) {
    return QString::number(value, 16).toUpper().rightJustified(digits, u'0');
}

QChar textOf(std::byte byte) {
    const auto code = std::to_integer<unsigned char>(byte);
    return code >= 0x20 && code < 0x7F ? QChar(code) : QChar(u'·');
}

FieldColor colorOfRole(FieldRole role) {
    switch (role) {
    case FieldRole::Key:
    case FieldRole::Name:
        return FieldColor::Name;
    case FieldRole::StoredValue:
    case FieldRole::Element:
    case FieldRole::JsonMember:
    case FieldRole::Hyperparameter:
    case FieldRole::TokenText:
    case FieldRole::TokenScore:
    case FieldRole::Weight:
        return FieldColor::Value;
    case FieldRole::DimensionCount:
    case FieldRole::Dimension:
    case FieldRole::Stride:
    case FieldRole::FirstElement:
    case FieldRole::WeightCount:
    case FieldRole::TensorType:
    case FieldRole::TensorOffset:
    case FieldRole::TensorRecord:
        return FieldColor::Record;
    case FieldRole::RowHeader:
    case FieldRole::BlockNumber:
        return FieldColor::Scale;
    case FieldRole::BlockBits:
    case FieldRole::TensorData:
        return FieldColor::Codes;
    case FieldRole::Opcode:
    case FieldRole::Message:
    case FieldRole::ArchiveEntry:
        return FieldColor::Program;
    case FieldRole::Padding:
    case FieldRole::Unknown:
        return FieldColor::Padding;
    case FieldRole::Damage:
        return FieldColor::Damage;
    default:
        return FieldColor::Structure;
    }
}

} // namespace

FieldColor fieldColorOf(const ByteField& field, std::uint64_t fileBytes) {
    const FieldColor color = colorOfRole(field.role);
    const bool isData = color == FieldColor::Codes || color == FieldColor::Scale || field.role == FieldRole::Weight;
    const bool isCut = field.range.offset + field.range.length == fileBytes;
    return field.damage != nullptr && (!isData || isCut) ? FieldColor::Damage : color;
}

QColor fieldFill(FieldColor color) {
    const auto tinted = [](QColor tint) {
        tint.setAlphaF(Theme::instance().isDark() ? 0.30F : 0.20F);
        return tint;
    };
    switch (color) {
    case FieldColor::Structure:
        return themeColor(Token::Line);
    case FieldColor::Name:
        return tinted(seriesColor(0));
    case FieldColor::Value:
        return tinted(seriesColor(2));
    case FieldColor::Record:
        return tinted(seriesColor(3));
    case FieldColor::Scale:
        return tinted(seriesColor(1));
    case FieldColor::Codes:
        return tinted(themeColor(Token::Accent));
    case FieldColor::Program:
        return tinted(themeColor(Token::Good));
    case FieldColor::Padding:
        return themeColor(Token::Base);
    case FieldColor::Damage:
        return themeColor(Token::ErrorFill);
    }
    return {};
}

HexView::HexView(ByteWindow* window, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_window(window) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setSpokenRole(this, QAccessible::Document);
    setAccessibleName(tr("Bytes"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setAutoFillBackground(true);
    viewport()->setCursor(Qt::IBeamCursor);
    m_metrics = metrics(m_perRow);
    connect(m_window, &ByteWindow::changed, this, [this] {
        viewport()->update();
        emit cursorMoved(); // its field may be known now
    });
    connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

HexView::Metrics HexView::metrics(int perRow) const {
    const QFontMetrics font(themeFont(TextStyle::Mono));
    Metrics result;
    result.character = font.horizontalAdvance(u'0');
    result.row = font.height() + kRowPadding;
    result.hex = kMargin + (kOffsetDigits + 2) * result.character;
    const int groups = perRow / 8;
    result.text = result.hex + (3 * perRow + groups) * result.character;
    result.width = result.text + (perRow + 1) * result.character + kMargin;
    return result;
}

QSize HexView::minimumSizeHint() const {
    return {metrics(kNarrow).width + verticalScrollBar()->sizeHint().width(), 120};
}

// ---- positions

std::uint64_t HexView::rows() const {
    const auto perRow = static_cast<std::uint64_t>(m_perRow);
    return m_window->size() / perRow + (m_window->size() % perRow != 0 ? 1 : 0);
}

int HexView::visibleRows() const { return std::max(1, viewport()->height() / m_metrics.row); }

std::uint64_t HexView::lastTop() const {
    const auto visible = static_cast<std::uint64_t>(visibleRows());
    return rows() > visible ? rows() - visible : 0;
}

ByteRange HexView::shown() const {
    const std::uint64_t begin = m_top * static_cast<std::uint64_t>(m_perRow);
    const auto length = static_cast<std::uint64_t>((visibleRows() + 1) * m_perRow);
    return {begin, std::min(length, m_window->size() - std::min(begin, m_window->size()))};
}

ByteRange HexView::selection() const {
    if (m_window->size() == 0) {
        return {};
    }
    return {std::min(m_cursor, m_anchor), std::max(m_cursor, m_anchor) - std::min(m_cursor, m_anchor) + 1};
}

QRect HexView::rectOf(std::uint64_t offset) const {
    const auto perRow = static_cast<std::uint64_t>(m_perRow);
    const auto row = static_cast<qint64>(offset / perRow) - static_cast<qint64>(m_top);
    const int column = static_cast<int>(offset % perRow);
    if (row < -1 || row > visibleRows() + 1) {
        return {};
    }
    const int x = m_metrics.hex + (3 * column + column / 8) * m_metrics.character;
    return {x, static_cast<int>(row) * m_metrics.row + kRowPadding, 2 * m_metrics.character, m_metrics.row};
}

std::optional<std::uint64_t> HexView::offsetAt(QPoint point) const {
    if (m_window->size() == 0) {
        return std::nullopt;
    }
    const int row = std::max(0, point.y() - kRowPadding) / m_metrics.row;
    int column = 0;
    if (point.x() >= m_metrics.text - m_metrics.character / 2) {
        column = (point.x() - m_metrics.text) / m_metrics.character;
    } else {
        const int character = std::max(0, point.x() - m_metrics.hex + m_metrics.character / 2) / m_metrics.character;
        const int group = character / 25; // eight bytes and the gap after them
        column = group * 8 + std::min(7, (character - group * 25) / 3);
    }
    const std::uint64_t offset = (m_top + static_cast<std::uint64_t>(row)) * static_cast<std::uint64_t>(m_perRow) +
                                 static_cast<std::uint64_t>(std::clamp(column, 0, m_perRow - 1));
    return std::min(offset, m_window->size() - 1);
}

// ---- scrolling

void HexView::updateScrollBar() {
    m_settingBar = true;
    const std::uint64_t last = lastTop();
    QScrollBar* bar = verticalScrollBar();
    const std::uint64_t steps = std::min(last, kBarSteps);
    bar->setRange(0, static_cast<int>(steps));
    bar->setPageStep(visibleRows());
    const double place = last != 0 ? static_cast<double>(m_top) / static_cast<double>(last) : 0;
    const auto value = steps == last ? m_top : static_cast<std::uint64_t>(place * static_cast<double>(steps));
    bar->setValue(static_cast<int>(value));
    m_settingBar = false;
}

// The user has moved the scroll bar.
void HexView::scrollContentsBy(int, int) {
    if (m_settingBar) {
        return;
    }
    const std::uint64_t last = lastTop();
    const QScrollBar* bar = verticalScrollBar();
    const auto value = static_cast<std::uint64_t>(bar->value());
    const auto steps = static_cast<std::uint64_t>(std::max(bar->maximum(), 1));
    // value × last / steps, without an overflow: the steps are at most as many as kBarSteps.
    m_top = std::min(last, value * (last / steps) + value * (last % steps) / steps);
    ask();
    viewport()->update();
    emit scrolled();
}

void HexView::setTop(std::uint64_t row) {
    m_top = std::min(row, lastTop());
    updateScrollBar();
    ask();
    viewport()->update();
    emit scrolled();
}

void HexView::ask() { m_window->request(shown()); }

void HexView::wheelEvent(QWheelEvent* event) {
    m_wheel += event->angleDelta().y();
    const int steps = m_wheel / (kWheelStep / kWheelRows);
    m_wheel -= steps * (kWheelStep / kWheelRows);
    const auto by = static_cast<std::uint64_t>(std::abs(steps));
    setTop(steps > 0 ? m_top - std::min(m_top, by) : m_top + by);
    event->accept();
}

void HexView::resizeEvent(QResizeEvent*) {
    const std::uint64_t first = m_top * static_cast<std::uint64_t>(m_perRow);
    m_perRow = metrics(kWide).width <= viewport()->width() ? kWide : kNarrow;
    m_metrics = metrics(m_perRow);
    setTop(first / static_cast<std::uint64_t>(m_perRow));
}

void HexView::reset() {
    m_cursor = 0;
    m_anchor = 0;
    setTop(0);
    emit cursorMoved();
}

void HexView::showCursor() {
    const std::uint64_t row = m_cursor / static_cast<std::uint64_t>(m_perRow);
    const auto visible = static_cast<std::uint64_t>(visibleRows());
    if (row < m_top) {
        setTop(row);
    } else if (row >= m_top + visible) {
        setTop(row - visible + 1);
    } else {
        viewport()->update();
    }
}

void HexView::moveTo(std::uint64_t offset, bool selects) {
    if (m_window->size() == 0) {
        return;
    }
    m_cursor = std::min(offset, m_window->size() - 1);
    m_anchor = selects ? m_anchor : m_cursor;
    showCursor();
    setAccessibleDescription(tipAt(m_cursor));
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
    emit cursorMoved();
}

void HexView::goTo(std::uint64_t offset) { select({offset, 1}); }

void HexView::select(ByteRange range) {
    const std::uint64_t size = m_window->size();
    if (size == 0) {
        return;
    }
    // What is far away is shown in the upper part, so that what follows can be seen.
    const std::uint64_t row = std::min(range.offset, size - 1) / static_cast<std::uint64_t>(m_perRow);
    if (row < m_top || row >= m_top + static_cast<std::uint64_t>(visibleRows())) {
        setTop(row - std::min<std::uint64_t>(row, 3));
    }
    moveTo(range.offset, false);
    if (range.length > 1) {
        m_anchor = std::min(range.offset + range.length - 1, size - 1);
        viewport()->update();
    }
}

// ---- painting

void HexView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.setFont(themeFont(TextStyle::Mono));
    const QFontMetrics font(painter.font());
    const std::uint64_t size = m_window->size();
    const auto perRow = static_cast<std::uint64_t>(m_perRow);
    const ByteRange chosen = selection();
    const ByteField* current = m_window->fieldAt(m_cursor);
    for (int row = 0; row <= visibleRows(); ++row) {
        const std::uint64_t begin = (m_top + static_cast<std::uint64_t>(row)) * perRow;
        if (begin >= size) {
            break;
        }
        const int y = row * m_metrics.row + kRowPadding;
        const int baseline = y + kRowPadding / 2 + font.ascent();
        painter.setPen(themeColor(Token::Muted));
        painter.drawText(kMargin, baseline, hexDigits(begin, kOffsetDigits));
        for (int column = 0; column < m_perRow; ++column) {
            const std::uint64_t offset = begin + static_cast<std::uint64_t>(column);
            if (offset >= size) {
                break;
            }
            const QRect digits = rectOf(offset);
            const QRect letter(m_metrics.text + column * m_metrics.character, y, m_metrics.character, m_metrics.row);
            const auto byte = m_window->byteAt(offset);
            const ByteField* field = m_window->fieldAt(offset);
            const bool isChosen = offset >= chosen.offset && offset - chosen.offset < chosen.length;
            if (field != nullptr) {
                const bool begins = field->range.offset == offset;
                const bool ends = field->range.offset + field->range.length == offset + 1;
                const bool joins = !ends && column % 8 != 7 && column + 1 < m_perRow;
                const QColor fill = fieldFill(fieldColorOf(*field, size));
                const QRect back(digits.left() - (begins ? 2 : 3), y,
                                 digits.width() + (begins ? 2 : 3) + (joins ? m_metrics.character - 3 : 2),
                                 m_metrics.row - 1);
                painter.fillRect(back, fill);
                painter.fillRect(letter.adjusted(0, 0, 0, -1), fill);
                if (field == current) {
                    painter.fillRect(back.left(), y + m_metrics.row - 3, back.width(), 2, themeColor(Token::Accent));
                }
                if (begins) { // fields of one colour stay apart
                    painter.fillRect(back.left(), y, 1, m_metrics.row - 1, themeColor(Token::StrongLine));
                }
            }
            if (isChosen) {
                painter.fillRect(digits.adjusted(-2, 0, 2, -1), themeColor(Token::Accent));
                painter.fillRect(letter.adjusted(0, 0, 0, -1), themeColor(Token::Accent));
            }
            painter.setPen(themeColor(isChosen ? Token::OnAccent : byte ? Token::Text : Token::Faint));
            painter.drawText(digits.left(), baseline,
                             byte ? hexDigits(std::to_integer<unsigned>(*byte), 2) : QStringLiteral("··"));
            painter.drawText(letter.left(), baseline, byte ? QString(textOf(*byte)) : QString(u' '));
        }
    }
    if (hasFocus() && size != 0) {
        painter.setPen(themeColor(Token::Text));
        painter.drawRect(rectOf(m_cursor).adjusted(-3, 0, 2, -1));
    }
}

QString HexView::dump(ByteRange range) const {
    QStringList lines;
    const auto perRow = static_cast<std::uint64_t>(m_perRow);
    // What has not been read is not there, however much is selected.
    const ByteRange here = m_window->range();
    const std::uint64_t end = std::min(range.offset + range.length, here.offset + here.length);
    range.offset = std::max(range.offset, here.offset);
    for (std::uint64_t row = range.offset / perRow * perRow; row < end; row += perRow) {
        QString digits;
        QString text;
        bool any = false;
        for (std::uint64_t offset = row; offset < row + perRow; ++offset) {
            const auto byte = offset >= range.offset && offset < end ? m_window->byteAt(offset) : std::nullopt;
            any = any || byte;
            digits += byte ? hexDigits(std::to_integer<unsigned>(*byte), 2).toLower() + u' ' : QStringLiteral("   ");
            text += byte ? textOf(*byte) : QChar(u' ');
        }
        if (any) {
            lines << QStringLiteral("%1  %2 %3").arg(hexDigits(row, kOffsetDigits).toLower(), digits, text.trimmed());
        }
    }
    return lines.join(u'\n') + u'\n';
}

// ---- events

// The digits are copied, instead of the page as text, which the menu of the window does.
bool HexView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        event->accept();
        return true;
    }
    return QAbstractScrollArea::event(event);
}

void HexView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        emit copyWanted();
        return;
    }
    const std::uint64_t size = m_window->size();
    if (size == 0) {
        return QAbstractScrollArea::keyPressEvent(event);
    }
    const bool selects = (event->modifiers() & Qt::ShiftModifier) != 0;
    const bool control = (event->modifiers() & Qt::ControlModifier) != 0;
    const auto perRow = static_cast<std::uint64_t>(m_perRow);
    const std::uint64_t page = static_cast<std::uint64_t>(visibleRows()) * perRow;
    const auto back = [&](std::uint64_t by) { return m_cursor - std::min(m_cursor, by); };
    const auto forth = [&](std::uint64_t by) { return std::min(size - 1, m_cursor + by); };
    const ByteField* field = m_window->fieldAt(m_cursor);
    switch (event->key()) {
    case Qt::Key_Left:
        if (control && field != nullptr) { // to the start of this field, or of the one before
            const ByteField* before =
                m_cursor == field->range.offset && m_cursor != 0 ? m_window->fieldAt(m_cursor - 1) : field;
            return moveTo(before != nullptr ? before->range.offset : back(1), selects);
        }
        return moveTo(back(1), selects);
    case Qt::Key_Right:
        if (control && field != nullptr) {
            return moveTo(std::min(size - 1, field->range.offset + field->range.length), selects);
        }
        return moveTo(forth(1), selects);
    case Qt::Key_Up:
        return moveTo(m_cursor >= perRow ? m_cursor - perRow : m_cursor, selects);
    case Qt::Key_Down:
        return moveTo(m_cursor + perRow < size ? m_cursor + perRow : m_cursor, selects);
    case Qt::Key_PageUp:
        return moveTo(back(page), selects);
    case Qt::Key_PageDown:
        return moveTo(forth(page), selects);
    case Qt::Key_Home:
        return moveTo(control ? 0 : m_cursor / perRow * perRow, selects);
    case Qt::Key_End:
        return moveTo(control ? size - 1 : std::min(size - 1, m_cursor / perRow * perRow + perRow - 1), selects);
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void HexView::mousePressEvent(QMouseEvent* event) {
    if (const auto offset = offsetAt(event->position().toPoint()); offset && event->button() == Qt::LeftButton) {
        moveTo(*offset, (event->modifiers() & Qt::ShiftModifier) != 0);
    }
}

void HexView::mouseMoveEvent(QMouseEvent* event) {
    if ((event->buttons() & Qt::LeftButton) != 0) {
        if (const auto offset = offsetAt(event->position().toPoint())) {
            moveTo(*offset, true);
        }
    }
}

void HexView::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto offset = offsetAt(event->position().toPoint());
    if (const ByteField* field = offset ? m_window->fieldAt(*offset) : nullptr) {
        const ByteRange range = field->range;
        m_cursor = range.offset;
        m_anchor = std::min(range.offset + range.length, m_window->size()) - 1;
        viewport()->update();
        emit cursorMoved();
    }
}

QString HexView::tipAt(std::uint64_t offset) const {
    const ByteField* field = m_window->fieldAt(offset);
    QString text = QStringLiteral("0x%1").arg(hexDigits(offset, 1));
    if (field != nullptr) {
        text += QStringLiteral("\n") + fieldText(*field);
        if (const QString value = fieldValueText(*field); !value.isEmpty()) {
            text += QStringLiteral("\n") + value;
        }
    }
    return text;
}

bool HexView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto offset = offsetAt(help->pos())) {
            QToolTip::showText(help->globalPos(), plainToolTip(tipAt(*offset)), viewport(), rectOf(*offset));
        }
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace gufo::ui

#include "moc_hex_view.cpp"
