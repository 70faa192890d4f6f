#include "ui/pages/template/jinja_lexer.h"

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
    {JinjaPart::Delimiter, QT_TRANSLATE_NOOP("gufo::ui::JinjaLexer", "Delimiter"), 0xFF7A828E, 0xFF7F8794},
    {JinjaPart::Keyword, QT_TRANSLATE_NOOP("gufo::ui::JinjaLexer", "Keyword"), 0xFF7A3E9D, 0xFFC9A3E8},
    {JinjaPart::Name, QT_TRANSLATE_NOOP("gufo::ui::JinjaLexer", "Name"), 0xFF1F5FA8, 0xFF86B7F0},
    {JinjaPart::String, QT_TRANSLATE_NOOP("gufo::ui::JinjaLexer", "String"), 0xFF1F6F3F, 0xFF8CCB9B},
    {JinjaPart::Number, QT_TRANSLATE_NOOP("gufo::ui::JinjaLexer", "Number"), 0xFF9A4A00, 0xFFE8B07A},
    {JinjaPart::Operator, QT_TRANSLATE_NOOP("gufo::ui::JinjaLexer", "Operator"), 0, 0},
    {JinjaPart::Comment, QT_TRANSLATE_NOOP("gufo::ui::JinjaLexer", "Comment"), 0xFF7A828E, 0xFF7F8794},
    {JinjaPart::Word, QT_TRANSLATE_NOOP("gufo::ui::JinjaLexer", "Variable"), 0, 0},
});
static_assert(kParts.size() == kJinjaParts);

} // namespace

JinjaLexer::JinjaLexer(QsciScintilla* editor)
    : QsciLexerCustom(editor) {
    restyle();
    connect(&Theme::instance(), &Theme::changed, this, &JinjaLexer::restyle);
}

QString JinjaLexer::description(int style) const {
    return style >= 0 && style < kJinjaParts ? tr(kParts[static_cast<std::size_t>(style)].name) : QString();
}

QColor JinjaLexer::defaultColor(int style) const {
    if (style >= 0 && style < kJinjaParts) {
        const PartFact& fact = kParts[static_cast<std::size_t>(style)];
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
    for (int style = 0; style < kJinjaParts; ++style) {
        setColor(defaultColor(style), style);
        setPaper(defaultPaper(style), style);
        setFont(defaultFont(style), style);
    }
}

// The kind of a tag depends on all text before it. Templates are small, so the whole text is styled.
void JinjaLexer::styleText(int start, int end) {
    const QByteArray bytes = editor()->text().toUtf8();
    const std::string_view text(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    const auto from = static_cast<std::size_t>(std::max(0, start));
    const std::size_t to = std::min(static_cast<std::size_t>(std::max(0, end)), text.size());
    const std::vector<JinjaRun> runs = jinjaRuns(text);
    startStyling(start);
    auto run = std::ranges::upper_bound(runs, from, {}, &JinjaRun::begin);
    run -= run != runs.begin() ? 1 : 0;
    for (; run != runs.end() && run->begin < to; ++run) {
        const std::size_t runEnd = std::next(run) != runs.end() ? std::next(run)->begin : text.size();
        const std::size_t begin = std::max(run->begin, from);
        const std::size_t stop = std::min(runEnd, to);
        setStyling(static_cast<int>(stop - begin), static_cast<int>(run->part));
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
