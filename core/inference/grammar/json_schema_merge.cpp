#include "inference/grammar/json_schema_merge.h"

#include "base/detail.h"
#include "inference/grammar/json_schema_keywords.h"
#include "inference/grammar/json_schema_scalars.h"

#include <algorithm>
#include <iterator>

namespace gufo::inference {
namespace {

using Kind = JsonValue::Kind;

constexpr char kSeparator = '\xFE'; // is in no pointer, because it is not UTF-8

Result<> mergeTypes(JsonValue& into, const JsonValue& from) {
    const JsonValue both[]{{.kind = Kind::Object, .members = {{"type", into}}},
                           {.kind = Kind::Object, .members = {{"type", from}}}};
    auto a = namedTypes(both[0]);
    auto b = namedTypes(both[1]);
    if (!a || !b) {
        return std::unexpected((a ? b : a).error());
    }
    const auto withIntegers = [](unsigned types) { return (types & kNumber) != 0 ? types | kInteger : types; };
    const unsigned common = withIntegers(*a) & withIntegers(*b);
    if (common == 0) {
        return notUsable(from.place, Detail::SchemaTypeExcluded);
    }
    into = typeList(common, into.place);
    return {};
}

// Each alternative must hold together with the other list.
void distribute(const std::string& keyword, JsonValue& into, JsonValue from) {
    JsonValue other{.kind = Kind::Object, .place = from.place};
    other.members.emplace_back(keyword, std::move(from));
    for (JsonValue& alternative : into.elements) {
        JsonValue list{.kind = Kind::Array, .place = alternative.place};
        JsonValue both{.kind = Kind::Object, .place = joinPlaces(alternative.place, other.place)};
        list.elements = {std::move(alternative), other};
        both.members.emplace_back("allOf", std::move(list));
        alternative = std::move(both);
    }
}

Result<> mergeKeyword(const std::string& name, JsonValue& into, JsonValue from) {
    if (name == "type") {
        return mergeTypes(into, from);
    }
    if (name == "enum") {
        std::vector<const JsonValue*> others;
        for (const JsonValue& value : from.elements) {
            others.push_back(&value);
        }
        const auto known = setOf(others);
        std::erase_if(into.elements,
                      [&](const JsonValue& value) { return !known.contains(canonicalJson(value, true)); });
        return {};
    }
    if (name == "anyOf" || name == "oneOf") {
        distribute(name, into, std::move(from));
        return {};
    }
    if (name == "uniqueItems") {
        into = into.is(Kind::False) ? std::move(from) : std::move(into);
        return {};
    }
    const bool lower = name == "minLength" || name == "minItems" || name == "minProperties";
    const bool upper = name == "maxLength" || name == "maxItems" || name == "maxProperties";
    if (lower || upper) {
        if (into.real() && from.real() && lower == (*from.real() > *into.real())) {
            into = std::move(from);
        }
        return {};
    }
    // All others are lists of which everything must hold.
    if (!into.is(Kind::Array)) {
        JsonValue list{.kind = Kind::Array, .place = into.place};
        list.elements.push_back(std::move(into));
        into = std::move(list);
    }
    const auto add = [&](JsonValue value) {
        if (std::ranges::none_of(into.elements, [&](const JsonValue& known) {
                return known.place == value.place && sameJson(known, value);
            })) {
            into.elements.push_back(std::move(value));
        }
    };
    if (from.is(Kind::Array)) {
        for (JsonValue& value : from.elements) {
            add(std::move(value));
        }
    } else {
        add(std::move(from));
    }
    return {};
}

} // namespace

std::string joinPlaces(const std::string& a, const std::string& b) {
    std::vector<std::string> parts;
    for (const std::string* places : {&a, &b}) {
        for (std::size_t at = 0; at <= places->size();) {
            const std::size_t end = std::min(places->find(kSeparator, at), places->size());
            parts.push_back(places->substr(at, end - at));
            at = end + 1;
        }
    }
    std::ranges::sort(parts);
    const auto repeated = std::ranges::unique(parts);
    parts.erase(repeated.begin(), repeated.end());
    std::string joined;
    for (const std::string& part : parts) {
        joined += (joined.empty() ? std::string() : std::string(1, kSeparator)) + part;
    }
    return joined;
}

std::string derivedPlace(const std::string& place, std::string_view how) {
    std::string derived = place;
    std::ranges::replace(derived, kSeparator, '\xFD');
    return derived + '\xFC' + std::string(how);
}

std::string shownPlace(std::string_view place) {
    return std::string(place.substr(0, place.find_first_of("\xFC\xFD\xFE")));
}

Result<> mergeSchema(JsonValue& into, JsonValue from) {
    into.place = joinPlaces(into.place, from.place);
    for (auto& [name, value] : from.members) {
        auto at = std::ranges::find(into.members, name, [](const auto& member) { return member.first; });
        if (at == into.members.end()) {
            into.members.emplace_back(name, std::move(value));
        } else if (name != kFlat) {
            GUFO_TRY(mergeKeyword(name, at->second, std::move(value)));
        }
    }
    return {};
}

} // namespace gufo::inference
