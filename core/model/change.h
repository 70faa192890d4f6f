// The changes that can be made to a model, one struct each. Checks offer them as fixes, pages and console verbs create
// them, and document/ applies them.
//
// A change refers to keys and tensors by name, so that it means the same after the model was saved and opened again. If
// a name occurs more than once in a file, it denotes the first occurrence unless `occurrence` says otherwise.
#pragma once

#include "base/byte_order.h"
#include "model/owned_value.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gufo {

class Model;

// Sets the value of a key; the type may change. A missing key is added at `position` (by default at the end). A
// duplicate key is added only to restore one that the opened file had.
struct SetKey {
    std::string key;
    OwnedValue value;
    std::optional<std::size_t> position{};
    std::size_t occurrence = 0;
};
struct DeleteKey {
    std::string key;
    std::size_t occurrence = 0;
};
struct RenameKey {
    std::string key;
    std::string newKey;
    std::size_t occurrence = 0;
};
struct MoveKey {
    std::string key;
    std::size_t position = 0; // in the list after the key was removed
    std::size_t occurrence = 0;
};

// An array, or an array nested in it that is reached through `indices`.
struct ArrayPath {
    std::string key;
    std::vector<std::uint64_t> indices{};
    bool operator==(const ArrayPath&) const = default;
};
struct SetElement {
    ArrayPath array;
    std::uint64_t index = 0;
    OwnedValue value; // of the array's element type
};
struct InsertElements {
    ArrayPath array;
    std::uint64_t index = 0; // insert before this element; the array's length appends
    OwnedValue elements;     // an array of the same element type
};
struct RemoveElements {
    ArrayPath array;
    std::uint64_t index = 0;
    std::uint64_t count = 1;
};

struct RenameTensor {
    std::string name;
    std::string newName;
};
struct DeleteTensor {
    std::string name;
};
struct MoveTensor {
    std::string name;
    std::size_t position = 0; // in the list after the tensor was removed
};
// Copies a tensor of another model without changing its type or bytes. The bytes are read when the model is saved.
struct ImportTensor {
    std::shared_ptr<const Model> from;
    std::string name;
    std::string newName;
    std::optional<std::size_t> position{}; // default: the end
    bool replace = false;                  // replace the tensor of that name in its position
    // Hash of the bytes at the time of the import (importHash). Saving fails if they have another one by then.
    std::optional<std::uint64_t> hash{};
};

struct RowRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    bool operator==(const RowRange&) const = default;
};
// Keeps some rows of a tensor, its slices along the last dimension, and appends others. The new rows follow from the
// old ones alone, so that a stored change gives the same bytes again.
struct ResizeRows {
    std::string name;
    std::vector<RowRange> kept; // ascending
    // Each new row is a copy of this row, or, without a value, the mean of all rows that the tensor had.
    std::vector<std::optional<std::uint64_t>> added;
};

// How the next save writes the file. A member without a value leaves that property as it is. The alignment is the key
// general.alignment.
struct SetTarget {
    std::optional<std::uint32_t> version{};
    std::optional<ByteOrder> byteOrder{};
};
// Makes the next save drop the bytes after the last tensor, or keep them after all.
struct DropTrailingBytes {
    bool drop = true;
};

using Change =
    std::variant<SetKey, DeleteKey, RenameKey, MoveKey, SetElement, InsertElements, RemoveElements, RenameTensor,
                 DeleteTensor, MoveTensor, ImportTensor, ResizeRows, SetTarget, DropTrailingBytes>;

// The properties of a saved model that are not keys of its metadata. The alignment is the key general.alignment.
struct SaveTarget {
    std::uint32_t version = 3;
    ByteOrder byteOrder = ByteOrder::Little;
    bool dropTrailingBytes = false; // drop the bytes after the last tensor
    bool operator==(const SaveTarget&) const = default;
};

} // namespace gufo
