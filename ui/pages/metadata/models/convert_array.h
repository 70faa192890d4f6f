// Converts an array to another element type. For jobs.
#pragma once

#include "base/job_context.h"
#include "model/owned_value.h"
#include "model/value_text.h"

#include <QString>

namespace gufo::ui {

struct ArrayConversion {
    OwnedValue array;
    // Set if an element cannot be converted exactly; `array` is then empty.
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
