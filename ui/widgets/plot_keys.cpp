#include "ui/widgets/plot_keys.h"

#include <QKeySequence>
#include <QStringList>

#include <array>

namespace gufo::ui {
namespace {

constexpr auto kZoom = std::to_array<PlotKey>({
    {Qt::Key_Plus, PlotCommand::ZoomIn},
    {Qt::Key_Equal, PlotCommand::ZoomIn, true}, // for keyboards where + needs Shift
    {Qt::Key_Minus, PlotCommand::ZoomOut},
});
constexpr auto kMove = std::to_array<PlotKey>({
    {Qt::Key_Left, PlotCommand::Left},
    {Qt::Key_Right, PlotCommand::Right},
    {Qt::Key_Up, PlotCommand::Up},
    {Qt::Key_Down, PlotCommand::Down},
});
constexpr auto kShowAll = std::to_array<PlotKey>({
    {Qt::Key_Home, PlotCommand::ShowAll},
    {Qt::Key_0, PlotCommand::ShowAll},
});
constexpr auto kCells = std::to_array<PlotKey>({
    {Qt::Key_Left, PlotCommand::Left},
    {Qt::Key_Right, PlotCommand::Right},
    {Qt::Key_Up, PlotCommand::Up},
    {Qt::Key_Down, PlotCommand::Down},
    {Qt::Key_Home, PlotCommand::First},
    {Qt::Key_End, PlotCommand::Last},
});
constexpr auto kOpen = std::to_array<PlotKey>({
    {Qt::Key_Enter, PlotCommand::Open},
    {Qt::Key_Return, PlotCommand::Open, true},
    {Qt::Key_Space, PlotCommand::Open},
});
constexpr auto kFold = std::to_array<PlotKey>({
    {Qt::Key_Plus, PlotCommand::Unfold},
    {Qt::Key_Minus, PlotCommand::Fold},
});
constexpr auto kFullScreen = std::to_array<PlotKey>({{Qt::Key_F, PlotCommand::FullScreen}});

constexpr auto kRows = std::to_array<PlotKeyRow>({
    {KeyedView::Plot, QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Plots: zoom in, zoom out"), kZoom},
    {KeyedView::Plot, QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Plots: move the part shown, or the selected point"),
     kMove},
    {KeyedView::Plot, QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Plots: show everything"), kShowAll},
    {KeyedView::TensorMap, QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Map of a tensor: fill the screen, or end it"),
     kFullScreen},
    {KeyedView::Map, QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Maps: move between cells"), kCells},
    {KeyedView::Map, QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Maps: open the tensor of a cell"), kOpen},
    {KeyedView::Map, QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Maps: unfold or fold a row"), kFold},
});

} // namespace

QString PlotKeyRow::keysText() const {
    QStringList names;
    for (const PlotKey& key : keys) {
        if (!key.isAlias) {
            names << QKeySequence(key.key).toString(QKeySequence::NativeText);
        }
    }
    return names.join(QStringLiteral(", "));
}

std::span<const PlotKeyRow> plotKeyRows() { return kRows; }

PlotCommand plotCommand(KeyedView view, int key) {
    for (const PlotKeyRow& row : kRows) {
        for (const PlotKey& each : row.keys) {
            if (row.view == view && each.key == key) {
                return each.command;
            }
        }
    }
    return PlotCommand::None;
}

} // namespace gufo::ui
