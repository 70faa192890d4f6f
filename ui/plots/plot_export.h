// Plots as files and on the clipboard.
#pragma once

#include "ui/jobs/job.h"
#include "ui/plots/plot_style.h"

#include <filesystem>
#include <functional>

namespace gufo::ui {

enum class PlotFormat { Png, Svg, Pdf };

// Draws the plot now and writes the file in a job, beside its place, then renames; `done` runs on the UI thread.
// PNG has twice the pixels of the screen at scale 1; SVG and PDF keep lines and text as such.
Job* exportPlot(QObject* owner, QCustomPlot& plot, const std::filesystem::path& path, PlotFormat format,
                std::function<void(Result<>)> done);

void copyPlot(QCustomPlot& plot);

} // namespace gufo::ui
