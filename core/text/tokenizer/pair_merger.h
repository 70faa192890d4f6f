// The merge loop of byte-pair encoding and of SentencePiece's variant: repeatedly joins the adjacent pair with the
// lowest rank, the leftmost among equals, until no pair may be joined.
#pragma once

#include "base/job_context.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gufo::text {

inline constexpr std::uint32_t kNoMerge = ~std::uint32_t{0};

class PairMerger {
public:
    // `bounds`: the beginnings of the symbols in ascending order and the end of the text; on return, the bounds of the
    // merged symbols. `rank(begin, middle, end)` returns the rank of joining [begin, middle) and [middle, end), or
    // kNoMerge. Up to kShort symbols take n² cheap steps, more take n·log n. Returns false on a stop request.
    template<typename Rank>
    bool merge(std::vector<std::uint32_t>& bounds, const Rank& rank, const JobContext& job) {
        if (bounds.size() <= 2) {
            return true;
        }
        if (bounds.size() - 1 <= kShort) {
            mergeShort(bounds, rank);
            return true;
        }
        return mergeLong(bounds, rank, job);
    }

private:
    static constexpr std::size_t kShort = 48;

    template<typename Rank>
    void mergeShort(std::vector<std::uint32_t>& bounds, const Rank& rank) {
        std::uint32_t ranks[kShort]; // [i]: rank of joining symbols i and i + 1
        std::size_t symbols = bounds.size() - 1;
        for (std::size_t i = 0; i + 1 < symbols; ++i) {
            ranks[i] = rank(bounds[i], bounds[i + 1], bounds[i + 2]);
        }
        while (symbols > 1) {
            std::size_t best = 0;
            for (std::size_t i = 1; i + 1 < symbols; ++i) {
                best = ranks[i] < ranks[best] ? i : best;
            }
            if (ranks[best] == kNoMerge) {
                break;
            }
            bounds.erase(bounds.begin() + static_cast<std::ptrdiff_t>(best) + 1);
            --symbols;
            std::copy(ranks + best + 1, ranks + symbols, ranks + best);
            if (best > 0) {
                ranks[best - 1] = rank(bounds[best - 1], bounds[best], bounds[best + 1]);
            }
            if (best + 1 < symbols) {
                ranks[best] = rank(bounds[best], bounds[best + 1], bounds[best + 2]);
            }
        }
    }

    // A symbol, indexed by its first part. The end of a symbol that was merged into another is kNoMerge.
    struct Symbol {
        std::uint32_t begin;
        std::uint32_t end;
        std::uint32_t previous;
        std::uint32_t next;
    };
    struct Candidate {
        std::uint32_t rank;
        std::uint32_t left;
        std::uint32_t middle; // bounds when it was pushed; it is outdated if they have changed
        std::uint32_t end;
    };
    struct MergesLater { // orders the heap so that the next merge is at the front
        bool operator()(const Candidate& a, const Candidate& b) const {
            return a.rank != b.rank ? a.rank > b.rank : a.left > b.left;
        }
    };

    template<typename Rank>
    bool mergeLong(std::vector<std::uint32_t>& bounds, const Rank& rank, const JobContext& job) {
        constexpr std::uint32_t kNone = kNoMerge;
        constexpr std::uint32_t kStepsPerStopCheck = 16'384;
        const auto count = static_cast<std::uint32_t>(bounds.size() - 1);
        m_symbols.resize(count);
        m_heap.clear();
        for (std::uint32_t i = 0; i < count; ++i) {
            m_symbols[i] = {bounds[i], bounds[i + 1], i == 0 ? kNone : i - 1, i + 1 == count ? kNone : i + 1};
        }
        const auto candidate = [&](std::uint32_t left) {
            const Symbol& a = m_symbols[left];
            const Symbol& b = m_symbols[a.next];
            return Candidate{rank(a.begin, a.end, b.end), left, a.end, b.end};
        };
        std::uint32_t steps = 0;
        const auto stop = [&] { return ++steps % kStepsPerStopCheck == 0 && job.stopRequested(); };
        for (std::uint32_t i = 0; i + 1 < count; ++i) {
            if (const Candidate c = candidate(i); c.rank != kNoMerge) {
                m_heap.push_back(c);
            }
            if (stop()) {
                return false;
            }
        }
        std::ranges::make_heap(m_heap, MergesLater{});
        const auto push = [&](std::uint32_t left) {
            if (const Candidate c = candidate(left); c.rank != kNoMerge) {
                m_heap.push_back(c);
                std::ranges::push_heap(m_heap, MergesLater{});
            }
        };
        while (!m_heap.empty()) {
            if (stop()) {
                return false;
            }
            std::ranges::pop_heap(m_heap, MergesLater{});
            const Candidate c = m_heap.back();
            m_heap.pop_back();
            Symbol& left = m_symbols[c.left];
            if (left.end != c.middle || left.next == kNone || m_symbols[left.next].end != c.end) {
                continue;
            }
            Symbol& right = m_symbols[left.next];
            left.end = right.end;
            left.next = right.next;
            right.end = kNone;
            if (left.next != kNone) {
                m_symbols[left.next].previous = c.left;
                push(c.left);
            }
            if (left.previous != kNone) {
                push(left.previous);
            }
        }
        bounds.clear();
        for (std::uint32_t i = 0; i != kNone; i = m_symbols[i].next) {
            bounds.push_back(m_symbols[i].begin);
        }
        bounds.push_back(m_symbols[0].end);
        for (std::uint32_t i = 0; i != kNone; i = m_symbols[i].next) {
            bounds.back() = m_symbols[i].end;
        }
        return true;
    }

    std::vector<Symbol> m_symbols;
    std::vector<Candidate> m_heap;
};

} // namespace gufo::text
