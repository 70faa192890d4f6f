// The keys of the Run page: one table, which the page obeys and which Help lists.
#pragma once

#include <QKeySequence>

#include <span>

namespace gufo::ui {

enum class RunCommand {
    PreviousAnswer, // moves the keyboard focus; from the message field to the last answer
    NextAnswer,
    PreviousVersion, // of the answer that has the focus, or else of the last one
    NextVersion,
    Regenerate, // the same answer
    EditLast,   // the last message of the user
    Send,       // the message, or what the user has written of a text
    Listed,     // a key that a part of the page handles; listed only
};

struct RunKey {
    RunCommand command;
    const char* what; // in the context gufo::ui::HelpDialogs
    const char* keys; // as QKeySequence reads them

    [[nodiscard]] QString keysText() const; // as the system names keys
};

[[nodiscard]] std::span<const RunKey> runKeys();

} // namespace gufo::ui
