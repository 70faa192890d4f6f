// The keys of plots and maps: one table, which the widgets obey and which Help lists.
#pragma once

#include <QString>
#include <Qt>

#include <span>

namespace gufo::ui {

enum class KeyedView {
    Plot,      // ZoomPlot
    Map,       // maps of blocks × roles
    TensorMap, // a plot with a full-screen mode
};

enum class PlotCommand {
    None,
    Left,
    Right,
    Up,
    Down,
    ZoomIn,
    ZoomOut,
    ShowAll,
    First,
    Last,
    Open,
    Unfold,
    Fold,
    FullScreen
};

struct PlotKey {
    Qt::Key key;
    PlotCommand command;
    bool isAlias = false; // another key for the same; not listed
};

// Keys that are listed together.
struct PlotKeyRow {
    KeyedView view;
    const char* what; // in the context gufo::ui::HelpDialogs
    std::span<const PlotKey> keys;

    [[nodiscard]] QString keysText() const; // as the system names keys
};

[[nodiscard]] std::span<const PlotKeyRow> plotKeyRows();
// Returns None for keys without a meaning in this kind of view.
[[nodiscard]] PlotCommand plotCommand(KeyedView view, int key);

} // namespace gufo::ui
