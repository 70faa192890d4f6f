// The key-values of a model, in file order.
//
// Threads: const members are thread-safe.
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
    FileIndex file{};         // the shard that contains it
    std::uint64_t offset = 0; // of the record, which begins with the length of the key
    std::uint64_t bytes = 0;  // size of the whole record
};

class Metadata {
public:
    void reserve(std::size_t count) { m_entries.reserve(count); }
    // Adds an entry. Duplicate keys are kept, and find() returns the first; add() returns false for the others.
    bool add(KeyValue entry);

    [[nodiscard]] std::size_t size() const { return m_entries.size(); }
    [[nodiscard]] bool empty() const { return m_entries.empty(); }
    [[nodiscard]] const KeyValue& operator[](KvIndex index) const { return m_entries[index.value]; }
    [[nodiscard]] auto begin() const { return m_entries.begin(); }
    [[nodiscard]] auto end() const { return m_entries.end(); }

    [[nodiscard]] std::optional<KvIndex> indexOf(std::string_view key) const;
    [[nodiscard]] const Value* find(std::string_view key) const;

    // The value of a key if it exists and has the requested kind.
    [[nodiscard]] std::optional<std::uint64_t> uint(std::string_view key) const;
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key) const;
    [[nodiscard]] std::optional<double> number(std::string_view key) const;
    [[nodiscard]] std::optional<bool> boolean(std::string_view key) const;
    [[nodiscard]] std::optional<std::string_view> string(std::string_view key) const;
    [[nodiscard]] const ArrayView* array(std::string_view key) const;

    // The value of general.architecture; empty if it is missing.
    [[nodiscard]] std::string_view architecture() const;
    // The key of a hyper-parameter of this model: "<architecture>.<suffix>".
    [[nodiscard]] std::string architectureKey(std::string_view suffix) const;

private:
    std::vector<KeyValue> m_entries;
    NameIndex m_byKey;
};

} // namespace gufo
