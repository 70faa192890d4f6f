#include "ui/compare/differences/metadata_diff_page.h"

#include "ui/compare/comparison_export.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/plots/picture_menu.h"
#include "ui/theme/style.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/rows_table.h"
#include "ui/widgets/splitter_sizes.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kKeyWidth = 270;
constexpr int kStatusWidth = 84;
constexpr std::size_t kMaxTextBytes = 4000;

QTableView* makeTable(const QString& name, QAbstractItemModel* model) {
    QTableView* table = makeRowsTable(name, model, kRowHeight);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return table;
}

QString optionalText(const auto& value) {
    return value ? formatReal(static_cast<double>(*value), 6) : QStringLiteral("—");
}

} // namespace

void DifferenceTable::setRows(QStringList header, QList<QStringList> rows) {
    beginResetModel();
    m_header = std::move(header);
    m_rows = std::move(rows);
    endResetModel();
}

int DifferenceTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DifferenceTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_header.size());
}

QVariant DifferenceTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const QString text = m_rows[index.row()].value(index.column());
    return role == Qt::DisplayRole   ? QVariant(text)
           : role == Qt::ToolTipRole ? QVariant(text.toHtmlEscaped())
           : role == Qt::FontRole    ? QVariant(themeFont(TextStyle::Mono))
                                     : QVariant();
}

QVariant DifferenceTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    return role == Qt::DisplayRole         ? QVariant(m_header.value(section))
           : role == Qt::TextAlignmentRole ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                           : QVariant();
}

MetadataDiffPage::MetadataDiffPage(Comparison& comparison, QWidget* parent)
    : ComparePage(comparison, parent)
    , m_model(comparison) {
    auto* strip = new ToolStrip(this);
    m_filter = new FilterField(tr("Filter keys"), strip);
    m_filter->setAccessibleName(tr("Filter keys"));
    m_filter->setFixedWidth(240);
    m_all = new QCheckBox(tr("Show equal keys"), strip);
    m_copy = new QPushButton(tr("Copy to…"), strip);
    m_copy->setIcon(themeIcon(QStringLiteral("copy")));
    m_copy->setToolTip(tr("Copy the value to another file, as an edit of that model"));
    m_copy->setEnabled(false);
    auto* exports = new PictureMenu(*this);
    exports->setStem(tr("metadata-differences"));
    exports->addText(tr("Table as &CSV…"), QStringLiteral(".csv"), tr("Comma-separated values (*.csv)"), [this] {
        QStringList header;
        for (int column = 0; column < m_model.columnCount(); ++column) {
            header << m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        }
        QList<QStringList> rows;
        for (int row = 0; row < m_model.rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < m_model.columnCount(); ++column) {
                cells << m_model.index(row, column).data().toString();
            }
            rows << cells;
        }
        return csvText(header, rows);
    });
    connect(exports, &PictureMenu::message, this, &ComparePage::fileWritten);
    auto* row = static_cast<QHBoxLayout*>(strip->layout());
    row->addWidget(m_filter);
    row->addWidget(m_all);
    row->addStretch(1);
    row->addWidget(m_copy);
    row->addWidget(exports->button());

    m_table = makeTable(tr("Keys that differ"), &m_model);
    m_detailView = makeTable(tr("Differences within the key"), &m_details);
    m_detailView->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    auto* detail = new QWidget;
    detail->setAutoFillBackground(true);
    detail->setBackgroundRole(QPalette::Base);
    m_detailTitle = themedLabel({}, TextStyle::Section, Token::Text, detail);
    m_detailTitle->setMinimumWidth(1);
    m_against = new QComboBox(detail);
    m_against->setAccessibleName(tr("File compared with the reference"));
    auto* detailHead = new QHBoxLayout;
    detailHead->setContentsMargins(12, 6, 12, 6);
    detailHead->addWidget(m_detailTitle, 1);
    detailHead->addWidget(m_against);
    auto* detailColumn = new QVBoxLayout(detail);
    detailColumn->setContentsMargins(0, 0, 0, 0);
    detailColumn->setSpacing(0);
    detailColumn->addLayout(detailHead);
    detailColumn->addWidget(m_detailView, 1);
    m_parts = new QSplitter(Qt::Vertical);
    m_parts->addWidget(m_table);
    m_parts->addWidget(detail);
    m_parts->setChildrenCollapsible(false);
    m_parts->setHandleWidth(1);
    m_parts->setSizes({420, 260});
    setContent(strip, m_parts);
    setFirstFocus(m_table);

    connect(&comparison, &Comparison::filesChanged, this, &MetadataDiffPage::refill);
    connect(&comparison, &Comparison::metadataCompared, this, &MetadataDiffPage::refill);
    connect(m_filter, &FilterField::filterChanged, this, [this](const QString& text) {
        m_model.setFilter(text);
        showDetails();
    });
    connect(m_all, &QCheckBox::toggled, this, [this](bool all) {
        m_model.setAll(all);
        refill();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, &MetadataDiffPage::showDetails);
    connect(m_against, &QComboBox::activated, this, &MetadataDiffPage::showDetails);
    connect(m_copy, &QPushButton::clicked, this, &MetadataDiffPage::showCopyMenu);
    refill();
}

QString MetadataDiffPage::title() const { return tr("Metadata"); }

QString MetadataDiffPage::badge() const {
    return m_comparison.metadata() ? formatCount(m_model.differences()) : QString();
}

void MetadataDiffPage::refill() {
    m_model.refill();
    const int before = m_against->currentIndex();
    m_against->clear();
    for (const std::size_t file : m_comparison.others()) {
        m_against->addItem(m_comparison.files()[file].label, static_cast<uint>(file));
    }
    m_against->setCurrentIndex(std::clamp(before, m_against->count() > 0 ? 0 : -1, m_against->count() - 1));
    const bool known = m_comparison.metadata() != nullptr;
    m_nothing->setTexts(known ? tr("The metadata is the same") : tr("Comparing metadata"),
                        known ? tr("All files have the same keys with the same values.") : QString());
    m_model.rowCount() > 0 || !m_filter->text().isEmpty() ? showContent() : showNothing();
    fitColumns();
    if (m_model.rowCount() > 0) {
        m_table->setCurrentIndex(m_model.index(0, 0));
    }
    showDetails();
    emit badgeChanged();
}

// The key column keeps its width, and the files share the rest.
void MetadataDiffPage::fitColumns() {
    QHeaderView* header = m_table->horizontalHeader();
    for (int column = 0; column < m_model.columnCount(); ++column) {
        header->setSectionResizeMode(column, column < MetadataDiffModel::kFirstFile ? QHeaderView::Interactive
                                                                                    : QHeaderView::Stretch);
    }
    if (m_model.columnCount() > 0) {
        m_table->setColumnWidth(MetadataDiffModel::kKey, kKeyWidth);
        m_table->setColumnWidth(MetadataDiffModel::kStatus, kStatusWidth);
    }
}

void MetadataDiffPage::showDetails() {
    const int row = m_table->currentIndex().row();
    const bool comparing = m_comparison.metadata() && m_against->currentIndex() >= 0 && row >= 0;
    const MetadataRow* found = comparing ? m_model.find(row) : nullptr;
    m_copy->setEnabled(found != nullptr);
    m_detailTitle->clear();
    m_details.setRows({}, {});
    if (!comparing) {
        return;
    }
    const std::size_t reference = m_comparison.reference();
    const auto other = static_cast<std::size_t>(m_against->currentData().toUInt());
    const QString referenceLabel = m_comparison.files()[reference].label;
    const QString otherLabel = m_comparison.files()[other].label;
    QList<QStringList> rows;
    if (m_model.isTokenizerRow(row)) {
        const TokenizerDifference& difference = m_comparison.metadata()->tokenizers[other];
        for (const TokenDifference& token : difference.first) {
            rows << QStringList{displayText(token.text),        optionalText(token.referenceId),
                                optionalText(token.otherId),    optionalText(token.referenceScore),
                                optionalText(token.otherScore), optionalText(token.referenceType),
                                optionalText(token.otherType)};
        }
        m_detailTitle->setText(tr("Tokens of %1 and %2 that differ: the first %3")
                                   .arg(referenceLabel, otherLabel, formatCount(difference.first.size())));
        m_details.setRows({tr("Token"), tr("Id in %1").arg(referenceLabel), tr("in %1").arg(otherLabel),
                           tr("Score in %1").arg(referenceLabel), tr("in %1").arg(otherLabel),
                           tr("Type in %1").arg(referenceLabel), tr("in %1").arg(otherLabel)},
                          rows);
        return;
    }
    if (found == nullptr) {
        return;
    }
    m_detailTitle->setText(displayText(found->key));
    const auto textOf = [&](const Value* value, std::size_t file) {
        if (value == nullptr) {
            return QStringLiteral("—");
        }
        if (const auto text = asString(*value)) {
            return headText(*text, kMaxTextBytes);
        }
        return valueText(found->key, *value, m_comparison.files()[file].model->metadata.architecture());
    };
    const auto& elements = found->cells[other].elements;
    if (elements) {
        for (const ArrayDifference::Element& element : elements->first) {
            const auto elementOf = [&](const std::optional<Value>& value, std::size_t file) {
                return value
                           ? elementText(found->key, *value, m_comparison.files()[file].model->metadata.architecture())
                           : QStringLiteral("—");
            };
            rows << QStringList{formatCount(element.index), elementOf(element.reference, reference),
                                elementOf(element.other, other)};
        }
        m_detailTitle->setText(tr("%1: %2 of %n elements differ", nullptr,
                                  numerus(std::max(elements->referenceLength, elements->otherLength)))
                                   .arg(displayText(found->key), formatCount(elements->differing)));
        m_details.setRows({tr("Index"), referenceLabel, otherLabel}, rows);
        return;
    }
    const Value* a = m_model.value(*found, reference);
    const Value* b = m_model.value(*found, other);
    rows << QStringList{tr("Value"), textOf(a, reference), textOf(b, other)}
         << QStringList{tr("Type"), a != nullptr ? formatValueType(*a) : QStringLiteral("—"),
                        b != nullptr ? formatValueType(*b) : QStringLiteral("—")};
    m_details.setRows({{}, referenceLabel, otherLabel}, rows);
}

void MetadataDiffPage::showCopyMenu() {
    const MetadataRow* row = m_model.find(m_table->currentIndex().row());
    if (row == nullptr) {
        return;
    }
    auto* menu = new QMenu(m_copy);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (std::size_t from = 0; from < row->cells.size(); ++from) {
        for (std::size_t to = 0; row->cells[from].index && to < row->cells.size(); ++to) {
            const Value* other = m_model.value(*row, to);
            if (to == from || (other != nullptr && OwnedValue::sameValue(*m_model.value(*row, from), *other))) {
                continue;
            }
            menu->addAction(tr("%1 → %2").arg(m_comparison.files()[from].label, m_comparison.files()[to].label), this,
                            [this, from, to] { copyKey(from, to); });
        }
    }
    if (menu->isEmpty()) {
        menu->addAction(tr("All files have the same value"))->setEnabled(false);
    }
    menu->popup(m_copy->mapToGlobal(QPoint(0, m_copy->height() + 2)));
}

void MetadataDiffPage::copyKey(std::size_t from, std::size_t to) {
    const MetadataRow* row = m_model.find(m_table->currentIndex().row());
    const Value* value = row != nullptr ? m_model.value(*row, from) : nullptr;
    if (value != nullptr) {
        emit keyCopied(m_comparison.files()[to].place,
                       QByteArray(row->key.data(), static_cast<qsizetype>(row->key.size())), OwnedValue(*value),
                       m_comparison.files()[from].label);
    }
}

bool MetadataDiffPage::goTo(const Place& place) {
    const int row = place.kind == Place::Kind::Key ? m_model.rowOfKey(place.name) : -1;
    if (row >= 0) {
        m_table->setCurrentIndex(m_model.index(row, 0));
    }
    return row >= 0;
}

QString MetadataDiffPage::copyText(CopyFormat format) const {
    return viewText(focusWidget() == m_detailView ? *m_detailView : *m_table, format);
}

QWidget* MetadataDiffPage::filterField() const { return m_filter; }

QJsonObject MetadataDiffPage::saveState() const {
    return {{QStringLiteral("splitter"), splitterSizes(*m_parts)}, {QStringLiteral("all"), m_all->isChecked()}};
}

void MetadataDiffPage::restoreState(const QJsonObject& state) {
    restoreSplitter(*m_parts, state[QStringLiteral("splitter")].toArray());
    m_all->setChecked(state[QStringLiteral("all")].toBool());
}

} // namespace gufo::ui

#include "moc_metadata_diff_page.cpp"
