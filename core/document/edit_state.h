// The keys and tensors of a model while it is edited. Snapshots are made of it; pieces of steps change it.
#pragma once

#include "document/array_editor.h"
#include "document/edit_step.h"
#include "document/named_list.h"

#include <memory>
#include <optional>
#include <string>

namespace gufo::edit {

struct Key {
    KeyValue entry; // as in the base, or made by an edit; views the base or the bytes below
    std::optional<std::size_t> origin{};
    std::shared_ptr<const void> nameBytes;
    std::shared_ptr<const void> valueBytes;
    std::unique_ptr<ArrayEditor> editor; // while a step runs: then the value is there
    bool edited = false;                 // its value or name
    [[nodiscard]] std::string_view name() const { return entry.key; }
};

struct Tensor {
    TensorInfo info;
    std::optional<std::size_t> origin{};
    std::shared_ptr<const void> nameBytes;
    std::shared_ptr<const Model> from; // null: the base
    [[nodiscard]] std::string_view name() const { return info.name; }
};

class State {
public:
    explicit State(std::shared_ptr<const Model> base) { reset(std::move(base)); }
    // Everything as it is in the model.
    void reset(std::shared_ptr<const Model> base);

    [[nodiscard]] const std::shared_ptr<const Model>& base() const { return m_base; }
    [[nodiscard]] const NamedList<Key>& keys() const { return m_keys; }
    [[nodiscard]] const NamedList<Tensor>& tensors() const { return m_tensors; }
    [[nodiscard]] const SaveTarget& target() const { return m_target; }
    // Ends the editing of an array: its value is there again.
    static void close(Key& key);
    // The value of a key as it is now.
    [[nodiscard]] const Value& valueOf(Key& key) const;
    // The array of a key, to be changed; null if it is none. Errors: Truncated.
    [[nodiscard]] Result<ArrayEditor*> editorOf(Key& key) const;

    // Makes the change and gives its inverse. Errors: NoSuchKey, NoSuchTensor, WrongValueType, NoSuchElement,
    // Truncated; then nothing has changed.
    [[nodiscard]] Result<Piece> apply(const Piece& piece);

    // The model as it is now. To be called after the last piece of a step.
    [[nodiscard]] std::shared_ptr<const Model> snapshot();

private:
    [[nodiscard]] Result<Piece> make(const InsertKey& piece);
    [[nodiscard]] Result<Piece> make(const RemoveKey& piece);
    [[nodiscard]] Result<Piece> make(const ReplaceValue& piece);
    [[nodiscard]] Result<Piece> make(const SpliceText& piece);
    [[nodiscard]] Result<Piece> make(const SpliceArray& piece);
    [[nodiscard]] Result<Piece> make(const RenameKey& piece);
    [[nodiscard]] Result<Piece> make(const MoveKey& piece);
    [[nodiscard]] Result<Piece> make(const InsertTensor& piece);
    [[nodiscard]] Result<Piece> make(const RemoveTensor& piece);
    [[nodiscard]] Result<Piece> make(const RenameTensor& piece);
    [[nodiscard]] Result<Piece> make(const MoveTensor& piece);
    [[nodiscard]] Result<Piece> make(const SetSaveTarget& piece);

    // What reading said of what is still as it was, and would say of the rest.
    [[nodiscard]] std::vector<Finding> findings(const Model& now) const;

    [[nodiscard]] Result<Key*> find(const KeyName& name) const;
    [[nodiscard]] Result<Tensor*> find(const TensorName& name) const;
    [[nodiscard]] KeyName nameOf(const Key& key) const;
    [[nodiscard]] TensorName nameOf(const Tensor& tensor) const;

    std::shared_ptr<const Model> m_base;
    std::uint64_t m_baseNumber = 0;
    NamedList<Key> m_keys;
    NamedList<Tensor> m_tensors;
    SaveTarget m_target;
};

} // namespace gufo::edit
