// Chooses the file against which a diagram is coloured, among the open ones and on the disk, and measures the figures
// in a job.
#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/models/partner_menu.h"
#include "ui/pages/diagram/diagram_figures.h"

#include <QPushButton>
#include <QWidget>

#include <filesystem>

namespace gufo::ui {

class JobBar;

class DiagramPartner : public QWidget {
    Q_OBJECT

public:
    explicit DiagramPartner(QWidget* parent = nullptr);

    // Discards the figures, unless the model has the same tensors as the one before.
    void setModel(std::shared_ptr<const Model> model);
    void setKind(DiagramFigures::Kind kind); // what is chosen and measured
    // Of the current kind; null: nothing was chosen.
    [[nodiscard]] std::shared_ptr<const DiagramFigures> figures() const;
    [[nodiscard]] QMenu* menu() { return m_menu; } // filled when it opens
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }
    // Opens and measures. For the kind Coverage, the file is an importance matrix.
    void measureBeside(const std::filesystem::path& path);

signals:
    void measured(); // figures() are there
    void failed(const gufo::Error& error);

private:
    void measureBeside(std::shared_ptr<const Model> partner);
    template<typename Work>
    void start(Work work);
    void showState();

    std::shared_ptr<const Model> m_model;
    DiagramFigures::Kind m_kind = DiagramFigures::Kind::Error;
    std::shared_ptr<const DiagramFigures> m_error;
    std::shared_ptr<const DiagramFigures> m_coverage;
    LatestJob m_job{this};
    QPushButton* m_button;
    PartnerMenu* m_menu;
    JobBar* m_progress;
};

} // namespace gufo::ui
