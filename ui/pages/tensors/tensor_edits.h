// The editing actions for tensors: renaming, deleting, moving, importing from another model, and reverting. Each is an
// action of the list with a shortcut. All changes go through the document and can be undone.
#pragma once

#include "model/change.h"
#include "model/model.h"

#include <QAction>
#include <QObject>

#include <vector>

namespace gufo::ui {

class ModelDocument;
class TensorList;

class TensorEdits : public QObject {
    Q_OBJECT

public:
    explicit TensorEdits(TensorList* list, ModelDocument* document);
    // Call when the possible actions for the selection may have changed.
    void update();

    void importTensors();
    void renameByPattern();

signals:
    void tensorWanted(const QByteArray& name); // select this tensor
    void said(const QString& message);
    void bytesWanted(TensorIndex tensor); // show where it is in its file

private:
    QAction* action(const QString& text, const QString& shortcut, void (TensorEdits::*slot)());
    void showMenu(QPoint at);
    void rename(TensorIndex tensor, const QString& name);
    // Why the tensor cannot have this name, a sentence; empty if it can.
    [[nodiscard]] QString nameProblem(TensorIndex tensor, const QString& name) const;
    void renameSelected();
    void deleteSelected();
    void revertSelected();
    void moveUp();
    void moveDown();
    void moveBefore(const std::vector<TensorIndex>& tensors, std::size_t row);
    [[nodiscard]] const Model& model() const;

    TensorList* m_list;
    ModelDocument* m_document;
    QAction* m_rename;
    QAction* m_pattern;
    QAction* m_import;
    QAction* m_up;
    QAction* m_down;
    QAction* m_revert;
    QAction* m_delete;
};

// The changes that move `tensors` (sorted), in this order, before the tensor that is now at `row`.
[[nodiscard]] std::vector<Change> changesOfMoving(const Model& model, const std::vector<TensorIndex>& tensors,
                                                  std::size_t row);

} // namespace gufo::ui
