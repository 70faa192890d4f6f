// Finds the steps that turn one list of names into another. Each step refers to the entries as they are when it is
// applied. Names need not be unique. Takes n log n for n names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace gufo::edit {

struct ListEdit {
    enum class Kind : std::uint8_t { Remove, Keep, Add, Move };
    Kind kind;
    std::size_t index;        // of the entry: in the first list if it is removed, otherwise in the goal
    std::string_view name;    // before the step; a kept entry takes over its name in the goal
    std::size_t occurrence;   // how many entries before it have this name; for an added one, how many have it at all
    std::size_t position = 0; // of an added or moved entry
};

// `matched` has a row for each name in `from`: its index in `goal`, or kNone if it is to be removed. First come the
// removed entries, last one first, then all kept entries in the order of `from`, then the added and the moved entries
// in the order of `goal`. As few entries as possible are moved.
[[nodiscard]] std::vector<ListEdit> listEdits(const std::vector<std::string_view>& from,
                                              const std::vector<std::size_t>& matched,
                                              const std::vector<std::string_view>& goal);

// Marks the indices in `matched` that are out of ascending order: the smallest possible set.
[[nodiscard]] std::vector<bool> movedOnes(const std::vector<std::size_t>& matched);

} // namespace gufo::edit
