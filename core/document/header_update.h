// Gives a file the metadata of a newer version of it, without fetching its weights: an uploader often corrects a
// template or a key and leaves the tensors as they are. The result is a list of ordinary changes, which the user can
// review, apply, undo and save like any other.
#pragma once

#include "base/job_context.h"
#include "model/change.h"
#include "model/model.h"

namespace gufo {

// How much of the weights is compared, to notice that they were replaced by others of the same types and shapes.
inline constexpr unsigned kComparedParts = 16;
inline constexpr std::uint64_t kComparedPartBytes = 64 << 10;

// The changes that give `model` the keys of `newer`, in their order; none if they are equal. Space that the program
// reserved in `model` stays. `newer` may be on a server: little more than kComparedParts × kComparedPartBytes of its
// weights are fetched; `seed` chooses them. Blocks, so it must not be called on the UI thread.
//
// Errors: NotSupported, if the tensors do not have the same names, types, shapes and places
// (Detail::RemoteLayoutDiffers, RemoteShardsDiffer, RemoteTensorsDiffer), if weights that were compared differ
// (RemoteBytesDiffer), or if keys occur twice (DuplicateKeyName); the errors of views; Cancelled.
[[nodiscard]] Result<std::vector<Change>> headerUpdate(const Model& model, const Model& newer, std::uint64_t seed,
                                                       const JobContext& job = {});

} // namespace gufo
