// The metadata keys that a filter selects, as a tree by dotted segments or as a sorted list. Built in a job, because a
// file may contain millions of keys; immutable.
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
    QString text;                      // a part of the key, the value or the meaning; case is ignored
    std::optional<ValueType> type{};   // type of the value; Array for all arrays
    SortBy sortBy = SortBy::FileOrder; // order of the list; the tree keeps file order, with keys before groups
    Qt::SortOrder order = Qt::AscendingOrder;
    bool operator==(const KeyQuery&) const = default;
};

struct KeyTree {
    // Deeper segments are joined into one leaf.
    static constexpr int kMaxDepth = 12;
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    struct Node {
        std::uint32_t parent = kNone;
        std::uint32_t row = 0; // index among its parent's children
        std::uint32_t firstChild = 0;
        std::uint32_t children = 0; // number of children, which are consecutive
        std::uint32_t keys = 0;     // number of leaves below, without deleted keys
        std::uint32_t kv = kNone;   // KvIndex of a leaf
        std::uint32_t gone = kNone; // of a leaf whose key was deleted: its KvIndex in `base`
        std::string_view prefix;    // the whole key up to here
        std::string_view segment;   // its last segment, as shown
        [[nodiscard]] bool isGone() const { return gone != kNone; }
        [[nodiscard]] bool isGroup() const { return kv == kNone && gone == kNone; }
    };
    std::shared_ptr<const Model> model; // owns the text
    std::shared_ptr<const Model> base;  // owns the text of deleted keys; null without any
    std::vector<Node> nodes;            // [0] is the root
};

// Keys that are in the file until it is saved: they keep their place.
struct GoneKeys {
    std::shared_ptr<const Model> base; // the model in the file
    std::vector<KvIndex> keys;         // in it, ascending
};

// Errors: Cancelled.
[[nodiscard]] Result<std::shared_ptr<const KeyTree>> buildKeyTree(std::shared_ptr<const Model> model,
                                                                  const KeyQuery& query, const JobContext& job,
                                                                  const GoneKeys& gone = {});

} // namespace gufo::ui
