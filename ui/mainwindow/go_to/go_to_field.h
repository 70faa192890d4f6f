// The field at the right of the menu bar (Ctrl+K) with its list of results: finds pages, keys, tensors and tokens of
// the current model and the commands of the menus by words of their name, in any order, and opens models on servers by
// their address or name.
#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/mainwindow/go_to/go_to_search.h"

#include <QLineEdit>
#include <QPointer>

class QAction;
class QListWidget;
class QMenuBar;

namespace gufo::ui {

class GoToField : public QLineEdit {
    Q_OBJECT

public:
    explicit GoToField(QWidget* parent = nullptr);

    // Sets the searched model and pages. With a null model and no titles, there is nothing to find. UI thread only.
    void setModel(std::shared_ptr<const Model> model, const QStringList& pageTitles);
    // Offers the enabled commands of these menus.
    void setCommands(QMenuBar* menus);
    [[nodiscard]] QListWidget* results() const { return m_results; }

signals:
    void pageChosen(int page);
    void placeChosen(const Place& place);
    void addressChosen(const gufo::hub::ModelPlace& model);
    void left(); // Escape was pressed: the page gets the focus back

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void search();
    void showHits(std::vector<GoToHit> hits);
    void placeResults();
    void leave();
    void choose(int row);
    [[nodiscard]] std::vector<GoToHit> matchingPages() const;
    [[nodiscard]] std::vector<GoToHit> matchingCommands();
    // The hits, with the address that was typed: first if it can be nothing else, or else last.
    [[nodiscard]] std::vector<GoToHit> withAddress(std::vector<GoToHit> hits) const;

    std::shared_ptr<const Model> m_model;
    QStringList m_pageTitles;
    QPointer<QMenuBar> m_menus;
    std::vector<QPointer<QAction>> m_commands; // the commands that were found
    std::vector<GoToHit> m_hits;
    LatestJob m_job{this};
    bool m_chooseFirst = false; // Enter was pressed before the results arrived
    QListWidget* m_results;     // a child of the window, above its other children
};

} // namespace gufo::ui
