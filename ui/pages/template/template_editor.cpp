#include "ui/pages/template/template_editor.h"

#include "base/utf8.h"
#include "model/finding_code.h"
#include "ui/messages/finding_text.h"
#include "ui/messages/problem_text.h"
#include "ui/pages/template/jinja_syntax.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QCoreApplication>
#include <QFontInfo>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <Qsci/qscilexercustom.h>
#include <Qsci/qsciscintilla.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace gufo::ui {
namespace {

// Styles Jinja in the editor with the theme's colours, and folds its blocks.
class JinjaLexer : public QsciLexerCustom {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::JinjaLexer)

public:
    explicit JinjaLexer(QsciScintilla* editor);

    [[nodiscard]] const char* language() const override { return "Jinja"; }
    [[nodiscard]] QString description(int style) const override;
    [[nodiscard]] QColor defaultColor(int style) const override;
    [[nodiscard]] QColor defaultPaper(int style) const override;
    [[nodiscard]] QFont defaultFont(int style) const override;
    void styleText(int start, int end) override;

private:
    void restyle();
    void styleRun(std::string_view text, std::size_t begin, std::size_t end, int part);

    // The bounds of the line that contains the last styled run, while a text is being styled.
    std::size_t m_lineBegin = 0;
    std::size_t m_lineEnd = 0;
};

struct PartRow {
    JinjaPart part;
    const char* name;
    QRgb light; // 0: the text colour
    QRgb dark;
};

constexpr auto kParts = std::to_array<PartRow>({
    {JinjaPart::Text, QT_TRANSLATE_NOOP("gufo::ui::JinjaLexer", "Text"), 0, 0},
    {JinjaPart::Delimiter, QT_TRANSLATE_NOOP("gufo::ui::JinjaLexer", "Delimiter"), 0xFF66707C, 0xFF7F8794},
    {JinjaPart::Keyword, QT_TRANSLATE_NOOP("gufo::ui::JinjaLexer", "Keyword"), 0xFF7A3E9D, 0xFFC9A3E8},
    {JinjaPart::Name, QT_TRANSLATE_NOOP("gufo::ui::JinjaLexer", "Name"), 0xFF1F5FA8, 0xFF86B7F0},
    {JinjaPart::String, QT_TRANSLATE_NOOP("gufo::ui::JinjaLexer", "String"), 0xFF1F6F3F, 0xFF8CCB9B},
    {JinjaPart::Number, QT_TRANSLATE_NOOP("gufo::ui::JinjaLexer", "Number"), 0xFF9A4A00, 0xFFE8B07A},
    {JinjaPart::Operator, QT_TRANSLATE_NOOP("gufo::ui::JinjaLexer", "Operator"), 0, 0},
    {JinjaPart::Comment, QT_TRANSLATE_NOOP("gufo::ui::JinjaLexer", "Comment"), 0xFF66707C, 0xFF7F8794},
    {JinjaPart::Word, QT_TRANSLATE_NOOP("gufo::ui::JinjaLexer", "Variable"), 0, 0},
});
static_assert(kParts.size() == kJinjaParts);

// After each change of a line, Scintilla measures all of it, which takes most of the time of a keystroke in a line of a
// hundred thousand letters. It remembers the widths of pieces of less than 30 bytes, where a piece ends with its style.
// In long lines, runs are therefore divided into short pieces of two styles that look the same. Pieces end where the
// text says so, so that inserting a letter changes few of them.
constexpr int kStyles = 2 * kJinjaParts;
constexpr std::size_t kLongLine = 2'000; // bytes
constexpr std::size_t kShortestPiece = 16;
constexpr std::size_t kLongestPiece = 26; // and up to three continuation bytes
constexpr unsigned long kRememberedPieces = 65'536;

// Returns the end of the piece of a run that begins at `begin`.
std::size_t pieceEnd(std::string_view text, std::size_t begin, std::size_t end) {
    std::size_t at = begin + 1;
    const auto endsPiece = [&] {
        const auto last = static_cast<unsigned char>(text[at - 1]);
        return at - begin >= kLongestPiece || (at - begin >= kShortestPiece && (last == ' ' || last * 37U % 8 == 0));
    };
    while (at < end && (!endsPiece() || isContinuationByte(text[at]))) {
        ++at;
    }
    return at;
}

// Brackets match only within one style.
bool mayBeDivided(JinjaPart part) { return part != JinjaPart::Operator && part != JinjaPart::Delimiter; }

JinjaLexer::JinjaLexer(QsciScintilla* editor)
    : QsciLexerCustom(editor) {
    restyle();
    connect(&Theme::instance(), &Theme::changed, this, &JinjaLexer::restyle);
    editor->SendScintilla(QsciScintillaBase::SCI_SETPOSITIONCACHE, kRememberedPieces);
}

QString JinjaLexer::description(int style) const {
    return style >= 0 && style < kStyles ? tr(kParts[static_cast<std::size_t>(style % kJinjaParts)].name) : QString();
}

QColor JinjaLexer::defaultColor(int style) const {
    if (style >= 0 && style < kStyles) {
        const PartRow& row = kParts[static_cast<std::size_t>(style % kJinjaParts)];
        if (const QRgb color = Theme::instance().isDark() ? row.dark : row.light; color != 0) {
            return QColor::fromRgb(color);
        }
    }
    return themeColor(Token::Text);
}

QColor JinjaLexer::defaultPaper(int) const { return themeColor(Token::Base); }

QFont JinjaLexer::defaultFont(int) const {
    QFont font = themeFont(TextStyle::Mono);
    font.setPointSizeF(QFontInfo(font).pointSizeF()); // Scintilla does not support sizes in pixels
    return font;
}

void JinjaLexer::restyle() {
    setDefaultColor(themeColor(Token::Text));
    setDefaultPaper(themeColor(Token::Base));
    setDefaultFont(defaultFont(0));
    for (int style = 0; style < kStyles; ++style) {
        setColor(defaultColor(style), style);
        setPaper(defaultPaper(style), style);
        setFont(defaultFont(style), style);
    }
}

// Styles the bytes of one run, line by line.
void JinjaLexer::styleRun(std::string_view text, std::size_t begin, std::size_t end, int part) {
    bool other = false;
    while (begin < end) {
        if (begin >= m_lineEnd || begin < m_lineBegin) {
            m_lineBegin = begin != 0 ? text.rfind('\n', begin - 1) + 1 : 0; // npos + 1 is 0
            m_lineEnd = std::min(text.find('\n', begin), text.size() - 1) + 1;
        }
        const std::size_t stop = std::min(end, m_lineEnd);
        const bool divided = m_lineEnd - m_lineBegin > kLongLine && mayBeDivided(static_cast<JinjaPart>(part));
        while (begin < stop) {
            const std::size_t piece = divided ? pieceEnd(text, begin, stop) : stop;
            setStyling(static_cast<int>(piece - begin), other ? part + kJinjaParts : part);
            other = divided && !other;
            begin = piece;
        }
    }
}

// The kind of a tag depends on all text before it. Templates are small, so the whole text is styled.
void JinjaLexer::styleText(int start, int end) {
    const QByteArray bytes = editor()->text().toUtf8();
    const std::string_view text(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    const auto from = static_cast<std::size_t>(std::max(0, start));
    const std::size_t to = std::min(static_cast<std::size_t>(std::max(0, end)), text.size());
    const std::vector<JinjaRun> runs = jinjaRuns(text);
    m_lineBegin = 0;
    m_lineEnd = 0;
    startStyling(start);
    auto run = std::ranges::upper_bound(runs, from, {}, &JinjaRun::begin);
    run -= run != runs.begin() ? 1 : 0;
    for (; run != runs.end() && run->begin < to; ++run) {
        const std::size_t runEnd = std::next(run) != runs.end() ? std::next(run)->begin : text.size();
        const std::size_t begin = std::max(run->begin, from);
        const std::size_t stop = std::min(runEnd, to);
        styleRun(text, begin, stop, static_cast<int>(run->part));
    }
    const std::vector<JinjaFold> folds = jinjaFolds(text);
    for (std::size_t line = 0; line < folds.size(); ++line) {
        const long level = QsciScintillaBase::SC_FOLDLEVELBASE + folds[line].level +
                           (folds[line].isHead ? QsciScintillaBase::SC_FOLDLEVELHEADERFLAG : 0);
        if (editor()->SendScintilla(QsciScintillaBase::SCI_GETFOLDLEVEL, line) != level) {
            editor()->SendScintilla(QsciScintillaBase::SCI_SETFOLDLEVEL, line, level);
        }
    }
}

enum Margin { Numbers, Folding };
enum Marker { ErrorLine, ErrorNumber };
constexpr int kSquiggle = 8;
constexpr int kControl = 9;
constexpr int kUserDefined = 10;
constexpr int kRemark = 11;
constexpr int kTab = 4;

// Scintilla expects colours as 0xBBGGRR.
long colorOf(Token token) {
    const QColor color = themeColor(token);
    return color.red() | (color.green() << 8) | (color.blue() << 16);
}

} // namespace

TemplateEditor::TemplateEditor(QWidget* parent)
    : QsciScintilla(parent) {
    setUtf8(true);
    setEolMode(EolUnix);
    setFrameShape(QFrame::NoFrame);
    setIndentationsUseTabs(false);
    setIndentationWidth(kTab);
    setTabWidth(kTab);
    setAutoIndent(true);
    setBraceMatching(SloppyBraceMatch);
    setWrapMode(WrapNone);
    setScrollWidth(1);
    setScrollWidthTracking(true);
    setLexer(new JinjaLexer(this));
    setMarginType(Numbers, NumberMargin);
    setFolding(BoxedFoldStyle, Folding);
    markerDefine(Background, ErrorLine);
    indicatorDefine(SquiggleLowIndicator, kSquiggle);
    indicatorDefine(SquiggleLowIndicator, kRemark);
    for (const int indicator : {kControl, kUserDefined}) {
        SendScintilla(SCI_INDICSETSTYLE, indicator, static_cast<long>(INDIC_ROUNDBOX));
        SendScintilla(SCI_INDICSETUNDER, indicator, 1L);
        SendScintilla(SCI_INDICSETALPHA, indicator, 255L);
        SendScintilla(SCI_INDICSETOUTLINEALPHA, indicator, 255L);
    }
    // The document keeps the undo steps.
    SendScintilla(SCI_SETUNDOCOLLECTION, 0UL);
    SendScintilla(SCI_EMPTYUNDOBUFFER);
    // In dialogs Tab moves the focus, but in an editor it indents. Ctrl+Tab is left to the window's tabs.
    setAccessibleName(tr("Chat template"));
    // A line is measured when the caret is brought into view, and again when it is painted if its styles have changed
    // in between. Text is styled as soon as it changes, so that typing measures a line once.
    connect(this, &QsciScintilla::textChanged, this,
            [this] { SendScintilla(SCI_COLOURISE, static_cast<unsigned long>(SendScintilla(SCI_GETENDSTYLED)), -1L); });
    connect(this, &QsciScintilla::linesChanged, this, &TemplateEditor::showLineNumbers);
    connect(&Theme::instance(), &Theme::changed, this, &TemplateEditor::restyle);
    restyle();
}

void TemplateEditor::restyle() {
    const QColor base = themeColor(Token::Base);
    setPaper(base);
    setColor(themeColor(Token::Text));
    setCaretForegroundColor(themeColor(Token::Text));
    setSelectionBackgroundColor(themeColor(Token::Selection));
    resetSelectionForegroundColor();
    QFont numbers = themeFont(TextStyle::Axis);
    numbers.setPointSizeF(QFontInfo(numbers).pointSizeF());
    setMarginsFont(numbers);
    setMarginsForegroundColor(themeColor(Token::Faint));
    setMarginsBackgroundColor(themeColor(Token::AlternateRow));
    setFoldMarginColors(themeColor(Token::AlternateRow), themeColor(Token::AlternateRow));
    setMatchedBraceForegroundColor(themeColor(Token::Accent));
    setMatchedBraceBackgroundColor(themeColor(Token::Selection));
    setUnmatchedBraceForegroundColor(themeColor(Token::ErrorText));
    setUnmatchedBraceBackgroundColor(base);
    setWhitespaceForegroundColor(themeColor(Token::Faint));
    setMarkerBackgroundColor(themeColor(Token::ErrorFill), ErrorLine);
    setIndicatorForegroundColor(themeColor(Token::ErrorText), kSquiggle);
    setIndicatorForegroundColor(themeColor(Token::WarningText), kRemark);
    SendScintilla(SCI_INDICSETFORE, kControl, colorOf(Token::Selection));
    SendScintilla(SCI_INDICSETFORE, kUserDefined, colorOf(Token::UserDefinedChip));
    // QScintilla's own functions do not change these markers.
    for (unsigned long marker = SC_MARKNUM_FOLDEREND; marker <= SC_MARKNUM_FOLDEROPEN; ++marker) {
        SendScintilla(SCI_MARKERSETFORE, marker, colorOf(Token::AlternateRow));
        SendScintilla(SCI_MARKERSETBACK, marker, colorOf(Token::Faint));
    }
    setExtraAscent(2);
    setExtraDescent(2);
    showLineNumbers();
    recolor();
}

void TemplateEditor::showLineNumbers() {
    setMarginWidth(Numbers, QStringLiteral("  ") + QString::number(std::max(99, lines())));
}

void TemplateEditor::replaceText(const QString& text) {
    const QByteArray now = this->text().toUtf8();
    const QByteArray then = text.toUtf8();
    const auto isContinuation = [](const QByteArray& bytes, qsizetype i) {
        return i < bytes.size() && isContinuationByte(bytes[i]);
    };
    qsizetype head = std::mismatch(now.begin(), now.end(), then.begin(), then.end()).first - now.begin();
    while (head > 0 && (isContinuation(now, head) || isContinuation(then, head))) {
        --head;
    }
    qsizetype tail = 0;
    while (tail < std::min(now.size(), then.size()) - head &&
           now[now.size() - 1 - tail] == then[then.size() - 1 - tail]) {
        ++tail;
    }
    while (tail > 0 && (isContinuation(now, now.size() - tail) || isContinuation(then, then.size() - tail))) {
        --tail;
    }
    if (head == now.size() && head == then.size()) {
        return;
    }
    const qsizetype end = then.size() - tail;
    const QByteArray middle = then.mid(head, end - head);
    const bool wasReadOnly = isReadOnly();
    setReadOnly(false);
    SendScintilla(SCI_SETTARGETSTART, static_cast<unsigned long>(head));
    SendScintilla(SCI_SETTARGETEND, static_cast<unsigned long>(now.size() - tail));
    SendScintilla(SCI_REPLACETARGET, static_cast<uintptr_t>(middle.size()), middle.constData());
    setReadOnly(wasReadOnly);
    if (!now.isEmpty() && head > 0) {
        SendScintilla(SCI_GOTOPOS, static_cast<unsigned long>(end));
    }
}

int TemplateEditor::positionOf(int line, int column) const {
    if (line < 0 || line >= lines()) {
        return static_cast<int>(SendScintilla(SCI_GETLENGTH));
    }
    const QString before = text(line).left(column);
    return static_cast<int>(SendScintilla(SCI_POSITIONFROMLINE, line) + before.toUtf8().size());
}

void TemplateEditor::addMark(int indicator, int begin, int end, const QString& text) {
    SendScintilla(SCI_SETINDICATORCURRENT, static_cast<long>(indicator));
    SendScintilla(SCI_INDICATORFILLRANGE, static_cast<unsigned long>(begin), static_cast<long>(end - begin));
    m_marks.push_back({begin, end, text});
}

void TemplateEditor::setProblems(const std::vector<text::TemplateProblem>& problems,
                                 const std::vector<TemplateRemark>& remarks) {
    markerDeleteAll(ErrorLine);
    const auto length = static_cast<int>(SendScintilla(SCI_GETLENGTH));
    for (const int indicator : {kSquiggle, kRemark}) {
        SendScintilla(SCI_SETINDICATORCURRENT, static_cast<long>(indicator));
        SendScintilla(SCI_INDICATORCLEARRANGE, 0UL, static_cast<long>(length));
    }
    m_marks.clear();
    for (const text::TemplateProblem& problem : problems) {
        if (problem.line == 0) {
            continue;
        }
        const int line = std::min(problem.line, lines()) - 1;
        markerAdd(line, ErrorLine);
        const int begin = positionOf(problem.line - 1, problem.column - 1);
        const int end = std::max(positionOf(problem.line - 1, problem.column - 1 + problem.length), begin + 1);
        addMark(kSquiggle, begin, end, templateProblemText(problem));
    }
    const QByteArray source = text().toUtf8();
    for (const TemplateRemark& remark : remarks) {
        // They are about the text of the document, which is shorter where something is being typed.
        const auto end = static_cast<int>(std::min(remark.end, static_cast<std::size_t>(length)));
        if (const auto begin = static_cast<int>(std::min(remark.begin, remark.end)); begin < end) {
            const QString message = findingMessage(remark.finding);
            addMark(kRemark, begin, end, message);
            // An unknown marker is marked wherever it stands, and not only where it is named first.
            const QByteArray marked = source.mid(begin, end - begin);
            const bool isMarker = remark.finding.code == FindingCode::TemplateTokenUnknown &&
                                  remark.finding.args.front().text() == marked.toStdString();
            for (qsizetype at = isMarker ? source.indexOf(marked, end) : -1; at >= 0;
                 at = source.indexOf(marked, at + marked.size())) {
                addMark(kRemark, static_cast<int>(at), static_cast<int>(at + marked.size()), message);
            }
        }
    }
}

int TemplateEditor::markedLine() const { return static_cast<int>(SendScintilla(SCI_MARKERNEXT, 0UL, 1L << ErrorLine)); }

void TemplateEditor::setSpecials(std::span<const SpecialRange> ranges) {
    const QString all = text();
    for (const int indicator : {kControl, kUserDefined}) {
        SendScintilla(SCI_SETINDICATORCURRENT, static_cast<long>(indicator));
        SendScintilla(SCI_INDICATORCLEARRANGE, 0UL, SendScintilla(SCI_GETLENGTH));
    }
    qsizetype counted = 0;
    qsizetype bytes = 0;
    for (const SpecialRange& range : ranges) {
        bytes += all.mid(counted, range.begin - counted).toUtf8().size();
        const qsizetype length = all.mid(range.begin, range.end - range.begin).toUtf8().size();
        SendScintilla(SCI_SETINDICATORCURRENT, static_cast<long>(range.isControl ? kControl : kUserDefined));
        SendScintilla(SCI_INDICATORFILLRANGE, static_cast<unsigned long>(bytes), static_cast<long>(length));
        bytes += length;
        counted = range.end;
    }
}

void TemplateEditor::setWhitespaceShown(bool shown) { setWhitespaceVisibility(shown ? WsVisible : WsInvisible); }

bool TemplateEditor::find(const QString& text, bool forward, bool includeCurrent) {
    if (text.isEmpty()) {
        return false;
    }
    int fromLine = 0;
    int fromIndex = 0;
    int toLine = 0;
    int toIndex = 0;
    getSelection(&fromLine, &fromIndex, &toLine, &toIndex);
    if (fromLine < 0) {
        getCursorPosition(&fromLine, &fromIndex);
        toLine = fromLine;
        toIndex = fromIndex;
    }
    const bool atStart = includeCurrent || !forward;
    const bool found =
        findFirst(text, false, false, false, true, forward, atStart ? fromLine : toLine, atStart ? fromIndex : toIndex);
    if (found) {
        ensureLineVisible(static_cast<int>(SendScintilla(SCI_LINEFROMPOSITION, SendScintilla(SCI_GETCURRENTPOS))));
    }
    return found;
}

void TemplateEditor::showPosition(int position) {
    ensureLineVisible(static_cast<int>(SendScintilla(SCI_LINEFROMPOSITION, static_cast<long>(position))));
    SendScintilla(SCI_GOTOPOS, static_cast<unsigned long>(position));
    setFocus();
}

void TemplateEditor::goTo(const text::TemplateProblem& problem) {
    if (problem.line != 0) {
        showPosition(positionOf(problem.line - 1, problem.column - 1));
    }
}

void TemplateEditor::goTo(const TemplateRemark& remark) {
    if (remark.end > remark.begin) {
        const auto length = static_cast<std::size_t>(SendScintilla(SCI_GETLENGTH));
        showPosition(static_cast<int>(std::min(remark.begin, length)));
    }
}

void TemplateEditor::scrollToTop() {
    setCursorPosition(0, 0);
    setFirstVisibleLine(0);
    SendScintilla(SCI_SETXOFFSET, 0UL);
}

void TemplateEditor::replaceAt(const text::TemplateProblem& problem, const QString& by) {
    const QByteArray bytes = by.toUtf8();
    const int begin = positionOf(problem.line - 1, problem.column - 1);
    const int end = positionOf(problem.line - 1, problem.column - 1 + problem.length);
    SendScintilla(SCI_SETTARGETSTART, static_cast<unsigned long>(begin));
    SendScintilla(SCI_SETTARGETEND, static_cast<unsigned long>(end));
    SendScintilla(SCI_REPLACETARGET, static_cast<uintptr_t>(bytes.size()), bytes.constData());
    SendScintilla(SCI_GOTOPOS, static_cast<unsigned long>(begin + bytes.size()));
}

QString TemplateEditor::problemAt(int position) const {
    const auto mark = std::ranges::find_if(
        m_marks, [position](const Mark& each) { return position >= each.begin && position < each.end; });
    return mark != m_marks.end() ? mark->text : QString();
}

bool TemplateEditor::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QPoint at = viewport()->mapFrom(this, help->pos());
        const auto position = SendScintilla(SCI_POSITIONFROMPOINTCLOSE, static_cast<unsigned long>(std::max(0, at.x())),
                                            static_cast<long>(at.y()));
        const QString text = position >= 0 ? problemAt(static_cast<int>(position)) : QString();
        if (text.isEmpty()) {
            QToolTip::hideText();
        } else {
            QToolTip::showText(help->globalPos(), plainToolTip(text), this);
        }
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->accept(); // typed text that is not a step yet is undone too
            return true;
        }
        if ((key->modifiers() & Qt::ControlModifier) != 0 && !key->matches(QKeySequence::Copy) &&
            !key->matches(QKeySequence::Cut) && !key->matches(QKeySequence::Paste) &&
            !key->matches(QKeySequence::SelectAll)) {
            event->ignore(); // the window's shortcuts take precedence over Scintilla's
            return true;
        }
    }
    return QsciScintilla::event(event);
}

void TemplateEditor::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Undo)) {
        emit undoRequested();
    } else if (event->matches(QKeySequence::Redo)) {
        emit redoRequested();
    } else {
        QsciScintilla::keyPressEvent(event);
    }
}

void TemplateEditor::focusOutEvent(QFocusEvent* event) {
    QsciScintilla::focusOutEvent(event);
    emit focusLeft();
}

} // namespace gufo::ui

#include "moc_template_editor.cpp"
