// Translated words for core's errors, for the window and the console.
#pragma once

#include "base/error.h"

#include <QString>

#include <cstdint>

namespace gufo::ui {

// What happened and why, in one sentence without the file's name: "It ends before the end of the tensor list: …".
[[nodiscard]] QString errorReason(const Error& error);

// Whether the error says that the tokens exceed a session's context. Its arguments are documented with LimitExceeded.
[[nodiscard]] bool exceedsContext(const Error& error);

// Whether the error is about an interrupted file that was copied with its journal, which the user may have recovered.
[[nodiscard]] bool isMovedCopy(const Error& error);

// What the server is for that an error is about, if it is about one.
enum class ServerKind : std::uint8_t {
    Files,
    Engine,        // in the window
    ConsoleEngine, // the key comes from an option or the environment
};

// What the user can do about the error; empty if nothing.
[[nodiscard]] QString errorHint(const Error& error, ServerKind server = ServerKind::Files);

// Where the error is: "key tokenizer.ggml.tokens[17], byte 2,187,402". Empty for the file as a whole.
[[nodiscard]] QString placeText(const Place& place);

// The whole error in one line for a terminal: "model.gguf: place: reason (hint)".
[[nodiscard]] QString errorLine(const Error& error, ServerKind server = ServerKind::Files);

} // namespace gufo::ui
