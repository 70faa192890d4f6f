// Describes the tensor roles.
#pragma once

#include "model/tensor_role.h"

#include <QString>

namespace gufo::ui {

// "Gate of all experts"; `role` is a row of roleFacts().
[[nodiscard]] QString roleMeaning(const RoleFact& role);

} // namespace gufo::ui
