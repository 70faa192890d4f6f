// An inert interpreter of Python pickles (protocols 0 to 5). It executes the opcodes to find out which values a pickle
// describes, but nothing is imported, called or written: a global is a name, and a call is a node with that name and
// its arguments.
//
// Opcodes as in Python's pickletools. The number of values, the stack, the depth of marks and the memo are limited, and
// memory is proportional to the bytes of the pickle.
#pragma once

#include "base/byte_source.h"
#include "base/job_context.h"

#include <span>
#include <string_view>
#include <vector>

namespace gufo::pickle {

using NodeId = std::uint32_t;

struct Node {
    enum class Kind : std::uint8_t {
        None,
        Bool,       // integer
        Integer,    // integer; `isHuge` if it does not fit
        Real,       // real
        Text,       // text
        Bytes,      // text
        List,       // items
        Tuple,      // items
        Set,        // items
        Dict,       // items: key, value, key, value …
        Global,     // text: module, name
        Call,       // items[0]: what would be called; items[1]: its arguments; further items: key and value of what
                    // was stored in the result
        Persistent, // items[0]: the id
        Opaque,     // a value of another kind
    };
    Kind kind = Kind::None;
    bool isHuge = false;
    // The node's items in Pickle::items, and the number of items for which there is room.
    std::uint32_t firstItem = 0;
    std::uint32_t itemCount = 0;
    std::uint32_t itemRoom = 0;
    union {
        std::int64_t integer = 0;
        double real; // of Kind::Real
    };
    std::string_view text{}; // in the pickle
    std::string_view name{};
    std::uint64_t offset = 0; // of its opcode, or for a node of several opcodes the first
};

struct Pickle {
    std::vector<Node> nodes;   // equal values that cannot be changed may share one
    std::vector<NodeId> items; // of all nodes
    NodeId result = 0;
    std::vector<NodeId> globals; // each at least once, in the order in which they occur first
    std::uint64_t end = 0;       // offset after the pickle

    [[nodiscard]] const Node& operator[](NodeId id) const { return nodes[id]; }
    [[nodiscard]] std::span<const NodeId> itemsOf(const Node& node) const {
        return std::span(items).subspan(node.firstItem, node.itemCount);
    }
    [[nodiscard]] const Node& item(const Node& node, std::size_t i) const { return nodes[items[node.firstItem + i]]; }
};

inline constexpr std::size_t kMaxNodes = 1'000'000; // also of the stack and of the memo
inline constexpr std::size_t kMaxItems = 8'000'000; // also the room that is left in lists that have grown
inline constexpr std::size_t kMaxMarks = 10'000;

// Reads the pickle that starts at `start`. The result views the bytes. `named` receives its globals; if there is an
// error, the globals before it. Errors, with the offset: Truncated, LimitExceeded, Malformed (Detail::PickleOpcode,
// PickleStack, PickleFrame, PickleNumber), Cancelled.
[[nodiscard]] Result<Pickle> read(Bytes bytes, std::uint64_t start, const JobContext& job = {},
                                  std::vector<Node>* named = nullptr);

} // namespace gufo::pickle
