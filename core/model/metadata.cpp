#include "model/metadata.h"

#include <string>

namespace gufo {

bool Metadata::add(KeyValue entry) {
    const bool fresh = m_byKey.try_emplace(entry.key, KvIndex(m_entries.size())).second;
    m_entries.push_back(entry);
    return fresh;
}

std::optional<KvIndex> Metadata::indexOf(std::string_view key) const {
    const auto found = m_byKey.find(key);
    return found != m_byKey.end() ? std::optional(found->second) : std::nullopt;
}

const Value* Metadata::find(std::string_view key) const {
    const auto index = indexOf(key);
    return index ? &m_entries[index->value].value : nullptr;
}

std::optional<std::uint64_t> Metadata::uint(std::string_view key) const {
    const Value* value = find(key);
    return value != nullptr ? asUInt(*value) : std::nullopt;
}

std::optional<std::int64_t> Metadata::integer(std::string_view key) const {
    const Value* value = find(key);
    return value != nullptr ? asInt(*value) : std::nullopt;
}

std::optional<double> Metadata::number(std::string_view key) const {
    const Value* value = find(key);
    return value != nullptr ? asDouble(*value) : std::nullopt;
}

std::optional<bool> Metadata::boolean(std::string_view key) const {
    const Value* value = find(key);
    return value != nullptr ? asBool(*value) : std::nullopt;
}

std::optional<std::string_view> Metadata::string(std::string_view key) const {
    const Value* value = find(key);
    return value != nullptr ? asString(*value) : std::nullopt;
}

const ArrayView* Metadata::array(std::string_view key) const {
    const Value* value = find(key);
    return value != nullptr ? asArray(*value) : nullptr;
}

std::string_view Metadata::architecture() const { return string("general.architecture").value_or(std::string_view()); }

std::string Metadata::architectureKey(std::string_view suffix) const {
    return std::string(architecture()).append(".").append(suffix);
}

} // namespace gufo
