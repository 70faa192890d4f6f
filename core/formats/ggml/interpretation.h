// Reads the bytes of a file from before GGUF as one family of models stored them. Because such a file does not name its
// family, the reader tries several and takes the interpretation that ends exactly where the file ends.
#pragma once

#include "base/job_context.h"
#include "formats/ggml/families.h"
#include "model/tensor_info.h"

#include <vector>

namespace gufo::ggml {

struct Interpretation {
    struct Number {
        std::uint32_t bits = 0;
        std::uint64_t offset = 0;
    };
    struct Token {
        std::string_view text; // bytes as in the file
        float score = 0;
    };
    struct MelFilters {
        std::uint32_t mels = 0;
        std::uint32_t frequencies = 0;
        std::uint64_t offset = 0;
        Bytes values; // f32
    };

    const Family* family = nullptr;
    std::vector<Number> hyperParameters; // in the order of the family
    MelFilters filters;
    std::vector<Token> tokens;
    std::uint64_t headerBytes = 0; // up to the first tensor record
    std::vector<TensorInfo> tensors;
    std::uint64_t end = 0;       // where reading ended
    std::optional<Error> broken; // why there is no valid record at `end`; the last tensor may also be cut off

    // Whether the whole file is explained.
    [[nodiscard]] bool exact(std::uint64_t fileBytes) const {
        return !broken && end == fileBytes && (tensors.empty() || tensors.back().complete());
    }
    // The value of a hyper-parameter; 0 if the family does not have it.
    [[nodiscard]] std::uint32_t number(std::string_view name) const;
};

// Reads from `start`, the end of the magic number and the version. Errors, with the place: Truncated, StringTooLong,
// CountTooLarge, LimitExceeded, TooManyDimensions, Malformed; Cancelled. A tensor record that cannot be read is an
// error if it is the first one.
[[nodiscard]] Result<Interpretation> interpret(Bytes file, std::uint64_t start, const Version& version,
                                               const Family& family, const JobContext& job);

} // namespace gufo::ggml
