#include "ui/pages/tensors/models/tensor_summaries.h"

#include "analysis/slice.h"
#include "base/parallel.h"
#include "tensor/decode.h"
#include "ui/document/fetching.h"

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr std::uint32_t kSummaryBins = 512;
constexpr int kBars = 25;
constexpr double kSummarySigmas = 4;
constexpr std::uint64_t kLongestCurve = 1U << 20U; // weights
constexpr std::size_t kCurveParts = 64;

// An analysis, and for norms and biases their values.
Result<TensorSummary> summaryOf(const Model& model, TensorIndex tensor, const JobContext& job) {
    TensorSummary summary = summarise(GUFO_TRY(analyseTensor(model, tensor, {.bins = kSummaryBins}, job)));
    if (const TensorInfo& info = model.tensor(tensor); isShownAsCurve(info)) {
        const SliceRequest whole{.rows = 1, .columns = info.shape[0]};
        setCurve(summary, GUFO_TRY(readSlice(model, tensor, whole, job)).values);
    }
    return summary;
}

} // namespace

TensorSummary summarise(const TensorAnalysis& analysis) {
    const Statistics& figures = analysis.statistics;
    const Histogram& histogram = analysis.histogram;
    TensorSummary summary{.std = figures.std, .bars = {}};
    if (!figures.mean || !figures.std || histogram.counts.empty()) {
        return summary;
    }
    const double reach = *figures.std > 0 ? kSummarySigmas * *figures.std : (histogram.hi - histogram.lo) / 2;
    const double lo = *figures.mean - reach;
    const double width = 2 * reach / kBars;
    // The count of a bin that is wider than a bar is distributed over the bars that it covers.
    std::vector<double> sums(kBars);
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        const double from = histogram.edge(i);
        const double to = histogram.edge(i + 1);
        for (int bar = std::max(0, static_cast<int>(std::clamp((from - lo) / width, -1.0, kBars + 1.0)));
             histogram.counts[i] != 0 && bar < kBars && lo + bar * width < to; ++bar) {
            const double overlap = std::min(to, lo + (bar + 1) * width) - std::max(from, lo + bar * width);
            sums[static_cast<std::size_t>(bar)] +=
                std::max(overlap, 0.0) / (to - from) * static_cast<double>(histogram.counts[i]);
        }
    }
    const double maximum = *std::ranges::max_element(sums);
    for (const double sum : sums) {
        const double height = maximum > 0 ? std::ceil(255 * (sum / maximum)) : 0; // at most 255
        summary.bars.push_back(static_cast<std::uint8_t>(height));
    }
    return summary;
}

bool isShownAsCurve(const TensorInfo& tensor) {
    return tensor.shape.rows() == 1 && tensor.shape[0] > 1 && tensor.shape[0] <= kLongestCurve;
}

void setCurve(TensorSummary& summary, std::span<const float> values) {
    const auto isFinite = [](float value) { return std::isfinite(value); };
    const auto first = std::ranges::find_if(values, isFinite);
    if (first == values.end()) {
        return;
    }
    summary.low = summary.high = *first;
    for (const float value : values) {
        if (isFinite(value)) {
            summary.low = std::min(summary.low, value);
            summary.high = std::max(summary.high, value);
        }
    }
    const double low = static_cast<double>(summary.low);
    const double range = static_cast<double>(summary.high) - low;
    const auto height = [&](float value) { // a constant is drawn in the middle
        return static_cast<std::uint8_t>(
            std::lround(range > 0 ? 255 * (static_cast<double>(value) - low) / range : 127.0));
    };
    summary.bars.clear();
    summary.curve.clear();
    const std::size_t parts = std::min(kCurveParts, values.size());
    float lowest = *first;
    float highest = *first;
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t begin = part * values.size() / parts;
        const std::size_t end = (part + 1) * values.size() / parts;
        bool any = false;
        for (const float value : values.subspan(begin, end - begin)) {
            if (isFinite(value)) {
                lowest = any ? std::min(lowest, value) : value;
                highest = any ? std::max(highest, value) : value;
                any = true;
            }
        }
        summary.curve.push_back(height(lowest));
        summary.curve.push_back(height(highest));
    }
}

TensorSummaries::TensorSummaries(QObject* parent)
    : QObject(parent) {}

void TensorSummaries::setModel(std::shared_ptr<const Model> model) {
    m_job.cancel();
    m_model = std::move(model);
    m_known.clear();
    m_wanted.clear();
    m_next = 0;
    m_fetching = false;
}

void TensorSummaries::follow(std::shared_ptr<const Model> model, const std::vector<TensorMove>& moves) {
    m_job.cancel();
    m_model = std::move(model);
    std::unordered_map<TensorIndex, TensorSummary> known;
    for (auto& [tensor, summary] : m_known) {
        if (const TensorMove& move = moves[tensor.value]; move.to && move.sameBytes) {
            known.emplace(*move.to, std::move(summary));
        }
    }
    m_known = std::move(known);
    m_wanted.clear();
    m_next = 0;
}

const TensorSummary* TensorSummaries::find(TensorIndex tensor) const {
    const auto found = m_known.find(tensor);
    return found != m_known.end() ? &found->second : nullptr;
}

std::vector<std::optional<double>> TensorSummaries::deviations(std::size_t count) const {
    std::vector<std::optional<double>> deviations(count);
    for (const auto& [tensor, summary] : m_known) {
        if (tensor.value < count) {
            deviations[tensor.value] = summary.std;
        }
    }
    return deviations;
}

void TensorSummaries::insert(TensorIndex tensor, const TensorAnalysis& analysis) {
    if (!isShownAsCurve(m_model->tensor(tensor))) {
        store(tensor, summarise(analysis));
    } else if (find(tensor) == nullptr) {
        m_wanted.push_back(tensor);
        next();
    }
}

void TensorSummaries::store(TensorIndex tensor, TensorSummary summary) {
    m_known.insert_or_assign(tensor, std::move(summary));
    ++m_revision;
    emit ready(tensor);
}

void TensorSummaries::want(std::vector<TensorIndex> tensors) {
    m_wanted = std::move(tensors);
    m_next = 0;
    next();
}

void TensorSummaries::setPaused(bool paused) {
    m_paused = paused;
    next();
}

void TensorSummaries::setFetching(bool fetching) {
    m_fetching = fetching;
    next();
}

void TensorSummaries::next() {
    if (m_paused || m_job.isRunning() || m_model == nullptr) {
        return;
    }
    const auto isSkipped = [this](TensorIndex tensor) {
        return find(tensor) != nullptr || (!m_fetching && bytesToFetch(*m_model, m_model->tensor(tensor)) > 0);
    };
    while (m_next < m_wanted.size() && isSkipped(m_wanted[m_next])) {
        ++m_next;
    }
    if (m_next == m_wanted.size()) {
        emit idle();
        return;
    }
    const TensorIndex tensor = m_wanted[m_next++];
    m_job.start<TensorSummary>(
        [model = m_model, tensor](JobContext context) {
            context.threads = std::max(1U, hardwareThreads() / 2);
            return summaryOf(*model, tensor, context);
        },
        [this, tensor](Result<TensorSummary> result) {
            store(tensor, result ? *std::move(result) : TensorSummary{.bars = {}, .failed = true});
            next();
        });
}

} // namespace gufo::ui

#include "moc_tensor_summaries.cpp"
