// The smallest parts of an editing step, each of which has an exact inverse. They refer to keys and tensors by name, so
// that they also apply to the saved and reopened model, and own the data they insert.
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
// The entry of the base that an item comes from. It has no meaning for other bases.
struct Origin {
    std::uint64_t base = 0; // number of the base within the document
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
// Replaces the bytes of a string that differ.
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
    TensorInfo info; // as in `from`, except for the name
    std::shared_ptr<const Model> from;
    std::optional<Origin> origin{};
    std::optional<std::uint64_t> hash{}; // as in ImportTensor
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
    std::vector<Piece> inverse; // in the order of execution
};

[[nodiscard]] bool touchesTensors(const Step& step);

// Adds the inverse of a later step to a step that it merges into.
void mergeInto(Step& step, std::vector<Piece> inverse);

} // namespace gufo::edit
