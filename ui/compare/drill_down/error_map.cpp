#include "ui/compare/drill_down/error_map.h"

#include "tensor/block_fields.h"
#include "ui/compare/comparison.h"
#include "ui/messages/figure_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>

#include <cmath>

namespace gufo::ui {
namespace {

constexpr double kSigmas = 4.5;

} // namespace

ErrorMap::ErrorMap(QWidget* parent)
    : QWidget(parent) {
    m_description = new ElidedLabel(TextStyle::Table, Token::Muted, Qt::ElideRight, this);
    m_progress = new JobBar(this);
    m_map = new HeatMap(this);
    m_progress->putOver(*m_map, Qt::AlignTop | Qt::AlignRight);
    m_map->setAccessibleName(tr("Map of errors by row and column"));
    m_map->setDiverging(true);
    auto* head = new QHBoxLayout;
    head->setSpacing(12);
    head->addWidget(m_description, 1);
    auto* fold = new FoldField(this);
    head->addWidget(fold);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(m_map, 1);
    connect(fold, &FoldField::chosen, m_map, &HeatMap::setFold);
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
    m_job.cancel();
    m_matches = std::move(matches);
    m_row = row;
    m_file = file;
    if (!m_matches) {
        m_map->setMatrix(0, 0, 0, 0);
        m_description->setText({});
        return;
    }
    const TensorPart& part = m_matches->rows[row].cells[file].part;
    const std::uint32_t typeId = m_matches->models[file]->tensor(part.tensor).typeId;
    const TensorTypeFact* type = findTensorType(typeId);

    m_map->setMatrix(part.rows, part.columns, type != nullptr ? type->blockSize : 0, subBlockSize(typeId));
    if (rmse && *rmse > 0) {
        m_map->setLimits(QCPRange(-kSigmas * *rmse, kSigmas * *rmse));
    }
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
    if (const QString cells = m_map->cellsText(); !cells.isEmpty()) {
        text = cells + QStringLiteral("; ") + text;
    }
    m_description->setText(text);
}

void ErrorMap::fetch() {
    if (!m_matches || !isVisible()) {
        return;
    }
    const HeatMap::View view = m_map->view();
    ErrorTileRequest request{.firstRow = view.range.firstRow,
                             .rows = view.rows(),
                             .firstColumn = view.range.firstColumn,
                             .columns = view.columns()};
    const MapFold fold = view.foldFor(m_map->fold());
    m_job.start<Slice>(
        [row = MatchedRow{m_matches, m_row}, file = m_file, request, view, fold](const JobContext& context) {
            return errorTile(row.reference(), row.of(file), request, view.maxRows, view.maxColumns, reductionOf(fold),
                             context);
        },
        [this, range = view.range, fold](Result<Slice> result) {
            if (!result) {
                emit failed(result.error());
                return;
            }
            m_map->setCells(range, *result, fold);
        });
    m_progress->watch(m_job.job(), tr("Decoding"));
}

void ErrorMap::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    fetch();
}

} // namespace gufo::ui

#include "moc_error_map.cpp"
