#include "ui/pages/tensors/values_section.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/tensors/block_line.h"
#include "ui/pages/tensors/index_field.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_color.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <cmath>

namespace gufo::ui {
namespace {

constexpr std::uint64_t kBytesInRow = 16;
constexpr int kMaxDecimals = 9;

QString inLocale(QString text) {
    if (text.startsWith(QLatin1Char('-'))) {
        text[0] = QChar(0x2212);
    }
    return text.replace(QLatin1Char('.'), figureLocale().decimalPoint());
}

QString hexText(std::uint64_t stored, int digits) {
    const std::uint64_t mask = digits >= 16 ? ~0ULL : (1ULL << (4 * digits)) - 1;
    return QStringLiteral("%1").arg(stored & mask, digits, 16, QLatin1Char('0')).toUpper();
}

// The number of decimals that show three figures of a weight of size σ.
int decimalsFor(std::optional<double> std) {
    if (!std || !(*std > 0)) {
        return 5;
    }
    return std::clamp(3 - static_cast<int>(std::floor(std::log10(*std))), 0, kMaxDecimals + 1);
}

std::function<QString(double, std::uint64_t)> decimalFormat(const TensorTypeFact& type, std::optional<double> std) {
    if (type.kind == TensorTypeKind::Integer) {
        return
            [](double, std::uint64_t stored) { return inLocale(QString::number(static_cast<std::int64_t>(stored))); };
    }
    const int decimals = decimalsFor(std);
    const double widest = std && *std > 0 ? 1000 * *std : 1e4;
    return [decimals, widest](double value, std::uint64_t) {
        if (!std::isfinite(value)) {
            return formatReal(value);
        }
        const bool exponent = decimals > kMaxDecimals || std::abs(value) >= std::max(widest, 1e4);
        return inLocale(exponent ? QString::number(value, 'e', 3) : QString::number(value, 'f', decimals));
    };
}

// The number of hexadecimal digits of a stored weight.
int hexDigits(const TensorTypeFact& type) {
    if (type.kind != TensorTypeKind::Quantised) {
        return static_cast<int>(2 * type.blockBytes);
    }
    int digits = 1;
    for (std::uint32_t codes = codeCount(type.id); codes > 16; codes /= 16) {
        ++digits;
    }
    return digits;
}

// Reads the bytes of a tensor as a tile of numbers.
Result<WeightTile> readBytes(const Model& model, TensorIndex tensor, const SliceRequest& request) {
    const auto bytes = GUFO_TRY(model.bytesOf(model.tensor(tensor)));
    WeightTile tile{.firstRow = request.firstRow,
                    .firstColumn = request.firstColumn,
                    .rows = request.rows,
                    .columns = request.columns,
                    .values = std::vector<double>(request.rows * request.columns),
                    .stored = std::vector<std::uint64_t>(request.rows * request.columns),
                    .present = std::vector<bool>(request.rows * request.columns)};
    for (std::uint64_t row = 0; row < request.rows; ++row) {
        for (std::uint64_t column = 0; column < request.columns; ++column) {
            const std::uint64_t at = (request.firstRow + row) * kBytesInRow + request.firstColumn + column;
            const std::uint64_t cell = row * request.columns + column;
            tile.present[cell] = at < bytes.size();
            tile.stored[cell] = tile.present[cell] ? std::to_integer<std::uint64_t>(bytes[at]) : 0;
            tile.values[cell] = static_cast<double>(tile.stored[cell]);
        }
    }
    if (auto damage = model.sourceOf(model.tensor(tensor))->damage()) {
        return std::unexpected(*damage);
    }
    return tile;
}

} // namespace

ValuesSection::ValuesSection(QWidget* parent)
    : QWidget(parent) {
    m_title = themedLabel(tr("Values"), TextStyle::Section, Token::Text, this);
    m_row = new IndexField(tr("Row"));
    m_column = new IndexField(tr("Column"));
    m_base = new SegmentedControl(tr("Values as"));
    m_base->addSegment(tr("Decimal"));
    m_base->addSegment(tr("Hex"), {}, tr("The stored value: the bits of a number, or the code of a quantised weight"));
    m_grid = new ValueGrid;
    m_explanation = new BlockLine;

    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_title);
    head->addSpacing(4);
    head->addWidget(themedLabel(tr("Row"), TextStyle::Table, Token::Text, this));
    head->addWidget(m_row);
    head->addWidget(themedLabel(tr("Column"), TextStyle::Table, Token::Text, this));
    head->addWidget(m_column);
    head->addStretch();
    head->addWidget(m_base);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addLayout(head);
    auto* grid = new QGridLayout;
    grid->setSpacing(0);
    grid->addWidget(m_grid, 0, 0);
    grid->addWidget(m_grid->rowBar(), 0, 1);
    grid->addWidget(m_grid->columnBar(), 1, 0);
    layout->addLayout(grid, 1);
    layout->addWidget(m_explanation);

    connect(m_row, &IndexField::chosen, this,
            [this](std::uint64_t row) { m_grid->setCurrent(row, m_grid->currentColumn()); });
    connect(m_column, &IndexField::chosen, this,
            [this](std::uint64_t column) { m_grid->setCurrent(m_grid->currentRow(), column); });
    connect(m_base, &SegmentedControl::chosen, this, [this](int base) { setHex(base == 1); });
    connect(m_grid, &ValueGrid::currentCellChanged, this, &ValuesSection::currentCellChanged);
    connect(m_grid, &ValueGrid::windowChanged, this, &ValuesSection::windowChanged);
    connect(&m_grid->gridModel(), &ValueGridModel::failed, this, &ValuesSection::failed);
}

void ValuesSection::reset() {
    m_job.cancel();
    m_model.reset();
    m_std.reset();
    m_explanation->clear();
    m_grid->setMatrix({}, {});
}

void ValuesSection::setTensor(std::shared_ptr<const Model> model, TensorIndex tensor, const SliceRequest& matrix) {
    const std::optional<double> std = m_model == model && m_tensor == tensor ? m_std : std::nullopt;
    reset();
    m_model = std::move(model);
    m_tensor = tensor;
    m_matrix = matrix;
    m_bytes = false;
    m_std = std;
    const TensorInfo& info = m_model->tensor(tensor);
    const TensorTypeFact& type = *info.type();
    m_title->setText(tr("Values"));
    m_base->show();
    m_explanation->show();
    m_grid->setMatrix({.rows = info.shape[matrix.rowDimension],
                       .columns = info.shape[0],
                       .load = [shared = m_model, tensor, matrix](const SliceRequest& part,
                                                                  const JobContext& context) -> Result<WeightTile> {
                           SliceRequest request = part;
                           request.rowDimension = matrix.rowDimension;
                           request.fixed = matrix.fixed;
                           return readWeightTile(*shared, tensor, request, context);
                       },
                       .decimal = decimalFormat(type, m_std),
                       .hex = [digits = hexDigits(type)](std::uint64_t stored) { return hexText(stored, digits); },
                       .rowTitle = {},
                       .blockColumns = type.blockSize},
                      tr("Row"));
    setFieldCounts();
    fitCells();
    m_grid->gridModel().setHex(m_hex);
    m_grid->setCurrent(0, 0);
}

void ValuesSection::setBytes(std::shared_ptr<const Model> model, TensorIndex tensor) {
    reset();
    m_model = std::move(model);
    m_tensor = tensor;
    m_bytes = true;
    const TensorInfo& info = m_model->tensor(tensor);
    m_title->setText(tr("Bytes"));
    m_base->hide();
    m_explanation->hide();
    const auto hex = [](std::uint64_t stored) { return hexText(stored, 2); };
    m_grid->setMatrix(
        {.rows = (info.bytesPresent + kBytesInRow - 1) / kBytesInRow,
         .columns = kBytesInRow,
         .load = [shared = m_model, tensor](const SliceRequest& part,
                                            const JobContext&) { return readBytes(*shared, tensor, part); },
         .decimal = [hex](double, std::uint64_t stored) { return hex(stored); },
         .hex = hex,
         .rowTitle = [](std::uint64_t row) { return formatCount(row * kBytesInRow); }},
        tr("Byte"));
    setFieldCounts();
    fitCells();
    m_grid->setCurrent(0, 0);
}

void ValuesSection::setFieldCounts() {
    m_row->setCount(m_grid->gridModel().matrix().rows);
    m_column->setCount(m_grid->gridModel().matrix().columns);
}

void ValuesSection::fitCells() {
    const TensorTypeFact* type = m_model != nullptr ? m_model->tensor(m_tensor).type() : nullptr;
    if (m_bytes || type == nullptr) {
        m_grid->setCellCharacters(2);
        return;
    }
    static constexpr int kIntegerDigits[] = {4, 6, 0, 11, 0, 0, 0, 20}; // by size in bytes, including the sign
    const int decimal = type->kind == TensorTypeKind::Integer ? kIntegerDigits[type->blockBytes - 1]
                                                              : std::max(8, decimalsFor(m_std) + 3);
    m_grid->setCellCharacters(m_hex ? std::max(4, hexDigits(*type)) : decimal);
}

void ValuesSection::setDeviation(std::optional<double> std) {
    m_std = std;
    if (m_model != nullptr && !m_bytes) {
        m_grid->gridModel().setFormat(decimalFormat(*m_model->tensor(m_tensor).type(), std));
        fitCells();
    }
}

void ValuesSection::setHex(bool hex) {
    m_hex = hex;
    m_base->setCurrent(hex ? 1 : 0);
    m_grid->gridModel().setHex(hex);
    fitCells();
}

void ValuesSection::setCurrent(std::uint64_t row, std::uint64_t column) { m_grid->setCurrent(row, column); }

void ValuesSection::currentCellChanged(std::uint64_t row, std::uint64_t column) {
    m_row->setValue(row);
    m_column->setValue(column);
    if (!m_bytes) {
        explain();
    }
    emit currentChanged(row, column);
}

void ValuesSection::explain() {
    m_job.cancel();
    const TensorInfo& info = m_model->tensor(m_tensor);
    const std::uint64_t index = weightIndex(info.shape, m_matrix, m_grid->currentRow(), m_grid->currentColumn());
    m_job.start<WeightExplanation>([model = m_model, tensor = m_tensor,
                                    index](const JobContext&) { return explainTensorWeight(*model, tensor, index); },
                                   [this, type = info.typeId](Result<WeightExplanation> result) {
                                       if (result) {
                                           m_explanation->setExplanation(type, *result);
                                       } else {
                                           m_explanation->setMessage(errorReason(result.error()));
                                       }
                                   });
}

} // namespace gufo::ui

#include "moc_values_section.cpp"
