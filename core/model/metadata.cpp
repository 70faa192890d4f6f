#include "model/metadata.h"

#include <string>

namespace gufo {

bool Metadata::add(KeyValue entry) {
    const auto position = static_cast<std::uint32_t>(m_entries.size());
    m_entries.push_back(entry);
    return m_byKey.add(entry.key, position, [&](std::uint32_t i) { return m_entries[i].key; });
}

std::optional<KvIndex> Metadata::indexOf(std::string_view key) const {
    const auto found = m_byKey.find(key, [&](std::uint32_t i) { return m_entries[i].key; });
    return found ? std::optional(KvIndex(*found)) : std::nullopt;
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
