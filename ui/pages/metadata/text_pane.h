// One long string beside the metadata tree: a chat template, a licence.
#pragma once

#include "ui/widgets/text_view.h"

#include <QLabel>
#include <QWidget>

namespace gufo::ui {

class TextPane : public QWidget {
    Q_OBJECT

public:
    explicit TextPane(QWidget* parent = nullptr);
    void setText(const QString& title, std::string_view bytes);
    [[nodiscard]] TextView* view() const { return m_view; }

signals:
    void copyRequested();
    void closed();

private:
    QLabel* m_title;
    QLabel* m_subtitle;
    TextView* m_view;
};

} // namespace gufo::ui
