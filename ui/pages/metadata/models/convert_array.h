// An array with another element type; for a job.
#pragma once

#include "base/job_context.h"
#include "model/owned_value.h"
#include "model/value_text.h"

#include <QString>

namespace gufo::ui {

struct ArrayConversion {
    OwnedValue array;
    // Where an element does not turn into the other type exactly: then `array` is nothing.
    struct Refused {
        std::uint64_t index = 0;
        ValueProblem problem{};
    };
    std::optional<Refused> refused{};
};

// Errors: Cancelled; those of ArrayIndex::build.
[[nodiscard]] Result<ArrayConversion> convertArray(const ArrayView& array, ValueType elementType,
                                                   const JobContext& job);

} // namespace gufo::ui
