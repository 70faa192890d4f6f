// Words for problems of a text that the user typed or opened: a chat template, a filter of tensors, a value
// or JSON.
#pragma once

#include "model/value_text.h"
#include "text/template/template_renderer.h"
#include "text/tensor_filter.h"

#include <QString>

#include <optional>

namespace gufo::ui {

// ---- chat templates ------------------------------------------------------------------------------------------------

// "There is no filter tojsn. Did you mean tojson?"
[[nodiscard]] QString templateProblemText(const text::TemplateProblem& problem);

// The suggested replacement for the marked name, if there is one: "tojson".
[[nodiscard]] QString templateProblemFix(const text::TemplateProblem& problem);

// All codes that the helper and core/text report; for tests.
[[nodiscard]] QStringList templateProblemCodes();

// ---- filters of tensors --------------------------------------------------------------------------------------------

[[nodiscard]] QString filterProblemText(const text::FilterProblem& problem); // a sentence that begins with the term,
                                                                             // without a full stop
[[nodiscard]] QString filterHint();                                          // the language in a few lines
[[nodiscard]] QString filterExample();                                       // for an empty field

// ---- values --------------------------------------------------------------------------------------------------------

// "u8 ranges from 0 to 255." One sentence, which does not repeat the value.
[[nodiscard]] QString valueProblemText(ValueProblem problem, ValueType type);

// ---- JSON ----------------------------------------------------------------------------------------------------------

// Tools and tool calls must be lists.
enum class JsonKind { Any, List };

// A sentence with the line and the column of the problem. Empty if the text is valid.
[[nodiscard]] std::optional<QString> jsonProblem(const QString& json, JsonKind kind);

} // namespace gufo::ui
