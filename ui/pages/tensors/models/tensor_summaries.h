// σ and a small distribution of every tensor, found in the background one tensor after the other and kept.
//
// UI thread. One job at a time, on half of the machine's threads; what is wanted first comes first, and what is no
// longer wanted is never started.
#pragma once

#include "analysis/statistics.h"
#include "model/model.h"
#include "ui/jobs/job.h"
#include "ui/pages/tensors/models/tensor_moves.h"

#include <QObject>
#include <QPointer>

#include <memory>
#include <unordered_map>

namespace gufo::ui {

struct TensorSummary {
    std::optional<double> std{};
    // Heights 0 … 255 of equal bins over mean ± 4σ, as far as the values reach; a bin that is not empty is not 0.
    std::vector<std::uint8_t> bars;
    bool failed = false; // cannot be analysed: not asked for again
};

// The bars of a summary from an analysis with more bins.
[[nodiscard]] TensorSummary summarise(const TensorAnalysis& analysis);

class TensorSummaries : public QObject {
    Q_OBJECT

public:
    explicit TensorSummaries(QObject* parent = nullptr);
    void setModel(std::shared_ptr<const Model> model); // forgets everything
    // Another snapshot: what is known of the same bytes stays known.
    void follow(std::shared_ptr<const Model> model, const std::vector<TensorMove>& moves);

    [[nodiscard]] const TensorSummary* find(TensorIndex tensor) const; // null: not known yet
    void insert(TensorIndex tensor, const TensorAnalysis& analysis);   // found elsewhere

    // Replaces what is wanted, in order. Known tensors are skipped.
    void want(std::vector<TensorIndex> tensors);
    void setPaused(bool paused); // lets the running job end
    [[nodiscard]] bool isBusy() const { return !m_job.isNull(); }

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
    bool m_paused = false;
    QPointer<Job> m_job;
};

} // namespace gufo::ui
