// Compares one part of the reference with the same part of other models. The work is divided into slots that workers
// process in any order; the reference is decoded once per slot.
#pragma once

#include "analysis/compare/compare_tensors.h"
#include "analysis/compare/pair_pieces.h"
#include "analysis/compare/pair_totals.h"

#include <memory>
#include <mutex>
#include <vector>

namespace gufo {

// The memory of a worker, reused for every slot.
class PairWorkspace {
public:
    // The bins for the other part number `other`.
    [[nodiscard]] PairBins& bins(std::size_t other) {
        while (m_bins.size() <= other) {
            m_bins.push_back(std::make_unique<PairBins>());
        }
        return *m_bins[other];
    }

private:
    std::vector<std::unique_ptr<PairBins>> m_bins;
};

class RowComparison {
public:
    // `importance`: one value for each column of the reference, or none.
    explicit RowComparison(const PartReader& reference, std::vector<float> importance = {})
        : m_reference(reference)
        , m_importance(std::move(importance)) {}

    // Errors: InvalidArgument (different number of weights).
    [[nodiscard]] Result<> add(const PartReader& other);

    // At least 1 if there is anything to compare, even if it is empty.
    [[nodiscard]] std::uint64_t slotCount() const;
    // The number of the reference's weights in a slot.
    [[nodiscard]] std::uint64_t weights(std::uint64_t slot) const;
    // Returns false if the job was stopped. Any number of workers may call it at once, each with its own workspace.
    [[nodiscard]] bool compareSlot(std::uint64_t slot, PairWorkspace& workspace, const JobContext& job);
    // Marks a slot as done. Returns true if it was the last one.
    [[nodiscard]] bool slotDone() { return m_done.fetch_add(1) + 1 == slotCount(); }
    // Must be called when all slots are done. Returns false if the job was stopped.
    [[nodiscard]] bool finish(PairWorkspace& workspace, const JobContext& job);
    [[nodiscard]] TensorComparison comparison(std::size_t other) const;
    // Releases the pages of a slot.
    void release(std::uint64_t slot) const;

private:
    struct Other {
        PartReader reader;
        std::uint64_t present; // number of weights that both files contain
        bool sameBytes;        // whether all bytes compared so far are equal
        ComparedSums sums{};
        std::unique_ptr<ProfileTotals> profile{};
        std::vector<std::uint64_t> equalSlots{}; // slots with equal bytes, which are not yet in the profile

        void takeProfile(PairBins& bins);
    };
    struct Run {
        std::uint64_t first;
        std::uint64_t count;
    };
    [[nodiscard]] Run run(std::uint64_t slot, std::uint64_t present) const;
    [[nodiscard]] bool bytesEqual(const Other& other, const Run& run) const;
    // Computes the sums of the reference against itself.
    [[nodiscard]] bool sumEqual(const Run& run, const JobContext& job, ComparedSums& sums) const;
    // Adds the finite pairs of a run, which begins at weight `first` of the part.
    template<typename T>
    void addImportance(std::span<const T> a, std::span<const T> b, std::uint64_t first, ImportanceSums& sums) const;
    [[nodiscard]] bool compareDecoded(std::uint64_t slot, const std::vector<std::size_t>& others,
                                      PairWorkspace& workspace, const JobContext& job);
    template<typename T>
    bool compareAll(const Run& run, const std::vector<std::size_t>& others, std::vector<ComparedSums>& sums,
                    PairWorkspace& workspace, const JobContext& job) const;

    PartReader m_reference;
    std::vector<float> m_importance;
    std::vector<Other> m_others;
    std::mutex m_mutex; // guards the accumulated members of m_others
    std::atomic<std::uint64_t> m_done = 0;
};

} // namespace gufo
