// One row of the review before saving: how the edited model differs from the one in its file.
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

    // More than one may hold: a key renamed, moved and changed is one row.
    bool added = false;
    bool deleted = false;
    bool changed = false; // its value; of a tensor: replaced by an import
    bool renamed = false;
    bool moved = false; // relative to its neighbours that were not moved

    std::string name;    // now; of what is deleted: in the file
    std::string oldName; // in the file; empty for what is added. Of the target: "version", "byte_order" or
                         // "trailing_bytes" in both
    std::size_t occurrence = 0;

    // Of keys: views of the base and of the current snapshot, valid while both live.
    std::optional<Value> before{};
    std::optional<Value> after{};

    // Of arrays whose element type is the same: how much of them differs.
    struct ArrayChange {
        std::uint64_t firstIndex = 0; // where they begin to differ
        std::uint64_t changed = 0;    // elements that differ, at the same index
        std::uint64_t inserted = 0;   // by which the array is longer
        std::uint64_t removed = 0;    // or shorter
    };
    std::optional<ArrayChange> array{};
};

} // namespace gufo
