// The conversation with which a template is tried out: messages on the left, tools and variables on the right.
#pragma once

#include "ui/models/template_input.h"
#include "ui/pages/template/message_row.h"
#include "ui/widgets/growing_edit.h"
#include "ui/widgets/segmented_control.h"

#include <QCheckBox>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableWidget>
#include <QVBoxLayout>

namespace gufo::ui {

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
    [[nodiscard]] QTableWidget* variablesTable() const { return m_variables; }

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
