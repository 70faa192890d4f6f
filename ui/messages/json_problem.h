// What is wrong with JSON that a person typed.
#pragma once

#include <QString>

#include <optional>

namespace gufo::ui {

// Tools and tool calls have to be lists.
enum class JsonKind { Any, List };

// A sentence with the line and the column; nothing where the text is right.
[[nodiscard]] std::optional<QString> jsonProblem(const QString& json, JsonKind kind);

} // namespace gufo::ui
