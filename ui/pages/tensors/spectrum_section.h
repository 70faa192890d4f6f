// The singular values of the shown matrix, and its rows and columns with the most energy. They are measured when the
// user asks for them, because that reads the matrix several times.
#pragma once

#include "analysis/spectrum.h"
#include "ui/jobs/latest_job.h"
#include "ui/plots/picture_frame.h"

#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QWidget>

namespace gufo::ui {

class JobBar;
class PictureMenu;
class SegmentedControl;
class SpectrumPlot;

class SpectrumSection : public QWidget {
    Q_OBJECT

public:
    explicit SpectrumSection(QWidget* parent = nullptr);

    // Hides the section for a tensor without a matrix. `matrix` names the matrix of a larger tensor.
    void setTensor(std::shared_ptr<const Model> model, TensorIndex tensor, const SliceRequest& matrix);
    void reset(); // shows no tensor

    [[nodiscard]] SpectrumPlot& plot() { return *m_plot; }
    [[nodiscard]] const Spectrum* spectrum() const { return m_spectrum.get(); } // null: not measured
    [[nodiscard]] PictureMenu& pictures() const { return *m_pictures; }
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }

signals:
    void measured();
    void failed(const gufo::Error& error);
    void said(const QString& message); // what became of a picture
    void rowPicked(quint64 row);       // or the column of the matrix, from the table
    void columnPicked(quint64 column);

private:
    void measure();
    [[nodiscard]] PictureFrame frame() const; // for a picture of the plot
    [[nodiscard]] QString csv() const;
    void take(std::shared_ptr<const Spectrum> spectrum);

    std::shared_ptr<const Model> m_model;
    TensorIndex m_tensor{};
    SpectrumRequest m_request;
    std::shared_ptr<const Spectrum> m_spectrum;
    LatestJob m_job{this};

    SegmentedControl* m_axis;
    QPushButton* m_measure;
    QLabel* m_description;
    QWidget* m_result;
    SpectrumPlot* m_plot;
    QTableWidget* m_lines;
    PictureMenu* m_pictures;
    JobBar* m_progress;
};

} // namespace gufo::ui
