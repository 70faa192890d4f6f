// Writes a GGUF file that is made from other models.
#pragma once

#include "formats/gguf/write/writer.h"
#include "model/model.h"

#include <span>

namespace gufo {

// Writes `out` completely or not at all. A separate thread writes the bytes that `data` passes on, while `data`
// produces the next ones; bytes of the sources' files are not copied for it. Errors: InvalidArgument (`out` is a file
// of a source); NoSpace; FileChangedWhileReading (a source); the errors of OutputFile and of Writer::write(). After an
// error there is no new file, and an existing one is unchanged.
[[nodiscard]] Result<> writeModel(std::span<const Model* const> sources, const gguf::Writer& writer,
                                  const gguf::Writer::TensorData& data, const std::filesystem::path& out,
                                  const JobContext& job);

// Passes the bytes on in pieces, between which a write can be cancelled.
[[nodiscard]] Result<> copyPieces(Bytes bytes, const gguf::Sink& out);

// Checks of the files from which another model is made.

// Fails if a file of the model has changed since it was opened. Errors: the errors of checkSource().
[[nodiscard]] Result<> checkUnchanged(const Model& model);

// Fails with InvalidArgument (Detail::OwnFile) if `out` is a file of the model, which would be replaced while it is
// read.
[[nodiscard]] Result<> checkIsOtherFile(const Model& model, const std::filesystem::path& out);

} // namespace gufo
