// One message of the conversation: role, text, and on request tool calls, thoughts and image placeholders.
#pragma once

#include "ui/models/template_input.h"
#include "ui/widgets/growing_edit.h"

#include <QComboBox>
#include <QLabel>
#include <QToolButton>
#include <QWidget>

namespace gufo::ui {

class MessageRow : public QWidget {
    Q_OBJECT

public:
    explicit MessageRow(const ChatMessage& message, QWidget* parent = nullptr);
    [[nodiscard]] ChatMessage message() const;
    // Whether its tool calls are valid JSON.
    [[nodiscard]] bool isValid() const { return m_calls->problem().isEmpty(); }
    [[nodiscard]] QPlainTextEdit* contentEdit() const { return m_content; }
    [[nodiscard]] QPlainTextEdit* callsEdit() const { return m_calls; }
    [[nodiscard]] QComboBox* roleCombo() const { return m_role; }
    void setPosition(int index, int count);

signals:
    void changed();
    void removeRequested();
    void moveRequested(int by);

private:
    QWidget* labelled(const QString& text, GrowingEdit* edit);
    void fillMenu();
    void checkCalls();
    void showEmptyContent();
    void showParts();

    QComboBox* m_role;
    GrowingEdit* m_content;
    GrowingEdit* m_calls;
    GrowingEdit* m_reasoning;
    QWidget* m_callsRow;
    QWidget* m_reasoningRow;
    QLabel* m_imagesLabel;
    QToolButton* m_more;
    QToolButton* m_remove;
    int m_images;
    bool m_emptyText;
    int m_index = 0;
    int m_count = 1;
};

} // namespace gufo::ui
