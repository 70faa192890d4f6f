#include "ui/pages/tensors/tensor_edits.h"

#include "ui/document/model_document.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/models/tensor_delegates.h"
#include "ui/pages/tensors/import_tensors_dialog.h"
#include "ui/pages/tensors/rename_dialog.h"
#include "ui/pages/tensors/tensor_list.h"

#include <QMenu>

#include <algorithm>

namespace gufo::ui {

std::vector<Change> changesOfMoving(const Model& model, const std::vector<TensorIndex>& tensors, std::size_t row) {
    // They are inserted before the first of the tensors from `row` on that stays where it is.
    std::size_t at = std::min(row, model.tensors.size());
    while (at < model.tensors.size() && std::ranges::binary_search(tensors, TensorIndex(at))) {
        ++at;
    }
    std::size_t fromBefore = 0; // tensors that were moved here from places before and after it
    std::size_t fromAfter = 0;
    std::vector<Change> changes;
    for (const TensorIndex tensor : tensors) {
        const bool isBefore = tensor.value < at;
        const std::size_t was = isBefore ? tensor.value - fromBefore++ : tensor.value;
        const std::size_t now = isBefore ? at - 1 : at + fromAfter++;
        if (now != was) {
            changes.emplace_back(MoveTensor{.name = std::string(model.tensor(tensor).name), .position = now});
        }
    }
    return changes;
}

TensorEdits::TensorEdits(TensorList* list, ModelDocument* document)
    : QObject(list)
    , m_list(list)
    , m_document(document)
    , m_rename(action(tr("Re&name"), QStringLiteral("F2"), &TensorEdits::renameSelected))
    , m_pattern(action(tr("Rename by &pattern…"), QStringLiteral("Shift+F2"), &TensorEdits::renameByPattern))
    , m_import(action(tr("I&mport tensors from another model…"), QStringLiteral("Ins"), &TensorEdits::importTensors))
    , m_up(action(tr("Move &up"), QStringLiteral("Alt+Up"), &TensorEdits::moveUp))
    , m_down(action(tr("Move &down"), QStringLiteral("Alt+Down"), &TensorEdits::moveDown))
    , m_revert(action(tr("Re&vert this change"), {}, &TensorEdits::revertSelected))
    , m_delete(action(tr("De&lete"), QStringLiteral("Del"), &TensorEdits::deleteSelected)) {
    for (QAbstractItemView* view : m_list->views()) {
        view->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(view, &QWidget::customContextMenuRequested, this, &TensorEdits::showMenu);
        connect(view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TensorEdits::update);
        static_cast<TensorCellDelegate*>(view->itemDelegate())
            ->setNameCheck([this](const QModelIndex& index, const QString& name) {
                return nameProblem(TensorIndex(index.data(kTensorIndexRole).toUInt()), name);
            });
    }
    m_list->menu()->addSeparator();
    m_list->menu()->addActions({m_pattern, m_import});
    connect(&m_list->table(), &TensorTableModel::renameWanted, this, &TensorEdits::rename);
    connect(
        &m_list->table(), &TensorTableModel::moveWanted, this,
        [this](const QList<uint>& tensors, int before) {
            std::vector<TensorIndex> moved;
            for (const uint tensor : tensors) {
                moved.emplace_back(tensor);
            }
            moveBefore(moved, static_cast<std::size_t>(before));
        },
        Qt::QueuedConnection); // deferred: the rows must not move while the view handles the drop
    connect(&m_list->table(), &QAbstractItemModel::layoutChanged, this, &TensorEdits::update);
    connect(&m_list->table(), &QAbstractItemModel::modelReset, this, &TensorEdits::update);
    connect(m_document, &ModelDocument::editableChanged, this, &TensorEdits::update);
    update();
}

QAction* TensorEdits::action(const QString& text, const QString& shortcut, void (TensorEdits::*slot)()) {
    auto* made = new QAction(text, m_list);
    made->setShortcut(QKeySequence(shortcut));
    made->setShortcutContext(Qt::WidgetShortcut);
    for (QAbstractItemView* view : m_list->views()) {
        view->addAction(made);
    }
    connect(made, &QAction::triggered, this, slot);
    return made;
}

const Model& TensorEdits::model() const { return *m_document->current(); }

void TensorEdits::update() {
    const bool can = m_document->can(Capability::EditTensors);
    m_list->setEditable(can);
    const std::size_t selected = m_list->selected().size();
    const bool inOrder = m_list->view() == m_list->views()[0] && m_list->table().isInFileOrder();
    m_rename->setEnabled(can && selected == 1);
    m_pattern->setEnabled(can && !model().tensors.empty());
    m_import->setEnabled(can);
    m_up->setEnabled(can && inOrder && selected != 0);
    m_down->setEnabled(can && inOrder && selected != 0);
    m_delete->setEnabled(can && selected != 0);
    m_revert->setEnabled(can && std::ranges::any_of(m_list->selected(), [this](TensorIndex tensor) {
                             return tensor.value < model().tensors.size() &&
                                    m_document->document().differenceOfTensor(model().tensor(tensor).name) != nullptr;
                         }));
    for (QAction* each : {m_rename, m_pattern, m_import, m_up, m_down, m_delete, m_revert}) {
        each->setToolTip(m_document->whyNot(Capability::EditTensors));
    }
    if (can && !inOrder) {
        for (QAction* each : {m_up, m_down}) {
            each->setToolTip(tr("Tensors can be moved only in the table, in file order and without a filter."));
        }
    }
}

void TensorEdits::showMenu(QPoint at) {
    update();
    QMenu menu(m_list);
    menu.setToolTipsVisible(true);
    menu.addActions({m_rename, m_pattern, m_up, m_down});
    menu.addSeparator();
    menu.addActions({m_revert, m_delete});
    menu.addSeparator();
    menu.addAction(m_import);
    QAction* bytes = menu.addAction(tr("Show &bytes"), this, [this] {
        if (const auto tensor = m_list->current()) {
            emit bytesWanted(*tensor);
        }
    });
    const auto current = m_list->current();
    bytes->setEnabled(current && !model().isImported(model().tensor(*current)));
    menu.exec(m_list->view()->viewport()->mapToGlobal(at));
}

QString TensorEdits::nameProblem(TensorIndex tensor, const QString& name) const {
    RenamingModel words(m_document->current());
    words.setRenamings({{.tensor = tensor, .newName = name.toStdString()}});
    return words.conflicts() == 0 ? QString()
                                  : tr("%1 keeps its name: %2.")
                                        .arg(displayText(model().tensor(tensor).name),
                                             words.index(0, RenamingModel::Problem).data().toString());
}

void TensorEdits::rename(TensorIndex tensor, const QString& name) {
    if (const QString problem = nameProblem(tensor, name); !problem.isEmpty()) {
        emit said(problem);
        return;
    }
    m_document->apply(changesOfRenaming(model(), {{.tensor = tensor, .newName = name.toStdString()}}),
                      tr("Rename %1").arg(displayText(model().tensor(tensor).name)));
}

// Renames in the table, because the tree shows group labels instead of full names.
void TensorEdits::renameSelected() {
    const std::vector<TensorIndex> selected = m_list->selected();
    if (selected.size() != 1) {
        return;
    }
    m_list->showTable();
    const int row = m_list->table().rowOf(selected.front());
    const QModelIndex name = m_list->table().index(row, static_cast<int>(TensorColumn::Name));
    m_list->view()->setFocus();
    m_list->view()->setCurrentIndex(name);
    m_list->view()->edit(name);
}

void TensorEdits::renameByPattern() {
    RenameDialog dialog(m_document->current(), m_list->selected(), m_list);
    if (dialog.exec() != QDialog::Accepted || !m_document->can(Capability::EditTensors)) {
        return;
    }
    const int count = dialog.preview()->rowCount();
    m_document->apply(dialog.changes(),
                      count == 1 ? tr("Rename a tensor") : tr("Rename %n tensors", nullptr, numerus(count)));
}

void TensorEdits::deleteSelected() {
    const std::vector<TensorIndex> selected = m_list->selected();
    if (selected.empty()) {
        return;
    }
    std::vector<Change> changes;
    for (auto tensor = selected.rbegin(); tensor != selected.rend(); ++tensor) {
        changes.emplace_back(DeleteTensor{.name = std::string(model().tensor(*tensor).name)});
    }
    const QString label = selected.size() == 1 ? tr("Delete %1").arg(displayText(model().tensor(selected.front()).name))
                                               : tr("Delete %n tensors", nullptr, numerus(selected.size()));
    // The tensor after the last deleted one is selected, so that Delete can be pressed repeatedly.
    const std::size_t next = selected.back().value + 1;
    const std::string wanted(next < model().tensors.size() ? model().tensors[next].name : std::string_view());
    if (m_document->apply(std::move(changes), label) && !wanted.empty()) {
        m_document->whenSettled(this, [this, wanted] { emit tensorWanted(QByteArray::fromStdString(wanted)); });
    }
}

void TensorEdits::revertSelected() {
    if (!m_document->can(Capability::EditTensors)) {
        return;
    }
    std::vector<Difference> differences;
    for (const TensorIndex tensor : m_list->selected()) {
        if (const Difference* difference = m_document->document().differenceOfTensor(model().tensor(tensor).name)) {
            differences.push_back(*difference);
        }
    }
    revertDifferences(this, m_document, std::move(differences));
}

void TensorEdits::moveUp() {
    const std::vector<TensorIndex> selected = m_list->selected();
    if (!selected.empty() && selected.front().value > 0) {
        moveBefore(selected, selected.front().value - 1);
    }
}

void TensorEdits::moveDown() {
    const std::vector<TensorIndex> selected = m_list->selected();
    if (!selected.empty() && selected.back().value + 1 < model().tensors.size()) {
        moveBefore(selected, selected.back().value + 2);
    }
}

void TensorEdits::moveBefore(const std::vector<TensorIndex>& tensors, std::size_t row) {
    std::vector<Change> changes = changesOfMoving(model(), tensors, row);
    if (m_document->can(Capability::EditTensors) && !changes.empty()) {
        m_document->apply(std::move(changes), tensors.size() == 1
                                                  ? tr("Move %1").arg(displayText(model().tensor(tensors[0]).name))
                                                  : tr("Move %n tensors", nullptr, numerus(tensors.size())));
    }
}

void TensorEdits::importTensors() {
    std::vector<std::string> wanted;
    for (const TensorIndex tensor : m_list->selected()) {
        wanted.emplace_back(model().tensor(tensor).name);
    }
    ImportTensorsDialog dialog(m_document->current(), std::move(wanted), m_list);
    if (dialog.exec() != QDialog::Accepted || !m_document->can(Capability::EditTensors)) {
        return;
    }
    std::vector<Change> changes = dialog.takeChanges();
    const std::size_t count = changes.size();
    const std::string first = std::get<ImportTensor>(changes.front()).newName;
    const QString from = displayText(dialog.tensors()->source()->path().filename().native());
    if (m_document->apply(std::move(changes),
                          count == 1 ? tr("Import %1 from %2").arg(displayText(first), from)
                                     : tr("Import %n tensors from %1", nullptr, numerus(count)).arg(from))) {
        m_document->whenSettled(this, [this, first] { emit tensorWanted(QByteArray::fromStdString(first)); });
    }
}

} // namespace gufo::ui

#include "moc_tensor_edits.cpp"
