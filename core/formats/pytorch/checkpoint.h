// Finds the tensors in the values that a pickle describes. Their names are the keys and indices on the way to them,
// joined by dots. Numbers and texts become keys in the same way, and the globals become the keys pickle.globals.*.
#pragma once

#include "formats/pytorch/pickle.h"
#include "model/finding_list.h"
#include "model/model.h"

#include <functional>

namespace gufo::pytorch {

// Where a storage is in the file; nothing if it is not there.
using FindStorage = std::function<std::optional<ByteRange>(std::string_view key)>;

// The storages that a pickle refers to, with the bytes of one element.
struct StorageUse {
    std::string_view key;
    std::uint64_t elementBytes = 1;
};
[[nodiscard]] std::vector<StorageUse> storagesOf(const pickle::Pickle& pickle);

// Adds tensors, keys and findings to a model whose file is set. Errors: LimitExceeded, Cancelled.
[[nodiscard]] Result<> addCheckpoint(Model& model, FindingList& findings, const pickle::Pickle& pickle,
                                     const FindStorage& findStorage, const JobContext& job);

} // namespace gufo::pytorch
