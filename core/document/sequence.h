// A list that finds the position of an item and the item at a position, inserts, and removes, each in O(log n) expected
// time. It is a randomized binary search tree (Martínez and Roura), ordered by position, whose nodes store the sizes of
// their subtrees. The distribution of its depth does not depend on the order of the changes, so a file cannot degrade
// it. Items keep their address until they are removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace gufo {

// `Item` is a movable class that is not final, because the nodes are derived from it.
template<typename Item>
class Sequence {
    struct Node;
    using Tree = std::unique_ptr<Node>;

    struct Node : Item {
        explicit Node(Item&& moved)
            : Item(std::move(moved)) {}
        Tree left;
        Tree right;
        Node* parent = nullptr;
        std::size_t count = 1; // number of nodes in the subtree of this node
    };

public:
    class Iterator {
    public:
        using difference_type = std::ptrdiff_t;
        using value_type = Item;
        Iterator() = default;
        explicit Iterator(Node* node)
            : m_node(node) {}
        Item& operator*() const { return *m_node; }
        Item* operator->() const { return m_node; }
        Iterator& operator++() {
            if (m_node->right != nullptr) {
                m_node = first(m_node->right.get());
                return *this;
            }
            const Node* from = m_node;
            do {
                from = std::exchange(m_node, m_node->parent);
            } while (m_node != nullptr && m_node->right.get() == from);
            return *this;
        }
        Iterator operator++(int) {
            Iterator before = *this;
            ++*this;
            return before;
        }
        bool operator==(const Iterator&) const = default;

    private:
        Node* m_node = nullptr;
    };

    // Replaces the contents. Takes linear time.
    void assign(std::vector<Item> items) {
        m_root = build(std::span(items));
        adoptRoot();
    }
    void clear() { m_root.reset(); }

    [[nodiscard]] std::size_t size() const { return countOf(m_root); }
    [[nodiscard]] Item& operator[](std::size_t position) const {
        Node* node = m_root.get();
        while (true) {
            const std::size_t before = countOf(node->left);
            if (position == before) {
                return *node;
            }
            const bool right = position > before;
            position -= right ? before + 1 : 0;
            node = (right ? node->right : node->left).get();
        }
    }
    [[nodiscard]] Iterator begin() const { return Iterator(m_root != nullptr ? first(m_root.get()) : nullptr); }
    [[nodiscard]] Iterator end() const { return Iterator(); }

    // `item` must be in the list.
    [[nodiscard]] std::size_t positionOf(const Item& item) const {
        const Node* node = static_cast<const Node*>(&item);
        std::size_t position = countOf(node->left);
        for (; node->parent != nullptr; node = node->parent) {
            position += node->parent->right.get() == node ? countOf(node->parent->left) + 1 : 0;
        }
        return position;
    }
    // Returns the number of leading items for which the predicate holds; it must not hold for any after those.
    template<typename Predicate>
    [[nodiscard]] std::size_t partitionPoint(const Predicate& holds) const {
        std::size_t position = 0;
        for (const Node* node = m_root.get(); node != nullptr;) {
            const bool right = holds(static_cast<const Item&>(*node));
            position += right ? countOf(node->left) + 1 : 0;
            node = (right ? node->right : node->left).get();
        }
        return position;
    }

    // Inserts before `position`, which is at most size().
    Item& insert(std::size_t position, Item item) {
        auto node = std::make_unique<Node>(std::move(item));
        Item& inserted = *node;
        put(position, std::move(node));
        return inserted;
    }
    Item remove(std::size_t position) { return std::move(static_cast<Item&>(*take(position))); }
    // Moves an item so that it has the position `to` afterwards.
    void move(std::size_t from, std::size_t to) { put(to, take(from)); }

private:
    template<typename Pointer>
    static std::size_t countOf(const Pointer& node) {
        return node != nullptr ? node->count : 0;
    }
    static Node* first(Node* node) {
        while (node->left != nullptr) {
            node = node->left.get();
        }
        return node;
    }
    static Tree build(std::span<Item> items) {
        if (items.empty()) {
            return nullptr;
        }
        const std::size_t middle = items.size() / 2;
        auto node = std::make_unique<Node>(std::move(items[middle]));
        node->left = build(items.first(middle));
        node->right = build(items.subspan(middle + 1));
        update(*node);
        return node;
    }
    static void update(Node& node) {
        node.count = countOf(node.left) + countOf(node.right) + 1;
        for (const Tree& child : {std::cref(node.left), std::cref(node.right)}) {
            if (child != nullptr) {
                child->parent = &node;
            }
        }
    }
    void adoptRoot() {
        if (m_root != nullptr) {
            m_root->parent = nullptr;
        }
    }

    // Splits a tree into its first `count` nodes and the others.
    static std::pair<Tree, Tree> split(Tree tree, std::size_t count) {
        if (tree == nullptr) {
            return {};
        }
        const std::size_t before = countOf(tree->left);
        std::pair<Tree, Tree> halves;
        if (count <= before) {
            halves = split(std::move(tree->left), count);
            tree->left = std::move(halves.second);
            update(*tree);
            halves.second = std::move(tree);
        } else {
            halves = split(std::move(tree->right), count - before - 1);
            tree->right = std::move(halves.first);
            update(*tree);
            halves.first = std::move(tree);
        }
        return halves;
    }
    // Concatenates two trees. Each node becomes the root with the same probability.
    Tree join(Tree left, Tree right) {
        if (left == nullptr || right == nullptr) {
            return left != nullptr ? std::move(left) : std::move(right);
        }
        if (random() % (left->count + right->count) < left->count) {
            left->right = join(std::move(left->right), std::move(right));
            update(*left);
            return left;
        }
        right->left = join(std::move(left), std::move(right->left));
        update(*right);
        return right;
    }
    void put(std::size_t position, Tree node) {
        auto [before, after] = split(std::move(m_root), position);
        m_root = join(join(std::move(before), std::move(node)), std::move(after));
        adoptRoot();
    }
    Tree take(std::size_t position) {
        auto [before, rest] = split(std::move(m_root), position);
        auto [taken, after] = split(std::move(rest), 1);
        m_root = join(std::move(before), std::move(after));
        adoptRoot();
        taken->parent = nullptr;
        return std::move(taken);
    }
    std::uint64_t random() { // xorshift64
        m_random ^= m_random << 13;
        m_random ^= m_random >> 7;
        m_random ^= m_random << 17;
        return m_random;
    }

    Tree m_root;
    std::uint64_t m_random = 0x9e3779b97f4a7c15;
};

} // namespace gufo
