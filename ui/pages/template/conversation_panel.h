// The conversation with which a template is tried out: messages on the left, tools and variables on the right.
#pragma once

#include "ui/models/template_input.h"
#include "ui/widgets/growing_edit.h"
#include "ui/widgets/segmented_control.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>

namespace gufo::ui {

// One message of the conversation: role, text, and on request tool calls, thoughts and image placeholders.
class MessageRow : public QWidget {
    Q_OBJECT

public:
    explicit MessageRow(const ChatMessage& message, QWidget* parent = nullptr);
    [[nodiscard]] ChatMessage message() const;
    // Whether its tool calls are valid JSON.
    [[nodiscard]] bool isValid() const { return m_calls->problem().isEmpty(); }
    [[nodiscard]] QPlainTextEdit* contentEdit() const { return m_content; }
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

class ConversationPanel : public QWidget {
    Q_OBJECT

public:
    explicit ConversationPanel(QWidget* parent = nullptr);

    void setConversation(const Conversation& conversation);
    [[nodiscard]] Conversation conversation() const;
    // Whether tools, tool calls and variables are valid JSON. A field that is not says why.
    [[nodiscard]] bool isValid() const;

    // Shows only the header line.
    void setFolded(bool folded);
    [[nodiscard]] bool isFolded() const { return m_body->isHidden(); }
    [[nodiscard]] QList<MessageRow*> rows() const { return m_rows; }

signals:
    void changed();

private:
    QWidget* makeHeader();
    QWidget* makeSide();
    MessageRow* addRow(const ChatMessage& message, qsizetype at);
    void moveRow(MessageRow* row, int by);
    void numberRows();
    void addVariable(const ChatVariable& variable);
    void checkVariables();
    void showCounts();
    void onEdited();

    QComboBox* m_preset;
    QPushButton* m_add;
    QCheckBox* m_prompt;
    QToolButton* m_fold;
    QSplitter* m_body;
    QScrollArea* m_scroll;
    QVBoxLayout* m_list;
    QList<MessageRow*> m_rows;
    SegmentedControl* m_which;
    QLabel* m_validity;
    QStackedWidget* m_side;
    ToolsEdit* m_tools;
    QTableWidget* m_variables;
    QToolButton* m_addVariable;
    QToolButton* m_removeVariable;
    bool m_filling = false;
};

} // namespace gufo::ui
