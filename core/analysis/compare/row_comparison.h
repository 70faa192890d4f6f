// One part of the reference against those of other models, in slots that workers take in any order; each slot decodes
// the reference once.
#pragma once

#include "analysis/compare/compare_tensors.h"
#include "analysis/compare/pair_pieces.h"
#include "analysis/compare/pair_totals.h"

#include <memory>
#include <mutex>
#include <vector>

namespace gufo {

// A worker's memory, used for one slot after the other.
class PairWorkspace {
public:
    // Of the other with that number in its row.
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
    explicit RowComparison(const PartReader& reference)
        : m_reference(reference) {}

    // Errors: InvalidArgument (another number of weights).
    [[nodiscard]] Result<> add(const PartReader& other);

    // At least one where there is something to compare, even if it is empty.
    [[nodiscard]] std::uint64_t slotCount() const;
    // Weights of the reference in a slot.
    [[nodiscard]] std::uint64_t weights(std::uint64_t slot) const;
    // False if the job was stopped. Any number of workers at once, each with a workspace of its own.
    [[nodiscard]] bool compareSlot(std::uint64_t slot, PairWorkspace& workspace, const JobContext& job);
    // True for whoever calls it for the last slot that was compared.
    [[nodiscard]] bool slotDone() { return m_done.fetch_add(1) + 1 == slotCount(); }
    // Once all slots are done. False if the job was stopped.
    [[nodiscard]] bool finish(PairWorkspace& workspace, const JobContext& job);
    [[nodiscard]] TensorComparison comparison(std::size_t other) const;
    // The pages of a slot may go.
    void release(std::uint64_t slot) const;

private:
    struct Other {
        PartReader reader;
        std::uint64_t present; // weights that both files hold
        bool sameBytes;        // has been, as far as compared
        PairSums sums{};
        std::unique_ptr<ProfileTotals> profile{};
        std::vector<std::uint64_t> equalSlots{}; // whose bytes are equal: not yet in the profile

        void takeProfile(PairBins& bins);
    };
    struct Run {
        std::uint64_t first;
        std::uint64_t count;
    };
    [[nodiscard]] Run run(std::uint64_t slot, std::uint64_t present) const;
    [[nodiscard]] bool bytesEqual(const Other& other, const Run& run) const;
    // Sums of the reference against itself.
    [[nodiscard]] bool sumEqual(const Run& run, const JobContext& job, PairSums& sums) const;
    [[nodiscard]] bool compareDecoded(std::uint64_t slot, const std::vector<std::size_t>& others,
                                      PairWorkspace& workspace, const JobContext& job);
    template<typename T>
    bool compareAll(const Run& run, const std::vector<std::size_t>& others, std::vector<PairSums>& sums,
                    PairWorkspace& workspace, const JobContext& job) const;

    PartReader m_reference;
    std::vector<Other> m_others;
    std::mutex m_mutex; // for what m_others accumulate
    std::atomic<std::uint64_t> m_done = 0;
};

} // namespace gufo
