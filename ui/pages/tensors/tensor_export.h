// Exports a tensor's values and the plots of the Tensors page to files. Asks for a name, runs as a job, and can be
// cancelled.
#pragma once

#include "analysis/export_tensor.h"
#include "ui/jobs/job.h"
#include "ui/plots/plot_export.h"

#include <QMenu>
#include <QPointer>

#include <utility>
#include <vector>

namespace gufo::ui {

class JobBar;

// What a picture says about its tensor: name, type and shape, and the file.
[[nodiscard]] QStringList tensorLines(const Model& model, TensorIndex tensor);

class TensorExport : public QObject {
    Q_OBJECT

public:
    // `progress` shows the progress; dialogs open over `window`.
    TensorExport(JobBar& progress, QWidget& window);

    void setTensor(std::shared_ptr<const Model> model, std::optional<TensorIndex> tensor);
    // Adds a plot to the menu. `suffix` is appended to the suggested file name; `frame` is asked when a picture is
    // made.
    void addPlot(QCustomPlot& plot, const QString& title, const QString& suffix, std::function<PictureFrame()> frame);
    // Adds the figures of such a plot, as comma-separated values.
    void addFigures(const QCustomPlot& plot, const QString& suffix, std::function<QString()> csv);
    [[nodiscard]] QMenu* menu() { return &m_menu; }
    void setPlotsEnabled(bool enabled);

    void writeValues(const std::filesystem::path& path, ExportFormat format);
    void writePlot(QCustomPlot& plot, const PictureFrame& frame, const std::filesystem::path& path, PlotFormat format);
    [[nodiscard]] bool isBusy() const { return !m_job.isNull(); }
    void cancel();

signals:
    void written(const QString& message);
    void failed(const gufo::Error& error);

private:
    void addValues();
    [[nodiscard]] QString fileStem() const;
    void follow(Job* job, const std::filesystem::path& path);
    [[nodiscard]] std::function<void(Result<>)> whenDone(const std::filesystem::path& path);

    std::shared_ptr<const Model> m_model;
    std::optional<TensorIndex> m_tensor;
    JobBar& m_progress;
    QWidget& m_window;
    QMenu m_menu;
    QList<QAction*> m_valueActions;
    std::vector<std::pair<const QCustomPlot*, QMenu*>> m_plotMenus;
    QPointer<Job> m_job;
};

} // namespace gufo::ui
