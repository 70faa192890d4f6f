#include "ui/widgets/growing_edit.h"

#include "ui/messages/problem_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/text_color.h"

#include <QPainter>
#include <QTextBlock>

#include <algorithm>

namespace gufo::ui {

namespace {

constexpr int kMaxLines = 7;

} // namespace

GrowingEdit::GrowingEdit(QWidget* parent)
    : QPlainTextEdit(parent) {
    setTabChangesFocus(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        const bool isFull = document()->size().height() > kMaxLines; // in lines
        setVerticalScrollBarPolicy(isFull ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
        updateGeometry();
    });
}

void GrowingEdit::setPlaceholderText(const QString& text) {
    if (text != placeholderText()) {
        QPlainTextEdit::setPlaceholderText(text);
        updateGeometry();
        viewport()->update();
    }
}

QSize GrowingEdit::sizeHint() const {
    int lines = 0;
    for (QTextBlock block = document()->begin(); block.isValid() && lines < kMaxLines; block = block.next()) {
        lines += std::max(1, block.layout()->lineCount());
    }
    const int padding = static_cast<int>(2 * document()->documentMargin());
    int height = std::min(lines, kMaxLines) * fontMetrics().lineSpacing();
    if (document()->isEmpty()) {
        const QRect area(0, 0, std::max(1, viewport()->width() - padding), kMaxLines * fontMetrics().lineSpacing());
        const QRect hint = fontMetrics().boundingRect(area, Qt::TextWordWrap, placeholderText());
        height = std::clamp(hint.height(), height, area.height());
    }
    return {240, std::max(height + 2 + padding + 2 * frameWidth(), 28)};
}

void GrowingEdit::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    if (event->oldSize().width() != event->size().width()) {
        updateGeometry();
    }
}

void GrowingEdit::setProblem(const QString& problem) {
    m_problem = problem;
    setToolTip(problem.isEmpty() ? QString() : plainToolTip(problem));
    viewport()->update();
}

void GrowingEdit::paintEvent(QPaintEvent* event) {
    QPlainTextEdit::paintEvent(event);
    if (!m_problem.isEmpty()) {
        QPainter painter(viewport());
        painter.setPen(QPen(themeColor(Token::ErrorText), 1));
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

ToolsEdit::ToolsEdit(QWidget* parent)
    : GrowingEdit(parent) {
    setFont(themeFont(TextStyle::Mono));
    setPlaceholderText(tr("A list of tools as JSON: [{\"type\": \"function\", \"function\": {…}}]"));
    setAccessibleName(tr("Tools as JSON"));
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        const QString json = tools();
        setProblem(json.isEmpty() ? QString() : jsonProblem(json, JsonKind::List).value_or(QString()));
    });
}

void ToolsEdit::showValidity(QLabel& label) const {
    label.setText(tools().isEmpty() ? QString() : isValid() ? tr("Valid JSON") : tr("Not valid JSON"));
    label.setToolTip(toolTip());
    setTextColor(&label, isValid() ? Token::Good : Token::ErrorText);
}

} // namespace gufo::ui

#include "moc_growing_edit.cpp"
