#include "ui/vocabulary/token_edit.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QMimeData>
#include <QPainter>
#include <QTextBlock>
#include <QToolTip>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr double kTintStrength = 0.20;
constexpr double kRadius = 3;
constexpr std::uint32_t kMaxDescribed = 8; // tokens described in one cell

QColor blend(QColor over, QColor base, double share) {
    const auto mix = [share](int a, int b) { return static_cast<int>(share * a + (1 - share) * b + 0.5); };
    return {mix(over.red(), base.red()), mix(over.green(), base.green()), mix(over.blue(), base.blue())};
}

} // namespace

TokenEdit::TokenEdit(QWidget* parent)
    : QPlainTextEdit(parent) {
    setFont(themeFont(TextStyle::MonoTitle));
    setTabChangesFocus(true);
    QTextOption option = document()->defaultTextOption();
    option.setFlags(option.flags() | QTextOption::ShowTabsAndSpaces);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    document()->setDefaultTextOption(option);
    viewport()->setMouseTracking(true);
    connect(document(), &QTextDocument::contentsChange, this, [this](int position) {
        m_validTo = std::min(m_validTo, position); // later text is coloured when its tokens are known
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] { setFont(themeFont(TextStyle::MonoTitle)); });
}

void TokenEdit::setTokenizer(std::shared_ptr<const text::Tokenizer> tokenizer) {
    m_tokenizer = std::move(tokenizer);
    setTokens(nullptr);
}

void TokenEdit::setTokens(std::shared_ptr<const TokenizedText> tokens) {
    m_tokens = std::move(tokens);
    m_validTo = m_tokens != nullptr ? document()->characterCount() : 0;
    viewport()->update();
}

void TokenEdit::setOnlySpecials(bool only) {
    m_onlySpecials = only;
    viewport()->update();
}

const TokenCell* TokenEdit::cellAt(int position) const {
    const TokenCell* cell = m_tokens != nullptr ? m_tokens->cellAt(position) : nullptr;
    return cell != nullptr && cell->end <= m_validTo ? cell : nullptr;
}

std::optional<TokenId> TokenEdit::tokenAt(int position) const {
    const TokenCell* cell = cellAt(position);
    return cell != nullptr ? std::optional(m_tokens->ids[cell->firstToken]) : std::nullopt;
}

QString TokenEdit::describe(int position) const {
    const TokenCell* cell = cellAt(position);
    if (cell == nullptr) {
        return {};
    }
    static const char* const kTypes[] = {QT_TR_NOOP("untyped"), QT_TR_NOOP("normal"),       QT_TR_NOOP("unknown"),
                                         QT_TR_NOOP("control"), QT_TR_NOOP("user-defined"), QT_TR_NOOP("unused"),
                                         QT_TR_NOOP("byte")};
    const text::Vocabulary& vocabulary = m_tokenizer->vocabulary();
    QStringList lines;
    for (std::uint32_t i = 0; i < std::min(cell->tokens, kMaxDescribed); ++i) {
        const TokenId id = m_tokens->ids[cell->firstToken + i];
        QString line = tr("%1  id %2, %3")
                           .arg(displayText(vocabulary.text(id)), formatCount(id.value),
                                tr(kTypes[static_cast<std::size_t>(vocabulary.type(id))]));
        if (vocabulary.hasScores()) {
            line += tr(", score %1").arg(formatReal(static_cast<double>(vocabulary.score(id))));
        }
        lines << line;
    }
    if (cell->tokens > kMaxDescribed) {
        lines << tr("and %1 more").arg(formatCount(cell->tokens - kMaxDescribed));
    }
    return lines.join(u'\n');
}

int TokenEdit::characterAt(QPoint point) const {
    const QTextCursor cursor = cursorForPosition(point);
    // The cursor is between two characters; the point may be over either.
    for (const int position : {cursor.position() - 1, cursor.position()}) {
        if (position < 0) {
            continue;
        }
        const QTextBlock block = document()->findBlock(position);
        const QTextLine line = block.layout()->lineForTextPosition(position - block.position());
        if (!line.isValid()) {
            continue;
        }
        const double x = point.x() - blockBoundingGeometry(block).translated(contentOffset()).left();
        const int column = position - block.position();
        if (x >= line.cursorToX(column) && x < line.cursorToX(column + 1)) {
            return position;
        }
    }
    return -1;
}

bool TokenEdit::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = describe(characterAt(help->pos()));
        if (text.isEmpty()) {
            QToolTip::hideText();
        } else {
            // The text is escaped, because a token could be taken for an HTML tag.
            QToolTip::showText(help->globalPos(),
                               QStringLiteral("<p style='white-space:pre'>%1</p>").arg(text.toHtmlEscaped()), this);
        }
        return true;
    }
    return QPlainTextEdit::viewportEvent(event);
}

void TokenEdit::mouseReleaseEvent(QMouseEvent* event) {
    QPlainTextEdit::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton && !textCursor().hasSelection()) {
        if (const auto id = tokenAt(characterAt(event->position().toPoint()))) {
            emit tokenClicked(id->value);
        }
    }
}

void TokenEdit::insertFromMimeData(const QMimeData* source) {
    const QTextCursor cursor = textCursor();
    const qsizetype room =
        kMaxCharacters - (document()->characterCount() - 1) + (cursor.selectionEnd() - cursor.selectionStart());
    const QString text = source->text();
    if (text.size() > room) {
        insertPlainText(text.left(std::max<qsizetype>(0, room)));
        emit textCut();
        return;
    }
    insertPlainText(text);
}

void TokenEdit::paintEvent(QPaintEvent* event) {
    if (m_tokens != nullptr) {
        QPainter painter(viewport());
        painter.setRenderHint(QPainter::Antialiasing);
        for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
            const QRectF area = blockBoundingGeometry(block).translated(contentOffset());
            if (area.top() > event->rect().bottom()) {
                break;
            }
            paintCells(painter, block, area.topLeft());
        }
    }
    QPlainTextEdit::paintEvent(event);
}

void TokenEdit::paintCells(QPainter& painter, const QTextBlock& block, QPointF origin) const {
    const double breakWidth = fontMetrics().averageCharWidth();
    const QRectF visible = viewport()->rect();
    for (int i = 0; i < block.layout()->lineCount(); ++i) {
        const QTextLine line = block.layout()->lineAt(i);
        const QRectF area = line.rect().translated(origin);
        if (area.bottom() < visible.top() || area.top() > visible.bottom()) {
            continue;
        }
        const int lineBegin = block.position() + line.textStart();
        const bool last = i + 1 == block.layout()->lineCount();
        const int lineEnd = lineBegin + line.textLength() + (last ? 1 : 0); // including the line break
        const auto& cells = m_tokens->cells;
        auto cell = std::ranges::partition_point(cells, [&](const TokenCell& c) { return c.end <= lineBegin; });
        for (; cell != cells.end() && cell->begin < lineEnd && cell->end <= m_validTo; ++cell) {
            const int from = std::max(cell->begin, lineBegin) - block.position();
            const int to = std::min(cell->end, lineEnd) - block.position();
            const int lineTo = line.textStart() + line.textLength();
            const double left = line.cursorToX(std::min(from, lineTo));
            const double right = line.cursorToX(std::min(to, lineTo)) + (to > lineTo ? breakWidth : 0);
            if (cell->end > cell->begin) {
                paintCell(painter,
                          QRectF(origin.x() + left, area.top(), right - left, area.height()).adjusted(0.5, 1, -0.5, -1),
                          static_cast<std::size_t>(cell - cells.begin()));
            }
        }
    }
}

void TokenEdit::paintCell(QPainter& painter, QRectF rect, std::size_t index) const {
    const TokenType type = m_tokenizer->vocabulary().type(m_tokens->ids[m_tokens->cells[index].firstToken]);
    QColor fill = blend(seriesColor(index % 2 == 0 ? 0 : 1), themeColor(Token::Base), kTintStrength);
    QColor outline = Qt::transparent;
    if (type == TokenType::Control || type == TokenType::Unknown) {
        fill = themeColor(Token::Selection);
        outline = themeColor(type == TokenType::Control ? Token::Accent : Token::WarningMark);
    } else if (type == TokenType::UserDefined) {
        fill = themeColor(Token::UserDefinedChip);
        outline = themeColor(Token::UserDefinedChipText);
    } else if (m_onlySpecials) {
        return;
    }
    painter.setPen(outline == Qt::transparent || m_onlySpecials ? QPen(Qt::NoPen) : QPen(outline, 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(rect, kRadius, kRadius);
}

} // namespace gufo::ui

#include "moc_token_edit.cpp"
