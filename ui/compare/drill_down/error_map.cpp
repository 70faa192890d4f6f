#include "ui/compare/drill_down/error_map.h"

#include "tensor/block_fields.h"
#include "ui/compare/drill_down/matched_row.h"
#include "ui/messages/format.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>

#include <cmath>

namespace gufo::ui {
namespace {

constexpr double kSigmas = 4.5;
constexpr std::uint64_t kManyWeights = 8; // of a cell

} // namespace

ErrorMap::ErrorMap(QWidget* parent)
    : QWidget(parent) {
    m_description = themedLabel({}, TextStyle::Table, Token::Muted, this);
    m_description->setMinimumWidth(1);
    m_progress = new JobBar(this);
    m_map = new HeatMap(this);
    m_map->setAccessibleName(tr("Map of errors by row and column"));
    auto* head = new QHBoxLayout;
    head->setSpacing(12);
    head->addWidget(m_description, 1);
    head->addWidget(m_progress);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(m_map, 1);
    connect(m_map, &HeatMap::viewChanged, this, &ErrorMap::fetch);
    connect(m_map, &HeatMap::rangeShown, this, &ErrorMap::describe);
    connect(m_map, &HeatMap::picked, this, [this](std::uint64_t row, std::uint64_t column) {
        if (m_matches) {
            emit picked(row * m_matches->rows[m_row].cells[m_file].part.columns + column);
        }
    });
}

void ErrorMap::setPair(std::shared_ptr<const TensorMatches> matches, std::size_t row, std::size_t file,
                       std::optional<double> rmse) {
    delete m_job;
    m_matches = std::move(matches);
    m_row = row;
    m_file = file;
    m_rmse = rmse;
    if (!m_matches) {
        m_map->setMatrix(0, 0, 0, 0);
        m_description->clear();
        return;
    }
    const TensorPart& part = m_matches->rows[row].cells[file].part;
    const std::uint32_t typeId = m_matches->models[file]->tensor(part.tensor).typeId;
    const TensorTypeInfo* type = findTensorType(typeId);
    m_map->setLimit(rmse && *rmse > 0 ? kSigmas * *rmse : 1);
    m_map->setMatrix(part.rows, part.columns, type != nullptr ? type->blockSize : 0, subBlockSize(typeId));
}

void ErrorMap::describe(const CellRange& range) {
    const auto span = [](std::uint64_t first, std::uint64_t last) {
        return QStringLiteral("%1–%2").arg(formatCount(first), formatCount(last));
    };
    QString text =
        tr("rows %1, columns %2").arg(span(range.firstRow, range.lastRow), span(range.firstColumn, range.lastColumn));
    if (m_map->blockColumns() > 1) {
        text += tr("; blocks of %1").arg(m_map->blockColumns());
    }
    m_description->setText(text);
    m_description->setToolTip(text);
}

void ErrorMap::fetch() {
    if (!m_matches || !isVisible()) {
        return;
    }
    const HeatMap::View view = m_map->view();
    ErrorTileRequest request{.firstRow = view.range.firstRow,
                             .rows = view.range.lastRow - view.range.firstRow + 1,
                             .firstColumn = view.range.firstColumn,
                             .columns = view.range.lastColumn - view.range.firstColumn + 1};
    const bool many = (request.rows / view.maxRows + 1) * (request.columns / view.maxColumns + 1) > kManyWeights;
    const auto reduction = many ? SliceReduction::RootMeanSquare : SliceReduction::LargestMagnitude;
    delete m_job;
    m_job = startJob<Slice>(
        this,
        [row = MatchedRow{m_matches, m_row}, file = m_file, request, view, reduction](const JobContext& context) {
            return errorTile(row.reference(), row.of(file), request, view.maxRows, view.maxColumns, reduction, context);
        },
        [this, range = view.range, reduction](Result<Slice> result) {
            if (!result) {
                emit failed(result.error());
                return;
            }
            if (!m_rmse || *m_rmse == 0) {
                double largest = 0;
                for (const float value : result->values) {
                    largest = std::isfinite(value) ? std::max(largest, std::abs(static_cast<double>(value))) : largest;
                }
                m_map->setLimit(largest > 0 ? largest : 1);
            }
            m_map->setCells(range, *result, reduction);
        });
    m_progress->watch(m_job, tr("Decoding"));
}

void ErrorMap::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    fetch();
}

} // namespace gufo::ui
