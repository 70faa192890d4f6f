// The key-values of a model, in file order.
#pragma once

#include "model/index.h"
#include "model/name_index.h"
#include "model/value.h"

#include <optional>
#include <string_view>
#include <vector>

namespace gufo {

struct KeyValue {
    std::string_view key; // bytes as in the file
    Value value;
    FileIndex file{};         // the shard it stands in
    std::uint64_t offset = 0; // of the record (its key's length) in that file
    std::uint64_t bytes = 0;  // of the whole record
};

class Metadata {
public:
    void reserve(std::size_t count) { m_entries.reserve(count); }
    // Keys that occur twice are both kept; find() gives the first. Returns false for the second.
    bool add(KeyValue entry);

    [[nodiscard]] std::size_t size() const { return m_entries.size(); }
    [[nodiscard]] bool empty() const { return m_entries.empty(); }
    [[nodiscard]] const KeyValue& operator[](KvIndex index) const { return m_entries[index.value]; }
    [[nodiscard]] auto begin() const { return m_entries.begin(); }
    [[nodiscard]] auto end() const { return m_entries.end(); }

    [[nodiscard]] std::optional<KvIndex> indexOf(std::string_view key) const;
    [[nodiscard]] const Value* find(std::string_view key) const;

    // The value of a key if it is there and of the asked kind.
    [[nodiscard]] std::optional<std::uint64_t> uint(std::string_view key) const;
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key) const;
    [[nodiscard]] std::optional<double> number(std::string_view key) const;
    [[nodiscard]] std::optional<bool> boolean(std::string_view key) const;
    [[nodiscard]] std::optional<std::string_view> string(std::string_view key) const;
    [[nodiscard]] const ArrayView* array(std::string_view key) const;

    // general.architecture, or empty.
    [[nodiscard]] std::string_view architecture() const;
    // "<architecture>.<suffix>": the name of a hyper-parameter of this model.
    [[nodiscard]] std::string architectureKey(std::string_view suffix) const;

private:
    std::vector<KeyValue> m_entries;
    NameIndex m_byKey;
};

} // namespace gufo
