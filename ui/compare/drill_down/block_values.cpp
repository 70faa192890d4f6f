#include "ui/compare/drill_down/block_values.h"

#include "analysis/weight_tile.h"
#include "base/try.h"
#include "ui/messages/figure_text.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace gufo::ui {
namespace {

constexpr std::uint64_t kRun = 32; // weights shown for a type without blocks
constexpr std::size_t kShownBlockBytes = 256;
constexpr int kBlockRowHeight = 20;

struct Wanted {
    std::shared_ptr<const TensorMatches> matches;
    std::size_t row = 0;
    std::size_t file = 0;
    std::uint64_t firstWeight = 0;
    std::uint64_t weights = 0;
};

Result<BlockContent> readBlock(const Wanted& wanted, const JobContext& job) {
    const TensorMatch& match = wanted.matches->rows[wanted.row];
    BlockContent content{.firstWeight = wanted.firstWeight,
                         .reference = wanted.matches->reference,
                         .file = wanted.file,
                         .files = {wanted.matches->reference, wanted.file}};
    for (std::size_t file = 0; file < match.cells.size(); ++file) {
        if (file != wanted.matches->reference && file != wanted.file && match.comparable(file)) {
            content.files.push_back(file);
        }
    }
    for (const std::size_t file : content.files) {
        const Model& model = *wanted.matches->models[file];
        const TensorPart& part = match.cells[file].part;
        const std::uint64_t last = std::min(wanted.firstWeight + wanted.weights, part.weights());
        auto& fields = content.fields.emplace_back();
        for (std::uint64_t weight = wanted.firstWeight; weight < last; ++weight) {
            GUFO_TRY(job.check());
            const auto one = explainStoredWeight(model, part.tensor, part.firstWeight + weight);
            if (!one && one.error().code != ErrorCode::Truncated) {
                return std::unexpected(one.error());
            }
            fields.push_back(one ? std::optional(one->fields) : std::nullopt);
            if (one && file == wanted.file && weight == wanted.firstWeight) {
                content.offset = one->offset;
                QStringList constants;
                for (const auto& constant : one->constants) {
                    constants << QStringLiteral("%1 %2").arg(
                        QString::fromLatin1(constant.name.data(), static_cast<qsizetype>(constant.name.size())),
                        formatReal(constant.value));
                }
                content.constants = constants.join(QStringLiteral(", "));
                for (std::size_t i = 0; i < std::min(one->bytes.size(), kShownBlockBytes); ++i) {
                    content.bytes += QStringLiteral("%1").arg(std::to_integer<int>(one->bytes[i]), 2, 16, QChar(u'0'));
                    if ((i + 1) % 4 == 0) {
                        content.bytes += u' ';
                    }
                }
            }
        }
    }
    return content;
}

} // namespace

void BlockValuesModel::setContent(BlockContent content, QStringList labels, std::uint64_t columns,
                                  std::uint32_t typeId) {
    beginResetModel();
    m_content = std::move(content);
    m_labels = std::move(labels);
    m_columns = std::max<std::uint64_t>(columns, 1);
    m_typeId = typeId;
    endResetModel();
}

void BlockValuesModel::clear() {
    beginResetModel();
    m_content = {};
    m_labels.clear();
    endResetModel();
}

int BlockValuesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || m_content.fields.empty() ? 0 : static_cast<int>(m_content.fields.front().size());
}

int BlockValuesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || m_content.files.empty() ? 0 : kOthers + static_cast<int>(m_content.files.size()) - 2;
}

std::optional<std::size_t> BlockValuesModel::fileOf(int column) const {
    return column == kReference || column == kValue ? std::optional(static_cast<std::size_t>(column - kReference))
           : column >= kOthers                      ? std::optional(static_cast<std::size_t>(column - kOthers) + 2)
                                                    : std::nullopt;
}

const std::optional<WeightFields>& BlockValuesModel::fieldsOf(std::size_t file, int row) const {
    static const std::optional<WeightFields> none;
    const auto& all = m_content.fields[file];
    const auto weight = static_cast<std::size_t>(row);
    return weight < all.size() ? all[weight] : none;
}

QString BlockValuesModel::placeText(int row) const {
    const std::uint64_t at = m_content.firstWeight + static_cast<std::uint64_t>(row);
    return QStringLiteral("%1, %2").arg(formatCount(at / m_columns), formatCount(at % m_columns));
}

bool BlockValuesModel::isColumnUsed(int column) const {
    if (column < kCode || column >= kOthers) {
        return true;
    }
    const auto has = [&](const std::optional<WeightFields>& fields) {
        return fields && (column != kMinimum || fields->minimum != 0);
    };
    return codeCount(m_typeId) > 0 && std::ranges::any_of(m_content.fields[1], has);
}

QString BlockValuesModel::cellText(int row, int column, bool isExact) const {
    static const QString kNone = QStringLiteral("—");
    const auto real = [isExact](auto value, int digits) {
        return isExact ? exactText(value) : formatReal(static_cast<double>(value), digits);
    };
    if (const auto file = fileOf(column)) {
        const auto& fields = fieldsOf(*file, row);
        return fields ? real(fields->value, 4) : kNone;
    }
    const auto& fields = fieldsOf(1, row);
    if (!fields || (column != kError && codeCount(m_typeId) == 0)) {
        return kNone;
    }
    const auto whole = [isExact](int value) {
        const QString text = QString::number(value);
        return isExact ? text : QString(text).replace(u'-', QChar(0x2212));
    };
    switch (column) {
    case kCode:
        return whole(firstStored(m_typeId) + fields->code);
    case kLevel:
        return whole(fields->level);
    case kScale:
        return real(fields->scale, 4);
    case kMinimum:
        return real(fields->minimum, 4);
    default: {
        const auto& reference = fieldsOf(0, row);
        return reference ? real(static_cast<double>(fields->value) - static_cast<double>(reference->value), 3) : kNone;
    }
    }
}

QVariant BlockValuesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const int column = index.column();
    switch (role) {
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::FontRole:
        return themeFont(TextStyle::Mono);
    case Qt::ForegroundRole:
        return fileOf(column) || column == kError ? QVariant() : QVariant(themeColor(Token::Muted));
    case Qt::ToolTipRole: {
        const std::uint64_t at = m_content.firstWeight + static_cast<std::uint64_t>(index.row());
        const QString place = tr("Row %1, column %2").arg(formatCount(at / m_columns), formatCount(at % m_columns));
        return column == kPlace ? place.toHtmlEscaped()
                                : QStringLiteral("%1\n%2: %3")
                                      .arg(place, headerData(column, Qt::Horizontal, Qt::AccessibleTextRole).toString(),
                                           cellText(index.row(), column, false))
                                      .toHtmlEscaped();
    }
    case kExactRole:
        return column == kPlace ? QVariant() : QVariant(cellText(index.row(), column, true));
    case Qt::DisplayRole:
        return column == kPlace ? placeText(index.row()) : cellText(index.row(), column, false);
    default:
        return {};
    }
}

QVariant BlockValuesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != Qt::AccessibleTextRole) {
        return {};
    }
    if (section == kPlace) {
        return role == Qt::DisplayRole ? tr("Place") : tr("Row and column of the weight");
    }
    if (const auto file = fileOf(section)) {
        const QString label = m_labels.value(static_cast<qsizetype>(*file));
        return role == Qt::ToolTipRole ? label.toHtmlEscaped() : label;
    }
    const QString titles[] = {tr("Error"), tr("Code"), tr("Level"), tr("Scale"), tr("Minimum")};
    const QString& title = titles[section - kError];
    const QString whole = tr("%1 in %2").arg(title, m_labels.value(1));
    return role == Qt::DisplayRole ? title : role == Qt::ToolTipRole ? whole.toHtmlEscaped() : whole;
}

BlockValues::BlockValues(const Comparison& comparison, QWidget* parent)
    : QWidget(parent)
    , m_comparison(comparison) {
    m_block = new CountBox(this);
    m_block->setAccessibleName(tr("Number of the block"));
    m_block->setKeyboardTracking(false);
    m_block->setMinimumWidth(90);
    auto* worst = new QPushButton(tr("Largest error"), this);
    worst->setToolTip(tr("The block with the largest error of the tensor"));
    m_place = themedLabel({}, TextStyle::Table, Token::Muted, this);
    m_place->setMinimumWidth(1);
    m_bytes = themedLabel({}, TextStyle::Mono, Token::Muted, this);
    m_bytes->setMinimumWidth(1);
    m_bytes->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_bytes->setAccessibleName(tr("Bytes of the block"));
    m_view = new QTableView(this);
    m_view->setModel(&m_model);
    m_view->setAccessibleName(tr("Weights of the block"));
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(kBlockRowHeight);
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->setTabKeyNavigation(false);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // one that appears would cover the last column
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setMinimumSectionSize(40);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(themedLabel(tr("Block"), TextStyle::Table, Token::Muted, this));
    head->addWidget(m_block);
    head->addWidget(worst);
    head->addWidget(m_place, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addWidget(m_bytes);
    layout->addWidget(m_view, 1);
    connect(m_block, &QSpinBox::valueChanged, this, &BlockValues::fetch);
    connect(worst, &QPushButton::clicked, this, [this] { showWeight(m_worst); });
}

void BlockValues::setPair(std::optional<std::size_t> row, std::size_t file, std::uint64_t weight) {
    m_job.cancel();
    m_row = row;
    m_file = file;
    m_worst = weight;
    m_model.clear();
    for (QLabel* label : {m_place, m_bytes}) {
        label->clear();
        label->setToolTip({});
    }
    m_stale = true;
    if (!m_row) {
        return;
    }
    const PartOf part = m_comparison.partOf(*m_row, m_file);
    const TensorTypeFact* type = findTensorType(part.model->tensor(part.part.tensor).typeId);
    m_blockSize = type != nullptr && type->blockSize > 1 ? type->blockSize : kRun;
    const std::uint64_t blocks = std::max<std::uint64_t>(1, (part.part.weights() + m_blockSize - 1) / m_blockSize);
    const QSignalBlocker quiet(m_block);
    m_block->setRange(0, static_cast<int>(std::min<std::uint64_t>(blocks - 1, std::numeric_limits<int>::max())));
    showWeight(weight);
}

void BlockValues::showWeight(std::uint64_t weight) {
    {
        const QSignalBlocker quiet(m_block);
        m_block->setValue(
            static_cast<int>(std::min<std::uint64_t>(weight / m_blockSize, std::numeric_limits<int>::max())));
    }
    fetch();
}

void BlockValues::fetch() {
    m_stale = true;
    if (!m_row || !isVisible() || !m_comparison.matches()) {
        return;
    }
    m_stale = false;
    m_job.cancel();
    const Wanted wanted{.matches = m_comparison.matches(),
                        .row = *m_row,
                        .file = m_file,
                        .firstWeight = static_cast<std::uint64_t>(m_block->value()) * m_blockSize,
                        .weights = m_blockSize};
    m_job.start<BlockContent>(
        [wanted](const JobContext& context) { return readBlock(wanted, context); },
        [this](Result<BlockContent> content) {
            if (!content) {
                m_model.clear();
                emit failed(content.error());
                return;
            }
            QStringList labels;
            for (const std::size_t file : content->files) {
                labels << m_comparison.files()[file].label;
            }
            const TensorPart& part = m_comparison.matches()->rows[*m_row].cells[m_file].part;
            const std::uint64_t first = content->firstWeight;
            QString place = tr("row %1, columns %2–%3")
                                .arg(formatCount(first / part.columns), formatCount(first % part.columns),
                                     formatCount(first % part.columns + m_blockSize - 1));
            if (!content->constants.isEmpty()) {
                place += QStringLiteral("; ") + content->constants;
            }
            m_place->setText(place);
            m_place->setToolTip(place.toHtmlEscaped());
            m_bytes->setText(tr("bytes at %1: %2").arg(formatCount(content->offset), content->bytes));
            m_bytes->setToolTip(m_bytes->text());
            const std::uint32_t typeId = m_comparison.files()[m_file].model->tensor(part.tensor).typeId;
            m_model.setContent(std::move(*content), labels, part.columns, typeId);
            fitColumns();
        });
}

// Every figure is shown in full, and columns without figures are hidden; the columns share the remaining width, or the
// table scrolls sideways.
void BlockValues::fitColumns() {
    constexpr int kPadding = 16;
    const QFontMetrics cells(themeFont(TextStyle::Mono));
    const QFontMetrics titles(m_view->horizontalHeader()->font());
    std::vector<int> widths;
    int shown = 0;
    int left = m_view->viewport()->width();
    for (int column = 0; column < m_model.columnCount(); ++column) {
        const bool used = m_model.isColumnUsed(column);
        m_view->setColumnHidden(column, !used);
        int width = titles.horizontalAdvance(m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        for (int row = 0; row < m_model.rowCount(); ++row) {
            width = std::max(width, cells.horizontalAdvance(m_model.index(row, column).data().toString()));
        }
        widths.push_back(width + kPadding);
        left -= used ? widths.back() : 0;
        shown += used ? 1 : 0;
    }
    // Half of the padding may go if all columns then fit.
    const int each = left >= 0 ? left / std::max(shown, 1) : (left - shown + 1) / std::max(shown, 1);
    for (std::size_t i = 0; i < widths.size(); ++i) {
        m_view->setColumnWidth(static_cast<int>(i), widths[i] + (each >= -kPadding / 2 ? each : 0));
    }
}

void BlockValues::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitColumns();
}

QString BlockValues::copyText(CopyFormat format) const { return viewText(*m_view, format); }

void BlockValues::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale) {
        fetch();
    }
}

} // namespace gufo::ui

#include "moc_block_values.cpp"
