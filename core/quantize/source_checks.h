// Checks of the files from which another model is made.
#pragma once

#include "model/model.h"

namespace gufo {

// Fails if a file of the model has changed since it was opened. Errors: those of checkSource().
[[nodiscard]] Result<> checkUnchanged(const Model& model);

// Fails with InvalidArgument (Detail::OwnFile) if `out` is a file of the model, which would be replaced while it is
// read.
[[nodiscard]] Result<> checkIsOtherFile(const Model& model, const std::filesystem::path& out);

} // namespace gufo
