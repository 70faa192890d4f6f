// The folder for data that the user did not save but must not lose: drafts and conversations.
#pragma once

#include <filesystem>

namespace gufo::ui {

// "gufo" in the user's state folder (XDG_STATE_HOME, XDG Base Directory Specification), or in the local application
// data on other systems. It may not exist yet.
[[nodiscard]] std::filesystem::path stateFolder();

} // namespace gufo::ui
