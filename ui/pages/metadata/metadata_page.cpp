#include "ui/pages/metadata/metadata_page.h"

#include "ui/document/model_document.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/model_status.h"
#include "ui/widgets/disconnect_children.h"
#include "ui/widgets/table_text.h"

#include <QHeaderView>
#include <QSignalBlocker>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::uint32_t kUnfoldUpTo = 2000; // keys; a larger tree is shown collapsed

} // namespace

MetadataPage::~MetadataPage() { disconnectChildren(*this); }

void MetadataPage::setModel(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    m_array->setModel(m_model);
    list();
    loadVocabulary();
    emit badgeChanged();
}

void MetadataPage::loadVocabulary() {
    m_vocabularyJob.start<std::shared_ptr<const TokenArrays>>(
        [held = m_model](const JobContext& job) { return TokenArrays::load(held, job); },
        [this](Result<std::shared_ptr<const TokenArrays>> vocabulary) {
            if (vocabulary) {
                m_keys->setVocabulary(*vocabulary);
                m_edits->setVocabulary(std::move(*vocabulary));
            }
        });
}

void MetadataPage::setDocument(ModelDocument* document) {
    m_document = document;
    m_keys->setDocument(document);
    m_edits->setDocument(document);
    m_array->setDocument(document);
    connect(document, &ModelDocument::edited, this, &MetadataPage::follow);
    connect(document, &ModelDocument::editableChanged, this, &MetadataPage::followEditable);
    connect(document, &ModelDocument::rebased, this, [this] { m_keys->refresh(); });
    followEditable();
}

// Updates which actions are possible, and why others are not.
void MetadataPage::followEditable() {
    const bool can = m_document != nullptr && m_document->can(Capability::EditMetadata);
    const QString why = m_document != nullptr ? m_document->whyNot(Capability::EditMetadata) : QString();
    for (QWidget* widget : {static_cast<QWidget*>(m_undo), static_cast<QWidget*>(m_redo), m_undoLine,
                            static_cast<QWidget*>(m_addKey), static_cast<QWidget*>(m_import)}) {
        widget->setVisible(m_document != nullptr);
    }
    m_addKey->setEnabled(can);
    m_addKey->setToolTip(can ? tr("Add a key with its value (Ins)") : why);
    m_import->setEnabled(can);
    m_import->setToolTip(can ? tr("Import keys and values from a file") : why);
    const auto step = [&](QToolButton* button, bool possible, const QString& name, const std::string& label) {
        button->setEnabled(can && possible);
        button->setToolTip(possible ? QStringLiteral("%1: %2").arg(name, QString::fromStdString(label)) : name);
    };
    if (m_document != nullptr) {
        const Document& document = m_document->document();
        step(m_undo, document.canUndo(), tr("Undo"), document.undoLabel());
        step(m_redo, document.canRedo(), tr("Redo"), document.redoLabel());
    }
    m_edits->update();
    if (m_model && !m_text->key().empty()) {
        if (const auto text = m_model->metadata.string(m_text->key())) {
            m_text->follow(*text, can ? QString() : m_document != nullptr ? why : tr("Read-only"));
        }
    }
}

void MetadataPage::follow(const TouchedParts& touched) {
    m_model = m_document->current();
    m_message->clear();
    if (touched.keyOrder || m_listing.isRunning() || m_keys->model() == nullptr) {
        m_following = true;
        m_touched.insert(m_touched.end(), touched.keys.begin(), touched.keys.end());
        list();
    } else {
        m_keys->setValues(m_model, touched.keys);
    }
    if (touched.anyKeyWith("tokenizer.ggml.")) {
        loadVocabulary();
    }
    m_array->follow(m_model, touched);
    followEditable();
    showDetail(false);
    showStatus();
    emit badgeChanged();
}

QString MetadataPage::badge() const { return m_model ? formatCount(m_model->metadata.size()) : QString(); }

KeyQuery MetadataPage::query() const {
    KeyQuery query;
    query.layout = m_layout->current() == 0 ? KeyQuery::Layout::Tree : KeyQuery::Layout::List;
    query.text = m_filter->text();
    if (const QVariant type = m_type->currentData(); type.isValid()) {
        query.type = static_cast<ValueType>(type.toUInt());
    }
    query.sortBy = m_sortBy;
    query.order = m_order;
    return query;
}

void MetadataPage::filter() {
    m_following = false;
    list();
}

void MetadataPage::list() {
    if (!m_model) {
        return;
    }
    m_edits->setFileOrder(m_layout->current() == 1 && m_sortBy == KeyQuery::SortBy::FileOrder &&
                          m_filter->text().isEmpty() && !m_type->currentData().isValid());
    m_view->header()->setSectionsClickable(m_layout->current() == 1);
    m_view->header()->setSortIndicatorShown(m_layout->current() == 1 && m_sortBy != KeyQuery::SortBy::FileOrder);
    m_listing.start<std::shared_ptr<const KeyTree>>(
        [model = m_model, query = query()](const JobContext& job) { return buildKeyTree(model, query, job); },
        [this](Result<std::shared_ptr<const KeyTree>> tree) {
            if (tree) {
                showTree(std::move(*tree));
            }
        });
    m_bar->watch(m_listing.job(), tr("Filtering"));
}

void MetadataPage::showTree(std::shared_ptr<const KeyTree> tree) {
    if (std::exchange(m_following, false)) {
        m_keys->replaceTree(std::move(tree));
        openTouched();
    } else {
        const KeyValue* current = m_keys->entry(m_view->currentIndex());
        if (current != nullptr && !m_wantedKey) {
            m_wantedKey = current->key;
        }
        m_keys->setTree(std::move(tree));
        unfold();
    }
    m_touched.clear();
    m_view->setRootIsDecorated(m_layout->current() == 0);
    m_lists->setCurrentWidget(m_keys->keyCount() != 0 ? static_cast<QWidget*>(m_view) : m_empty);
    if (m_model->metadata.empty()) {
        m_empty->setTexts(tr("No metadata"), tr("This file has no keys."));
    } else {
        m_empty->setTexts(tr("Nothing found"), tr("No key, value or meaning matches the filter."));
    }
    const auto wantedKey = std::exchange(m_wantedKey, std::nullopt);
    const auto kv = wantedKey ? m_model->metadata.indexOf(*wantedKey) : std::nullopt;
    if (const auto wanted = std::exchange(m_wanted, std::nullopt)) {
        goTo(*wanted);
    } else if (kv) {
        select(*kv);
    }
    m_edits->update();
    emit listed();
}

// Groups that an edit has created are expanded like the others.
void MetadataPage::openTouched() {
    for (std::size_t i = 0; i < std::min<std::size_t>(m_touched.size(), kUnfoldUpTo); ++i) {
        const auto kv = m_model->metadata.indexOf(m_touched[i]);
        QModelIndex group = kv ? m_keys->showEntry(*kv).parent() : QModelIndex();
        for (; group.isValid(); group = group.parent()) {
            if (!m_folded.contains(group.data(MetadataModel::PrefixRole).toByteArray())) {
                m_view->expand(group);
            }
        }
    }
}

void MetadataPage::unfold() {
    if (m_keys->keyCount() > kUnfoldUpTo) {
        return;
    }
    m_unfolding = true;
    m_view->expandAll();
    if (m_filter->text().isEmpty()) {
        for (const QByteArray& prefix : std::as_const(m_folded)) {
            m_view->collapse(m_keys->showPrefix(prefix, true));
        }
    }
    m_unfolding = false;
}

void MetadataPage::select(KvIndex kv) {
    const QModelIndex index = m_keys->showEntry(kv);
    if (index.isValid()) {
        m_view->setCurrentIndex(index);
        m_view->scrollTo(index);
    }
}

bool MetadataPage::goTo(const Place& place) {
    if (place.kind != Place::Kind::Key || !m_model) {
        return false;
    }
    const auto kv = m_model->metadata.indexOf(place.name);
    if (!kv) {
        return false;
    }
    if (m_listing.isRunning()) {
        m_wanted = place;
        return true;
    }
    if (!m_keys->showEntry(*kv).isValid()) { // the filter hides it
        m_wanted = place;
        const QSignalBlocker quietFilter(m_filter);
        const QSignalBlocker quietType(m_type);
        m_filter->clear();
        m_type->setCurrentIndex(0);
        list();
        return true;
    }
    select(*kv);
    if (place.index && m_model->metadata.array(place.name) != nullptr) {
        m_paneClosed = false;
        openPane(m_array);
        m_array->open(place.name, {}, place.index);
    }
    return true;
}

// Shows the details of the current row beside the tree. `asked` reopens a pane that the user has closed.
void MetadataPage::showDetail(bool asked) {
    m_text->commit(); // first, because it may create another snapshot
    const KeyValue* entry = m_keys->entry(m_view->currentIndex());
    m_paneClosed = m_paneClosed && !asked;
    if (entry == nullptr || m_paneClosed) {
        m_panes->hide();
        return;
    }
    const auto text = asString(entry->value);
    if (asArray(entry->value) != nullptr) {
        const bool shown = m_panes->isVisible() && m_panes->currentWidget() == m_array && m_array->key() == entry->key;
        openPane(m_array);
        if (asked || !shown) { // otherwise an array nested in it may be shown
            m_array->open(std::string(entry->key));
        }
    } else if (text && MetadataModel::isLongText(*text)) {
        openPane(m_text);
        fillTextPane(*entry);
    } else if (text && m_panes->currentWidget() == m_text && m_text->key() == entry->key && m_panes->isVisible()) {
        fillTextPane(*entry); // the text has become short while it is being edited
    } else {
        m_panes->hide();
    }
}

void MetadataPage::fillTextPane(const KeyValue& entry) {
    const bool first = m_keys->isFirst(*m_keys->kvOf(m_view->currentIndex()));
    m_text->setText(std::string(entry.key), *asString(entry.value),
                    m_document == nullptr                        ? tr("Read-only")
                    : !m_document->can(Capability::EditMetadata) ? m_document->whyNot(Capability::EditMetadata)
                    : first                                      ? QString()
                            : tr("The file contains this key twice; this one can only be deleted."));
}

void MetadataPage::openPane(QWidget* pane) {
    m_panes->setCurrentWidget(pane);
    m_panes->show();
}

void MetadataPage::closePane() {
    m_paneClosed = true;
    m_panes->hide();
    m_view->setFocus();
}

void MetadataPage::activate() { showStatus(); }

void MetadataPage::showStatus() {
    if (!m_model) {
        return;
    }
    QString left;
    if (const KeyValue* entry = m_keys->entry(m_view->currentIndex())) {
        const bool changed = m_keys->difference(m_view->currentIndex()) != nullptr;
        left = changed ? tr("%1, %2 long, not saved yet").arg(headText(entry->key, 120), formatBytes(entry->bytes))
                       : tr("%1 at byte %2, %3 long")
                             .arg(headText(entry->key, 120), formatCount(entry->offset), formatBytes(entry->bytes));
        if (m_model->shardCount() > 1) {
            left += tr(", in %1").arg(displayText(m_model->files[entry->file.value].path.filename().native()));
        }
    }
    emit statusChanged(left, modelStatus(*m_model));
}

bool MetadataPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view && event->type() == QEvent::Resize) {
        spreadColumns();
    }
    return Page::eventFilter(watched, event);
}

QString MetadataPage::copyText(CopyFormat format) const {
    return m_panes->isVisible() && m_panes->currentWidget() == m_array && m_array->isAncestorOf(focusWidget())
               ? m_array->copyText(format)
               : viewText(*m_view, format);
}

QJsonObject MetadataPage::saveState() const {
    return {{QStringLiteral("splitter"), QString::fromLatin1(m_splitter->saveState().toBase64())},
            {QStringLiteral("header"), QString::fromLatin1(m_view->header()->saveState().toBase64())},
            {QStringLiteral("valueWidthIsChosen"), m_valueWidthIsChosen},
            {QStringLiteral("layout"), m_layout->current()}};
}

void MetadataPage::restoreState(const QJsonObject& state) {
    const auto bytes = [&](const char* name) {
        return QByteArray::fromBase64(state.value(QLatin1String(name)).toString().toLatin1());
    };
    m_splitter->restoreState(bytes("splitter"));
    m_spreading = true;
    m_view->header()->restoreState(bytes("header"));
    m_spreading = false;
    m_valueWidthIsChosen = state.value(QStringLiteral("valueWidthIsChosen")).toBool();
    spreadColumns();
    m_layout->setCurrent(state.value(QStringLiteral("layout")).toInt());
    list();
}

} // namespace gufo::ui

#include "moc_metadata_page.cpp"
