// The dialogs of the Help menu.
#pragma once

class QMainWindow;

namespace gufo::ui {

// Lists all actions in the window's menus that have keys, and the keys of lists and plots.
void showShortcutsDialog(QMainWindow* window);
void showAboutDialog(QMainWindow* window);

} // namespace gufo::ui
