// The layout of the Metadata page.
#include "ui/document/model_document.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/pages/metadata/metadata_delegate.h"
#include "ui/pages/metadata/metadata_page.h"
#include "ui/pages/metadata/type_delegate.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/pending_input.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr int kKeyWidth = 250;
constexpr int kTypeWidth = 90;
constexpr int kValueWidth = 270;
constexpr int kMeaningWidth = 420;
constexpr int kPaneWidth = 432;
constexpr int kMeaningFrom = 620; // below this width the meaning is shown in tooltips only

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
        if (m_listing.isRunning()) { // the tree does not match the filter yet
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

void MetadataPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    m_view->setColumnHidden(MetadataModel::Meaning, width() < kMeaningFrom);
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

} // namespace gufo::ui
