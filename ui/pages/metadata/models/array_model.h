// The elements of one metadata array, read from the file as rows are shown: index, value, and the token with that id if
// the array runs parallel to the vocabulary. With a document, elements can be edited in place.
#pragma once

#include "model/change.h"
#include "ui/vocabulary/token_arrays.h"
#include "ui/widgets/windowed_model.h"

namespace gufo::ui {

class ModelDocument;

// An array opened by a job, with related data. Immutable.
struct OpenArray {
    std::shared_ptr<const Model> model; // owns the bytes
    std::string key;                    // key of the metadata entry that contains the array
    std::string architecture;           // identifies the key's enumeration
    ArrayIndex index;                   // of the elements
    std::vector<std::uint64_t> path;    // of a nested array: the indexes that lead to it
    // For other arrays that are as long as the vocabulary; null otherwise.
    std::shared_ptr<const TokenArrays> vocabulary;
    // For arrays whose values have names (token types): how often each value occurs, sorted by value.
    struct ValueCount {
        std::int64_t value = 0;
        std::uint64_t count = 0;
    };
    std::vector<ValueCount> counts;
    // The array in the file, if it differs and has the same element type.
    std::shared_ptr<const Model> beforeModel{};
    std::optional<ArrayIndex> before{};

    // Whether an element differs from the file or is not in it.
    [[nodiscard]] bool isChanged(std::uint64_t item) const;
    [[nodiscard]] QString title() const; // "tokenizer.ggml.tokens", "key[3][17]"
};

// Opens the array of a key, or the nested array at `path` in it. Errors: Cancelled, NoSuchKey, InvalidArgument (no
// nested array there); see also ArrayIndex::build. `before` is the model in the file and the key's name there; without
// it nothing is marked as changed.
struct ArrayBefore {
    std::shared_ptr<const Model> model;
    std::string key;
};
[[nodiscard]] Result<std::shared_ptr<const OpenArray>> openArray(const std::shared_ptr<const Model>& model,
                                                                 const std::string& key,
                                                                 const std::vector<std::uint64_t>& path,
                                                                 const JobContext& job, const ArrayBefore& before = {});

struct ArrayQuery {
    QString text;                      // a part of the value's text, of its name, or of the token beside it
    std::optional<std::int64_t> value; // exactly this number
    bool changedOnly = false;
    [[nodiscard]] bool showsAll() const { return text.isEmpty() && !value && !changedOnly; }
};
[[nodiscard]] Result<Matches> searchArray(const OpenArray& array, const ArrayQuery& query, const JobContext& job);

class ArrayModel : public WindowedModel {
    Q_OBJECT

public:
    enum Column { Index, Value, TokenText, ColumnCount };

    using WindowedModel::WindowedModel;
    void setArray(std::shared_ptr<const OpenArray> array); // null: empty
    [[nodiscard]] const OpenArray* array() const { return m_array.get(); }
    void setDocument(ModelDocument* document) { m_document = document; } // once
    // Shows the same array after a change.
    void follow(std::shared_ptr<const OpenArray> array);
    // Disables editing while the document's indexes differ from those shown.
    void setFrozen(bool frozen) { m_frozen = frozen; }
    [[nodiscard]] bool isEditable() const;
    [[nodiscard]] ArrayPath path() const { return {m_array->key, m_array->path}; }

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

private:
    [[nodiscard]] QString text(std::uint64_t item, int column) const;
    [[nodiscard]] QString beforeText(std::uint64_t item) const; // empty if unchanged or added

    std::shared_ptr<const OpenArray> m_array;
    ModelDocument* m_document = nullptr;
    bool m_frozen = false;
};

} // namespace gufo::ui
