// Reads PyTorch checkpoints into a Model: ZIP archives (torch.save since version 1.6), the stream of pickles of earlier
// versions, and the tar archives of the first ones (reader.cpp). Nothing is executed, and tensor data stay where
// they are in the file.
//
// Layout of an archive NAME: NAME/data.pkl describes the objects, NAME/data/KEY are the storages of tensors, NAME/
// byteorder is "little" or "big". Layout of a stream: pickles of a magic number, a version, facts about the system, the
// objects and the list of storage keys, followed by each storage as its number of elements (i64) and its bytes.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

namespace gufo::pytorch {

// Read a single file. Errors: NotAModel (not the format), Malformed (archive or pickle), Truncated, LimitExceeded,
// NestingTooDeep, FileChangedWhileReading, Cancelled. A global that is not allowed, a storage that is missing and a
// tensor outside of its storage are findings; so is damage that follows a dangerous global.
[[nodiscard]] Result<std::shared_ptr<const Model>> readZip(std::shared_ptr<const ByteSource> file,
                                                           const JobContext& job = {});
[[nodiscard]] Result<std::shared_ptr<const Model>> readStream(std::shared_ptr<const ByteSource> file,
                                                              const JobContext& job = {});
// A pickle alone, such as a dictionary of settings, or what someone passes off as a checkpoint.
[[nodiscard]] Result<std::shared_ptr<const Model>> readBare(std::shared_ptr<const ByteSource> file,
                                                            const JobContext& job = {});
[[nodiscard]] Result<std::shared_ptr<const Model>> readTar(std::shared_ptr<const ByteSource> file,
                                                           const JobContext& job = {});

inline constexpr std::string_view kZipContainer = "pytorch_zip"; // Model::container
inline constexpr std::string_view kStreamContainer = "pytorch_legacy";
inline constexpr std::string_view kBareContainer = "pickle";
inline constexpr std::string_view kTarContainer = "pytorch_tar";

} // namespace gufo::pytorch
