// A row of the review before saving: one difference between the edited model and the model in its file.
#pragma once

#include "model/value.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace gufo {

struct Difference {
    enum class Subject : std::uint8_t { Key, Tensor, Target };
    Subject subject = Subject::Key;

    // Several may be true: a key that was renamed, moved and changed is a single row.
    bool added = false;
    bool deleted = false;
    bool changed = false; // the value of a key; a tensor replaced by an import
    bool renamed = false;
    bool moved = false; // relative to the neighbours that were not moved

    std::string name; // the current name; for a deleted entry, its name in the file
    // The name in the file; empty if added. For the target both names are "version", "byte_order" or "trailing_bytes".
    std::string oldName;
    std::size_t occurrence = 0;

    // Values of keys: views of the base and of the current snapshot, valid while both live.
    std::optional<Value> before{};
    std::optional<Value> after{};

    // How much two arrays of the same element type differ.
    struct ArrayChange {
        std::uint64_t firstIndex = 0; // first index at which they differ
        std::uint64_t changed = 0;    // elements that differ at the same index
        std::uint64_t inserted = 0;   // by how many elements the new array is longer
        std::uint64_t removed = 0;    // by how many it is shorter
    };
    std::optional<ArrayChange> array{};
};

} // namespace gufo
