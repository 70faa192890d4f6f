// The sentences of errors before their arguments are inserted; error_text.h makes the texts that are shown of them.
#pragma once

#include "base/error.h"

namespace gufo::ui {

// The context of all texts about errors in the catalogues of translations.
inline constexpr const char* kErrorContext = "gufo::ErrorText";

struct ErrorWords {
    ErrorCode code;
    const char* reason; // %1 … are Error::args, in the order documented beside the code
    const char* hint;   // empty if there is no useful advice
};

// Those of the error's code, or more exact ones for what its arguments say.
[[nodiscard]] const ErrorWords& wordsOf(const Error& error);

// Whether a file could not be created because there is no such folder.
[[nodiscard]] bool isFolderMissing(const Error& error);

} // namespace gufo::ui
