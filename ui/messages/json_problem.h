// Checks JSON that a user has typed.
#pragma once

#include <QString>

#include <optional>

namespace gufo::ui {

// Tools and tool calls must be lists.
enum class JsonKind { Any, List };

// A sentence with the line and the column of the problem. Empty if the text is valid.
[[nodiscard]] std::optional<QString> jsonProblem(const QString& json, JsonKind kind);

} // namespace gufo::ui
