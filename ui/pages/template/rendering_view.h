// What a template made of a conversation: special tokens as chips, the roles of messages beside their first lines.
#pragma once

#include "text/template/template_renderer.h"
#include "ui/vocabulary/token_edit.h"

namespace gufo::ui {

class RenderingView : public TokenEdit {
    Q_OBJECT

public:
    // Shown at most: text is laid out on the UI thread.
    static constexpr qsizetype kMaxShown = 100'000;

    explicit RenderingView(QWidget* parent = nullptr);

    // `roles`: of the messages, by their index.
    void setRendering(const text::Rendering& rendering, const QStringList& roles);
    void setWhitespaceShown(bool shown);
    [[nodiscard]] QStringList shownRoles() const; // for tests: those of the gutter, in order

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    class Gutter;
    void restyle();
    void placeGutter();
    void paintGutter(QPainter& painter);

    struct Label {
        int position;
        QString role;
    };
    QWidget* m_gutter;
    std::vector<Label> m_labels;
};

} // namespace gufo::ui
