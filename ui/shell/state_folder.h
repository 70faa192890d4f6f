// Where the program keeps what it must not lose and the user did not save: drafts and conversations.
#pragma once

#include <filesystem>

namespace gufo::ui {

// "gufo" in the folder of the user's state (XDG_STATE_HOME, XDG Base Directory Specification); elsewhere the local
// application data. It need not exist.
[[nodiscard]] std::filesystem::path stateFolder();

} // namespace gufo::ui
