// The boxes of the Help menu.
#pragma once

class QMainWindow;

namespace gufo::ui {

// All actions of the window that have keys, from its menus, and those that work within lists and plots.
void showShortcutsDialog(QMainWindow* window);
void showAboutDialog(QMainWindow* window);

} // namespace gufo::ui
