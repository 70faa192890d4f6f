// The field at the right of the menu bar (Ctrl+K) and its list of results: pages, keys, tensors and tokens of the
// current model, by typing a part of the name.
#pragma once

#include "ui/jobs/job.h"
#include "ui/mainwindow/go_to/go_to_search.h"

#include <QLineEdit>
#include <QPointer>

class QListWidget;

namespace gufo::ui {

class GoToField : public QLineEdit {
    Q_OBJECT

public:
    explicit GoToField(QWidget* parent = nullptr);

    // What is searched; null and no titles: nothing to go to. UI thread.
    void setModel(std::shared_ptr<const Model> model, const QStringList& pageTitles);
    [[nodiscard]] QListWidget* results() const { return m_results; }

signals:
    void pageChosen(int page);
    void placeChosen(const Place& place);
    void left(); // Escape: the focus goes back to the page

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void search();
    void showHits(std::vector<GoToHit> hits);
    void placeResults();
    void choose(int row);
    [[nodiscard]] std::vector<GoToHit> matchingPages() const;

    std::shared_ptr<const Model> m_model;
    QStringList m_pageTitles;
    std::vector<GoToHit> m_hits;
    QPointer<Job> m_job;
    bool m_chooseFirst = false; // Enter came before the results
    QListWidget* m_results;     // a child of the window, above all else in it
};

} // namespace gufo::ui
