#include "ui/pages/template/editor_pane.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"
#include "ui/messages/problem_text.h"
#include "ui/pages/template/template_page.h"
#include "ui/theme/theme.h"
#include "ui/vocabulary/token_cells.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QShortcut>
#include <QTextBlock>
#include <QTimer>

#include <algorithm>
#include <memory>

namespace gufo::ui {
namespace {

using Kind = text::DiffLine::Kind;
constexpr std::size_t kAround = 3;
constexpr std::size_t kMaxShown = 20'000; // lines
constexpr qsizetype kLongestLine = 2'000;

QString toText(std::string_view line) {
    return QString::fromUtf8(line.data(), static_cast<qsizetype>(line.size())).left(kLongestLine);
}

constexpr int kMark = 16;
constexpr int kMargin = 12;

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

ProblemStrip::ProblemStrip(QWidget* parent)
    : QWidget(parent)
    , m_text(new ElidedLabel(TextStyle::Table, Token::Text, Qt::ElideRight, this))
    , m_fix(new QPushButton(this)) {
    setFixedHeight(kProblemStripHeight);
    setAccessibleName(tr("Problems of the template"));
    m_fix->setProperty("small", true);
    m_fix->setFont(themeFont(TextStyle::Table));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kMargin + kMark + 8, 0, kMargin, 0);
    layout->setSpacing(8);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_fix);
    connect(m_fix, &QAbstractButton::clicked, this, &ProblemStrip::fixRequested);
    setProblems({}, {});
}

void ProblemStrip::setProblems(const std::vector<text::TemplateProblem>& problems,
                               const std::vector<TemplateRemark>& remarks) {
    m_fix->hide();
    m_fix->setToolTip({});
    bool hasPlace = false;
    if (!problems.empty()) {
        const text::TemplateProblem& problem = problems.front();
        const QString text = templateProblemText(problem);
        m_mark = Mark::Error;
        hasPlace = problem.line > 0;
        m_text->setText(hasPlace ? tr("Line %1, column %2: %3").arg(problem.line).arg(problem.column).arg(text) : text);
        if (const QString fix = templateProblemFix(problem); !fix.isEmpty()) {
            m_fix->setProperty("fix", fix);
            m_fix->setText(tr("Replace with %1").arg(fix));
            m_fix->show();
        }
    } else if (!remarks.empty()) {
        const TemplateRemark& remark = remarks.front();
        m_mark = markOf(remark.finding.severity());
        hasPlace = remark.end > remark.begin;
        m_text->setText(findingTitle(remark.finding) + QStringLiteral(": ") + findingMessage(remark.finding));
        m_fix->setVisible(!remark.fix.empty());
        m_fix->setText(fixLabel(remark.finding.code));
        m_fix->setToolTip(plainToolTip(fixConsequence(remark.finding.code)));
    } else {
        m_mark.reset();
        m_text->setText({});
    }
    setAccessibleDescription(m_mark ? m_text->text() : tr("Nothing"));
    setCursor(hasPlace ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void ProblemStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), themeColor(Token::Base));
    painter.fillRect(0, 0, width(), 1, themeColor(Token::Line));
    if (m_mark) {
        paintMark(painter, QRect(kMargin, (height() - kMark) / 2, kMark, kMark), *m_mark);
    }
}

void ProblemStrip::mouseReleaseEvent(QMouseEvent* event) {
    if (m_mark && event->button() == Qt::LeftButton) {
        emit placeRequested();
    }
}

namespace {

constexpr qsizetype kLongestMarked = 200'000; // characters of a template up to which special tokens are marked

std::vector<SpecialRange> specialRanges(const text::Tokenizer& tokenizer, const QString& source,
                                        const TokenizedText& tokens) {
    std::vector<SpecialRange> ranges;
    for (const TokenCell& cell : tokens.cells) {
        const TokenType type = tokenizer.vocabulary().type(tokens.ids[cell.firstToken]);
        const bool isControl = type == TokenType::Control;
        const bool isBlank = QStringView(source).mid(cell.begin, cell.end - cell.begin).trimmed().isEmpty();
        if ((isControl || type == TokenType::UserDefined) && !isBlank) {
            ranges.push_back({cell.begin, cell.end, isControl});
        }
    }
    return ranges;
}

} // namespace

EditorPane::EditorPane(QWidget* parent)
    : QWidget(parent)
    , m_key(new ElidedLabel(TextStyle::Mono, Token::Text, Qt::ElideMiddle, this))
    , m_counts(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_errors(themedLabel({}, TextStyle::Table, Token::ErrorText, this))
    , m_views(new QStackedWidget(this))
    , m_editor(new TemplateEditor(m_views))
    , m_diff(new TemplateDiffView(m_views))
    , m_strip(new ProblemStrip(this)) {
    auto* header = new ToolStrip(this);
    header->setFixedHeight(kTemplateHeaderHeight);
    auto* line = static_cast<QHBoxLayout*>(header->layout());
    line->addWidget(m_key);
    line->addWidget(m_counts);
    line->addStretch(1);
    line->addWidget(m_errors);
    m_views->addWidget(m_editor);
    m_views->addWidget(m_diff);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(header);
    layout->addWidget(m_views, 1);
    layout->addWidget(m_strip);
    connect(m_strip, &ProblemStrip::placeRequested, this, [this] {
        if (!m_problems.empty()) {
            m_editor->goTo(m_problems.front());
        } else if (!m_remarks.empty()) {
            m_editor->goTo(m_remarks.front());
        }
    });
    connect(m_strip, &ProblemStrip::fixRequested, this, [this] {
        if (!m_problems.empty()) {
            m_editor->replaceAt(m_problems.front(), m_strip->fixButton()->property("fix").toString());
        } else if (!m_remarks.empty()) {
            const TemplateRemark remark = m_remarks.front(); // the repair removes it
            emit repairRequested(remark.fix, TemplatePage::tr("Fix: %1").arg(findingTitle(remark.finding)));
        }
        m_editor->setFocus();
    });
}

void EditorPane::setKey(const std::string& key) { m_key->setText(displayText(key)); }

void EditorPane::showDiff(bool shown) { m_views->setCurrentWidget(shown ? static_cast<QWidget*>(m_diff) : m_editor); }

void EditorPane::compareWith(const QString& saved) {
    m_comparing.start<TemplateDiff>(
        [saved, now = m_editor->text()](const JobContext&) -> Result<TemplateDiff> {
            return diffTemplates(saved, now);
        },
        [this](Result<TemplateDiff> diff) {
            const auto lines = static_cast<std::uint64_t>(m_editor->lines());
            QString text = TemplatePage::tr("%n lines", nullptr, numerus(lines));
            // A changed line counts as one removed and one added line.
            if (const auto changed = std::max(diff->counts.added, diff->counts.removed); changed > 0) {
                text += QStringLiteral(", ") + TemplatePage::tr("%1 changed").arg(formatCount(changed));
            }
            m_counts->setText(text);
            if (m_views->currentWidget() == m_diff) {
                m_diff->setDiff(*diff);
            }
        });
}

void EditorPane::setProblems(std::vector<text::TemplateProblem> problems) {
    m_problems = std::move(problems);
    showProblems();
}

void EditorPane::setRemarks(std::vector<TemplateRemark> remarks) {
    m_remarks = std::move(remarks);
    showProblems();
}

void EditorPane::showProblems() {
    m_editor->setProblems(m_problems, m_remarks);
    m_strip->setProblems(m_problems, m_remarks);
    setTextColor(m_errors, m_problems.empty() ? Token::WarningText : Token::ErrorText);
    m_errors->setText(!m_problems.empty()  ? TemplatePage::tr("%n errors", nullptr, numerus(m_problems.size()))
                      : !m_remarks.empty() ? TemplatePage::tr("%n warnings", nullptr, numerus(m_remarks.size()))
                                           : QString());
}

void EditorPane::markSpecials(const std::shared_ptr<const text::Tokenizer>& tokenizer) {
    m_marking.cancel();
    const QString source = m_editor->text();
    if (tokenizer == nullptr || source.size() > kLongestMarked) {
        m_editor->setSpecials({});
        return;
    }
    m_marking.start<std::vector<SpecialRange>>(
        [tokenizer, source](const JobContext& job) -> Result<std::vector<SpecialRange>> {
            const auto tokens =
                tokenizeText(*tokenizer, source, {.addBos = false, .addEos = false, .parseSpecial = true}, job);
            return tokens ? Result<std::vector<SpecialRange>>(specialRanges(*tokenizer, source, *tokens))
                          : std::unexpected(tokens.error());
        },
        [this, source](Result<std::vector<SpecialRange>> ranges) {
            if (ranges && source == m_editor->text()) {
                m_editor->setSpecials(*ranges);
            }
        });
}

void EditorPane::searchWith(FilterField* field, QWidget* page) {
    // Return first emits a search for the changed text, and then for the next match.
    auto isNew = std::make_shared<bool>(false);
    connect(field, &FilterField::filterChanged, this, [this, isNew](const QString& text) {
        m_editor->find(text, true, true);
        *isNew = true;
        QTimer::singleShot(0, this, [isNew] { *isNew = false; });
    });
    connect(field, &FilterField::leftDownwards, this, [this, isNew, field] {
        if (!*isNew) {
            m_editor->find(field->text());
        }
    });
    const auto shortcut = [this, field, page](const QKeySequence& keys, bool forward, QWidget* where) {
        auto* next = new QShortcut(keys, where);
        next->setContext(where == page ? Qt::WidgetWithChildrenShortcut : Qt::WidgetShortcut);
        connect(next, &QShortcut::activated, this, [this, forward, field] { m_editor->find(field->text(), forward); });
    };
    shortcut(QKeySequence(Qt::Key_F3), true, page);
    shortcut(QKeySequence(Qt::SHIFT | Qt::Key_F3), false, page);
    shortcut(QKeySequence(Qt::SHIFT | Qt::Key_Return), false, field);
}

} // namespace gufo::ui

#include "moc_editor_pane.cpp"
