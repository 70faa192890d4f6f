// The rendering of a conversation: special tokens as chips, and the roles of messages beside their first lines.
#pragma once

#include "text/template/template_renderer.h"
#include "ui/vocabulary/token_edit.h"

namespace gufo::ui {

class RenderingView : public TokenEdit {
    Q_OBJECT

public:
    // The limit of the shown text, because it is laid out on the UI thread.
    static constexpr qsizetype kMaxShown = 100'000;

    explicit RenderingView(QWidget* parent = nullptr);

    // `roles` are the roles of the messages by index.
    void setRendering(const text::Rendering& rendering, const QStringList& roles);
    void setWhitespaceShown(bool shown);
    [[nodiscard]] QStringList shownRoles() const; // the roles in the gutter from top to bottom, for tests

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
