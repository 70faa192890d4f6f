// What a step of an edited model does, in the smallest pieces that have an exact inverse. Pieces name what they touch,
// so that they also work on the model as it was saved and opened again, and own what they bring.
#pragma once

#include "document/document.h"

#include <variant>

namespace gufo::edit {

struct KeyName {
    std::string key;
    std::size_t occurrence = 0;
    bool operator==(const KeyName&) const = default;
};
struct TensorName {
    std::string name;
    std::size_t occurrence = 0;
};
// The entry of the base that something is; of a base that is gone, it says nothing.
struct Origin {
    std::uint64_t base = 0; // counts the bases of a document
    std::size_t index = 0;
};

struct InsertKey {
    std::size_t position = 0;
    std::string key;
    OwnedValue value;
    FileIndex file{};
    std::optional<Origin> origin{};
};
struct RemoveKey {
    KeyName key;
};
struct ReplaceValue {
    KeyName key;
    OwnedValue value;
};
// Of a string: the bytes that differ.
struct SpliceText {
    KeyName key;
    std::size_t at = 0;
    std::size_t count = 0;
    std::string text;
};
struct SpliceArray {
    KeyName key;
    std::vector<std::uint64_t> path;
    std::uint64_t index = 0;
    std::uint64_t count = 0;
    OwnedValue elements;
};
struct RenameKey {
    KeyName key;
    std::string newKey;
};
struct MoveKey {
    KeyName key;
    std::size_t position = 0;
};

struct InsertTensor {
    std::size_t position = 0;
    std::string name;
    TensorInfo info; // its name aside, as in `from`
    std::shared_ptr<const Model> from;
    std::optional<Origin> origin{};
};
struct RemoveTensor {
    TensorName tensor;
};
struct RenameTensor {
    TensorName tensor;
    std::string newName;
};
struct MoveTensor {
    TensorName tensor;
    std::size_t position = 0;
};
struct SetSaveTarget {
    SaveTarget target;
};

using Piece = std::variant<InsertKey, RemoveKey, ReplaceValue, SpliceText, SpliceArray, RenameKey, MoveKey,
                           InsertTensor, RemoveTensor, RenameTensor, MoveTensor, SetSaveTarget>;

struct Step {
    std::string label;
    std::string mergeKey;
    std::vector<Piece> inverse; // to be done in this order
};

// Adds what takes back a step that followed.
void mergeInto(Step& step, std::vector<Piece> inverse);

} // namespace gufo::edit
