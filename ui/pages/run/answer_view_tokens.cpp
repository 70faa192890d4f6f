// Where the tokens of an answer are, and how mouse and keys reach them.
#include "ui/pages/run/answer_view.h"

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTextBlock>

#include <algorithm>

namespace gufo::ui {

void AnswerView::setTokens(const std::vector<TurnToken>& tokens) {
    // An answer grows at its end, and the ranges of its last tokens may change.
    constexpr std::size_t kMayChange = 8;
    const bool grew = m_tokens.size() <= tokens.size();
    m_tokens.resize(grew ? m_tokens.size() - std::min(m_tokens.size(), kMayChange) : 0);
    m_tokens.reserve(tokens.size());
    for (std::size_t i = m_tokens.size(); i < tokens.size(); ++i) {
        m_tokens.push_back({.id = tokens[i].id,
                            .begin = tokens[i].begin,
                            .end = tokens[i].end,
                            .logProbability = tokens[i].logProbability});
    }
    viewport()->update();
}

void AnswerView::setCurrentToken(int token) {
    m_cardByKey = m_cardByKey && token >= 0;
    if (token != m_current) {
        m_current = token;
        viewport()->update();
    }
}

std::vector<AnswerView::Stretch> AnswerView::stretchesOf(const TurnToken& token) const {
    std::vector<Stretch> stretches;
    auto piece = std::ranges::upper_bound(m_pieces, token.begin, {}, &Piece::source);
    if (piece != m_pieces.begin()) {
        --piece;
    }
    for (; piece != m_pieces.end() && piece->source < token.end; ++piece) {
        const qsizetype from = std::max<qsizetype>(token.begin, piece->source) - piece->source;
        const qsizetype to = std::min<qsizetype>(token.end, piece->source + piece->sourceLength) - piece->source;
        if (from >= to) {
            continue;
        }
        const bool asItIs = piece->length == piece->sourceLength;
        stretches.push_back({piece->begin + (asItIs ? static_cast<int>(from) : 0),
                             piece->begin + (asItIs ? static_cast<int>(to) : piece->length)});
    }
    return stretches;
}

bool AnswerView::selectText(qsizetype begin, qsizetype length) {
    const auto stretches = stretchesOf({.begin = static_cast<int>(begin), .end = static_cast<int>(begin + length)});
    if (stretches.empty()) {
        return false;
    }
    QTextCursor cursor(document());
    cursor.setPosition(stretches.front().begin);
    cursor.setPosition(stretches.back().end, QTextCursor::KeepAnchor);
    setTextCursor(cursor);
    return true;
}

std::vector<QRectF> AnswerView::rectsOf(Stretch stretch) const {
    std::vector<QRectF> rects;
    const QTextBlock block = document()->findBlock(stretch.begin);
    const QTextLayout* layout = block.layout();
    if (layout == nullptr || layout->lineCount() == 0) {
        return rects;
    }
    const QPointF corner = document()->documentLayout()->blockBoundingRect(block).topLeft(); // in layout coordinates
    const int begin = stretch.begin - block.position();
    const int end = stretch.end - block.position();
    for (int i = 0; i < layout->lineCount(); ++i) {
        const QTextLine line = layout->lineAt(i);
        const int from = std::max(begin, line.textStart());
        const int to = std::min(end, line.textStart() + line.textLength());
        if (from < to) {
            const double x1 = line.cursorToX(from);
            const double x2 = line.cursorToX(to);
            rects.push_back(QRectF(std::min(x1, x2), line.y(), std::abs(x2 - x1), line.ascent() + line.descent())
                                .translated(corner));
        }
    }
    return rects;
}

QRect AnswerView::tokenRect(int token) const {
    if (token < 0 || token >= static_cast<int>(m_tokens.size())) {
        return {};
    }
    for (const Stretch& stretch : stretchesOf(m_tokens[static_cast<std::size_t>(token)])) {
        if (const auto rects = rectsOf(stretch); !rects.empty()) {
            return rects.front().toAlignedRect();
        }
    }
    return {};
}

int AnswerView::tokenOf(int position) const {
    auto piece = std::ranges::upper_bound(m_pieces, position, {}, &Piece::begin);
    if (piece == m_pieces.begin() || position >= (piece - 1)->begin + (piece - 1)->length) {
        return -1;
    }
    --piece;
    const qsizetype place = piece->source + (piece->length == piece->sourceLength ? position - piece->begin : 0);
    auto token = std::ranges::upper_bound(m_tokens, place, {}, &TurnToken::begin);
    while (token != m_tokens.begin()) {
        --token;
        if (place < token->end) {
            return static_cast<int>(token - m_tokens.begin());
        }
        if (token->begin != token->end) {
            break;
        }
    }
    return -1;
}

int AnswerView::tokenAt(const QPoint& viewportPosition) const {
    // The nearest position between two letters; the token belongs to the letter before or after it.
    const int nearest = document()->documentLayout()->hitTest(viewportPosition, Qt::FuzzyHit);
    for (const int position : {nearest, nearest - 1}) {
        const int token = nearest < 0 ? -1 : tokenOf(position);
        if (token < 0) {
            continue;
        }
        for (const Stretch& stretch : stretchesOf(m_tokens[static_cast<std::size_t>(token)])) {
            for (const QRectF& rect : rectsOf(stretch)) {
                if (rect.adjusted(0, -2, 0, 2).contains(viewportPosition)) {
                    return token;
                }
            }
        }
    }
    return -1;
}

void AnswerView::mouseMoveEvent(QMouseEvent* event) {
    QTextEdit::mouseMoveEvent(event);
    const bool link = !anchorAt(event->pos()).isEmpty();
    viewport()->setCursor(link ? Qt::PointingHandCursor : Qt::IBeamCursor);
    if (!m_shaded || event->buttons() != Qt::NoButton) {
        return;
    }
    const int token = tokenAt(event->pos());
    if (token != m_hovered) {
        m_hovered = token;
        emit tokenHovered(token);
    }
}

void AnswerView::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->pos();
    QTextEdit::mousePressEvent(event);
}

void AnswerView::mouseReleaseEvent(QMouseEvent* event) {
    QTextEdit::mouseReleaseEvent(event);
    // A selection does not distinguish a drag from a click, because Qt selects a link that is clicked.
    const bool isClick = (event->pos() - m_pressed).manhattanLength() < QApplication::startDragDistance();
    const QString target = anchorAt(event->pos());
    if (event->button() == Qt::LeftButton && isClick && !target.isEmpty()) {
        emit linkActivated(target);
    }
}

void AnswerView::leaveEvent(QEvent* event) {
    QTextEdit::leaveEvent(event);
    if (std::exchange(m_hovered, -1) >= 0) {
        emit tokenHovered(-1);
    }
}

void AnswerView::moveToken(int by) {
    for (int next = m_current + by; next >= 0 && next < static_cast<int>(m_tokens.size()); next += by) {
        if (!tokenRect(next).isEmpty()) {
            emit tokenKeyed(next);
            m_cardByKey = !isReadOnly();
            return;
        }
    }
}

// In a text that can be edited, the arrow keys move the cursor.
bool AnswerView::showCardAtCursor() {
    const int position = textCursor().position();
    for (const int place : {position, position - 1}) {
        if (const int token = place >= 0 ? tokenOf(place) : -1; token >= 0 && m_shaded) {
            emit tokenKeyed(token);
            m_cardByKey = true; // showing the card has reset it
            return true;
        }
    }
    return false;
}

void AnswerView::keyPressEvent(QKeyEvent* event) {
    const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!isReadOnly() && isEnter && event->modifiers().testFlag(Qt::AltModifier) && showCardAtCursor()) {
        return;
    }
    if (m_shaded && plain && !m_tokens.empty() && (isReadOnly() || m_cardByKey)) {
        switch (event->key()) {
        case Qt::Key_Left:
            m_current = m_current < 0 ? static_cast<int>(m_tokens.size()) : m_current;
            moveToken(-1);
            return;
        case Qt::Key_Right:
            moveToken(1);
            return;
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Escape:
            if (m_current >= 0) {
                emit cardKeyPressed(event->key());
                return;
            }
            break;
        default:
            break;
        }
    }
    if (event->key() == Qt::Key_Escape) {
        event->ignore(); // left to the page
        return;
    }
    const QString target = textCursor().charFormat().anchorHref();
    if (isEnter && !target.isEmpty()) {
        emit linkActivated(target);
        return;
    }
    if (!isReadOnly() && isEnter && event->modifiers().testFlag(Qt::ShiftModifier)) {
        textCursor().insertBlock(); // rather than a line separator
        return;
    }
    if (std::exchange(m_cardByKey, false)) {
        emit tokenHovered(-1);
    }
    QTextEdit::keyPressEvent(event);
}

void AnswerView::focusOutEvent(QFocusEvent* event) {
    QTextEdit::focusOutEvent(event);
    if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason) {
        emit tokenHovered(-1);
    }
}

} // namespace gufo::ui
