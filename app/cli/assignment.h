// KEY=VALUE arguments of the set verb: the type of the value, and the change that results.
//
// The type is the one given by --type; otherwise the existing key's (where the catalogue allows it); otherwise the
// catalogue's; otherwise it is deduced from the text: true and false are bool, whole numbers are i32 or the first of
// u32, i64 and u64 that holds them, other numbers are f32, a JSON list is an array, and anything else is a string.
// Value names are accepted where the catalogue has them: general.file_type=Q4_K_M.
#pragma once

#include "model/change.h"
#include "model/model.h"

#include <QString>

#include <expected>

namespace gufo::cli {

struct WantedType {
    ValueType type = ValueType::String; // of the value, or Array
    ValueType elementType = ValueType::String;
};
// Parses "u32" or "arr[u32]". The error is a sentence for the user.
[[nodiscard]] std::expected<WantedType, QString> parseType(const std::string& text);

// "name=value", split at the first (or last) "=". The error is a sentence for the user.
struct Assignment {
    std::string name;
    std::string value;
};
[[nodiscard]] std::expected<Assignment, QString> splitAssignment(const std::string& text, bool atLast = false);

// Where a text comes from: an argument; the content of a file, which is taken as a string unless the key has another
// type; or a JSON file, in which strings are quoted.
enum class TextKind : std::uint8_t { Argument, File, Json };
// Parses a value for a key of the model. The error is a sentence for the user.
[[nodiscard]] std::expected<OwnedValue, QString> parseFor(const Model& model, const std::string& key,
                                                          const std::string& text, std::optional<WantedType> wanted,
                                                          TextKind kind = TextKind::Argument);

// Returns SetKey, or SetElement for "key[12]" if the model has no key with that whole name. A name in brackets never
// becomes a new key. The error is a sentence for the user.
[[nodiscard]] std::expected<Change, QString> assignmentChange(const Model& model, const Assignment& assignment,
                                                              std::optional<WantedType> wanted,
                                                              TextKind kind = TextKind::Argument);

} // namespace gufo::cli
