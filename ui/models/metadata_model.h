// Keys, types, values and meanings of a model's metadata over a KeyTree: a tree by key segment, or a list. Rows are
// handed out in pieces as a view asks for them.
#pragma once

#include "ui/models/key_tree.h"
#include "ui/models/vocabulary.h"

#include <QAbstractItemModel>

#include <unordered_map>

namespace gufo::ui {

class MetadataModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { Key, Type, Value, Meaning, ColumnCount };
    enum Role {
        ChipTextRole = Qt::UserRole, // text of the token that an id key names; empty otherwise
        ChipKindRole,                // int: ChipKind
        PrefixRole,                  // QByteArray: the whole key, or of a group the part that its keys share
    };
    static constexpr int kFetchedAtOnce = 500;

    using QAbstractItemModel::QAbstractItemModel;
    void setTree(std::shared_ptr<const KeyTree> tree);
    void setVocabulary(std::shared_ptr<const Vocabulary> vocabulary); // for the chips

    [[nodiscard]] const KeyValue* entry(const QModelIndex& index) const; // null for groups
    // The row of an entry, handed out with all above it; invalid if the filter left it out.
    [[nodiscard]] QModelIndex showEntry(KvIndex kv);
    // The row of a group or key by its PrefixRole, if it has been handed out already.
    [[nodiscard]] QModelIndex showPrefix(const QByteArray& prefix, bool group);
    [[nodiscard]] std::uint32_t keyCount() const { return m_tree ? m_tree->nodes[0].keys : 0; }

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] bool hasChildren(const QModelIndex& parent = {}) const override;
    [[nodiscard]] bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] std::uint32_t nodeOf(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(std::uint32_t node, int column = 0) const;
    [[nodiscard]] QModelIndex show(std::uint32_t node);
    void fetch(std::uint32_t node, std::uint32_t upTo);
    [[nodiscard]] std::uint32_t fetched(std::uint32_t node) const;
    [[nodiscard]] QString text(const KeyTree::Node& node, int column) const;
    [[nodiscard]] std::optional<std::uint64_t> chipToken(const KeyTree::Node& node) const;

    std::shared_ptr<const KeyTree> m_tree;
    std::shared_ptr<const Vocabulary> m_vocabulary;
    std::unordered_map<std::uint32_t, std::uint32_t> m_fetched; // more than the first kFetchedAtOnce children
    bool m_changing = false; // rows are not handed out while others are being told of
};

} // namespace gufo::ui
