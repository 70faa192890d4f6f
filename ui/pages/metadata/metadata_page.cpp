#include "ui/pages/metadata/metadata_page.h"

#include "ui/document/model_document.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/model_status.h"
#include "ui/pages/metadata/metadata_delegate.h"
#include "ui/pages/metadata/type_delegate.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/pending_input.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kKeyWidth = 250;
constexpr int kTypeWidth = 90;
constexpr int kValueWidth = 270;
constexpr int kMeaningWidth = 420;
constexpr int kPaneWidth = 432;
constexpr int kMeaningFrom = 620;           // below this width the meaning is shown in tooltips only
constexpr std::uint32_t kUnfoldUpTo = 2000; // keys; a larger tree is shown collapsed

} // namespace

MetadataPage::MetadataPage(QWidget* parent)
    : Page(parent)
    , m_filter(new FilterField(tr("Filter by key, value or meaning"), this))
    , m_type(new QComboBox(this))
    , m_layout(new SegmentedControl(tr("Layout"), this))
    , m_undo(new QToolButton(this))
    , m_redo(new QToolButton(this))
    , m_undoLine(new QFrame(this))
    , m_addKey(new QPushButton(tr("Add key…"), this))
    , m_import(new QPushButton(tr("Import…"), this))
    , m_export(new QPushButton(tr("Export…"), this))
    , m_bar(new JobBar(this))
    , m_message(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_lists(new QStackedWidget(m_splitter))
    , m_view(new MetadataView(m_lists))
    , m_empty(new EmptyState(m_lists))
    , m_keys(new MetadataModel(this))
    , m_panes(new QStackedWidget(m_splitter))
    , m_array(new ArrayPane(m_panes))
    , m_text(new TextPane(m_panes)) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    makeView();
    m_edits = new MetadataEdits(this, m_view, m_keys, m_bar);
    m_lists->addWidget(m_view);
    m_lists->addWidget(m_empty);
    m_panes->addWidget(m_array);
    m_panes->addWidget(m_text);
    m_panes->hide();
    m_panes->setMinimumWidth(320);
    m_lists->setMinimumWidth(320);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);
    m_splitter->setSizes({840, kPaneWidth});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(m_splitter, 1);
    connect(m_array, &ArrayPane::closed, this, &MetadataPage::closePane);
    connect(m_text, &TextPane::closed, this, &MetadataPage::closePane);
    connect(m_text, &TextPane::copyRequested, this, &MetadataPage::copyValue);
    connect(m_text, &TextPane::edited, this, [this](const std::string& key, const std::string& bytes) {
        m_document->apply({SetKey{.key = key, .value = OwnedValue::string(bytes)}}, tr("Edit %1").arg(displayText(key)),
                          QStringLiteral("text ") + QString::fromStdString(key));
    });
    const auto say = [this](const QString& message) {
        m_message->setText(message);
        m_message->setToolTip(plainToolTip(message));
    };
    connect(m_edits, &MetadataEdits::said, this, say);
    connect(m_array, &ArrayPane::said, this, say);
    connect(m_text, &TextPane::said, this, say);
    connect(m_edits, &MetadataEdits::keyWanted, this,
            [this](const QByteArray& key) { m_wantedKey = key.toStdString(); });
    connect(m_edits, &MetadataEdits::textPaneWanted, this, [this] {
        showDetail(true);
        if (m_panes->isVisible() && m_panes->currentWidget() == m_text) {
            m_text->view()->setFocus();
        }
    });
    followEditable();
}

QWidget* MetadataPage::makeToolBar() {
    auto* bar = new ToolStrip(this);
    m_filter->setMinimumWidth(150);
    m_filter->setMaximumWidth(260);
    m_filter->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_type->setAccessibleName(tr("Type"));
    m_type->addItem(tr("All types"));
    for (const ValueTypeInfo& type : valueTypes()) {
        m_type->addItem(latin1(type.name), static_cast<uint>(type.type));
    }
    m_layout->addSegment(tr("Tree"), QStringLiteral("tree"), tr("Keys by segment"));
    m_layout->addSegment(tr("List"), QStringLiteral("list"), tr("Full keys in file order"));
    m_export->setIcon(themeIcon(QStringLiteral("export")));
    m_export->setToolTip(tr("Write all keys and values to a JSON file"));
    m_message->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* layout = static_cast<QHBoxLayout*>(bar->layout());
    layout->addWidget(m_filter, 4);
    layout->addWidget(m_type);
    layout->addWidget(m_layout);
    layout->addWidget(m_undoLine);
    layout->addWidget(m_undo);
    layout->addWidget(m_redo);
    layout->addWidget(m_message, 1);
    layout->addWidget(m_bar, 1);
    layout->addWidget(m_addKey);
    layout->addWidget(m_import);
    layout->addWidget(m_export);
    static_cast<QFrame*>(m_undoLine)->setFrameShape(QFrame::VLine);
    m_undoLine->setFixedSize(1, 20);
    m_undo->setIcon(themeIcon(QStringLiteral("undo")));
    m_redo->setIcon(themeIcon(QStringLiteral("redo")));
    for (QToolButton* button : {m_undo, m_redo}) {
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
    }
    m_undo->setAccessibleName(tr("Undo"));
    m_redo->setAccessibleName(tr("Redo"));
    m_addKey->setIcon(themeIcon(QStringLiteral("plus")));
    m_import->setIcon(themeIcon(QStringLiteral("import")));
    connect(m_undo, &QToolButton::clicked, this, [this] {
        if (commitInput(*this)) {
            m_document->undo();
        }
    });
    connect(m_redo, &QToolButton::clicked, this, [this] {
        if (commitInput(*this)) {
            m_document->redo();
        }
    });
    connect(m_addKey, &QPushButton::clicked, this, [this] { m_edits->addAction()->trigger(); });
    connect(m_import, &QPushButton::clicked, this, &MetadataPage::importKeys);
    connect(m_filter, &FilterField::filterChanged, this, &MetadataPage::filter);
    connect(m_filter, &FilterField::leftDownwards, m_view, qOverload<>(&QWidget::setFocus));
    connect(m_type, &QComboBox::currentIndexChanged, this, &MetadataPage::filter);
    connect(m_layout, &SegmentedControl::chosen, this, &MetadataPage::filter);
    connect(m_export, &QPushButton::clicked, this, &MetadataPage::exportJson);
    connect(m_bar, &JobBar::cancelled, this, [this] {
        if (m_listing) { // the tree does not match the filter yet
            const QSignalBlocker quiet(m_filter);
            m_filter->clear();
            m_type->setCurrentIndex(0);
            list();
        }
    });
    return bar;
}

void MetadataPage::makeView() {
    m_view->setModel(m_keys);
    m_view->setAccessibleName(tr("Keys and values"));
    auto* values = new MetadataDelegate(m_view);
    m_view->setItemDelegateForColumn(MetadataModel::Value, values);
    m_view->setItemDelegateForColumn(MetadataModel::Type, new TypeDelegate(m_view));
    connect(values, &ValueDelegate::pickRequested, this,
            [this](const QModelIndex& index) { m_edits->pickToken(index); });
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setUniformRowHeights(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setEditTriggers(QAbstractItemView::DoubleClicked);
    m_view->setAllColumnsShowFocus(true);
    m_view->setExpandsOnDoubleClick(true);
    m_view->setIndentation(16);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setFont(themeFont(TextStyle::Table));
    QHeaderView* header = m_view->header();
    header->setStretchLastSection(true);
    header->setHighlightSections(false);
    header->setSectionsMovable(false);
    m_view->setColumnWidth(MetadataModel::Key, kKeyWidth);
    m_view->setColumnWidth(MetadataModel::Type, kTypeWidth);
    m_view->setColumnWidth(MetadataModel::Value, kValueWidth);
    connect(header, &QHeaderView::sectionResized, this, [this](int section) {
        m_valueWidthIsChosen = m_valueWidthIsChosen || (section == MetadataModel::Value && !m_spreading);
    });
    m_view->installEventFilter(this);
    connect(&Theme::instance(), &Theme::changed, m_view, [this] { m_view->setFont(themeFont(TextStyle::Table)); });
    connect(m_view, &QTreeView::expanded, this,
            [this](const QModelIndex& index) { m_folded.remove(index.data(MetadataModel::PrefixRole).toByteArray()); });
    connect(m_view, &QTreeView::collapsed, this, [this](const QModelIndex& index) {
        if (!m_unfolding) {
            m_folded.insert(index.data(MetadataModel::PrefixRole).toByteArray());
        }
    });
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
    connect(header, &QHeaderView::sectionClicked, this, [this](int section) {
        static constexpr KeyQuery::SortBy kSorts[] = {KeyQuery::SortBy::Key, KeyQuery::SortBy::Type,
                                                      KeyQuery::SortBy::Value};
        if (m_layout->current() == 0 || section >= MetadataModel::Meaning) {
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

void MetadataPage::setModel(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    m_array->setModel(m_model);
    list();
    loadVocabulary();
    emit badgeChanged();
}

void MetadataPage::loadVocabulary() {
    if (m_vocabularyJob) {
        m_vocabularyJob->cancel();
    }
    m_vocabularyJob = startJob<std::shared_ptr<const TokenArrays>>(
        this, [held = m_model](const JobContext& job) { return TokenArrays::load(held, job); },
        [this](Result<std::shared_ptr<const TokenArrays>> vocabulary) {
            m_vocabularyJob.clear();
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
    if (touched.keyOrder || m_listing || m_keys->model() == nullptr) {
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
    if (m_listing) {
        m_listing->cancel();
    }
    m_edits->setFileOrder(m_layout->current() == 1 && m_sortBy == KeyQuery::SortBy::FileOrder &&
                          m_filter->text().isEmpty() && !m_type->currentData().isValid());
    m_view->header()->setSectionsClickable(m_layout->current() == 1);
    m_view->header()->setSortIndicatorShown(m_layout->current() == 1 && m_sortBy != KeyQuery::SortBy::FileOrder);
    m_listing = startJob<std::shared_ptr<const KeyTree>>(
        this, [model = m_model, query = query()](const JobContext& job) { return buildKeyTree(model, query, job); },
        [this](Result<std::shared_ptr<const KeyTree>> tree) {
            m_listing.clear();
            if (tree) {
                showTree(std::move(*tree));
            }
        });
    m_bar->watch(m_listing, tr("Filtering"));
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
    if (m_listing) {
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

void MetadataPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    m_view->setColumnHidden(MetadataModel::Meaning, width() < kMeaningFrom);
}

bool MetadataPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view && event->type() == QEvent::Resize) {
        spreadColumns();
    }
    return Page::eventFilter(watched, event);
}

// The value column takes additional width, but leaves the meaning room for a sentence. A width chosen by the user is
// kept.
void MetadataPage::spreadColumns() {
    if (m_valueWidthIsChosen) {
        return;
    }
    const int room =
        m_view->width() - m_view->columnWidth(MetadataModel::Key) - m_view->columnWidth(MetadataModel::Type);
    m_spreading = true;
    m_view->setColumnWidth(MetadataModel::Value, std::max(kValueWidth, room - kMeaningWidth));
    m_spreading = false;
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
