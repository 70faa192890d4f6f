// Plots as files and on the clipboard.
#pragma once

#include "ui/jobs/job.h"
#include "ui/plots/plot_style.h"

#include <filesystem>
#include <functional>
#include <span>

namespace gufo::ui {

enum class PlotFormat { Png, Svg, Pdf };

struct PlotFormatRow {
    PlotFormat format;
    const char* title; // of a menu's entry; this and the filter to be translated with plotFormatText()
    const char* filter;
    const char* suffix;
};
[[nodiscard]] std::span<const PlotFormatRow> plotFormats();
[[nodiscard]] QString plotFormatText(const char* text);

// Draws the plot now and writes the file in a job, beside its place, then renames; `done` runs on the UI thread.
// PNG has twice the pixels of the screen at scale 1; SVG and PDF keep lines and text as such.
Job* exportPlot(QObject* owner, QCustomPlot& plot, const std::filesystem::path& path, PlotFormat format,
                std::function<void(Result<>)> done);

void copyPlot(QCustomPlot& plot);

// A picture that is no plot: it is drawn on whatever it is exported to. Logical pixels.
struct Picture {
    QSize size;
    QString title;
    std::function<void(QPainter& painter)> draw;
};
Job* exportPicture(QObject* owner, const Picture& picture, const std::filesystem::path& path, PlotFormat format,
                   std::function<void(Result<>)> done);
void copyPicture(const Picture& picture);

// Text as a file, UTF-8; written as plots are. Not for the UI thread.
[[nodiscard]] Result<> writeBytes(std::string_view bytes, const std::filesystem::path& path);
Job* exportText(QObject* owner, const QString& text, const std::filesystem::path& path,
                std::function<void(Result<>)> done);

} // namespace gufo::ui
