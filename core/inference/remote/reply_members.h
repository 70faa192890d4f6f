// Reads the members of a JSON object that comes from a server. A member that is missing or of another kind than
// expected is null, empty or false.
//
// Thread contract: pure functions.
#pragma once

#include "base/json_value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gufo::inference {

// `object` may be null, or a value that is not an object.
[[nodiscard]] inline const JsonValue* replyMember(const JsonValue* object, std::string_view name,
                                                  JsonValue::Kind kind) {
    const JsonValue* found = object != nullptr && object->is(JsonValue::Kind::Object) ? object->find(name) : nullptr;
    return found != nullptr && found->is(kind) ? found : nullptr;
}

[[nodiscard]] inline std::string replyText(const JsonValue* object, std::string_view name) {
    const JsonValue* found = replyMember(object, name, JsonValue::Kind::String);
    return found != nullptr ? found->text : std::string();
}

[[nodiscard]] inline std::optional<double> replyReal(const JsonValue* object, std::string_view name) {
    const JsonValue* found = replyMember(object, name, JsonValue::Kind::Number);
    return found != nullptr ? found->real() : std::nullopt;
}

[[nodiscard]] inline std::optional<std::uint64_t> replyCount(const JsonValue* object, std::string_view name) {
    const JsonValue* found = replyMember(object, name, JsonValue::Kind::Number);
    const auto whole = found != nullptr ? found->whole() : std::nullopt;
    return whole && *whole >= 0 ? std::optional(static_cast<std::uint64_t>(*whole)) : std::nullopt;
}

[[nodiscard]] inline bool replyFlag(const JsonValue* object, std::string_view name) {
    return replyMember(object, name, JsonValue::Kind::True) != nullptr;
}

} // namespace gufo::inference
