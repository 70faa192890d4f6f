#include "ui/widgets/windowed_table.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/text_color.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr int kRowHeight = 22;

} // namespace

WindowedTable::WindowedTable(const QString& accessibleName, QWidget* parent)
    : QWidget(parent)
    , m_view(new QTableView(this))
    , m_bar(new JobBar(this))
    , m_count(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_nothing(new EmptyState(m_view->viewport()))
    , m_pager(new QWidget(this))
    , m_previous(new QToolButton(m_pager))
    , m_next(new QToolButton(m_pager)) {
    m_view->setAccessibleName(accessibleName);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setShowGrid(false);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setWordWrap(false);
    m_view->setTabKeyNavigation(false);
    if (auto* corner = m_view->findChild<QAbstractButton*>()) { // hidden, but screen readers would find it
        corner->setAccessibleName(tr("Select all"));
    }
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->verticalHeader()->setMinimumSectionSize(kRowHeight);
    m_view->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_view->horizontalHeader()->setStretchLastSection(true);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_view->setFont(themeFont(TextStyle::Table));
    connect(&Theme::instance(), &Theme::changed, m_view, [this] { m_view->setFont(themeFont(TextStyle::Table)); });

    auto* over = new QVBoxLayout(m_view->viewport());
    over->setContentsMargins(0, 0, 0, 0);
    over->addWidget(m_nothing);
    m_nothing->hide();

    m_previous->setText(QStringLiteral("‹"));
    m_previous->setAccessibleName(tr("Previous rows"));
    m_previous->setToolTip(tr("Previous rows"));
    m_next->setText(QStringLiteral("›"));
    m_next->setAccessibleName(tr("Next rows"));
    m_next->setToolTip(tr("Next rows"));
    for (QToolButton* button : {m_previous, m_next}) {
        button->setFocusPolicy(Qt::TabFocus);
    }
    auto* pager = new QHBoxLayout(m_pager);
    pager->setContentsMargins(0, 0, 0, 0);
    pager->setSpacing(4);
    pager->addWidget(m_previous);
    pager->addWidget(m_next);
    auto* footer = new QHBoxLayout;
    footer->setContentsMargins(12, 4, 12, 4);
    footer->addWidget(m_pager);
    footer->addWidget(m_count);
    footer->addStretch(1);
    footer->addWidget(m_bar, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_view, 1);
    layout->addLayout(footer);
    connect(m_previous, &QToolButton::clicked, this, [this] { m_model->setPage(m_model->window().page() - 1); });
    connect(m_next, &QToolButton::clicked, this, [this] { m_model->setPage(m_model->window().page() + 1); });
}

void WindowedTable::setModel(WindowedModel* model) {
    m_model = model;
    m_view->setModel(model);
    connect(model, &QAbstractItemModel::modelReset, this, &WindowedTable::updateFooter);
    connect(model, &WindowedModel::followed, this, &WindowedTable::updateFooter);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &WindowedTable::currentItemChanged);
    updateFooter();
}

bool WindowedTable::showItem(std::uint64_t item) {
    const QModelIndex index = m_model->showItem(item);
    if (index.isValid()) {
        m_view->selectRow(index.row());
        m_view->setCurrentIndex(index);
        m_view->scrollTo(index, QAbstractItemView::PositionAtCenter);
    }
    return index.isValid();
}

std::optional<std::uint64_t> WindowedTable::currentItem() const {
    const QModelIndex index = m_view->currentIndex();
    return index.isValid() ? std::optional(m_model->itemOf(index)) : std::nullopt;
}

void WindowedTable::setMatches(std::shared_ptr<const Matches> matches) {
    const auto current = currentItem();
    m_model->setMatches(std::move(matches));
    if (!current || !showItem(*current)) {
        m_view->scrollToTop();
        emit currentItemChanged();
    }
}

void WindowedTable::setItemName(const QString& plural) {
    m_itemName = plural;
    updateFooter();
}

void WindowedTable::setColumnWidths(std::span<const int> widths, int growing) {
    QHeaderView* header = m_view->horizontalHeader();
    header->setStretchLastSection(false);
    for (int column = 0; column < static_cast<int>(widths.size()); ++column) {
        m_view->setColumnWidth(column, widths[static_cast<std::size_t>(column)]);
    }
    header->setSectionResizeMode(growing, QHeaderView::Stretch);
}

void WindowedTable::updateFooter() {
    const RowWindow& window = m_model->window();
    m_nothing->setVisible(window.matches() != nullptr && window.rows() == 0);
    m_nothing->setTexts(tr("Nothing found"),
                        tr("The search matches none of the %1 %2.").arg(formatCount(window.items()), m_itemName));
    m_pager->setVisible(window.pages() > 1);
    m_previous->setEnabled(window.page() > 0);
    m_next->setEnabled(window.page() + 1 < window.pages());
    if (const Matches* matches = window.matches()) {
        const QString found =
            tr("%1 of %2 %3").arg(formatCount(matches->found), formatCount(window.items()), m_itemName);
        m_count->setText(matches->found > matches->items.size()
                             ? tr("%1, the first %2 shown").arg(found, formatCount(matches->items.size()))
                             : found);
    } else if (window.pages() > 1) {
        m_count->setText(tr("%1–%2 of %3 %4")
                             .arg(formatCount(window.item(0)), formatCount(window.item(window.rows() - 1)),
                                  formatCount(window.items()), m_itemName));
    } else {
        m_count->setText(QStringLiteral("%1 %2").arg(formatCount(window.items()), m_itemName));
    }
}

} // namespace gufo::ui

#include "moc_windowed_table.cpp"
