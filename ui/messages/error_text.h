// The words for core's errors, translatable. Used by the window and the console alike.
#pragma once

#include "base/error.h"

#include <QString>

namespace gufo::ui {

// What happened and why, in one sentence without the file's name: "It ends in the middle of the tensor list: …".
[[nodiscard]] QString errorReason(const Error& error);

// What the person can do about it; empty if nothing.
[[nodiscard]] QString errorHint(const Error& error);

// Where: "key tokenizer.ggml.tokens[17], byte 2,187,402"; empty for the file as a whole.
[[nodiscard]] QString placeText(const Place& place);

// All in one line for a terminal: "model.gguf: place: reason (hint)".
[[nodiscard]] QString errorLine(const Error& error);

} // namespace gufo::ui
