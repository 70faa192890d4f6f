#include "ui/pages/template/jinja_lexer.h"

#include "base/utf8.h"
#include "ui/pages/template/jinja_syntax.h"
#include "ui/theme/theme.h"

#include <QFontInfo>
#include <Qsci/qsciscintilla.h>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

struct PartFact {
    JinjaPart part;
    const char* name;
    QRgb light; // 0: the text colour
    QRgb dark;
};

constexpr auto kParts = std::to_array<PartFact>({
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

} // namespace

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
        const PartFact& fact = kParts[static_cast<std::size_t>(style % kJinjaParts)];
        if (const QRgb color = Theme::instance().isDark() ? fact.dark : fact.light; color != 0) {
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

} // namespace gufo::ui

#include "moc_jinja_lexer.cpp"
