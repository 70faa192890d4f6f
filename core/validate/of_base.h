// Finds out whether a file was quantised from the base model that it names, by comparing their weights: the squared
// error of a sample of each tensor, relative to the squared weights, must be one that the tensor's type makes.
//
// Measured with `gufo-cli quantize` and `compare`: the largest error of a tensor of the right base over 14 models (the
// sample, stories260K, and 12 of tests/data) with and without importance matrices, and over files that llama.cpp made
// of three of them; and from which distance |change| / |weights| on a fine-tune of the base is found (four models,
// moved in a random direction and by matrices of rank 8). Without a change, none of 537 tensors was found in any type;
// of an unrelated model, all were.
//
//     from   types (error)                                          limit   a fine-tune is found from
//     16     F16 6e-8, BF16 3.9e-6                                  1e-5    0.3 %
//     8      Q8_0 3.9e-5                                            1e-4    1 %
//     6.25   Q6_K 3.6e-4                                            1e-3    3 %
//     5.2    IQ5_K 1.0e-3, Q5_K 1.4e-3, Q5_1 1.6e-3, Q5_0 2.4e-3    6e-3    7 %
//     4      IQ4_K 4.3e-3, Q4_K 5.8e-3, IQ4_XS 6.5e-3, IQ4_NL 7.6e-3, Q4_1 7.9e-3, Q4_0 9.3e-3, MXFP4 1.6e-2
//                                                                   0.04    20 %
//     3      IQ3_K 0.019, IQ3_S 0.021, Q3_K 0.024, IQ3_XXS 0.040    0.1     30 %
//     2      IQ2_S 0.069, Q2_K 0.078, IQ2_K 0.085, IQ2_XS 0.10, IQ2_XXS 0.14, TQ2_0 and (not judged) TQ1_0 0.22
//                                                                   0.4     60 %
//     fewer  IQ1_M 0.20, IQ1_S 0.23                                 not judged
//
// Most fine-tunes are 1 to 5 % away from their base, so they are found in Q8_0 and Q6_K, and in other types by their
// norms, which are not quantised.
//
// Threads: thread-safe; reads a sample of the weights of both, so it must not be called on the UI thread.
#pragma once

#include "base/job_context.h"
#include "model/finding.h"
#include "model/model.h"

#include <cstdint>
#include <vector>

namespace gufo {

struct BaseComparison {
    std::uint64_t compared = 0; // tensors of the same name and shape, in types of 2 bits and more
    std::vector<Finding> findings{};
};
// Progress is in tensors. Errors: FileChangedWhileReading, Cancelled.
[[nodiscard]] Result<BaseComparison> compareWithBase(const Model& model, const Model& base, const JobContext& job = {});

} // namespace gufo
