// The part of ArrayPane that edits: inserting, removing, reverting, and following the document.
#include "base/try.h"
#include "model/encode_value.h"
#include "model/value_text.h"
#include "ui/document/model_document.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/problem_text.h"
#include "ui/pages/metadata/array_pane.h"
#include "ui/pages/metadata/metadata_files.h"
#include "ui/shell/file_dialogs.h"
#include "ui/theme/theme.h"
#include "ui/widgets/text_color.h"

#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::size_t kMaxRanges = 64; // removed individually; for more ranges the array is rebuilt
constexpr std::uint64_t kStep = 1024;

// An array of one element: zero, an empty string, or an empty array.
OwnedValue oneElement(const ArrayView& like) {
    ArrayBuilder one(like.elementType);
    if (like.elementType == ValueType::Array) {
        const std::vector<Value> head = arrayHead(like, 1);
        const ArrayView* first = head.empty() ? nullptr : asArray(head[0]);
        one.add(ArrayView{.elementType = first != nullptr ? first->elementType : ValueType::Int32});
    } else {
        std::string text;
        one.add(like.elementType == ValueType::String ? Value(std::string_view())
                                                      : *convertValue(Value(std::uint8_t{0}), like.elementType, text));
    }
    return OwnedValue(Value(one.view()));
}

// A copy of the array without some elements.
Result<OwnedValue> without(const OpenArray& array, const std::vector<RemoveElements>& ranges, const JobContext& job) {
    ArrayBuilder kept(array.index.array().elementType);
    auto next = ranges.begin(); // ascending
    job.start(array.index.size());
    for (std::uint64_t i = 0; i < array.index.size(); ++i) {
        if (i % kStep == 0) {
            GUFO_TRY(job.check());
            job.advance(i == 0 ? 0 : kStep);
        }
        while (next != ranges.end() && i >= next->index + next->count) {
            ++next;
        }
        if (next == ranges.end() || i < next->index) {
            kept.add(array.index.at(i));
        }
    }
    return OwnedValue(Value(kept.view()));
}

} // namespace

QWidget* ArrayPane::makeFooter() {
    auto* footer = new QWidget(this);
    m_insert = new QPushButton(tr("Insert"), footer);
    m_append = new QPushButton(tr("Append"), footer);
    m_remove = new QPushButton(tr("Remove"), footer);
    m_revert = new QPushButton(tr("Revert"), footer);
    m_changed = themedLabel({}, TextStyle::Table, Token::Muted, footer);
    m_changed->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_changed->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_revert->setIcon(themeIcon(QStringLiteral("undo")));
    m_more = new QToolButton(footer);
    m_more->setIcon(themeIcon(QStringLiteral("more")));
    m_more->setAutoRaise(true);
    m_more->setFocusPolicy(Qt::TabFocus);
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setToolTip(tr("Paste, import and export elements"));
    m_more->setAccessibleName(m_more->toolTip());
    m_more->setMenu(new QMenu(m_more));
    connect(m_more->menu(), &QMenu::aboutToShow, this, [this] {
        m_more->menu()->clear();
        addFileActions(*m_more->menu());
    });
    for (QPushButton* button : {m_insert, m_append, m_remove, m_revert}) {
        button->setProperty("small", true);
    }
    auto* layout = new QHBoxLayout(footer);
    layout->setContentsMargins(12, 4, 12, 8);
    layout->addWidget(m_insert);
    layout->addWidget(m_append);
    layout->addWidget(m_remove);
    layout->addWidget(m_more);
    layout->addWidget(m_changed, 1);
    layout->addWidget(m_revert);
    footer->hide();
    connect(m_insert, &QPushButton::clicked, this, [this] { insertElement(false); });
    connect(m_append, &QPushButton::clicked, this, [this] { insertElement(true); });
    connect(m_remove, &QPushButton::clicked, this, &ArrayPane::removeSelected);
    connect(m_revert, &QPushButton::clicked, this, &ArrayPane::revertArray);
    const auto shortcut = [this](int key, auto slot) {
        auto* action = new QAction(m_table->view());
        action->setShortcut(QKeySequence(key));
        action->setShortcutContext(Qt::WidgetShortcut);
        m_table->view()->addAction(action);
        connect(action, &QAction::triggered, this, slot);
    };
    shortcut(Qt::Key_Insert, [this] { insertElement(false); });
    shortcut(Qt::Key_Delete, [this] { removeSelected(); });
    return footer;
}

void ArrayPane::setDocument(ModelDocument* document) {
    m_document = document;
    m_elements->setDocument(document);
    connect(document, &ModelDocument::editableChanged, this, &ArrayPane::updateEditing);
}

ArrayBefore ArrayPane::before() const {
    if (m_document == nullptr) {
        return {};
    }
    const Difference* difference = m_document->document().differenceOfKey(m_wantedKey);
    return {m_document->document().base(), difference != nullptr ? difference->oldName : m_wantedKey};
}

void ArrayPane::follow(std::shared_ptr<const Model> model, const TouchedParts& touched) {
    m_model = std::move(model);
    if (m_wantedKey.empty()) {
        return;
    }
    const bool concerned =
        touched.anyKeyWith(m_wantedKey) || (m_array && m_array->vocabulary && touched.anyKeyWith("tokenizer.ggml."));
    if (!concerned) {
        return;
    }
    const ArrayView* now = m_model->metadata.array(m_wantedKey);
    if (now == nullptr || !m_array) { // the array is gone or not open yet; the page opens the selected one
        m_array.reset();
        m_elements->setArray(nullptr);
        updateEditing();
        if (now != nullptr) {
            const std::string key = std::exchange(m_wantedKey, {});
            open(key, m_wantedPath);
        }
        return;
    }
    reopen();
}

// Reopens the same array in another snapshot. Until that is done, the old elements are shown; their indexes may have
// changed.
void ArrayPane::reopen() {
    const ArrayView* now = m_model->metadata.array(m_wantedKey);
    m_elements->setFrozen(m_wantedPath.empty() ? now->length != m_array->index.size() : true);
    m_opening.start<std::shared_ptr<const OpenArray>>(
        [model = m_model, key = m_wantedKey, path = m_wantedPath, before = before()](const JobContext& job) {
            return openArray(model, key, path, job, before);
        },
        [this](Result<std::shared_ptr<const OpenArray>> array) {
            m_elements->setFrozen(false);
            if (!array) { // a nested array whose position no longer exists
                open(m_wantedKey);
                return;
            }
            const bool sameLength = (*array)->index.size() == m_array->index.size();
            m_array = std::move(*array);
            m_elements->follow(m_array);
            showFacts();
            if (!sameLength && m_table->view()->model()->rowCount() != 0) {
                search(); // the indexes of the search results have changed
            }
            if (const auto wanted = std::exchange(m_wantedElement, std::nullopt)) {
                if (!m_table->showItem(*wanted)) {
                    showAll();
                    m_table->showItem(*wanted);
                }
                const QModelIndex value = m_table->view()->currentIndex().siblingAtColumn(ArrayModel::Value);
                if (std::exchange(m_editWanted, false) && value.flags().testFlag(Qt::ItemIsEditable)) {
                    m_table->view()->setFocus();
                    m_table->view()->setCurrentIndex(value);
                    m_table->view()->edit(value);
                }
            }
            emit opened();
        });
}

void ArrayPane::updateEditing() {
    const bool can = m_elements->isEditable();
    m_footer->setVisible(m_document != nullptr && m_array != nullptr);
    m_insert->setEnabled(can);
    m_append->setEnabled(can);
    m_remove->setEnabled(can && m_table->view()->selectionModel()->hasSelection());
    const QString why = m_document != nullptr ? m_document->whyNot(Capability::EditMetadata) : QString();
    m_insert->setToolTip(can ? tr("Insert an element before the current one (Ins)") : why);
    m_append->setToolTip(can ? tr("Append an element") : why);
    m_remove->setToolTip(can ? tr("Remove the selected elements (Del)") : why);
    const Difference* difference =
        m_document != nullptr && m_array ? m_document->document().differenceOfKey(m_array->key) : nullptr;
    const bool changed = difference != nullptr && (difference->changed || difference->added);
    m_revert->setVisible(changed);
    m_revert->setEnabled(can);
    m_revert->setToolTip(tr("Revert all changes of this key"));
    m_changedOnly->setVisible(m_changedOnly->isChecked() || (changed && m_array->before));
    m_changed->clear();
    if (changed && difference->array) {
        const std::uint64_t count = difference->array->changed + difference->array->inserted;
        m_changed->setText(tr("%1 of %2 changed").arg(formatCount(count), formatCount(m_array->index.size())));
    }
}

void ArrayPane::showMenu(QPoint at) {
    QMenu menu(this);
    menu.setToolTipsVisible(true);
    const QModelIndex value = m_table->view()->currentIndex().siblingAtColumn(ArrayModel::Value);
    const auto add = [&](const QString& text, bool enabled, auto slot) {
        QAction* action = menu.addAction(text, this, slot);
        action->setEnabled(enabled);
        action->setToolTip(m_document != nullptr ? m_document->whyNot(Capability::EditMetadata) : tr("Read-only"));
    };
    const bool can = m_elements->isEditable();
    add(tr("&Edit\tF2"), value.flags().testFlag(Qt::ItemIsEditable), [this, value] { m_table->view()->edit(value); });
    add(tr("&Insert before\tIns"), can, [this] { insertElement(false); });
    add(tr("&Append"), can, [this] { insertElement(true); });
    add(tr("&Remove\tDel"), m_remove->isEnabled(), [this] { removeSelected(); });
    add(tr("Re&vert these elements"),
        can && std::ranges::any_of(
                   selectedItems(),
                   [this](std::uint64_t item) { return m_array->isChanged(item) && item < m_array->before->size(); }),
        [this] { revertSelected(); });
    menu.addSeparator();
    addFileActions(menu);
    menu.exec(m_table->view()->viewport()->mapToGlobal(at));
}

void ArrayPane::addFileActions(QMenu& menu) {
    const bool can = m_elements->isEditable();
    const QString filter = tr("JSON (*.json);;CSV (*.csv)");
    QAction* paste =
        menu.addAction(tr("&Paste elements"), this, [this] { pasteElements(QGuiApplication::clipboard()->text()); });
    paste->setEnabled(can && m_array->index.array().elementType != ValueType::Array);
    paste->setToolTip(tr("One element per line, inserted before the current element"));
    QAction* import = menu.addAction(tr("I&mport…"), this, [this, filter] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Import %1").arg(m_array->title()),
                                                          beginIn(FolderFor::Imports), filter);
        rememberChosen(FolderFor::Imports, path);
        if (!path.isEmpty()) {
            importFile(path);
        }
    });
    import->setEnabled(can);
    QAction* toFile = menu.addAction(tr("E&xport…"), this, [this, filter] {
        const QString path = QFileDialog::getSaveFileName(
            this, tr("Export %1").arg(m_array->title()),
            beginIn(FolderFor::Exports, m_array->title() + QStringLiteral(".json")), filter);
        rememberChosen(FolderFor::Exports, path);
        if (!path.isEmpty()) {
            exportFile(path);
        }
    });
    toFile->setEnabled(m_array != nullptr);
}

void ArrayPane::pasteElements(const QString& text) {
    if (!m_elements->isEditable()) {
        return;
    }
    const ValueType type = m_array->index.array().elementType;
    ArrayBuilder elements(type);
    QStringList lines = text.split(u'\n');
    if (lines.last().isEmpty()) {
        lines.removeLast();
    }
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const std::string line = lines[i].toStdString();
        const auto element = parseValue(type, line);
        if (!element) {
            emit said(tr("Line %1 of the clipboard: %2").arg(i + 1).arg(valueProblemText(element.error(), type)));
            return;
        }
        elements.add(*element);
    }
    if (lines.isEmpty()) {
        return;
    }
    m_wantedElement = m_table->currentItem().value_or(m_array->index.size());
    m_document->apply({InsertElements{.array = m_elements->path(),
                                      .index = *m_wantedElement,
                                      .elements = OwnedValue(Value(elements.view()))}},
                      tr("Paste %n elements into %1", nullptr, numerus(static_cast<std::uint64_t>(lines.size())))
                          .arg(m_array->title()));
}

void ArrayPane::importFile(const QString& path) {
    Job* job = startJob<OwnedValue>(
        this,
        [path, type = m_array->index.array().elementType, key = m_array->key](const JobContext& context) {
            return importArray(path, type, key, context);
        },
        [this, array = m_array](Result<OwnedValue> elements) {
            if (!elements) {
                emit said(errorLine(elements.error()));
                return;
            }
            if (m_array != array || !m_elements->isEditable()) {
                return; // the array was changed in the meantime
            }
            std::vector<Change> changes;
            if (array->index.size() != 0) {
                changes.emplace_back(
                    RemoveElements{.array = m_elements->path(), .index = 0, .count = array->index.size()});
            }
            changes.emplace_back(
                InsertElements{.array = m_elements->path(), .index = 0, .elements = std::move(*elements)});
            m_document->apply(std::move(changes), tr("Import %1").arg(array->title()));
        });
    m_table->jobBar()->watch(job, tr("Importing"));
}

void ArrayPane::exportFile(const QString& path) {
    Job* job = startJob<void>(
        this,
        [array = m_array, path](const JobContext& context) {
            return exportArray(array->index.array(), array->key, path, context);
        },
        [this, path](const Result<void>& written) {
            emit said(written ? tr("Written to %1").arg(QFileInfo(path).fileName()) : errorLine(written.error()));
            emit exported(written ? path : QString());
        });
    m_table->jobBar()->watch(job, tr("Exporting"));
}

std::vector<std::uint64_t> ArrayPane::selectedItems() const {
    std::vector<std::uint64_t> items;
    for (const QItemSelectionRange& range : m_table->view()->selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row) {
            items.push_back(m_elements->window().item(row));
        }
    }
    std::ranges::sort(items);
    items.erase(std::ranges::unique(items).begin(), items.end());
    return items;
}

void ArrayPane::insertElement(bool atEnd) {
    if (!m_elements->isEditable()) {
        return;
    }
    const std::uint64_t at = atEnd ? m_array->index.size() : m_table->currentItem().value_or(m_array->index.size());
    m_wantedElement = at;
    m_editWanted = true;
    if (!m_document->apply(
            {InsertElements{.array = m_elements->path(), .index = at, .elements = oneElement(m_array->index.array())}},
            tr("Insert %1[%2]").arg(m_array->title()).arg(at))) {
        m_wantedElement.reset();
        m_editWanted = false;
    }
}

void ArrayPane::removeSelected() {
    const std::vector<std::uint64_t> items = selectedItems();
    if (!m_elements->isEditable() || items.empty()) {
        return;
    }
    std::vector<RemoveElements> ranges;
    for (const std::uint64_t item : items) {
        if (!ranges.empty() && ranges.back().index + ranges.back().count == item) {
            ++ranges.back().count;
        } else {
            ranges.push_back({.array = m_elements->path(), .index = item, .count = 1});
        }
    }
    m_wantedElement = std::min(items.front(), m_array->index.size() - items.size() - (items.front() != 0 ? 1 : 0));
    if (items.size() == m_array->index.size()) {
        m_wantedElement.reset();
    }
    if (ranges.size() > kMaxRanges && m_array->path.empty()) {
        removeInJob(std::move(ranges));
        return;
    }
    std::vector<Change> changes(ranges.rbegin(),
                                ranges.rend()); // from the last to the first, so that the earlier indexes stay valid
    m_document->apply(std::move(changes),
                      items.size() == 1
                          ? tr("Remove %1[%2]").arg(m_array->title()).arg(items[0])
                          : tr("Remove %n elements of %1", nullptr, numerus(items.size())).arg(m_array->title()));
}

void ArrayPane::removeInJob(std::vector<RemoveElements> ranges) {
    Job* job = startJob<OwnedValue>(
        this,
        [array = m_array, ranges = std::move(ranges)](const JobContext& context) {
            return without(*array, ranges, context);
        },
        [this, array = m_array](Result<OwnedValue> kept) {
            if (!kept) {
                emit said(errorReason(kept.error()));
            } else if (m_array == array) { // otherwise the array was changed in the meantime
                m_document->apply({SetKey{.key = array->key, .value = std::move(*kept)}},
                                  tr("Remove elements of %1").arg(array->title()));
            }
        });
    m_table->jobBar()->watch(job, tr("Removing"));
}

void ArrayPane::revertSelected() {
    std::vector<Change> changes;
    for (const std::uint64_t item : selectedItems()) {
        if (m_array->isChanged(item) && item < m_array->before->size()) {
            changes.emplace_back(
                SetElement{.array = m_elements->path(), .index = item, .value = OwnedValue(m_array->before->at(item))});
        }
    }
    if (m_elements->isEditable() && !changes.empty()) {
        m_document->apply(std::move(changes), tr("Revert elements of %1").arg(m_array->title()));
    }
}

void ArrayPane::revertArray() {
    if (m_elements->isEditable()) {
        if (const Difference* difference = m_document->document().differenceOfKey(m_array->key)) {
            m_document->revert(Difference(*difference));
        }
    }
}

} // namespace gufo::ui
