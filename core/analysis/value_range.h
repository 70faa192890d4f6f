// The range of the finite weights of a tensor, which must be known before the first weight is binned.
#pragma once

#include "analysis/scan.h"

#include <cstddef>
#include <limits>

namespace gufo {

struct ValueRange {
    double lo = std::numeric_limits<double>::infinity();
    double hi = -std::numeric_limits<double>::infinity();

    void add(double low, double high) {
        lo = low < lo ? low : lo;
        hi = high > hi ? high : hi;
    }
    void add(const float* values, std::size_t count);
    void add(const double* values, std::size_t count);

    [[nodiscard]] bool empty() const { return lo > hi; }
};

// Adds the weights of a slot. Most blocks are not decoded, because their scales show that they add nothing.
void addToRange(const ScanSlot& slot, const JobContext& job, ValueRange& range);

} // namespace gufo
