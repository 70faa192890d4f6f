#include "ui/pages/metadata/array_pane.h"

#include "model/key_catalogue.h"
#include "ui/document/model_document.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/value_delegate.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr int kIndexWidth = 72;
constexpr int kValueWidth = 180;
constexpr int kMaxCounts = 6; // cells in the strip; the combo box lists all

QToolButton* flatButton(const QString& name, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolTip(name);
    button->setAccessibleName(name);
    return button;
}

} // namespace

ArrayPane::ArrayPane(QWidget* parent)
    : QWidget(parent)
    , m_back(flatButton(tr("Back to the enclosing array"), this))
    , m_title(themedLabel({}, TextStyle::Mono, Token::Text, this))
    , m_subtitle(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_index(new QLineEdit(this))
    , m_filter(new FilterField(tr("Search values"), this))
    , m_value(new QComboBox(this))
    , m_changedOnly(new QCheckBox(tr("Changed"), this))
    , m_counts(new QWidget(this))
    , m_problem(themedLabel({}, TextStyle::Table, Token::ErrorText, this))
    , m_table(new WindowedTable(tr("Elements"), this))
    , m_elements(new ArrayModel(this))
    , m_footer(makeFooter()) {
    setMinimumWidth(320);
    QToolButton* close = flatButton(tr("Close the array"), this);
    m_back->setIcon(themeIcon(QStringLiteral("chevron-left")));
    close->setIcon(themeIcon(QStringLiteral("close")));
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_subtitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_problem->setWordWrap(true);
    m_index->setPlaceholderText(tr("Go to index"));
    m_index->setAccessibleName(tr("Go to index"));
    m_index->setMaximumWidth(110);
    m_value->setAccessibleName(tr("Only this value"));
    m_table->setModel(m_elements);
    m_table->setItemName(tr("elements"));
    m_table->view()->setItemDelegate(new ValueDelegate(m_table->view()));
    m_table->view()->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_table->view()->setContextMenuPolicy(Qt::CustomContextMenu);
    m_changedOnly->setToolTip(tr("Only elements that differ from the file"));
    m_changedOnly->hide();

    auto* titles = new QVBoxLayout;
    titles->setSpacing(1);
    titles->addWidget(m_title);
    titles->addWidget(m_subtitle);
    auto* heading = new QHBoxLayout;
    heading->addWidget(m_back, 0, Qt::AlignTop);
    heading->addLayout(titles, 1);
    heading->addWidget(close, 0, Qt::AlignTop);
    auto* tools = new QHBoxLayout;
    tools->addWidget(m_index);
    tools->addWidget(m_filter, 1);
    tools->addWidget(m_value);
    tools->addWidget(m_changedOnly);
    auto* top = new QVBoxLayout;
    top->setContentsMargins(14, 10, 10, 10);
    top->setSpacing(8);
    top->addLayout(heading);
    top->addLayout(tools);
    top->addWidget(m_problem);
    auto* counts = new QHBoxLayout(m_counts);
    counts->setContentsMargins(0, 0, 0, 0);
    counts->setSpacing(0);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(m_counts);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_footer);
    m_problem->hide();

    connect(close, &QToolButton::clicked, this, &ArrayPane::closed);
    connect(m_back, &QToolButton::clicked, this, [this] {
        if (m_wantedPath.empty()) {
            return;
        }
        std::vector<std::uint64_t> path = m_wantedPath;
        const std::uint64_t element = path.back();
        path.pop_back();
        open(m_wantedKey, path, element);
    });
    connect(m_index, &QLineEdit::returnPressed, this, &ArrayPane::goToIndex);
    connect(m_filter, &FilterField::filterChanged, this, &ArrayPane::search);
    connect(m_filter, &FilterField::leftDownwards, m_table->view(), qOverload<>(&QWidget::setFocus));
    connect(m_value, &QComboBox::currentIndexChanged, this, &ArrayPane::search);
    connect(m_changedOnly, &QCheckBox::toggled, this, &ArrayPane::search);
    connect(m_table->view(), &QWidget::customContextMenuRequested, this, &ArrayPane::showMenu);
    connect(m_table->view()->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ArrayPane::updateEditing);
    connect(m_table->view(), &QAbstractItemView::activated, this, &ArrayPane::openNested);
    // The table does not match the cancelled search, so all elements are shown.
    connect(m_table->jobBar(), &JobBar::cancelled, this, &ArrayPane::showAll);
}

void ArrayPane::setModel(std::shared_ptr<const Model> model) { m_model = std::move(model); }

void ArrayPane::open(const std::string& key, const std::vector<std::uint64_t>& path,
                     std::optional<std::uint64_t> element) {
    if (m_opening.isRunning() && m_wantedKey == key && m_wantedPath == path) {
        m_wantedElement = element ? element : m_wantedElement;
        return;
    }
    if (m_array && m_array->key == key && m_array->path == path) {
        if (element) {
            m_table->showItem(*element);
        }
        emit opened();
        return;
    }
    m_wantedElement = element;
    m_wantedKey = key;
    m_wantedPath = path;
    m_search.cancel();
    m_array.reset();
    m_elements->setArray(nullptr);
    m_editWanted = false;
    m_elements->setFrozen(false);
    updateEditing();
    m_title->setText(displayText(key));
    m_subtitle->clear();
    m_counts->hide();
    m_value->hide();
    m_problem->hide();
    m_back->setVisible(!path.empty());
    m_opening.start<std::shared_ptr<const OpenArray>>(
        [model = m_model, key, path, before = before()](const JobContext& job) {
            return openArray(model, key, path, job, before);
        },
        [this](Result<std::shared_ptr<const OpenArray>> array) {
            if (array) {
                showArray(std::move(*array));
            } else {
                m_problem->setText(errorReason(array.error()));
                m_problem->show();
            }
        });
    m_table->jobBar()->watch(m_opening.job(), tr("Reading the array"));
}

void ArrayPane::showArray(std::shared_ptr<const OpenArray> array) {
    m_array = std::move(array);
    {
        const QSignalBlocker quiet(m_filter);
        const QSignalBlocker quietToo(m_changedOnly);
        m_filter->clear();
        m_changedOnly->setChecked(false);
    }
    m_elements->setArray(m_array);
    showFacts();
    if (m_wantedElement) {
        m_table->showItem(*m_wantedElement);
    }
    emit opened();
}

void ArrayPane::showFacts() {
    m_title->setText(m_array->title());
    m_title->setToolTip(plainToolTip(m_array->title()));
    const QString size = tr("%1, %n elements", nullptr, numerus(m_array->index.size()))
                             .arg(latin1(valueTypeFact(m_array->index.array().elementType).name));
    m_subtitle->setText(m_array->vocabulary ? tr("%1, shown beside tokens").arg(size) : size);
    m_table->view()->setColumnWidth(ArrayModel::Index, kIndexWidth);
    if (m_array->vocabulary) {
        m_table->view()->setColumnWidth(ArrayModel::Value, kValueWidth);
    }
    setCounts();
    updateEditing();
}

void ArrayPane::setCounts() {
    const QSignalBlocker quiet(m_value);
    const QVariant chosen = m_value->currentData();
    m_value->clear();
    qDeleteAll(m_counts->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
    m_value->setVisible(!m_array->counts.empty());
    m_counts->setVisible(!m_array->counts.empty());
    if (m_array->counts.empty()) {
        return;
    }
    m_value->addItem(tr("All values"));
    for (const OpenArray::ValueCount& entry : m_array->counts) {
        const auto name = enumName(m_array->key, m_array->architecture, entry.value);
        const QString number = QString::number(entry.value);
        m_value->addItem(name ? QStringLiteral("%1 (%2)").arg(latin1(*name), number) : number,
                         QVariant::fromValue<qint64>(entry.value));
        if (m_counts->layout()->count() < kMaxCounts) {
            auto* cell = new QWidget(m_counts);
            auto* layout = new QVBoxLayout(cell);
            layout->setContentsMargins(14, 6, 4, 6);
            layout->setSpacing(0);
            layout->addWidget(themedLabel(formatCount(entry.count), TextStyle::Body, Token::Text, cell));
            layout->addWidget(themedLabel(name ? latin1(*name).toLower().replace(u'_', u'-') : number, TextStyle::Axis,
                                          Token::Muted, cell));
            m_counts->layout()->addWidget(cell);
        }
    }
    m_value->setCurrentIndex(std::max(0, chosen.isValid() ? m_value->findData(chosen) : 0));
}

void ArrayPane::showAll() {
    const QSignalBlocker quietFilter(m_filter);
    const QSignalBlocker quietValue(m_value);
    const QSignalBlocker quietChanged(m_changedOnly);
    m_filter->clear();
    m_changedOnly->setChecked(false);
    m_value->setCurrentIndex(m_value->count() == 0 ? -1 : 0);
    m_table->setMatches(nullptr);
}

void ArrayPane::search() {
    if (!m_array) {
        return;
    }
    m_search.cancel();
    ArrayQuery query{m_filter->text(), {}, m_changedOnly->isChecked()};
    if (const QVariant value = m_value->currentData(); value.isValid()) {
        query.value = value.toLongLong();
    }
    if (query.showsAll()) {
        m_table->jobBar()->cancel();
        m_table->setMatches(nullptr);
        emit searched();
        return;
    }
    m_search.start<Matches>([array = m_array, query](const JobContext& job) { return searchArray(*array, query, job); },
                            [this](Result<Matches> matches) {
                                if (matches) {
                                    m_table->setMatches(std::make_shared<const Matches>(std::move(*matches)));
                                    emit searched();
                                }
                            });
    m_table->jobBar()->watch(m_search.job(), tr("Searching"));
}

void ArrayPane::goToIndex() {
    bool ok = false;
    const qulonglong index = m_index->text().remove(u',').trimmed().toULongLong(&ok);
    const bool there = ok && m_array && index < m_array->index.size();
    m_problem->setVisible(!there && m_array != nullptr);
    if (!there) {
        m_problem->setText(!m_array || m_array->index.size() == 0
                               ? tr("The array is empty.")
                               : tr("There is no element %1; the last one is %2.")
                                     .arg(m_index->text(), formatCount(m_array->index.size() - 1)));
        return;
    }
    if (!m_table->showItem(index)) { // a search hides it
        showAll();
        m_table->showItem(index);
    }
    m_table->view()->setFocus();
}

void ArrayPane::openNested(const QModelIndex& index) {
    if (!m_array) {
        return;
    }
    const gufo::Value element = m_array->index.at(m_elements->itemOf(index));
    if (asArray(element) != nullptr) {
        std::vector<std::uint64_t> path = m_array->path;
        path.push_back(m_elements->itemOf(index));
        open(m_array->key, path);
    }
}

QString ArrayPane::copyText(CopyFormat format) const { return viewText(*m_table->view(), format); }

} // namespace gufo::ui

#include "moc_array_pane.cpp"
