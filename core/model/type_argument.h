// The type of a value as an argument of an error: "u32", or an array of a type.
#pragma once

#include "base/argument.h"
#include "model/value.h"

namespace gufo {

[[nodiscard]] Argument typeArgument(const Value& value);
[[nodiscard]] Argument arrayTypeArgument(ValueType element);

} // namespace gufo
