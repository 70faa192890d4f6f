// The elements of one metadata array, read from the file as rows are shown: index, value, and the token of that number
// where the array runs beside the vocabulary.
#pragma once

#include "ui/models/vocabulary.h"
#include "ui/models/windowed_model.h"

namespace gufo::ui {

// An array as it is looked at: opened by a job, with what belongs to it. Immutable.
struct OpenArray {
    std::shared_ptr<const Model> model; // owns the bytes
    std::string key;                    // of the metadata entry it is in
    std::string architecture;           // names the key's enumeration
    ArrayIndex index;                   // of the elements
    std::vector<std::uint64_t> path;    // of a nested array: the elements that lead to it
    // For arrays as long as the vocabulary that are not it: null otherwise.
    std::shared_ptr<const Vocabulary> vocabulary;
    // Of arrays whose values have names (token types): how often each value occurs, by value.
    struct ValueCount {
        std::int64_t value = 0;
        std::uint64_t count = 0;
    };
    std::vector<ValueCount> counts;

    [[nodiscard]] QString title() const; // "tokenizer.ggml.tokens", "key[3][17]"
};

// Opens the array under a key, or the nested one at `path` in it. Errors: Cancelled, NoSuchKey, InvalidArgument
// (nothing nested there), those of ArrayIndex::build.
[[nodiscard]] Result<std::shared_ptr<const OpenArray>> openArray(const std::shared_ptr<const Model>& model,
                                                                 const std::string& key,
                                                                 const std::vector<std::uint64_t>& path,
                                                                 const JobContext& job);

struct ArrayQuery {
    QString text;                      // part of the value's text, of its name, or of the token beside it
    std::optional<std::int64_t> value; // exactly this number
    [[nodiscard]] bool showsAll() const { return text.isEmpty() && !value; }
};
[[nodiscard]] Result<Matches> searchArray(const OpenArray& array, const ArrayQuery& query, const JobContext& job);

class ArrayModel : public WindowedModel {
    Q_OBJECT

public:
    enum Column { Index, Value, TokenText, ColumnCount };

    using WindowedModel::WindowedModel;
    void setArray(std::shared_ptr<const OpenArray> array); // null: empty
    [[nodiscard]] const OpenArray* array() const { return m_array.get(); }

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const OpenArray> m_array;
};

} // namespace gufo::ui
