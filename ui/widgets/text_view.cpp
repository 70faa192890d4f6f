#include "ui/widgets/text_view.h"

#include "base/utf8.h"
#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QTextBlock>

namespace gufo::ui {

class TextView::Numbers : public QWidget {
public:
    explicit Numbers(TextView* view)
        : QWidget(view)
        , m_view(view) {}

protected:
    void paintEvent(QPaintEvent* event) override { m_view->paintNumbers(event); }

private:
    TextView* m_view;
};

namespace {

constexpr auto kReading = Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard;
constexpr std::size_t kMaxLine = 2000; // bytes; longer lines are broken, because Qt lays out a line as a whole

} // namespace

TextView::TextView(QWidget* parent)
    : QPlainTextEdit(parent)
    , m_numbers(new Numbers(this)) {
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setTextInteractionFlags(kReading);
    setLineWrapMode(WidgetWidth);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    connect(this, &QPlainTextEdit::blockCountChanged, this, &TextView::placeNumbers);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
        if (dy != 0) {
            m_numbers->scroll(0, dy);
        } else {
            m_numbers->update(0, rect.y(), m_numbers->width(), rect.height());
        }
    });
    connect(&Theme::instance(), &Theme::changed, this, &TextView::restyle);
    restyle();
}

std::size_t TextView::setBytes(std::string_view bytes) {
    const std::string_view shown = bytes.substr(0, kMaxBytes);
    QStringList lines;
    std::size_t start = 0;
    while (start <= shown.size()) {
        const std::size_t end = std::min(shown.find('\n', start), shown.size());
        std::string_view line = shown.substr(start, end - start);
        while (line.size() > kMaxLine) {
            const std::size_t cut = cutBetweenCharacters(line, kMaxLine);
            lines << displayText(line.substr(0, cut));
            line.remove_prefix(cut);
        }
        lines << displayText(line);
        start = end + 1;
    }
    setReadOnly(true);
    setTextInteractionFlags(kReading);
    setPlainText(lines.join(u'\n'));
    return shown.size();
}

void TextView::setEditable(const QString& text) {
    setPlainText(text);
    setReadOnly(false);
}

void TextView::restyle() {
    setFont(themeFont(TextStyle::Mono));
    setTabStopDistance(4 * fontMetrics().horizontalAdvance(u' '));
    placeNumbers();
    m_numbers->update();
}

int TextView::numbersWidth() const {
    const int digits = static_cast<int>(QString::number(std::max(1, blockCount())).size());
    return 16 + fontMetrics().horizontalAdvance(u'0') * std::max(2, digits);
}

void TextView::placeNumbers() {
    setViewportMargins(numbersWidth(), 0, 0, 0);
    const QRect contents = contentsRect();
    m_numbers->setGeometry(contents.left(), contents.top(), numbersWidth(), contents.height());
}

void TextView::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    placeNumbers();
}

void TextView::paintNumbers(QPaintEvent* event) {
    QPainter painter(m_numbers);
    painter.fillRect(event->rect(), themeColor(Token::Base));
    painter.setFont(font());
    painter.setPen(themeColor(Token::Faint));
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
        if (place.top() > event->rect().bottom()) {
            break;
        }
        painter.drawText(QRectF(0, place.top(), m_numbers->width() - 8, fontMetrics().height()), Qt::AlignRight,
                         QString::number(block.blockNumber() + 1));
    }
}

} // namespace gufo::ui

#include "moc_text_view.cpp"
