// Compares transposed activations of two instruction sets.
#pragma once

#include "base/cpu_features.h"
#include "tensor/kernels/products.h"

#include <cstddef>
#include <cstring>
#include <vector>

namespace gufo::test {

// `expected` is from the scalar kernels. Only these and AVX-512 fill the second part of a run.
inline bool sameTransposed(const std::vector<Int8TransposedRun>& found, const std::vector<Int8TransposedRun>& expected,
                           Isa isa) {
    const bool whole = isa == Isa::Scalar || isa == Isa::Avx512;
    const std::size_t bytes = whole ? sizeof(Int8TransposedRun) : offsetof(Int8TransposedRun, duplicated);
    bool same = found.size() == expected.size();
    for (std::size_t i = 0; same && i < found.size(); ++i) {
        same = std::memcmp(&found[i], &expected[i], bytes) == 0;
    }
    return same;
}

} // namespace gufo::test
