// The elements of one metadata array, read from the file as rows are shown: index, value, and the token of that number
// where the array runs beside the vocabulary. With a document, elements are edited in place.
#pragma once

#include "model/change.h"
#include "ui/vocabulary/token_arrays.h"
#include "ui/widgets/windowed_model.h"

namespace gufo::ui {

class ModelDocument;

// An array as it is looked at: opened by a job, with what belongs to it. Immutable.
struct OpenArray {
    std::shared_ptr<const Model> model; // owns the bytes
    std::string key;                    // of the metadata entry it is in
    std::string architecture;           // names the key's enumeration
    ArrayIndex index;                   // of the elements
    std::vector<std::uint64_t> path;    // of a nested array: the elements that lead to it
    // For arrays as long as the vocabulary that are not it: null otherwise.
    std::shared_ptr<const TokenArrays> vocabulary;
    // Of arrays whose values have names (token types): how often each value occurs, by value.
    struct ValueCount {
        std::int64_t value = 0;
        std::uint64_t count = 0;
    };
    std::vector<ValueCount> counts;
    // As it stands in the file, where that is another array of the same element type.
    std::shared_ptr<const Model> beforeModel{};
    std::optional<ArrayIndex> before{};

    // Whether an element is another than in the file, or not in it.
    [[nodiscard]] bool isChanged(std::uint64_t item) const;
    [[nodiscard]] QString title() const; // "tokenizer.ggml.tokens", "key[3][17]"
};

// Opens the array under a key, or the nested one at `path` in it. Errors: Cancelled, NoSuchKey, InvalidArgument
// (nothing nested there), those of ArrayIndex::build. `before` is the model in the file and the key's name there; null:
// nothing is marked as changed.
struct ArrayBefore {
    std::shared_ptr<const Model> model;
    std::string key;
};
[[nodiscard]] Result<std::shared_ptr<const OpenArray>> openArray(const std::shared_ptr<const Model>& model,
                                                                 const std::string& key,
                                                                 const std::vector<std::uint64_t>& path,
                                                                 const JobContext& job, const ArrayBefore& before = {});

struct ArrayQuery {
    QString text;                      // part of the value's text, of its name, or of the token beside it
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
    // The same array after a change.
    void follow(std::shared_ptr<const OpenArray> array);
    // While elements have other numbers in the document than here.
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
    [[nodiscard]] QString beforeText(std::uint64_t item) const; // empty where nothing was changed, or added

    std::shared_ptr<const OpenArray> m_array;
    ModelDocument* m_document = nullptr;
    bool m_frozen = false;
};

} // namespace gufo::ui
