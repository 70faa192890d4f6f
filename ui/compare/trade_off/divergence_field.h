// Chooses a text and measures the KL divergence of all files of a comparison on it, one after the other. Figures that
// were measured before are shown at once.
#pragma once

#include "ui/compare/comparison.h"
#include "ui/jobs/latest_job.h"

#include <QLabel>
#include <QPushButton>
#include <QStringList>
#include <QWidget>

#include <filesystem>
#include <map>

namespace gufo::ui {

class ElidedLabel;
class JobBar;

class DivergenceField : public QWidget {
    Q_OBJECT

public:
    explicit DivergenceField(Comparison& comparison, QWidget* parent = nullptr);

    [[nodiscard]] const std::filesystem::path& text() const { return m_text; }
    void setText(const std::filesystem::path& text); // empty: none
    void measure();
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }
    [[nodiscard]] JobBar& progress() const { return *m_progress; }

signals:
    void measured(); // all figures that the user asked for

private:
    void choose();
    void recall();                               // shows the figures that are kept
    void next(std::size_t index, bool onlyKept); // of the files except the reference
    void finish(bool onlyKept);
    void updateState();
    [[nodiscard]] QString whyNot() const; // no measurement is possible; empty if one is

    Comparison& m_comparison;
    std::filesystem::path m_text;
    std::map<hub::ModelPlace, double> m_figures;
    QStringList m_whyNot; // of files without a figure
    LatestJob m_job{this};
    ElidedLabel* m_name;
    QPushButton* m_choose;
    QPushButton* m_measure;
    JobBar* m_progress;
    QLabel* m_notes;
};

} // namespace gufo::ui
