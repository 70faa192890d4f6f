// The user guide in a window of its own: the chapters with a search at the left, the text of the chosen one at the
// right. A search leaves the chapters that contain all of its words and marks these in the text. Links lead from
// chapter to chapter.
#pragma once

#include <QWidget>

class QListWidget;
class QTextBrowser;

namespace gufo::ui {

class FilterField;
struct GuideChapter;

class GuideWindow : public QWidget {
    Q_OBJECT

public:
    explicit GuideWindow(QWidget* parent);

    void showChapter(const GuideChapter& chapter);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void filter();
    void showCurrent();
    void markFound();

    FilterField* m_search;
    QListWidget* m_chapters;
    QTextBrowser* m_text;
};

} // namespace gufo::ui
