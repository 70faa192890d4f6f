#include "model/key_catalogue.h"

#include "base/ascii.h"
#include "model/architectures.h"
#include "model/index.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <unordered_map>

namespace gufo {
namespace {

constexpr std::string_view kArch = "{arch}";
constexpr std::string_view kNumber = "{n}";
constexpr std::string_view kName = "{name}";
constexpr std::size_t kLongestKey = 128; // length limit of the catalogue's keys

const KeyFact* findPattern(std::string_view pattern) {
    static const auto rows = [] {
        std::unordered_map<std::string_view, const KeyFact*> byKey;
        for (const KeyFact& fact : keyFacts()) {
            byKey.emplace(fact.key, &fact);
        }
        return byKey;
    }();
    const auto found = rows.find(pattern);
    return found != rows.end() ? found->second : nullptr;
}

bool isNumber(std::string_view text) { return !text.empty() && std::ranges::all_of(text, isAsciiDigit); }

// A key whose architecture and numbers are replaced by the catalogue's placeholders.
class Pattern {
public:
    Pattern(std::string_view key, std::string_view architecture) {
        std::string_view rest = key;
        const std::string_view first = key.substr(0, key.find('.'));
        if (!architecture.empty() && rest.starts_with(architecture) && rest.size() > architecture.size() &&
            rest[architecture.size()] == '.') {
            append(kArch);
            rest.remove_prefix(architecture.size());
        } else if (first.size() < key.size() && findArchitecture(first) != nullptr) {
            append(kArch);
            rest.remove_prefix(first.size());
        }
        while (!rest.empty()) {
            const std::size_t dot = std::min(rest.find('.', 1), rest.size());
            const std::string_view segment = rest.substr(rest[0] == '.' ? 1 : 0, dot - (rest[0] == '.' ? 1 : 0));
            append(rest[0] == '.' ? "." : "");
            append(isNumber(segment) ? kNumber : segment);
            rest.remove_prefix(dot);
        }
    }

    [[nodiscard]] std::string_view text() const { return {m_text.data(), m_fits ? m_size : 0}; }
    // Replaces the last segment by {name}.
    [[nodiscard]] std::string_view named() {
        const std::size_t dot = text().rfind('.');
        if (dot != std::string_view::npos) {
            m_size = dot + 1;
            append(kName);
        }
        return text();
    }

private:
    void append(std::string_view part) {
        m_fits = m_fits && part.size() <= m_text.size() - m_size;
        if (m_fits) {
            std::ranges::copy(part, m_text.begin() + static_cast<std::ptrdiff_t>(m_size));
            m_size += part.size();
        }
    }

    std::array<char, kLongestKey> m_text{};
    std::size_t m_size = 0;
    bool m_fits = true;
};

constexpr auto kGroups = std::to_array<std::string_view>({
#define GUFO_KEY_GROUP(prefix, words) prefix,
#include "model/key_groups.inc"
#undef GUFO_KEY_GROUP
});

bool listHas(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        if (list.substr(0, comma) == word) {
            return true;
        }
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return false;
}

// The suffix of a hyper-parameter ("{arch}.block_count" → "block_count"); empty for other keys.
std::string_view suffixOf(std::string_view key) {
    return key.starts_with(kArch) ? key.substr(kArch.size() + 1) : std::string_view();
}

} // namespace

const KeyFact* describeKey(std::string_view key, std::string_view architecture) {
    // Keys such as "clip.use_gelu" are in the catalogue literally, although "clip" is an architecture.
    if (const KeyFact* fact = findPattern(key)) {
        return key.find('{') == std::string_view::npos ? fact : nullptr;
    }
    Pattern pattern(key, architecture);
    if (pattern.text().empty() || key.find('{') != std::string_view::npos) {
        return nullptr;
    }
    const KeyFact* fact = findPattern(pattern.text());
    return fact != nullptr ? fact : findPattern(pattern.named());
}

std::string standardKey(std::string_view key, std::string_view architecture) {
    const KeyFact* fact = describeKey(key, architecture);
    const std::string_view suffix = fact != nullptr ? suffixOf(fact->aliasOf) : std::string_view();
    if (suffix.empty()) {
        return fact != nullptr ? std::string(fact->aliasOf) : std::string();
    }
    return std::string(key.substr(0, key.size() - suffixOf(fact->key).size())).append(suffix);
}

std::span<const std::string_view> keyGroups() { return kGroups; }

std::string_view keyGroup(std::string_view prefix, std::string_view architecture) {
    const auto find = [](std::string_view text) {
        const auto* row = std::ranges::find(kGroups, text);
        return row != kGroups.end() ? *row : std::string_view();
    };
    if (!architecture.empty() && prefix == architecture) {
        return find(kArch);
    }
    return find(findArchitecture(prefix) != nullptr ? kArch : Pattern(prefix, architecture).text());
}

Requirement requirementOf(const KeyFact& fact, std::string_view architecture) {
    const std::string_view suffix = suffixOf(fact.key);
    if (suffix.empty()) {
        return fact.requirement;
    }
    const ArchitectureFact* facts = findArchitecture(architecture);
    if (facts == nullptr) {
        return fact.requirement;
    }
    return listHas(facts->required, suffix) ? Requirement::Required : Requirement::Optional;
}

const Value* findHyperParameter(const Metadata& metadata, std::string_view suffix) {
    if (const Value* value = metadata.find(metadata.architectureKey(suffix))) {
        return value;
    }
    // Only a few rows are other spellings, so they are collected once.
    static const std::vector<const KeyFact*> spellings = [] {
        std::vector<const KeyFact*> rows;
        for (const KeyFact& fact : keyFacts()) {
            if (!suffixOf(fact.aliasOf).empty()) {
                rows.push_back(&fact);
            }
        }
        return rows;
    }();
    for (const KeyFact* fact : spellings) {
        if (suffixOf(fact->aliasOf) == suffix) {
            if (const Value* value = metadata.find(metadata.architectureKey(suffixOf(fact->key)))) {
                return value;
            }
        }
    }
    return nullptr;
}

bool acceptsType(const KeyFact& fact, const Value& value) {
    const ArrayView* array = asArray(value);
    if (array != nullptr && (fact.type == ValueType::Array || fact.scalarOrArray)) {
        const ValueTypeFact& found = valueTypeFact(array->elementType);
        const ValueTypeFact& expected =
            valueTypeFact(fact.elementType == ValueType::Bool ? ValueType::UInt32 : fact.elementType); // flags
        return array->elementType == fact.elementType ||
               (expected.integer && found.integer && (fact.anyInteger || found.bytes == expected.bytes));
    }
    const ValueType found = typeOf(value);
    return fact.type != ValueType::Array &&
           (found == fact.type ||
            (fact.anyInteger && valueTypeFact(fact.type).integer && valueTypeFact(found).integer));
}

bool hasLimits(const KeyFact& fact) {
    return fact.least != -std::numeric_limits<double>::infinity() ||
           fact.most != std::numeric_limits<double>::infinity();
}

bool isPossible(const KeyFact& fact, const Value& value) {
    if (asArray(value) != nullptr || !hasLimits(fact)) {
        return true;
    }
    const auto text = asString(value);
    const auto number = text ? std::optional(static_cast<double>(text->size())) : asDouble(value);
    return !number || (std::isfinite(*number) && *number >= fact.least && *number <= fact.most);
}

} // namespace gufo
