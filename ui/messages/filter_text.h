// Words for the filter language of tensors (core/text/tensor_filter.h).
#pragma once

#include "text/tensor_filter.h"

namespace gufo::ui {

[[nodiscard]] QString filterProblemText(const text::FilterProblem& problem); // a sentence that begins with the term,
                                                                             // without a full stop
[[nodiscard]] QString filterHint();                                          // the language in a few lines
[[nodiscard]] QString filterExample();                                       // for an empty field

} // namespace gufo::ui
