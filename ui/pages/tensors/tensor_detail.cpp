#include "ui/pages/tensors/tensor_detail.h"

#include "tensor/decode.h"
#include "ui/document/fetching.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/tensors/correlation_line.h"
#include "ui/pages/tensors/histogram_section.h"
#include "ui/pages/tensors/map_section.h"
#include "ui/pages/tensors/models/tensor_summaries.h"
#include "ui/pages/tensors/slice_selector.h"
#include "ui/pages/tensors/spectrum_section.h"
#include "ui/pages/tensors/tensor_export.h"
#include "ui/pages/tensors/values_section.h"
#include "ui/quantize/what_if_button.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/table_text.h"

#include <QClipboard>
#include <QGuiApplication>

#include <chrono>

namespace gufo::ui {
namespace {

constexpr std::uint32_t kDetailBins = 256;
constexpr std::size_t kAnalysesKept = 256;

struct TimedAnalysis {
    TensorAnalysis analysis;
    std::chrono::milliseconds time{};
};

// Why no byte of a tensor can be read, if the header already shows it.
std::optional<Error> unreachable(const Model& model, const TensorInfo& info) {
    const ModelFile& file = model.files[info.file.value];
    if (file.source == nullptr) {
        return Error{ErrorCode::FileNotFound, file.path, {}, {}, 0};
    }
    if (!info.bytes) {
        return Error{ErrorCode::NotSupported, {}, Place::tensor(std::string(info.name)), {info.typeName()}, 0};
    }
    return {};
}

QString sentence(const Error& error) {
    const QString hint = errorHint(error);
    QString text = hint.isEmpty() ? errorReason(error) : errorReason(error) + QStringLiteral(". ") + hint;
    if (!text.isEmpty()) {
        text[0] = text[0].toUpper();
    }
    return text;
}

} // namespace

void TensorDetail::setModel(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    m_known.clear();
    clear();
}

void TensorDetail::follow(std::shared_ptr<const Model> model, const std::vector<TensorMove>& moves) {
    m_model = std::move(model);
    std::map<TensorIndex, TensorAnalysis> known;
    for (auto& [tensor, analysis] : m_known) {
        if (const TensorMove& move = moves[tensor.value]; move.to && move.sameBytes) {
            known.emplace(*move.to, std::move(analysis));
        }
    }
    m_known = std::move(known);
    const TensorMove move = m_tensor ? moves[m_tensor->value] : TensorMove{};
    if (!move.to) {
        clear();
    } else if (!move.sameBytes || isBusy() || m_startSoon.isActive() || m_interrupted) {
        m_tensor.reset();
        showTensor(*move.to);
    } else { // the sections keep their snapshot, which has the same bytes
        m_tensor = move.to;
        describe(m_model->tensor(*m_tensor));
        m_correlation->follow(m_model, *m_tensor); // which offers the tensors that the list has now
        m_export->setTensor(m_model, m_tensor);
        m_whatIf->setTensor(m_model, m_tensor);
    }
}

void TensorDetail::clear() {
    m_job.cancel();
    m_interrupted = false;
    m_summaries.setPaused(false);
    m_startSoon.stop();
    m_tensor.reset();
    m_wanted.reset();
    m_histogram->reset();
    m_map->reset();
    m_values->reset();
    m_spectrum->reset();
    m_correlation->reset();
    m_statistics.setStatistics({});
    m_export->setTensor(m_model, {});
    m_whatIf->setTensor(m_model, {});
    m_name->setText({});
    m_facts->clear();
    m_copy->hide();
    m_exportButton->hide();
    setNotice({});
    const bool none = m_model != nullptr && m_model->tensors.empty();
    m_empty->setTexts(none ? tr("No tensors") : tr("No tensor selected"),
                      none ? tr("This file has metadata only.") : tr("Select one in the list to see its contents."));
    m_stack->setCurrentWidget(m_empty);
}

void TensorDetail::describe(const TensorInfo& info) {
    m_name->setText(displayText(info.name));
    QStringList facts{QString::fromStdString(info.typeName())};
    if (const auto bits = info.bitsPerWeight()) {
        facts << tr("%1 bits/weight").arg(formatBitsPerWeight(*bits));
    }
    facts << formatShape(info.shape)
          << tr("%1 weights", nullptr, numerus(info.weights())).arg(formatCount(info.weights()));
    if (info.bytes) {
        facts << formatBytes(*info.bytes);
    }
    m_facts->setText(facts.join(QStringLiteral(", ")));
}

void TensorDetail::showTensor(TensorIndex tensor) {
    if (m_tensor == tensor) {
        return;
    }
    clear();
    m_tensor = tensor;
    const TensorInfo& info = m_model->tensor(tensor);
    describe(info);
    m_copy->show();
    m_exportButton->show();
    m_export->setTensor(m_model, tensor);
    m_whatIf->setTensor(m_model, tensor);
    showSections(info);
    updateStatus({});
}

void TensorDetail::showSections(const TensorInfo& info) {
    const bool decodable = isDecodable(info.typeId) && !info.bytesDerived;
    m_export->setPlotsEnabled(false);
    m_exportButton->show();
    m_whatIf->setTensor(m_model, m_tensor);
    if (info.shape.weights() == 0) {
        m_empty->setTexts(tr("No weights"), tr("A dimension of this tensor is 0."));
        return;
    }
    if (const auto error = unreachable(*m_model, info)) {
        m_empty->setTexts(tr("No bytes to show"), sentence(*error));
        return;
    }
    if (!info.complete()) {
        setNotice(tr("The file ends within this tensor: %1 of %2 are present.")
                      .arg(formatBytes(info.bytesPresent), formatBytes(*info.bytes)));
    }
    if (info.bytesPresent == 0) {
        m_empty->setTexts(tr("No bytes to show"), tr("The file ends before this tensor starts."));
        return;
    }
    if (const std::uint64_t bytes = bytesToFetch(*m_model, info); bytes > 0 && m_wanted != m_tensor) {
        offerToFetch(bytes);
        return;
    }
    m_stack->setCurrentWidget(m_scroll);
    m_figures->setVisible(decodable);
    m_map->setVisible(decodable);
    if (!decodable) {
        setNotice(tr("Values of type %1 cannot be decoded. These are its encoded bytes.")
                      .arg(QString::fromStdString(info.typeName())));
        m_values->setBytes(m_model, *m_tensor);
        return;
    }
    m_export->setPlotsEnabled(true);
    m_histogram->setTensor(m_model, *m_tensor);
    m_map->setTensor(m_model, *m_tensor);
    m_values->setTensor(m_model, *m_tensor, m_map->slice().matrix());
    m_spectrum->setTensor(m_model, *m_tensor, m_map->slice().matrix());
    m_correlation->setTensor(m_model, *m_tensor);
    m_map->map().setMarker(m_values->grid().window());
    if (const auto known = m_known.find(*m_tensor); known != m_known.end()) {
        take(known->second);
    } else {
        m_startSoon.start();
    }
}

void TensorDetail::offerToFetch(std::uint64_t bytes) {
    const QString host = serverOf(*m_model);
    m_fetchTexts->setTexts(
        tr("Not fetched yet"),
        tr("The weights of this tensor are on %1. Its histogram, statistics and map need all of them.").arg(host));
    m_fetch->setText(tr("Fetch %1").arg(formatBytes(bytes)));
    m_fetch->setToolTip(tr("Fetch the weights of this tensor from %1").arg(host));
    m_exportButton->hide();
    m_whatIf->hide();
    m_stack->setCurrentWidget(m_unfetched);
}

void TensorDetail::analyse() {
    m_interrupted = false;
    m_summaries.setPaused(true); // the user is waiting for this tensor
    m_job.start<TimedAnalysis>(
        [model = m_model, tensor = *m_tensor](const JobContext& context) -> Result<TimedAnalysis> {
            const auto start = std::chrono::steady_clock::now();
            auto analysis = GUFO_TRY(analyseTensor(*model, tensor, {.bins = kDetailBins}, context));
            return TimedAnalysis{.analysis = std::move(analysis),
                                 .time = std::chrono::duration_cast<std::chrono::milliseconds>(
                                     std::chrono::steady_clock::now() - start)};
        },
        [this](Result<TimedAnalysis> result) {
            m_summaries.setPaused(false);
            if (!result) {
                showError(result.error());
                return;
            }
            take(result->analysis);
            const bool quantised = m_model->tensor(*m_tensor).type()->kind == TensorTypeKind::Quantised;
            const std::uint64_t weights = result->analysis.statistics.count;
            const QString count = formatCount(weights);
            const QString time = formatCount(static_cast<std::uint64_t>(result->time.count()));
            updateStatus(quantised ? tr("Dequantised %1 weights in %2 ms", nullptr, numerus(weights)).arg(count, time)
                                   : tr("Read %1 weights in %2 ms", nullptr, numerus(weights)).arg(count, time));
            if (m_known.size() >= kAnalysesKept) {
                m_known.clear();
            }
            m_known.insert_or_assign(*m_tensor, std::move(result->analysis));
        },
        [this] {
            m_summaries.setPaused(false);
            m_interrupted = true;
        });
    m_progress->watch(m_job.job(), tr("Reading weights"));
}

void TensorDetail::take(const TensorAnalysis& analysis) {
    m_statistics.setStatistics(analysis.statistics);
    m_histogram->setAnalysis(analysis);
    m_map->setStatistics(analysis.statistics);
    m_values->setDeviation(analysis.statistics.std);
    m_summaries.insert(*m_tensor, analysis);
}

void TensorDetail::showWeight(std::uint64_t index) {
    const TensorInfo& info = m_model->tensor(*m_tensor);
    if (m_stack->currentWidget() != m_scroll || !isDecodable(info.typeId) || info.bytesDerived ||
        index >= info.weights()) {
        return;
    }
    const WeightPosition place = weightPosition(info.shape, index, m_map->slice().matrix().rowDimension);
    if (place.fixed != m_map->slice().matrix().fixed) {
        m_map->slice().setFixed(place.fixed);
        emit m_map->slice().changed();
    }
    showPlace(place.row, place.column);
}

void TensorDetail::showPlace(std::uint64_t row, std::uint64_t column) {
    m_map->map().showWeight(row, column, true);
    m_values->setCurrent(row, column);
}

void TensorDetail::setNotice(const QString& text) {
    m_notice->setText(text);
    m_notice->setVisible(!text.isEmpty());
}

QString TensorDetail::notice() const { return m_notice->text(); }

void TensorDetail::showError(const Error& error) { setNotice(sentence(error)); }

void TensorDetail::updateStatus(const QString& left) {
    if (!m_tensor) {
        return;
    }
    const TensorInfo& info = m_model->tensor(*m_tensor);
    const TensorTypeFact* type = info.bytesDerived ? nullptr : info.type();
    QStringList right{tr("File offset %1").arg(formatCount(info.offset))};
    if (type != nullptr) {
        right << (type->blockSize > 1
                      ? tr("Block %1 bytes, %n weights", nullptr, numerus(type->blockSize)).arg(type->blockBytes)
                      : tr("%n bytes per weight", nullptr, numerus(type->blockBytes)));
    }
    if (const std::uint32_t alignment = m_model->files[info.file.value].alignment; alignment != 0) {
        right << tr("Alignment %1").arg(alignment);
    }
    emit statusChanged(left, right);
}

QString TensorDetail::tensorText() const {
    return m_name->text() + QLatin1Char('\n') + m_facts->text() + QLatin1Char('\n') +
           viewText(*m_statisticsView, CopyFormat::Text);
}

QString TensorDetail::gridText(CopyFormat format) const {
    const ValueGrid& grid = m_values->grid();
    if (grid.isEmpty()) {
        return {};
    }
    const CellRange range = grid.gridModel().selection().value_or(grid.window());
    QStringList header{tr("Row")};
    for (std::uint64_t column = range.firstColumn; column <= range.lastColumn; ++column) {
        header << QString::number(column);
    }
    // Other programs get all digits of a weight; most weights are as exact as a float.
    const auto cellOf = [&](std::uint64_t row, std::uint64_t column) {
        const auto value = grid.gridModel().value(row, column);
        if (format == CopyFormat::Text || grid.gridModel().isHex() || !value) {
            return grid.gridModel().text(row, column);
        }
        const auto single = static_cast<float>(*value);
        return static_cast<double>(single) == *value ? exactText(single) : exactText(*value);
    };
    QList<QStringList> rows;
    for (std::uint64_t row = range.firstRow; row <= range.lastRow; ++row) {
        QStringList cells{QString::number(row)};
        for (std::uint64_t column = range.firstColumn; column <= range.lastColumn; ++column) {
            cells << cellOf(row, column);
        }
        rows << cells;
    }
    return tableText(format, header, rows);
}

QString TensorDetail::copyText(CopyFormat format) const {
    const QWidget* focus = focusWidget();
    if (focus == &m_values->grid()) {
        return gridText(format);
    }
    if (focus == m_histogram->figuresView() || focus == &m_histogram->plot()) {
        return viewText(*m_histogram->figuresView(), format);
    }
    return m_tensor ? viewText(*m_statisticsView, format) : QString();
}

QJsonObject TensorDetail::saveState() const {
    return {{QStringLiteral("logarithmic"), m_histogram->isLogarithmic()},
            {QStringLiteral("cividis"), m_map->map().colorMap() == ColorMap::Cividis},
            {QStringLiteral("fold"), foldId(m_map->map().fold())},
            {QStringLiteral("hex"), m_values->grid().gridModel().isHex()}};
}

void TensorDetail::restoreState(const QJsonObject& state) {
    m_histogram->setLogarithmic(state[QStringLiteral("logarithmic")].toBool(true));
    m_map->setColorMap(state[QStringLiteral("cividis")].toBool() ? ColorMap::Cividis : ColorMap::Viridis);
    m_map->setFold(foldOfId(state[QStringLiteral("fold")].toString()));
    m_values->setHex(state[QStringLiteral("hex")].toBool());
}

} // namespace gufo::ui

#include "moc_tensor_detail.cpp"
