// The keys and tensors of a model that is being edited. Pieces of steps modify it, and snapshots are made from it.
#pragma once

#include "document/array_editor.h"
#include "document/edit_step.h"
#include "document/lineage.h"
#include "document/named_list.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gufo::edit {

struct Key {
    KeyValue entry; // from the base or made by an edit; a view of the base or of the bytes below
    std::optional<std::size_t> origin{};
    std::shared_ptr<const void> nameBytes;
    std::shared_ptr<const void> valueBytes;
    std::unique_ptr<ArrayEditor> editor; // while a step edits the array, which the editor then holds
    bool edited = false;                 // its value or name was edited
    [[nodiscard]] std::string_view name() const { return entry.key; }
};

struct Tensor {
    TensorInfo info;
    std::optional<std::size_t> origin{};
    std::shared_ptr<const void> nameBytes;
    std::shared_ptr<const Model> from;   // null: from the base
    std::optional<std::uint64_t> hash{}; // as in ImportTensor
    [[nodiscard]] std::string_view name() const { return info.name; }
};

class State {
public:
    explicit State(std::shared_ptr<const Model> base) { reset(std::move(base)); }
    // A copy of the state after a snapshot. Any thread may make it while this state is only read.
    [[nodiscard]] std::unique_ptr<State> copy() const;
    // Discards all edits and takes the contents of `base`.
    void reset(std::shared_ptr<const Model> base);

    [[nodiscard]] const std::shared_ptr<const Model>& base() const { return m_base; }
    [[nodiscard]] const NamedList<Key>& keys() const { return m_keys; }
    [[nodiscard]] const NamedList<Tensor>& tensors() const { return listed(); }
    [[nodiscard]] const SaveTarget& target() const { return m_target; }
    // The keys and tensors of this name in the base; the keys in file order. A name that occurs once takes log n.
    [[nodiscard]] std::vector<KvIndex> baseKeys(std::string_view name) const;
    [[nodiscard]] std::size_t countBaseKeys(std::string_view name) const;
    [[nodiscard]] std::size_t countBaseTensors(std::string_view name) const;
    // Ends the editing of an array and stores its value in the key again.
    static void close(Key& key);
    // Returns the current value of a key.
    [[nodiscard]] const Value& valueOf(Key& key) const;
    // Returns the editor of an array; null if the key is not an array. Errors: Truncated.
    [[nodiscard]] Result<ArrayEditor*> editorOf(Key& key) const;

    // Makes the change and returns its inverse. Errors: NoSuchKey, NoSuchTensor, WrongValueType, NoSuchElement,
    // Truncated; after an error nothing has changed.
    [[nodiscard]] Result<Piece> apply(const Piece& piece);

    // Returns the current model. Must be called after the last piece of a step.
    [[nodiscard]] std::shared_ptr<const Model> snapshot();
    // `current` is the last snapshot, or the base if nothing was edited.
    [[nodiscard]] Lineage lineage(std::shared_ptr<const Model> current) const;
    // The same without the tensors, because a model may have a hundred thousand of them.
    [[nodiscard]] Lineage lineageOfKeys(std::shared_ptr<const Model> current) const;
    [[nodiscard]] bool areTensorsTouched() const { return m_tensorsTouched; }

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

    State() = default;
    void touchTensors();
    void addTensors(Model& model);
    // The list of tensors, made when it is first needed: most documents have only their keys edited.
    [[nodiscard]] NamedList<Tensor>& listed() const;
    // The findings of the reader about unchanged parts, and the findings that it would report about changed ones.
    [[nodiscard]] std::vector<Finding> findings(const Model& now) const;

    [[nodiscard]] Result<Key*> find(const KeyName& name) const;
    [[nodiscard]] Result<Tensor*> find(const TensorName& name) const;
    [[nodiscard]] KeyName nameOf(const Key& key) const;
    [[nodiscard]] TensorName nameOf(const Tensor& tensor) const;

    std::shared_ptr<const Model> m_base;
    std::uint64_t m_baseNumber = 0;
    // The names that occur several times in the base. Filled in by repeated() when it is first needed.
    struct Repeated {
        std::map<std::string_view, std::vector<KvIndex>> keys;
        std::map<std::string_view, std::size_t> tensors;
    };
    [[nodiscard]] const Repeated& repeated() const;
    mutable std::optional<Repeated> m_repeated;
    NamedList<Key> m_keys;
    mutable NamedList<Tensor> m_tensors; // made by listed()
    mutable bool m_listed = false;
    SaveTarget m_target;
    bool m_tensorsTouched = false; // the tensors may differ from the base's tensors
    // The tensors of the last snapshot. The next one shares them unless they are touched in between.
    struct LastTensors {
        std::shared_ptr<const Model> model; // null: they were touched
        std::vector<std::shared_ptr<const void>> owned;
        std::set<std::string_view> changed; // names of the base's tensors that were renamed or removed
        std::vector<std::string_view> made; // names that the base does not have at their origin
    };
    LastTensors m_last;
};

} // namespace gufo::edit
