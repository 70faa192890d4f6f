#include "convert/vocabulary/key_list.h"

#include <algorithm>

namespace gufo::convert {

std::string memberOf(std::string_view file, std::string_view member) {
    std::string out(file);
    return out.append(":").append(member);
}

void KeyList::set(std::string_view key, OwnedValue value, std::string from) {
    const auto row = std::ranges::find(m_keys, key, &PlannedKey::key);
    if (row == m_keys.end()) {
        m_keys.push_back({std::string(key), std::move(value), std::move(from)});
        return;
    }
    row->value = std::move(value);
    row->from = std::move(from);
}

const PlannedKey* KeyList::find(std::string_view key) const {
    const auto row = std::ranges::find(m_keys, key, &PlannedKey::key);
    return row == m_keys.end() ? nullptr : &*row;
}

} // namespace gufo::convert
