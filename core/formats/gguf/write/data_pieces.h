// The sources of the bytes of a file to be written, tensor by tensor.
#pragma once

#include "formats/gguf/write/file_content.h"
#include "formats/save/new_files.h"

namespace gufo::gguf {

// The pieces of a content whose tensors are written one by one. Their sources are files of `model`.
[[nodiscard]] std::vector<saving::DataPiece> piecesOf(const FileContent& content, const Model& model,
                                                      std::uint64_t headerBytes);

} // namespace gufo::gguf
