// The keys and tensors of a model that is being edited. Pieces of steps modify it, and snapshots are made from it.
#pragma once

#include "document/array_editor.h"
#include "document/document.h"
#include "document/lineage.h"
#include "document/named_list.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace gufo::edit {

// ---- steps ----------------------------------------------------------------------------------------------------------
//
// The smallest parts of an editing step, each of which has an exact inverse. They refer to keys and tensors by name, so
// that they also apply to the saved and reopened model, and own the data they insert.

struct KeyName {
    std::string key;
    std::size_t occurrence = 0;
    bool operator==(const KeyName&) const = default;
};
struct TensorName {
    std::string name;
    std::size_t occurrence = 0;
};
// The entry of the base that an item comes from. It has no meaning for other bases.
struct Origin {
    std::uint64_t base = 0; // number of the base within the document
    std::size_t index = 0;
};

struct InsertKey {
    std::size_t position = 0;
    std::string key;
    OwnedValue value;
    FileIndex file{};
    std::optional<Origin> origin{};
};
struct RemoveKey {
    KeyName key;
};
struct ReplaceValue {
    KeyName key;
    OwnedValue value;
};
// Replaces the bytes of a string that differ.
struct SpliceText {
    KeyName key;
    std::size_t at = 0;
    std::size_t count = 0;
    std::string text;
};
struct SpliceArray {
    KeyName key;
    std::vector<std::uint64_t> path;
    std::uint64_t index = 0;
    std::uint64_t count = 0;
    OwnedValue elements;
};
struct RenameKey {
    KeyName key;
    std::string newKey;
};
struct MoveKey {
    KeyName key;
    std::size_t position = 0;
};

struct InsertTensor {
    std::size_t position = 0;
    std::string name;
    TensorInfo info; // as in `from`, except for the name
    std::shared_ptr<const Model> from;
    std::optional<Origin> origin{};
    std::optional<std::uint64_t> hash{}; // as in ImportTensor
};
struct RemoveTensor {
    TensorName tensor;
};
struct RenameTensor {
    TensorName tensor;
    std::string newName;
};
struct MoveTensor {
    TensorName tensor;
    std::size_t position = 0;
};
struct SetSaveTarget {
    SaveTarget target;
};

using Piece = std::variant<InsertKey, RemoveKey, ReplaceValue, SpliceText, SpliceArray, RenameKey, MoveKey,
                           InsertTensor, RemoveTensor, RenameTensor, MoveTensor, SetSaveTarget>;

struct Step {
    std::string label;
    std::string mergeKey;
    std::vector<Piece> inverse; // in the order of execution
};

[[nodiscard]] bool touchesTensors(const Step& step);

// Adds the inverse of a later step to a step that it merges into.
void mergeInto(Step& step, std::vector<Piece> inverse);

// ---- the edited state -----------------------------------------------------------------------------------------------

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
