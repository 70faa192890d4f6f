// The keys, types, values and meanings of a model's metadata, as a tree by key segment or as a list (KeyTree). Views
// fetch the rows incrementally.
//
// With a document, values can be edited in place, and changed rows are marked (roles: ui/widgets/value_delegate.h).
#pragma once

#include "document/difference.h"
#include "ui/pages/metadata/models/key_tree.h"
#include "ui/vocabulary/token_arrays.h"

#include <QAbstractItemModel>

#include <set>
#include <unordered_map>

namespace gufo::ui {

class ModelDocument;

class MetadataModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { Key, Type, Value, Meaning, ColumnCount };
    enum Role {
        ChipTextRole = Qt::UserRole, // text of the token that a token id refers to; otherwise empty
        ChipKindRole,                // int: ChipKind
        PrefixRole,                  // QByteArray: the whole key, or the common prefix of a group's keys
    };
    static constexpr int kFetchedAtOnce = 500;

    using QAbstractItemModel::QAbstractItemModel;
    void setTree(std::shared_ptr<const KeyTree> tree);
    void setDocument(ModelDocument* document); // once
    // Sets a snapshot with the same keys in the same order; the values of these keys have changed.
    void setValues(std::shared_ptr<const Model> model, const std::set<std::string, std::less<>>& changed);
    // Sets a tree with other keys. Rows that are in both keep their state in views.
    void replaceTree(std::shared_ptr<const KeyTree> tree);
    void refresh();                                                    // updates the text and marks of all rows
    void setVocabulary(std::shared_ptr<const TokenArrays> vocabulary); // provides the token chips

    [[nodiscard]] const KeyValue* entry(const QModelIndex& index) const; // null for groups and deleted keys
    // Whether the row is a key that was deleted and is in the file until it is saved. It is shown struck through.
    [[nodiscard]] bool isGone(const QModelIndex& index) const;
    // The row of an entry, fetched with all rows above it. Invalid if the filter excludes it.
    [[nodiscard]] QModelIndex showEntry(KvIndex kv);
    // The row of a group or key by its PrefixRole, if it has already been fetched.
    [[nodiscard]] QModelIndex showPrefix(const QByteArray& prefix, bool group);
    [[nodiscard]] std::uint32_t keyCount() const { return m_tree ? m_tree->nodes[0].keys : 0; }
    [[nodiscard]] const Model* model() const { return m_model.get(); }         // the snapshot that is shown
    [[nodiscard]] std::optional<KvIndex> kvOf(const QModelIndex& index) const; // nothing for groups and deleted keys
    // Keys for the clipboard or for a drag.
    [[nodiscard]] std::unique_ptr<QMimeData> transfer(std::vector<KvIndex> keys) const;
    // The keys at or below a row.
    [[nodiscard]] std::vector<KvIndex> keysBelow(const QModelIndex& index) const;
    // Whether a key is the first of its name. Others can only be deleted.
    [[nodiscard]] bool isFirst(KvIndex kv) const;
    // The difference from the file, also for a deleted key; null if there is none, or for a group.
    [[nodiscard]] const Difference* difference(const QModelIndex& index) const;
    // Strings that are too long for a cell or have several lines are edited in the text pane.
    [[nodiscard]] static bool isLongText(std::string_view text);

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] bool hasChildren(const QModelIndex& parent = {}) const override;
    [[nodiscard]] bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    // Sets a value, or, given a uint, requests another type through typeWanted().
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
    [[nodiscard]] Qt::DropActions supportedDragActions() const override { return Qt::CopyAction; }

signals:
    void typeWanted(const QModelIndex& index, uint type); // a ValueType; for an array, its elements' type

private:
    [[nodiscard]] std::uint32_t nodeOf(const QModelIndex& index) const;
    [[nodiscard]] const KeyValue& valueOf(const KeyTree::Node& leaf) const;
    [[nodiscard]] QModelIndex indexOf(std::uint32_t node, int column = 0) const;
    [[nodiscard]] QModelIndex show(std::uint32_t node);
    void fetch(std::uint32_t node, std::uint32_t upTo);
    [[nodiscard]] std::uint32_t fetched(std::uint32_t node) const;
    [[nodiscard]] QString text(const KeyTree::Node& node, int column) const;
    [[nodiscard]] std::optional<std::uint64_t> chipToken(const KeyTree::Node& node) const;
    [[nodiscard]] QVariant chip(const KeyTree::Node& node, int role) const;
    [[nodiscard]] QVariant editing(const QModelIndex& index, int role) const; // for the roles of value_delegate.h
    [[nodiscard]] QString toolTip(const QModelIndex& index) const;
    template<typename Predicate>
    void announce(const Predicate& concerned);

    std::shared_ptr<const KeyTree> m_tree;
    std::shared_ptr<const Model> m_model; // provides the values; the tree may refer to an earlier snapshot
    ModelDocument* m_document = nullptr;
    std::shared_ptr<const TokenArrays> m_vocabulary;
    std::unordered_map<std::uint32_t, std::uint32_t>
        m_fetched;           // nodes with more than the first kFetchedAtOnce children
    bool m_changing = false; // no rows may be fetched while the signals of a change are being emitted
};

} // namespace gufo::ui
