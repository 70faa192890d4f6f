// The part of TokenizerPage that edits the vocabulary and follows the document.
#include "model/key_catalogue.h"
#include "model/token.h"
#include "ui/document/model_document.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/pages/tokenizer/nearest_tokens.h"
#include "ui/pages/tokenizer/tokenizer_page.h"
#include "ui/pages/tokenizer/vocabulary_edits.h"
#include "ui/widgets/value_delegate.h"

#include <QAction>
#include <QMenu>

#include <algorithm>

namespace gufo::ui {

void TokenizerPage::setUpEditing() {
    QTableView* view = m_tokenTable->view();
    view->setItemDelegate(new ValueDelegate(view));
    view->setEditTriggers(QAbstractItemView::DoubleClicked);
    view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(view, &QWidget::customContextMenuRequested, this, &TokenizerPage::showMenu);
    auto* edit = new QAction(tr("&Edit"), view);
    edit->setShortcut(QKeySequence(Qt::Key_F2));
    edit->setShortcutContext(Qt::WidgetShortcut);
    view->addAction(edit);
    connect(edit, &QAction::triggered, this, &TokenizerPage::editCurrent);
}

void TokenizerPage::setDocument(ModelDocument* document) {
    m_document = document;
    m_tokens->setDocument(document);
    connect(document, &ModelDocument::edited, this, &TokenizerPage::follow);
    connect(document, &ModelDocument::editableChanged, this, &TokenizerPage::followEditable);
    followEditable();
}

void TokenizerPage::followEditable() {
    const bool can = m_document != nullptr && !m_isBeside && m_document->can(Capability::EditMetadata);
    m_add->setVisible(m_document != nullptr && !m_isBeside);
    m_add->setEnabled(can);
    m_add->setToolTip(can                     ? tr("Add tokens at the end, with their scores and types")
                      : m_document != nullptr ? m_document->whyNot(Capability::EditMetadata)
                                              : QString());
}

void TokenizerPage::follow(const TouchedParts& touched) {
    if (m_isBeside) {
        return; // nothing that can be edited belongs to the vocabulary
    }
    m_model = m_document->current();
    m_weights = m_model;
    if (!touched.anyKeyWith("tokenizer.")) {
        return;
    }
    showState();
    m_playground->setModel(m_model);
    if (!m_started) {
        return; // read when the page is first shown
    }
    if (m_content->currentWidget() != m_splitter) {
        m_started = false;
        m_vocabulary.reset();
        m_tokens->setVocabulary(nullptr);
        m_merges->setVocabulary(nullptr);
        m_details->setVocabulary(nullptr, nullptr);
        m_details->nearest()->setModel(nullptr, nullptr);
        m_map->reset();
        return;
    }
    const ArrayView* tokens = m_model->metadata.array(kTokensKey);
    m_tokens->setFrozen(m_vocabulary != nullptr && tokens->length != m_vocabulary->size());
    load();
    m_playground->activate();
}

void TokenizerPage::editCurrent() {
    QTableView* view = m_tokenTable->view();
    QModelIndex index = view->currentIndex();
    if (index.isValid() && !index.flags().testFlag(Qt::ItemIsEditable)) {
        index = index.siblingAtColumn(static_cast<int>(TokenColumn::Token));
    }
    if (index.flags().testFlag(Qt::ItemIsEditable)) {
        view->setCurrentIndex(index);
        view->edit(index);
    }
}

std::vector<std::uint64_t> TokenizerPage::selectedTokens() const {
    std::vector<std::uint64_t> tokens;
    for (const QItemSelectionRange& range : m_tokenTable->view()->selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row) {
            tokens.push_back(m_tokens->window().item(row));
        }
    }
    std::ranges::sort(tokens);
    tokens.erase(std::ranges::unique(tokens).begin(), tokens.end());
    return tokens;
}

void TokenizerPage::showMenu(QPoint at) {
    QMenu menu(this);
    menu.setToolTipsVisible(true);
    const bool can = m_tokens->isEditable();
    const bool selected = m_tokenTable->view()->selectionModel()->hasSelection();
    const QString why = m_document != nullptr ? m_document->whyNot(Capability::EditMetadata) : tr("Read-only");
    const auto prepare = [&](QAction* action, bool enabled) {
        action->setEnabled(enabled);
        action->setToolTip(why);
    };
    prepare(menu.addAction(tr("&Edit\tF2"), this, &TokenizerPage::editCurrent), can && selected);
    QMenu* types = menu.addMenu(tr("&Type of the selected tokens"));
    for (const EnumName& entry : enumNames(kTokenTypesKey, {})) {
        types->addAction(QStringLiteral("%1 (%2)").arg(latin1(entry.name)).arg(entry.value), this,
                         [this, type = entry.value] { setTypeOfSelected(type); });
    }
    prepare(types->menuAction(), can && selected && m_vocabulary && m_vocabulary->hasTypes());
    prepare(menu.addAction(tr("&Add tokens…"), this, &TokenizerPage::addTokens), can);
    menu.exec(m_tokenTable->view()->viewport()->mapToGlobal(at));
}

void TokenizerPage::setTypeOfSelected(std::int64_t type) {
    const std::vector<std::uint64_t> tokens = selectedTokens();
    if (!m_tokens->isEditable() || tokens.empty()) {
        return;
    }
    const QString label = tokens.size() == 1 ? tr("Change token %1").arg(tokens[0])
                                             : tr("Change the type of %n tokens", nullptr, numerus(tokens.size()));
    Job* job = startJob<std::vector<Change>>(
        this,
        [model = m_model, tokens, type](const JobContext& context) {
            return changesOfTypes(*model, tokens, type, context);
        },
        [this, model = m_model, label](Result<std::vector<Change>> changes) {
            if (!changes) {
                m_problem->setText(errorReason(changes.error()));
            } else if (m_document->current() == model) { // otherwise the model was changed in the meantime
                m_document->apply(std::move(*changes), label);
            }
        });
    m_bar->watch(job, tr("Changing types"));
}

void TokenizerPage::addTokens() {
    if (m_document == nullptr || !m_document->can(Capability::EditMetadata)) {
        return;
    }
    AddTokensDialog dialog(m_document->current(), this);
    if (dialog.exec() != QDialog::Accepted || !m_document->can(Capability::EditMetadata)) {
        return;
    }
    m_wanted = m_vocabulary ? std::optional(m_vocabulary->size()) : std::nullopt;
    if (!m_document->apply(dialog.changes(), dialog.count() == 1
                                                 ? tr("Add a token")
                                                 : tr("Add %n tokens", nullptr, numerus(dialog.count())))) {
        m_wanted.reset();
    }
}

} // namespace gufo::ui
