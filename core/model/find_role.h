// Finds a row of the table of roles by one of its names, for the parser of tensor names.
#pragma once

#include "model/tensor_role.h"

namespace gufo {

// The role of this name or alias, in a block or outside of blocks; null if there is none.
[[nodiscard]] const RoleFact* findRole(std::string_view name, bool perBlock);

} // namespace gufo
