// The metadata keys as a tree by dotted segment, or as a list; those that a filter leaves, in the order asked for. Made
// in a job, because a file may hold millions of keys; immutable.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <QString>

#include <limits>
#include <memory>

namespace gufo::ui {

struct KeyQuery {
    enum class Layout { Tree, List };
    enum class SortBy { FileOrder, Key, Type, Value };
    Layout layout = Layout::Tree;
    QString text;                      // part of the key, of the value or of the meaning; letter case does not matter
    std::optional<ValueType> type{};   // of the value; an array counts as Array
    SortBy sortBy = SortBy::FileOrder; // of the list; the tree keeps the file's order, keys before groups
    Qt::SortOrder order = Qt::AscendingOrder;
    bool operator==(const KeyQuery&) const = default;
};

struct KeyTree {
    // Deeper segments stay together in one leaf.
    static constexpr int kMaxDepth = 12;
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    struct Node {
        std::uint32_t parent = kNone;
        std::uint32_t row = 0; // among its parent's children
        std::uint32_t firstChild = 0;
        std::uint32_t children = 0; // they stand one after the other
        std::uint32_t keys = 0;     // leaves below
        std::uint32_t kv = kNone;   // KvIndex of a leaf
        std::string_view prefix;    // the whole key up to here
        std::string_view segment;   // its last part, as shown
        [[nodiscard]] bool isGroup() const { return kv == kNone; }
    };
    std::shared_ptr<const Model> model; // owns the text
    std::vector<Node> nodes;            // [0] is the root
};

// Errors: Cancelled.
[[nodiscard]] Result<std::shared_ptr<const KeyTree>> buildKeyTree(std::shared_ptr<const Model> model,
                                                                  const KeyQuery& query, const JobContext& job);

} // namespace gufo::ui
