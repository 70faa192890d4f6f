// Exports plots to files and to the clipboard.
#pragma once

#include "ui/jobs/job.h"
#include "ui/plots/picture_frame.h"
#include "ui/plots/plot_style.h"

#include <filesystem>
#include <functional>
#include <span>

namespace gufo::ui {

enum class PlotFormat { Png, Svg, Pdf };

struct PlotFormatRow {
    PlotFormat format;
    const char* title; // of a menu entry; translate this and the filter with plotFormatText()
    const char* filter;
    const char* suffix;
};
[[nodiscard]] std::span<const PlotFormatRow> plotFormats();
[[nodiscard]] QString plotFormatText(const char* text);

// Draws the plot in its frame immediately, then writes a temporary file in a job and renames it; `done` runs on the UI
// thread. SVG and PDF keep lines and text as vectors.
Job* exportPlot(QObject* owner, QCustomPlot& plot, const PictureFrame& frame, const PictureOptions& options,
                const std::filesystem::path& path, PlotFormat format, std::function<void(Result<>)> done);
void copyPlot(QCustomPlot& plot, const PictureFrame& frame, const PictureOptions& options);

// A picture other than a plot, drawn on the export's paint device. Sizes are in logical pixels.
struct Picture {
    PictureFrame frame;
    QSize shown; // its size in the window
    // The height that it needs at a width. A picture that needs more than it is given is drawn smaller.
    std::function<int(int width)> heightFor;
    std::function<void(QPainter& painter, int width)> draw;
};
Job* exportPicture(QObject* owner, const Picture& picture, const PictureOptions& options,
                   const std::filesystem::path& path, PlotFormat format, std::function<void(Result<>)> done);
void copyPicture(const Picture& picture, const PictureOptions& options);

// Writes UTF-8 text to a file in the same way as plots. Not for the UI thread.
[[nodiscard]] Result<> writeBytes(std::string_view bytes, const std::filesystem::path& path);
Job* exportText(QObject* owner, const QString& text, const std::filesystem::path& path,
                std::function<void(Result<>)> done);

} // namespace gufo::ui
