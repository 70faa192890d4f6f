// How the vocabularies of two models differ, in words.
#pragma once

#include "text/tokenizer/vocabulary_difference.h"

#include <QString>

namespace gufo::ui {

// Of the other file, as a clause: its token 3 is "x", that of the reference "y". The texts' views must be alive.
[[nodiscard]] QString vocabularyDifferenceText(const text::VocabularyDifference& difference);

} // namespace gufo::ui
