// The bar above a conversation: its mode, the shelf of conversations, shading with its legend, and exports.
#pragma once

#include "ui/pages/run/conversation_files.h"
#include "ui/pages/run/conversation_shelf.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/tool_strip.h"

#include <QCheckBox>
#include <QPushButton>
#include <QToolButton>

#include <array>

class QMenu;

namespace gufo::ui {

class RunToolBar : public ToolStrip {
    Q_OBJECT

public:
    // The session and the shelf must outlive this object, which becomes the parent of the shelf.
    RunToolBar(ChatSession* session, ConversationShelf* shelf, QWidget* parent = nullptr);

    // Connects what the menus offer. Must be called once.
    void setFiles(ConversationFiles* files);

    // Enables the possible actions. The texts say why a completion is impossible, or why tokens cannot be shaded; they
    // are empty otherwise.
    void showState(const QString& noCompletion, const QString& noShades);
    void fit(int width); // omits what has no room in this width

    [[nodiscard]] QCheckBox* shade() const { return m_shade; }
    [[nodiscard]] QToolButton* settingsButton() const { return m_settings; }

    // Whether the engine's states after prompts are kept on the disk, in all windows. Switching it off deletes the kept
    // states.
    static void keepPrompts(bool keeps);
    [[nodiscard]] static bool keepsPrompts();

signals:
    void modeChosen(gufo::ui::ChatMode mode);
    void newRequested();

private:
    QMenu* makeMoreMenu(ConversationFiles* files);

    ChatSession* m_session;
    ConversationShelf* m_shelf;
    SegmentedControl* m_mode;
    QPushButton* m_new;
    QToolButton* m_more;
    QCheckBox* m_shade;
    std::array<QWidget*, 2> m_shadeParts{}; // the separator and the legend beside m_shade
    QToolButton* m_copy;
    QToolButton* m_export;
    QToolButton* m_settings;
};

// The legend of the shades of tokens, from likely to unlikely. It is empty where there is no room for it.
class ShadeLegend : public QWidget {
    Q_OBJECT

public:
    explicit ShadeLegend(QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, 20}; }

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace gufo::ui
