// Finds the tensors in the values that a pickle describes. Their names are the keys and indices on the way to them,
// joined by dots. Numbers and texts become keys in the same way, and the globals become the keys pickle.globals.*.
#pragma once

#include "formats/pytorch/globals.h"
#include "formats/pytorch/pickle.h"
#include "model/finding_list.h"
#include "model/model.h"

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gufo::pytorch {

// Where a storage is in the file; nothing if it is not there.
using FindStorage = std::function<std::optional<ByteRange>(std::string_view key)>;

// The storages that a pickle refers to, with the bytes of one element.
struct StorageUse {
    std::string_view key;
    std::uint64_t elementBytes = 1;
};
[[nodiscard]] std::vector<StorageUse> storagesOf(const pickle::Pickle& pickle);

// Whether the numbers of a file are big-endian, by the facts about the system that wrote it.
[[nodiscard]] bool isBigEndianSystem(const pickle::Pickle& facts);

// One number for each dimension of a tensor, the fastest first.
struct Sizes {
    std::array<std::uint64_t, Shape::kMaxDimensions> values{};
    std::size_t count = 0;

    [[nodiscard]] std::span<const std::uint64_t> span() const { return {values.data(), count}; }
};

// A tensor that is described outside of the pickle, which refers to it by a persistent id.
struct StoredTensor {
    std::string_view storage; // its key, which outlives the tensor
    DataType type;
    std::uint64_t first = 0; // index of its first element in the storage
    Sizes dims;
    Sizes strides; // in elements
    std::uint64_t recordOffset = 0;
};
using FindTensor = std::function<const StoredTensor*(const pickle::Node& id)>;

struct CheckpointParts {
    FindStorage findStorage;
    FindTensor findTensor{};             // null if all tensors are described in the pickle
    std::vector<pickle::Node> globals{}; // globals of the other pickles of the file
};

// Adds tensors, keys and findings to a model whose file is set. Errors: LimitExceeded, Cancelled.
[[nodiscard]] Result<> addCheckpoint(Model& model, FindingList& findings, const pickle::Pickle& pickle,
                                     const CheckpointParts& parts, const JobContext& job);

} // namespace gufo::pytorch
