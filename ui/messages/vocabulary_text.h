// Words for the differences between two models' vocabularies.
#pragma once

#include "text/tokenizer/vocabulary.h"

#include <QString>

namespace gufo::ui {

// A clause about the other file: its token 3 is "x", that of the reference "y". The texts that `difference` views must
// be alive.
[[nodiscard]] QString vocabularyDifferenceText(const text::VocabularyDifference& difference);

} // namespace gufo::ui
