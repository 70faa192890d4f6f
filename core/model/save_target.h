// The properties of a saved model that are not keys of its metadata. The alignment is the key general.alignment.
#pragma once

#include "base/byte_order.h"

#include <cstdint>

namespace gufo {

struct SaveTarget {
    std::uint32_t version = 3;
    ByteOrder byteOrder = ByteOrder::Little;
    bool dropTrailingBytes = false; // drop the bytes after the last tensor
    bool operator==(const SaveTarget&) const = default;
};

} // namespace gufo
