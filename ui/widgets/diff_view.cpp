#include "ui/widgets/diff_view.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QPainter>
#include <QTextBlock>

namespace gufo::ui {
namespace {

constexpr std::size_t kMaxBytes = 2'000; // of a line; Qt lays a line out as a whole

QString lineText(const FoldedLine& line) {
    const std::string_view text(line.text);
    const QString shown =
        text.size() <= kMaxBytes ? displayText(text) : displayText(text.substr(0, kMaxBytes)) + QChar(0x2026);
    switch (line.kind) {
    case FoldedLine::Kind::Same:
        return QStringLiteral("   ") + shown;
    case FoldedLine::Kind::Removed:
        return QStringLiteral("\u2212  ") + shown;
    case FoldedLine::Kind::Added:
        return QStringLiteral("+  ") + shown;
    case FoldedLine::Kind::Skipped:
        return QStringLiteral("   ") + (QCoreApplication::translate("gufo::ui::DiffView", "… %n lines the same",
                                                                    nullptr, numerus(line.skipped)));
    }
    return {};
}

} // namespace

DiffView::DiffView(QWidget* parent)
    : QPlainTextEdit(parent) {
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setAccessibleName(tr("Differences"));
    connect(&Theme::instance(), &Theme::changed, this, &DiffView::restyle);
    restyle();
}

void DiffView::setDiff(const FoldedDiff& diff) {
    QStringList lines;
    const std::size_t shown = diff.lines.size();
    for (std::size_t i = 0; i < shown; ++i) {
        lines << lineText(diff.lines[i]);
    }
    if (diff.cut) {
        lines << tr("   … and more, not shown");
    }
    setPlainText(lines.join(u'\n'));
    QTextBlock block = document()->firstBlock();
    for (std::size_t i = 0; i < shown; ++i, block = block.next()) {
        block.setUserState(static_cast<int>(diff.lines[i].kind));
    }
    viewport()->update();
}

void DiffView::restyle() {
    setFont(themeFont(TextStyle::Mono));
    viewport()->update();
}

void DiffView::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
        if (place.top() > event->rect().bottom()) {
            break;
        }
        const int kind = block.userState();
        const bool removed = kind == static_cast<int>(FoldedLine::Kind::Removed);
        if (removed || kind == static_cast<int>(FoldedLine::Kind::Added)) {
            const QRectF line(0, place.top(), viewport()->width(), place.height());
            painter.fillRect(line, themeColor(removed ? Token::ErrorFill : Token::UserDefinedChip));
            painter.fillRect(QRectF(0, place.top(), 3, place.height()),
                             themeColor(removed ? Token::ErrorText : Token::Good));
        }
    }
    painter.end();
    QPlainTextEdit::paintEvent(event);
}

} // namespace gufo::ui

#include "moc_diff_view.cpp"
