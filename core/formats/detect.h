// Which format a file is, by its first bytes: to name it when it cannot be read.
#pragma once

#include "base/byte_source.h"

#include <optional>
#include <string_view>

namespace gufo {

struct FileFormat {
    std::string_view id;   // "safetensors"
    std::string_view name; // for people: "safetensors", "PyTorch or other ZIP archive", "GGML (before GGUF)"
    bool readable;         // by this version of Gufo
};

// Nothing if the start is of no known format.
[[nodiscard]] std::optional<FileFormat> detectFormat(const ByteSource& source);

} // namespace gufo
