// Computes σ and a small picture of each tensor in the background, and caches them: a histogram, or for norms and
// biases the values in their order.
//
// UI thread only. Runs one job at a time on half of the machine's threads, in the order in which tensors are wanted.
// Tensors that are no longer wanted are not started.
#pragma once

#include "analysis/statistics.h"
#include "model/model.h"
#include "ui/jobs/latest_job.h"
#include "ui/pages/tensors/models/tensor_moves.h"

#include <QObject>
#include <QPointer>

#include <memory>
#include <span>
#include <unordered_map>

namespace gufo::ui {

struct TensorSummary {
    std::optional<double> std{};
    // Heights 0 … 255 of equal bins over mean ± 4σ, limited to the range of the values. A bin that is not empty is at
    // least 1.
    std::vector<std::uint8_t> bars;
    // Of a tensor with a single row, in place of bars: the lowest and the highest value of each of equal parts, as
    // heights 0 … 255 over the range `low` … `high`. A part without finite values repeats the one before it.
    std::vector<std::uint8_t> curve{};
    float low = 0;
    float high = 0;
    bool failed = false; // cannot be analysed; is not tried again
};

// Derives the bars of a summary from an analysis with more bins.
[[nodiscard]] TensorSummary summarise(const TensorAnalysis& analysis);

// Whether a tensor is shown by its values in order. Those of longer vectors would tell nothing in so small a picture.
[[nodiscard]] bool isShownAsCurve(const TensorInfo& tensor);
// Sets the curve of a summary, and removes its bars, unless no value is finite.
void setCurve(TensorSummary& summary, std::span<const float> values);

class TensorSummaries : public QObject {
    Q_OBJECT

public:
    explicit TensorSummaries(QObject* parent = nullptr);
    void setModel(std::shared_ptr<const Model> model); // discards all summaries
    // Switches to another snapshot. Summaries of unchanged bytes are kept.
    void follow(std::shared_ptr<const Model> model, const std::vector<TensorMove>& moves);

    [[nodiscard]] const TensorSummary* find(TensorIndex tensor) const; // null: not known yet
    // The known standard deviations of `count` tensors.
    [[nodiscard]] std::vector<std::optional<double>> deviations(std::size_t count) const;
    [[nodiscard]] std::size_t knownCount() const { return m_known.size(); }
    // Grows with each summary that is computed or inserted.
    [[nodiscard]] std::uint64_t revision() const { return m_revision; }
    // Takes over an analysis made elsewhere, which lacks the values of curves: those are computed nevertheless.
    void insert(TensorIndex tensor, const TensorAnalysis& analysis);

    // Replaces the list of wanted tensors, in order of priority. Known tensors are skipped.
    void want(std::vector<TensorIndex> tensors);
    void setPaused(bool paused); // a running job is completed
    // Whether weights are fetched from a server in order to summarise them. By default, tensors whose weights have not
    // been fetched are skipped. Applies until another model is set.
    void setFetching(bool fetching);
    [[nodiscard]] bool isFetching() const { return m_fetching; }
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }

signals:
    void ready(gufo::TensorIndex tensor);
    void idle();

private:
    void store(TensorIndex tensor, TensorSummary summary);
    void next();

    std::shared_ptr<const Model> m_model;
    std::unordered_map<TensorIndex, TensorSummary> m_known;
    std::vector<TensorIndex> m_wanted;
    std::size_t m_next = 0;
    std::uint64_t m_revision = 0;
    bool m_paused = false;
    bool m_fetching = false;
    LatestJob m_job{this};
};

} // namespace gufo::ui
