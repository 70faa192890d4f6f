// KEY=VALUE of the set verb: which type the value has, and the change that it means.
//
// The type is that of --type; else the one that the key has (where the catalogue allows it); else the catalogue's; else
// what the text looks like: true and false, whole numbers (i32, or the first of u32, i64, u64 that holds them), other
// numbers (f32), a JSON list of such, and text. Names of values are taken where the catalogue has them:
// general.file_type=Q4_K_M.
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
// "u32", "arr[u32]"; the error is a sentence.
[[nodiscard]] std::expected<WantedType, QString> parseType(const std::string& text);

// "name=value" at the first (or last) "="; the error is a sentence.
struct Assignment {
    std::string name;
    std::string value;
};
[[nodiscard]] std::expected<Assignment, QString> splitAssignment(const std::string& text, bool atLast = false);

// What the text is: an argument; the content of a file, which is text unless the key has another type; or of a JSON
// file, where texts are quoted, too.
enum class TextKind : std::uint8_t { Argument, File, Json };
// A value for a key of the model.
[[nodiscard]] std::expected<OwnedValue, QString> parseFor(const Model& model, const std::string& key,
                                                          const std::string& text, std::optional<WantedType> wanted,
                                                          TextKind kind = TextKind::Argument);

// SetKey, or SetElement for "key[12]" where the model has an array `key` and no key of that whole name.
[[nodiscard]] std::expected<Change, QString> assignmentChange(const Model& model, const Assignment& assignment,
                                                              std::optional<WantedType> wanted);

} // namespace gufo::cli
