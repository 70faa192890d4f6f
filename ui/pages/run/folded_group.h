// A header that expands and collapses the content below it, with a short summary of it.
#pragma once

#include "ui/theme/theme.h"

#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace gufo::ui {

class FoldedGroup : public QWidget {
    Q_OBJECT

public:
    FoldedGroup(const QString& title, QWidget* parent);
    [[nodiscard]] QVBoxLayout* content() const { return m_content; }
    void setNote(const QString& note, Token token = Token::Muted);
    void setOpen(bool open) { m_head->setChecked(open); }
    [[nodiscard]] bool isOpen() const { return m_head->isChecked(); }
    [[nodiscard]] QToolButton* head() const { return m_head; }

private:
    QToolButton* m_head;
    QLabel* m_note;
    QWidget* m_body;
    QVBoxLayout* m_content;
};

} // namespace gufo::ui
