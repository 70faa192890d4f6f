// Styles Jinja in the editor with the theme's colours, and folds its blocks.
#pragma once

#include <Qsci/qscilexercustom.h>

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
};

} // namespace gufo::ui
