// What can be changed in a model: one struct each. Checks offer them as fixes, pages and verbs make them, and
// document/ applies them.
//
// Keys and tensors are named, not numbered, so that a change means the same in a model that was saved and opened again.
// A name that occurs more than once in a file stands for its first occurrence, unless `occurrence` says otherwise.
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

// Gives a key a value, of the same or another type; adds it at `position` (the end) where it is not there. A second one
// of the same name is added only where the file has as many.
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
    std::size_t position = 0; // in the list without the key
    std::size_t occurrence = 0;
};

// An array, or one nested in it: the elements to follow.
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
    std::uint64_t index = 0; // before it; the length: at the end
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
    std::size_t position = 0; // in the list without it
};
// A tensor of another model, type and bytes as they are; its bytes are read when the model is saved.
struct ImportTensor {
    std::shared_ptr<const Model> from;
    std::string name;
    std::string newName;
    std::optional<std::size_t> position{}; // the end
    bool replace = false;                  // the tensor of that name, at its place
};

// How the next save writes the file; nothing = as it is. The alignment is the key general.alignment.
struct SetTarget {
    std::optional<std::uint32_t> version{};
    std::optional<ByteOrder> byteOrder{};
};
// The next save leaves out bytes behind the last tensor, or keeps them after all.
struct DropTrailingBytes {
    bool drop = true;
};

using Change = std::variant<SetKey, DeleteKey, RenameKey, MoveKey, SetElement, InsertElements, RemoveElements,
                            RenameTensor, DeleteTensor, MoveTensor, ImportTensor, SetTarget, DropTrailingBytes>;

} // namespace gufo
