#include "ui/pages/template/template_diff_view.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"

#include <QTextBlock>

#include <algorithm>

namespace gufo::ui {
namespace {

using Kind = text::DiffLine::Kind;
constexpr std::size_t kAround = 3;
constexpr std::size_t kMaxShown = 20'000; // lines
constexpr qsizetype kLongestLine = 2'000;

QString toText(std::string_view line) {
    return QString::fromUtf8(line.data(), static_cast<qsizetype>(line.size())).left(kLongestLine);
}

} // namespace

TemplateDiff diffTemplates(const QString& before, const QString& after) {
    const std::string old = before.toStdString();
    const std::string now = after.toStdString();
    const auto oldLines = text::splitLines(old);
    const auto newLines = text::splitLines(now);
    const auto lines = text::diffLines(oldLines, newLines);
    TemplateDiff diff{.lines = {}, .counts = text::countChanges(lines)};
    for (const text::DiffLine& line : lines) {
        diff.lines.push_back(
            {line.kind, toText(line.kind == Kind::Removed ? oldLines[line.before] : newLines[line.after])});
    }
    return diff;
}

TemplateDiffView::TemplateDiffView(QWidget* parent)
    : QPlainTextEdit(parent) {
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(NoWrap);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setAccessibleName(tr("Difference from the saved template"));
    connect(&Theme::instance(), &Theme::changed, this, &TemplateDiffView::restyle);
    restyle();
}

void TemplateDiffView::setDiff(const TemplateDiff& diff) {
    m_kinds.clear();
    QString shown;
    const auto add = [&](Kind kind, const QString& line) {
        shown += (m_kinds.empty() ? QString() : QStringLiteral("\n")) + line;
        m_kinds.push_back(kind);
    };
    if (diff.counts.added + diff.counts.removed == 0) {
        add(Kind::Same, tr("The template has no unsaved changes."));
        setPlainText(shown);
        paintLines();
        return;
    }
    const auto& lines = diff.lines;
    const auto isNear = [&](std::size_t i) {
        const std::size_t from = i > kAround ? i - kAround : 0;
        const std::size_t to = std::min(i + kAround + 1, lines.size());
        return std::any_of(lines.begin() + static_cast<std::ptrdiff_t>(from),
                           lines.begin() + static_cast<std::ptrdiff_t>(to),
                           [](const TemplateDiff::Line& line) { return line.kind != Kind::Same; });
    };
    for (std::size_t i = 0; i < lines.size() && m_kinds.size() < kMaxShown;) {
        if (isNear(i)) {
            const char* sign = lines[i].kind == Kind::Added ? "+ " : lines[i].kind == Kind::Removed ? "\u2212 " : "  ";
            add(lines[i].kind, QString::fromUtf8(sign) + lines[i].text);
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < lines.size() && !isNear(end)) {
            ++end;
        }
        add(Kind::Same, tr("  … %n unchanged lines", nullptr, numerus(end - i)));
        i = end;
    }
    setPlainText(shown);
    paintLines();
}

void TemplateDiffView::restyle() {
    setFont(themeFont(TextStyle::Mono));
    paintLines();
}

void TemplateDiffView::paintLines() {
    QList<QTextEdit::ExtraSelection> marks;
    QTextBlock block = document()->begin();
    for (const Kind kind : m_kinds) {
        if (kind != Kind::Same && block.isValid()) {
            QTextEdit::ExtraSelection mark;
            mark.cursor = QTextCursor(block);
            mark.format.setProperty(QTextFormat::FullWidthSelection, true);
            const bool added = kind == Kind::Added;
            mark.format.setBackground(themeColor(added ? Token::UserDefinedChip : Token::ErrorFill));
            mark.format.setForeground(themeColor(added ? Token::UserDefinedChipText : Token::ErrorText));
            marks.append(mark);
        }
        block = block.next();
    }
    setExtraSelections(marks);
}

} // namespace gufo::ui

#include "moc_template_diff_view.cpp"
