// How a save writes a model: what is no key of its metadata. (The alignment is the key general.alignment.)
#pragma once

#include "base/byte_order.h"

#include <cstdint>

namespace gufo {

struct SaveTarget {
    std::uint32_t version = 3;
    ByteOrder byteOrder = ByteOrder::Little;
    bool dropTrailingBytes = false; // those behind the last tensor
    bool operator==(const SaveTarget&) const = default;
};

} // namespace gufo
