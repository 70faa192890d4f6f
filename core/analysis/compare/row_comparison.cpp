#include "analysis/compare/row_comparison.h"

#include "analysis/scan_pieces.h"
#include "base/detail.h"

#include <cmath>

namespace gufo {

Result<> RowComparison::add(const PartReader& other) {
    if (other.part().weights() != m_reference.part().weights()) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::PartsDiffer});
    }
    const std::uint64_t present = std::min(m_reference.present(), other.present());
    const bool comparable = m_reference.typeId() == other.typeId() && m_reference.order() == other.order() &&
                            present == m_reference.part().weights();
    m_others.push_back({.reader = other, .present = present, .sameBytes = comparable});
    return {};
}

std::uint64_t RowComparison::slotCount() const {
    std::uint64_t largest = 0;
    for (const Other& other : m_others) {
        largest = std::max(largest, other.present);
    }
    return m_others.empty() ? 0 : std::max<std::uint64_t>(1, largest / kPairSlot + (largest % kPairSlot != 0 ? 1 : 0));
}

void RowComparison::Other::takeProfile(PairBins& bins) {
    if (profile == nullptr) {
        profile = std::make_unique<ProfileTotals>();
    }
    profile->take(bins);
}

RowComparison::Run RowComparison::run(std::uint64_t slot, std::uint64_t present) const {
    const std::uint64_t first = slot * kPairSlot;
    return {.first = first, .count = first < present ? std::min(kPairSlot, present - first) : 0};
}

std::uint64_t RowComparison::weights(std::uint64_t slot) const { return run(slot, m_reference.part().weights()).count; }

bool RowComparison::bytesEqual(const Other& other, const Run& run) const {
    return m_reference.bytesEqual(other.reader, run.first, run.count);
}

template<typename T>
void RowComparison::addImportance(std::span<const T> a, std::span<const T> b, std::uint64_t first,
                                  ImportanceSums& sums) const {
    const std::uint64_t columns = m_importance.size();
    for (std::size_t done = 0; done < b.size();) {
        const std::uint64_t column = (first + done) % columns;
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(columns - column, b.size() - done));
        for (std::size_t i = 0; i < n; ++i) {
            const double importance = m_importance[column + i];
            const double value = a[done + i];
            const double error = value - static_cast<double>(b[done + i]);
            const bool finite = std::isfinite(error); // only if both are
            sums.error += finite ? importance * error * error : 0;
            sums.energy += finite ? importance * value * value : 0;
        }
        done += n;
    }
}

bool RowComparison::sumEqual(const Run& run, const JobContext& job, ComparedSums& sums) const {
    const auto sumOf = [&]<typename T>(T) {
        alignas(64) std::array<T, kPairPiece<T>> values;
        for (std::uint64_t done = 0; done < run.count;) {
            if (job.stopRequested()) {
                return false;
            }
            const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(values.size(), run.count - done));
            m_reference.read(run.first + done, std::span(values).first(n));
            PowerSums powers;
            if constexpr (sizeof(T) == sizeof(double)) {
                powers = scalar::sumDoubles(values.data(), n, 0);
            } else {
                powers = activeKernels().sumFloats(values.data(), n, 0);
            }
            sums.pairs += powers.finite;
            sums.equal += powers.finite;
            sums.excluded += powers.nans + powers.infinities;
            sums.aa += powers.sum2;
            if (!m_importance.empty()) {
                const std::span<const T> read = std::span(values).first(n);
                addImportance(read, read, run.first + done, sums.important);
            }
            done += n;
        }
        sums.bb = sums.ab = sums.aa;
        return true;
    };
    return m_reference.needsDouble() ? sumOf(double()) : sumOf(float());
}

template<typename T>
bool RowComparison::compareAll(const Run& whole, const std::vector<std::size_t>& others,
                               std::vector<ComparedSums>& sums, PairWorkspace& workspace, const JobContext& job) const {
    alignas(64) std::array<T, kPairPiece<T>> x;
    alignas(64) std::array<T, kPairPiece<T>> y;
    for (std::uint64_t done = 0; done < whole.count;) {
        if (job.stopRequested()) {
            return false;
        }
        const std::uint64_t first = whole.first + done;
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(x.size(), whole.count - done));
        const std::span<const T> reference = m_reference.values(first, std::span(x).first(n));
        for (std::size_t i = 0; i < others.size(); ++i) {
            const Other& other = m_others[others[i]];
            const auto held =
                static_cast<std::size_t>(std::min<std::uint64_t>(n, other.present > first ? other.present - first : 0));
            const std::span<const T> values = other.reader.values(first, std::span(y).first(held));
            if (i == 0) {
                prefetch(m_reference.stored(first + n, x.size()));
            }
            prefetch(other.reader.stored(first + n, x.size()));
            PairSums piece =
                sumPairs(reference.data(), values.data(), held, sums[i].maximum, &workspace.bins(others[i]));
            if (piece.maximumIndex != PairSums::kNone) {
                piece.maximumIndex += first;
            }
            sums[i].merge(piece);
            if (!m_importance.empty()) {
                addImportance(reference.first(held), values, first, sums[i].important);
            }
        }
        done += n;
    }
    return true;
}

bool RowComparison::compareDecoded(std::uint64_t slot, const std::vector<std::size_t>& others, PairWorkspace& workspace,
                                   const JobContext& job) {
    std::uint64_t largest = 0;
    bool wide = m_reference.needsDouble();
    for (const std::size_t i : others) {
        largest = std::max(largest, m_others[i].present);
        wide |= m_others[i].reader.needsDouble();
    }
    std::vector<ComparedSums> sums(others.size());
    const Run whole = run(slot, largest);
    const bool finished = wide ? compareAll<double>(whole, others, sums, workspace, job)
                               : compareAll<float>(whole, others, sums, workspace, job);
    const std::scoped_lock lock(m_mutex);
    for (std::size_t i = 0; i < others.size(); ++i) {
        m_others[others[i]].sums.merge(sums[i]);
        m_others[others[i]].takeProfile(workspace.bins(others[i])); // this also clears them after a stop
    }
    return finished;
}

bool RowComparison::compareSlot(std::uint64_t slot, PairWorkspace& workspace, const JobContext& job) {
    std::vector<std::size_t> equal;
    std::vector<std::size_t> different;
    for (std::size_t i = 0; i < m_others.size(); ++i) {
        const bool tried =
            m_reference.typeId() == m_others[i].reader.typeId() && m_reference.order() == m_others[i].reader.order();
        const Run part = run(slot, m_others[i].present);
        (tried && bytesEqual(m_others[i], part) ? equal : different).push_back(i);
    }
    if (!equal.empty()) {
        ComparedSums sums;
        // Another part with the same bytes may be truncated earlier.
        for (std::size_t k = 0; k < equal.size(); ++k) {
            Other& other = m_others[equal[k]];
            const Run part = run(slot, other.present);
            if (k == 0 || part.count != run(slot, m_others[equal[k - 1]].present).count) {
                sums = {};
                if (!sumEqual(part, job, sums)) {
                    return false;
                }
            }
            const std::scoped_lock lock(m_mutex);
            other.sums.merge(sums);
            other.equalSlots.push_back(slot);
        }
    }
    if (different.empty()) {
        return true;
    }
    {
        const std::scoped_lock lock(m_mutex);
        for (const std::size_t i : different) {
            m_others[i].sameBytes = false;
        }
    }
    return compareDecoded(slot, different, workspace, job);
}

bool RowComparison::finish(PairWorkspace& workspace, const JobContext& job) {
    for (Other& other : m_others) {
        if (other.sameBytes) {
            continue;
        }
        for (const std::uint64_t slot : other.equalSlots) {
            PairSums known; // discarded, because they are already counted
            const Run part = run(slot, other.present);
            const bool finished =
                sumRun(m_reference, m_reference, part.first, part.count, job, known, &workspace.bins(0));
            other.takeProfile(workspace.bins(0));
            if (!finished) {
                return false;
            }
        }
        other.equalSlots.clear();
    }
    return true;
}

TensorComparison RowComparison::comparison(std::size_t i) const {
    const Other& other = m_others[i];
    return {.identical = other.sameBytes,
            .truncated = other.present < m_reference.part().weights(),
            .sums = other.sums,
            .profile = other.sameBytes || other.profile == nullptr ? ErrorProfile() : other.profile->profile()};
}

void RowComparison::release(std::uint64_t slot) const {
    const Run part = run(slot, m_reference.present());
    m_reference.source().advise(m_reference.range(part.first, part.count), Access::Release);
    for (const Other& other : m_others) {
        const Run slotRun = run(slot, other.present);
        other.reader.source().advise(other.reader.range(slotRun.first, slotRun.count), Access::Release);
    }
}

} // namespace gufo
