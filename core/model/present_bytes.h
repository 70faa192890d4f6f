// Determines how much of the tensor data is present. A file that is cut off declares more bytes than it has.
#pragma once

#include "model/model.h"

#include <cstdint>
#include <map>
#include <string>

namespace gufo {

// The bytes of tensor data that the files contain, by the name of the tensor type.
[[nodiscard]] std::map<std::string, std::uint64_t> presentBytes(const Model& model);

} // namespace gufo
