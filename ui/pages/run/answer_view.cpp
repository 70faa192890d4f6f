#include "ui/pages/run/answer_view.h"

#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/link_question.h"

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextFrame>
#include <QTextTable>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

using Kind = MarkdownBlock::Kind;

constexpr int kQuoteWidth = 16;
constexpr int kListWidth = 22;
constexpr int kMarkerGap = 7;
constexpr int kCodePadding = 10;
constexpr int kParagraphGap = 9;
constexpr int kItemGap = 3;
constexpr double kLikely = 0.9;

QFont chatFont() {
    QFont font = themeFont(TextStyle::Body);
    font.setPixelSize(font.pixelSize() * 14 / 13);
    return font;
}

// The distance that is added between lines: the design has a line height of 23 pixels for a font of 14 pixels.
double lineGap() {
    const QFontMetricsF metrics(chatFont());
    return std::max(0.0, chatFont().pixelSize() * 23.0 / 14 - metrics.height());
}

} // namespace

QColor shadeOf(double logProbability) {
    if (logProbability >= std::log(kLikely)) {
        return Qt::transparent;
    }
    // Weaker on a dark background, where the text is light and must remain legible on the strongest shade.
    const double strength = Theme::instance().isDark() ? 0.7 : 1.0;
    QColor color(230, 140, 20);
    color.setAlphaF(static_cast<float>(strength * std::min(0.8, -0.5 * logProbability / std::log(10.0))));
    return color;
}

AnswerView::AnswerView(QWidget* parent)
    : QTextEdit(parent) {
    setReadOnly(true);
    setUndoRedoEnabled(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard | Qt::LinksAccessibleByMouse |
                            Qt::LinksAccessibleByKeyboard);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    document()->setDocumentMargin(0);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
            &AnswerView::fitHeight);
    connect(document(), &QTextDocument::contentsChanged, this, &AnswerView::takeEdit);
    connect(&Theme::instance(), &Theme::changed, this, &AnswerView::restyle);
    restyle();
}

void AnswerView::showAsText(bool isText, bool editable) {
    if (isText == m_isText && editable == !isReadOnly()) {
        return;
    }
    constexpr Qt::TextInteractionFlags kSelectable = Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard;
    constexpr Qt::TextInteractionFlags kLinks = Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard;
    setReadOnly(!editable);
    setTextInteractionFlags(editable ? Qt::TextEditorInteraction : isText ? kSelectable : kSelectable | kLinks);
    setUndoRedoEnabled(editable); // text that setBlocks() has written cannot be undone
    setAcceptRichText(false);
    setTabChangesFocus(true);
    if (std::exchange(m_isText, isText) != isText) {
        restyle();
    }
}

// The user has changed the document. It has the lines of the text, so that nothing has to be written again.
void AnswerView::takeEdit() {
    if (m_writing || isReadOnly()) {
        return;
    }
    const QString text =
        document()->toRawText().replace(QChar::ParagraphSeparator, u'\n').replace(QChar::LineSeparator, u'\n');
    m_blocks = plainBlocks(text);
    m_starts.clear();
    m_firstPieces.clear();
    m_pieces.clear();
    for (QTextBlock line = document()->begin(); line.isValid(); line = line.next()) {
        m_starts.push_back(line.position());
        m_firstPieces.push_back(m_pieces.size());
        if (line.length() > 1) { // with its end
            m_pieces.push_back({line.position() + m_base, line.length() - 1, line.position(), line.length() - 1});
        }
    }
    emit edited(text);
}

void AnswerView::restyle() {
    document()->setDefaultFont(chatFont());
    const int cursor = textCursor().position();
    m_writing = true;
    const std::vector<MarkdownBlock> blocks = std::exchange(m_blocks, {});
    m_starts.clear();
    m_firstPieces.clear();
    m_pieces.clear();
    m_fresh = true;
    document()->clear();
    m_writing = false;
    setBlocks(blocks, m_base);
    if (!isReadOnly()) {
        QTextCursor back(document());
        back.setPosition(std::min(cursor, document()->characterCount() - 1));
        setTextCursor(back);
    }
}

void AnswerView::fitHeight() {
    const int height = std::max(1, static_cast<int>(std::ceil(document()->size().height())));
    if (height != this->height()) {
        setFixedHeight(height);
    }
}

void AnswerView::wheelEvent(QWheelEvent* event) { event->ignore(); }

QVariant AnswerView::loadResource(int, const QUrl&) { return {}; } // nothing that a model refers to is loaded

void AnswerView::setBlocks(std::vector<MarkdownBlock> blocks, qsizetype base) {
    std::size_t same = 0;
    if (base == m_base) {
        while (same < blocks.size() && same < m_blocks.size() && blocks[same] == m_blocks[same]) {
            ++same;
        }
    }
    if (same == blocks.size() && same == m_blocks.size()) {
        return;
    }
    if (same > 0 && same == m_blocks.size()) {
        --same; // the last block is always laid out again
    }
    m_base = base;
    m_writing = true;
    QTextCursor cursor(document());
    cursor.beginEditBlock();
    if (same < m_starts.size()) {
        cursor.setPosition(m_starts[same]);
        cursor.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
        cursor.removeSelectedText();
        m_fresh = true;
        m_pieces.resize(m_firstPieces[same]);
    }
    m_starts.resize(same);
    m_firstPieces.resize(same);
    for (std::size_t i = same; i < blocks.size(); ++i) {
        cursor.movePosition(QTextCursor::End);
        const bool goesOn = i + 1 < blocks.size() && blocks[i + 1].kind == Kind::CodeLine && !blocks[i + 1].first;
        write(cursor, blocks[i], i + 1 == blocks.size() || (blocks[i].kind == Kind::CodeLine && !goesOn),
              i > 0 && blocks[i - 1].indent > blocks[i].indent);
    }
    cursor.endEditBlock();
    setMargins(blocks);
    m_writing = false;
    document()->clearUndoRedoStacks();
    m_blocks = std::move(blocks);
    fitHeight();
    viewport()->update();
}

// The layout leaves out margins above the first block and below the last one, where the frame of code needs them. What
// follows a thought keeps its distance.
void AnswerView::setMargins(const std::vector<MarkdownBlock>& blocks) {
    const bool begins = !blocks.empty() && blocks.front().kind == Kind::CodeLine;
    const bool ends = !blocks.empty() && blocks.back().kind == Kind::CodeLine;
    QTextFrameFormat format = document()->rootFrame()->frameFormat();
    const double top = begins ? kCodePadding : 0;
    const double bottom = (ends ? kCodePadding : 0) + (m_muted ? kParagraphGap : 0);
    if (format.topMargin() != top || format.bottomMargin() != bottom) {
        format.setTopMargin(top);
        format.setBottomMargin(bottom);
        document()->rootFrame()->setFrameFormat(format);
    }
}

QTextBlockFormat AnswerView::blockFormat(const MarkdownBlock& block, bool isLast) const {
    QTextBlockFormat format;
    format.setLeftMargin(block.quote * kQuoteWidth + block.indent * kListWidth);
    format.setLineHeight(lineGap(), QTextBlockFormat::LineDistanceHeight);
    format.setBottomMargin(m_isText ? 0 : block.indent > 0 ? kItemGap : kParagraphGap);
    switch (block.kind) {
    case Kind::Heading:
        format.setTopMargin(block.level <= 2 ? 8 : 4);
        format.setHeadingLevel(block.level);
        break;
    case Kind::CodeLine:
        format.setLeftMargin(format.leftMargin() + kCodePadding);
        format.setRightMargin(kCodePadding);
        format.setTopMargin(block.first ? kCodePadding : 0);
        format.setBottomMargin(isLast ? kCodePadding + kParagraphGap : 0);
        format.setLineHeight(2, QTextBlockFormat::LineDistanceHeight);
        return format;
    case Kind::Rule:
    case Kind::Table:
    case Kind::Paragraph:
        break;
    }
    if (isLast) {
        format.setBottomMargin(0);
    }
    return format;
}

QTextCharFormat AnswerView::charFormat(const MarkdownBlock& block) const {
    QTextCharFormat format;
    QFont font = chatFont();
    const bool muted = !m_shaded && (m_muted || block.quote > 0); // grey text would be illegible on a shade
    format.setForeground(themeColor(muted ? Token::Muted : Token::Text));
    if (block.kind == Kind::Heading) {
        constexpr int kSizes[] = {18, 16, 15, 14, 14, 14};
        font.setPixelSize(font.pixelSize() * kSizes[block.level - 1] / 14);
        font.setBold(true);
    } else if (block.kind == Kind::CodeLine) {
        font = themeFont(TextStyle::Mono);
        font.setPixelSize(font.pixelSize() * 13 / 12);
    } else if (block.kind == Kind::Rule) {
        font.setPixelSize(6);
    }
    format.setFont(font);
    return format;
}

void AnswerView::write(QTextCursor& cursor, const MarkdownBlock& block, bool isLast, bool endsList) {
    QTextBlockFormat format = blockFormat(block, isLast);
    format.setTopMargin(format.topMargin() + (endsList ? kParagraphGap - kItemGap : 0));
    const QTextCharFormat letters = charFormat(block);
    if (m_fresh) {
        cursor.setBlockFormat(format);
        cursor.setBlockCharFormat(letters);
    } else {
        cursor.insertBlock(format, letters);
    }
    m_fresh = false;
    m_starts.push_back(cursor.position());
    m_firstPieces.push_back(m_pieces.size());
    if (block.kind == Kind::Table) {
        writeTable(cursor, block);
    } else {
        writeRuns(cursor, block.runs, letters);
    }
}

void AnswerView::writeRuns(QTextCursor& cursor, const MarkdownRuns& runs, const QTextCharFormat& base) {
    for (const MarkdownRun& run : runs) {
        QTextCharFormat format = base;
        if ((run.style & MarkdownRun::Bold) != 0) {
            format.setFontWeight(QFont::Bold);
        }
        if ((run.style & MarkdownRun::Italic) != 0) {
            format.setFontItalic(true);
        }
        format.setFontStrikeOut((run.style & MarkdownRun::Strike) != 0);
        if ((run.style & MarkdownRun::Code) != 0 && !base.fontFixedPitch() &&
            base.font().family() != themeFont(TextStyle::Mono).family()) {
            QFont mono = themeFont(TextStyle::Mono);
            mono.setPixelSize(mono.pixelSize() * 13 / 12);
            format.setFont(mono, QTextCharFormat::FontPropertiesSpecifiedOnly);
            format.setBackground(themeColor(Token::Window));
        }
        if ((run.style & MarkdownRun::Link) != 0) {
            format.setAnchor(true);
            format.setAnchorHref(run.target);
            format.setToolTip(plainToolTip(shownAddress(run.target)));
            format.setForeground(themeColor(Token::Accent));
            format.setFontUnderline(true);
        }
        m_pieces.push_back(
            {run.source + m_base, run.sourceLength, cursor.position(), static_cast<int>(run.text.size())});
        cursor.insertText(run.text, format);
    }
}

void AnswerView::writeTable(QTextCursor& cursor, const MarkdownBlock& block) {
    const QTextBlockFormat outside = [] { // for the empty lines that a document has around a table
        QTextBlockFormat format;
        format.setLineHeight(1, QTextBlockFormat::FixedHeight);
        return format;
    }();
    cursor.setBlockFormat(outside);
    QTextTableFormat format;
    format.setBorder(1);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBorderBrush(themeColor(Token::StrongLine));
    format.setBorderCollapse(true);
    format.setCellPadding(5);
    format.setCellSpacing(0);
    format.setLeftMargin(block.quote * kQuoteWidth + block.indent * kListWidth);
    format.setBottomMargin(kParagraphGap);
    format.setHeaderRowCount(1);
    const auto rows = static_cast<int>(block.rows.size());
    const auto columns = static_cast<int>(block.alignments.size());
    QTextTable* table = cursor.insertTable(rows, columns, format);
    QTextCharFormat letters = charFormat(block);
    for (int row = 0; row < rows; ++row) {
        letters.setFontWeight(row == 0 ? QFont::Bold : QFont::Normal);
        for (int column = 0; column < columns; ++column) {
            QTextCursor cell = table->cellAt(row, column).firstCursorPosition();
            QTextBlockFormat aligned;
            aligned.setAlignment(block.alignments[static_cast<std::size_t>(column)]);
            cell.setBlockFormat(aligned);
            writeRuns(cell, block.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)], letters);
        }
    }
    cursor.movePosition(QTextCursor::End);
    cursor.setBlockFormat(outside);
    m_fresh = true;
}

void AnswerView::setShaded(bool shaded) {
    if (shaded != m_shaded) {
        m_shaded = shaded;
        restyle();
    }
    setCurrentToken(-1);
    viewport()->update();
}

void AnswerView::setGrowing(bool growing) {
    m_growing = growing;
    viewport()->update();
}

void AnswerView::setMuted(bool muted) {
    if (muted != m_muted) {
        m_muted = muted;
        restyle();
    }
}

void AnswerView::paintEvent(QPaintEvent* event) {
    {
        QPainter painter(viewport());
        painter.setRenderHint(QPainter::Antialiasing);
        paintGrounds(painter, event->rect());
        if (m_shaded) {
            paintTokens(painter, event->rect());
        }
    }
    QTextEdit::paintEvent(event);
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    paintMarkers(painter, event->rect());
    if (m_growing) {
        paintCaret(painter);
    }
}

// Paints the backgrounds of code, the bars of quotations and the rules, which are behind the text.
void AnswerView::paintGrounds(QPainter& painter, const QRect& area) const {
    const auto* layout = document()->documentLayout();
    const auto rectOf = [&](std::size_t i) { return layout->blockBoundingRect(document()->findBlock(m_starts[i])); };
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        const MarkdownBlock& block = m_blocks[i];
        if (block.kind != Kind::CodeLine && block.kind != Kind::Rule && block.quote == 0) {
            continue;
        }
        QRectF rect = rectOf(i);
        if (block.kind == Kind::CodeLine && block.first) {
            while (i + 1 < m_blocks.size() && m_blocks[i + 1].kind == Kind::CodeLine && !m_blocks[i + 1].first) {
                ++i;
            }
            const double left = block.quote * kQuoteWidth + block.indent * kListWidth;
            rect = QRectF(QPointF(left, rect.top() - kCodePadding),
                          QPointF(viewport()->width(), rectOf(i).bottom() + kCodePadding));
            if (rect.intersects(area)) {
                painter.setPen(QPen(themeColor(Token::Line), 1));
                painter.setBrush(themeColor(Token::AlternateRow));
                painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
            }
        } else if (block.kind == Kind::Rule && rect.intersects(area)) {
            painter.fillRect(QRectF(rect.left(), rect.center().y(), viewport()->width() - rect.left(), 1),
                             themeColor(Token::Line));
        }
        for (int level = 0; level < block.quote; ++level) {
            painter.fillRect(QRectF(level * kQuoteWidth + 2, rect.top(), 3, rect.height()),
                             themeColor(Token::StrongLine));
        }
    }
}

void AnswerView::paintTokens(QPainter& painter, const QRect& area) const {
    const int first = document()->documentLayout()->hitTest(area.topLeft(), Qt::FuzzyHit);
    const int last = document()->documentLayout()->hitTest(area.bottomRight(), Qt::FuzzyHit);
    // Restricts the work to the pieces around the painted area.
    auto from = std::ranges::lower_bound(m_pieces, first, {}, [](const Piece& p) { return p.begin + p.length; });
    const auto to = std::ranges::upper_bound(m_pieces, last, {}, &Piece::begin);
    if (from == m_pieces.end() || from >= to) {
        return;
    }
    auto token = std::ranges::lower_bound(m_tokens, from->source, {}, &TurnToken::end);
    const qsizetype end = (to - 1)->source + (to - 1)->sourceLength;
    for (; token != m_tokens.end() && token->begin < end; ++token) {
        const bool isCurrent = token - m_tokens.begin() == m_current;
        const QColor shade = shadeOf(static_cast<double>(token->logProbability.value_or(0)));
        for (const Stretch& stretch : stretchesOf(*token)) {
            for (const QRectF& rect : rectsOf(stretch)) {
                painter.setPen(QPen(themeColor(Token::Line), 1)); // also shows the bounds of likely tokens
                painter.setBrush(shade);
                painter.drawRoundedRect(rect.adjusted(0.5, -0.5, -0.5, 0.5), 2, 2);
                if (isCurrent) {
                    painter.setPen(QPen(themeColor(Token::Accent), 1.2));
                    painter.setBrush(Qt::NoBrush);
                    painter.drawRoundedRect(rect.adjusted(0.1, -0.5, -0.1, 0.5), 3, 3);
                }
            }
        }
    }
}

void AnswerView::paintMarkers(QPainter& painter, const QRect& area) const {
    painter.setFont(chatFont());
    painter.setPen(themeColor(m_muted ? Token::Muted : Token::Text));
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        const MarkdownBlock& block = m_blocks[i];
        if (block.marker.isEmpty()) {
            continue;
        }
        const QTextBlock text = document()->findBlock(m_starts[i]);
        const QRectF rect = document()->documentLayout()->blockBoundingRect(text);
        if (rect.top() > area.bottom() || rect.bottom() < area.top()) {
            continue;
        }
        const double right = block.quote * kQuoteWidth + block.indent * kListWidth - kMarkerGap;
        painter.drawText(QRectF(right - 60, rect.top(), 60, QFontMetricsF(chatFont()).height()),
                         Qt::AlignRight | Qt::AlignTop, block.marker);
    }
}

void AnswerView::paintCaret(QPainter& painter) const {
    QTextCursor end(document());
    end.movePosition(QTextCursor::End);
    const QRect rect = cursorRect(end);
    painter.fillRect(QRectF(rect.left() + 2, rect.top() + 2, 7, QFontMetricsF(chatFont()).height() - 4),
                     themeColor(Token::Accent));
}

} // namespace gufo::ui

#include "moc_answer_view.cpp"
