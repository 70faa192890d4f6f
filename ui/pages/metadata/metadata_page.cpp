#include "ui/pages/metadata/metadata_page.h"

#include "ui/document/model_document.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/model_text.h"
#include "ui/pages/metadata/metadata_files.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/file_dialogs.h"
#include "ui/widgets/disconnect_children.h"
#include "ui/widgets/pending_input.h"
#include "ui/widgets/splitter_sizes.h"
#include "ui/widgets/table_text.h"

#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QMimeData>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kPaneWidth = 432;
constexpr int kMeaningFrom = 620; // below this width the meaning is shown in tooltips only
constexpr std::uint64_t kMaxCopiedElements = 1'000'000;

// The keys that were deleted and are in the file until it is saved.
GoneKeys goneKeys(const ModelDocument* document) {
    GoneKeys gone;
    if (document == nullptr) {
        return gone;
    }
    for (const Difference& difference : document->document().differences()) {
        // A second key of the same name is of no use: only the first counts.
        if (difference.subject == Difference::Subject::Key && difference.deleted && difference.occurrence == 0) {
            if (const auto index = document->document().base()->metadata.indexOf(difference.name)) {
                gone.keys.push_back(*index);
            }
        }
    }
    std::ranges::sort(gone.keys);
    gone.base = gone.keys.empty() ? nullptr : document->document().base();
    return gone;
}

} // namespace

MetadataPage::MetadataPage(QWidget* parent)
    : Page(parent)
    , m_bar(new MetadataBar(this))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_lists(new QStackedWidget(m_splitter))
    , m_keys(new MetadataModel(this))
    , m_view(new MetadataView(m_keys, m_lists))
    , m_empty(new EmptyState(m_lists))
    , m_edits(new MetadataEdits(this, m_view, m_keys, m_bar->jobBar()))
    , m_value(new ValuePane(m_keys, m_splitter)) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    connectBar();
    connectView();
    m_lists->addWidget(m_view);
    m_lists->addWidget(m_empty);
    m_lists->setMinimumWidth(320);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);
    m_paneWidth = new KeptWidth(m_splitter, 1, kPaneWidth);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_splitter, 1);
    connect(m_value, &ValuePane::closed, m_view, qOverload<>(&QWidget::setFocus));
    connect(m_value, &ValuePane::copyRequested, this, &MetadataPage::copyValue);
    connect(m_edits, &MetadataEdits::said, m_bar, &MetadataBar::say);
    connect(m_value, &ValuePane::said, m_bar, &MetadataBar::say);
    connect(m_edits, &MetadataEdits::keyWanted, this,
            [this](const QByteArray& key) { m_wantedKey = key.toStdString(); });
    connect(m_edits, &MetadataEdits::textPaneWanted, this, [this] {
        showDetail(true);
        m_value->focusText();
    });
    followEditable();
}

MetadataPage::~MetadataPage() { disconnectChildren(*this); }

void MetadataPage::connectBar() {
    connect(m_bar, &MetadataBar::undoRequested, this, [this] {
        if (commitInput(*this)) {
            m_document->undo();
        }
    });
    connect(m_bar, &MetadataBar::redoRequested, this, [this] {
        if (commitInput(*this)) {
            m_document->redo();
        }
    });
    connect(m_bar, &MetadataBar::addRequested, this, [this] { m_edits->addAction()->trigger(); });
    connect(m_bar, &MetadataBar::importRequested, this, &MetadataPage::importKeys);
    connect(m_bar, &MetadataBar::exportRequested, this, &MetadataPage::exportJson);
    connect(m_bar, &MetadataBar::filterChanged, this, &MetadataPage::filter);
    connect(m_bar, &MetadataBar::filterLeft, m_view, qOverload<>(&QWidget::setFocus));
    connect(m_bar->jobBar(), &JobBar::cancelled, this, [this] {
        if (!m_listing.isRunning()) {
            return;
        }
        if (m_bar->filters()) { // the tree does not match the filter yet, so all keys are listed
            m_bar->clearFilter();
            filter();
        } else { // the rows of an edit must not be missing; filter() would forget that they are of an edit
            list();
        }
    });
}

void MetadataPage::connectView() {
    m_view->setAccessibleName(tr("Keys and values"));
    connect(m_view, &MetadataView::pickRequested, m_edits, &MetadataEdits::pickToken);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        showStatus();
        showDetail(false);
    });
    connect(m_view, &QTreeView::activated, this, [this](const QModelIndex& index) {
        showDetail(true);
        const QModelIndex value = index.siblingAtColumn(MetadataModel::Value);
        if (index.column() != MetadataModel::Type && value.flags().testFlag(Qt::ItemIsEditable) &&
            !m_view->isEditing()) {
            m_view->edit(value);
        }
    });
    auto* copy = new QAction(tr("Copy &value"), m_view);
    copy->setShortcut(QKeySequence(tr("Ctrl+Alt+V")));
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_view->addAction(copy);
    connect(copy, &QAction::triggered, this, &MetadataPage::copyValue);
    connect(m_view, &QWidget::customContextMenuRequested, this, &MetadataPage::showMenu);
    connect(m_view->header(), &QHeaderView::sectionClicked, this, [this](int section) {
        static constexpr KeyQuery::SortBy kSorts[] = {KeyQuery::SortBy::Key, KeyQuery::SortBy::Type,
                                                      KeyQuery::SortBy::Value};
        if (m_bar->showsTree() || section >= MetadataModel::Meaning) {
            return;
        }
        if (m_sortBy != kSorts[section]) {
            m_sortBy = kSorts[section];
            m_order = Qt::AscendingOrder;
        } else if (m_order == Qt::AscendingOrder) {
            m_order = Qt::DescendingOrder;
        } else {
            m_sortBy = KeyQuery::SortBy::FileOrder; // the third click restores file order
            m_order = Qt::AscendingOrder;
        }
        m_view->header()->setSortIndicatorShown(m_sortBy != KeyQuery::SortBy::FileOrder);
        m_view->header()->setSortIndicator(section, m_order);
        list();
    });
}

void MetadataPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    m_view->setColumnHidden(MetadataModel::Meaning, width() < kMeaningFrom);
}

void MetadataPage::setModel(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    m_value->setModel(m_model);
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
    m_value->setDocument(document);
    connect(document, &ModelDocument::edited, this, &MetadataPage::follow);
    connect(document, &ModelDocument::editableChanged, this, &MetadataPage::followEditable);
    connect(document, &ModelDocument::rebased, this, [this] { m_keys->refresh(); });
    followEditable();
}

// Updates which actions are possible, and why others are not.
void MetadataPage::followEditable() {
    m_bar->followEditable(m_document);
    m_edits->update();
    m_value->followEditable();
}

void MetadataPage::follow(const TouchedParts& touched) {
    m_model = m_document->current();
    m_bar->say({});
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
    m_value->follow(m_model, touched);
    followEditable();
    showDetail(false);
    showStatus();
    emit badgeChanged();
}

QString MetadataPage::badge() const { return m_model ? formatCount(m_model->metadata.size()) : QString(); }

void MetadataPage::filter() {
    m_following = false;
    list();
}

void MetadataPage::list() {
    if (!m_model) {
        return;
    }
    KeyQuery query = m_bar->query();
    query.sortBy = m_sortBy;
    query.order = m_order;
    const bool isList = !m_bar->showsTree();
    m_edits->setFileOrder(isList && m_sortBy == KeyQuery::SortBy::FileOrder && !m_bar->filters());
    m_view->header()->setSectionsClickable(isList);
    m_view->header()->setSortIndicatorShown(isList && m_sortBy != KeyQuery::SortBy::FileOrder);
    m_listing.start<std::shared_ptr<const KeyTree>>(
        [model = m_model, query = std::move(query), gone = goneKeys(m_document)](const JobContext& job) {
            return buildKeyTree(model, query, job, gone);
        },
        [this](Result<std::shared_ptr<const KeyTree>> tree) {
            if (tree) {
                showTree(std::move(*tree));
            }
        });
    m_bar->jobBar()->watch(m_listing.job(), tr("Filtering"));
}

void MetadataPage::showTree(std::shared_ptr<const KeyTree> tree) {
    if (std::exchange(m_following, false)) {
        m_keys->replaceTree(std::move(tree));
        m_view->unfoldAround(m_touched); // groups that an edit has created are expanded like the others
    } else {
        const KeyValue* current = m_keys->entry(m_view->currentIndex());
        if (current != nullptr && !m_wantedKey) {
            m_wantedKey = current->key;
        }
        m_keys->setTree(std::move(tree));
        m_view->unfold(m_bar->filtersText());
    }
    m_touched.clear();
    m_view->setRootIsDecorated(m_bar->showsTree());
    m_lists->setCurrentWidget(m_keys->rowCount() != 0 ? static_cast<QWidget*>(m_view) : m_empty);
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
        m_bar->clearFilter();
        list();
        return true;
    }
    select(*kv);
    if (place.index && m_model->metadata.array(place.name) != nullptr) {
        m_value->showElement(place.name, place.index);
    }
    return true;
}

void MetadataPage::showDetail(bool asked) { m_value->showRow(m_view->currentIndex(), asked); }

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

QString MetadataPage::copyText(CopyFormat format) const {
    const bool ofArray = m_value->showsArray() && m_value->isAncestorOf(focusWidget());
    return ofArray ? m_value->copyText(format) : viewText(*m_view, format);
}

void MetadataPage::showMenu(QPoint at) {
    QMenu menu(this);
    if (m_document != nullptr) {
        m_edits->addTo(menu);
        menu.addSeparator();
    }
    const bool value = m_keys->entry(m_view->indexAt(at)) != nullptr;
    QAction* copy = menu.addAction(tr("Copy &value"), this, &MetadataPage::copyValue);
    copy->setShortcut(QKeySequence(tr("Ctrl+Alt+V"))); // only displayed: the action itself belongs to the view
    copy->setEnabled(value);
    menu.addAction(tr("Copy &key"), this, [this] {
        QGuiApplication::clipboard()->setText(
            displayText(m_view->currentIndex().data(MetadataModel::PrefixRole).toByteArray().toStdString()));
        emit copied();
    });
    const KeyValue* entry = m_keys->entry(m_view->indexAt(at));
    QAction* bytes = menu.addAction(tr("Show &bytes"), this, &MetadataPage::showBytes);
    bytes->setEnabled(entry != nullptr && entry->bytes != 0); // what an edit has made is in no file
    menu.addSeparator();
    menu.addAction(tr("Copy rows as &text"), this, [this] { copyRows(CopyFormat::Text); });
    menu.addAction(tr("Copy rows as TS&V"), this, [this] { copyRows(CopyFormat::Tsv); });
    menu.addAction(tr("Copy rows as &Markdown"), this, [this] { copyRows(CopyFormat::Markdown); });
    menu.exec(m_view->viewport()->mapToGlobal(at));
}

void MetadataPage::showBytes() {
    if (const KeyValue* entry = m_keys->entry(m_view->currentIndex())) {
        Place place = Place::atOffset(entry->offset);
        place.part = entry->file.value;
        emit placeRequested(place);
    }
}

// Copies the exact value of the file off the UI thread, because it may be gigabytes.
void MetadataPage::copyValue() {
    const KeyValue* entry = m_keys->entry(m_view->currentIndex());
    if (entry == nullptr) {
        return;
    }
    Job* job = startJob<QByteArray>(
        this,
        [model = m_model, value = entry->value](const JobContext&) {
            return Result<QByteArray>(verbatim(value, kMaxCopiedElements));
        },
        [this](Result<QByteArray> bytes) {
            auto* mime = new QMimeData; // the clipboard takes ownership
            const QString text = QString::fromUtf8(*bytes);
            const bool isText = text.toUtf8() == *bytes;
            mime->setText(isText ? text : displayText({bytes->data(), static_cast<std::size_t>(bytes->size())}));
            if (!isText) {
                mime->setData(QStringLiteral("application/octet-stream"), *bytes);
            }
            QGuiApplication::clipboard()->setMimeData(mime);
            emit copied();
        });
    m_bar->jobBar()->watch(job, tr("Copying"));
}

void MetadataPage::copyRows(CopyFormat format) {
    QGuiApplication::clipboard()->setText(copyText(format));
    emit copied();
}

void MetadataPage::exportJson() {
    if (!m_model) {
        return;
    }
    const QString stem = displayText(m_model->path().stem().native());
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export metadata"), beginIn(FolderFor::Exports, stem + QStringLiteral(".metadata.json")),
        tr("JSON (*.json)"));
    rememberChosen(FolderFor::Exports, path);
    if (path.isEmpty()) {
        return;
    }
    m_bar->say({});
    Job* job = startJob<void>(
        this, [model = m_model, path](const JobContext& context) { return exportMetadataJson(*model, path, context); },
        [this, path](const Result<void>& written) {
            m_bar->say(written ? tr("Written to %1").arg(QFileInfo(path).fileName()) : errorLine(written.error()));
            emit exported(written ? path : QString());
        });
    m_bar->jobBar()->watch(job, tr("Exporting"));
}

void MetadataPage::importKeys() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Import keys from a file"), beginIn(FolderFor::Imports),
                                     tr("Metadata and models (*.json %1);;All files (*)").arg(modelPatterns()));
    rememberChosen(FolderFor::Imports, path);
    if (!path.isEmpty()) {
        importFile(QFile::encodeName(path).toStdString());
    }
}

void MetadataPage::importFile(const std::filesystem::path& path) {
    m_bar->say({});
    m_edits->import(displayText(path.filename().native()), MetadataEdits::Ask::Always,
                    [path](const JobContext& job) { return readKeys(path, job); });
}

QJsonObject MetadataPage::saveState() const {
    QJsonObject state = m_view->saveWidths();
    state[QStringLiteral("splitter")] = m_paneWidth->width();
    state[QStringLiteral("layout")] = m_bar->layoutIndex();
    return state;
}

void MetadataPage::restoreState(const QJsonObject& state) {
    m_paneWidth->setWidth(state.value(QStringLiteral("splitter")).toInt());
    m_view->restoreWidths(state);
    m_bar->setLayoutIndex(state.value(QStringLiteral("layout")).toInt());
    list();
}

} // namespace gufo::ui

#include "moc_metadata_page.cpp"
