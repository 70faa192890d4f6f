// Styles Jinja in the editor with the theme's colours, and folds its blocks.
#pragma once

#include <Qsci/qscilexercustom.h>

#include <cstddef>
#include <string_view>

namespace gufo::ui {

class JinjaLexer : public QsciLexerCustom {
    Q_OBJECT

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

} // namespace gufo::ui
