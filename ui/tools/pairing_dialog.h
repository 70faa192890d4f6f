// Says whether two files belong together: a model, and its projector, adapter, importance matrix or draft model. Each
// is chosen among the open models or as a file, and the answer follows at once. With the answer, the model moves into
// the field of the model.
#pragma once

#include "pairing/pairing.h"
#include "ui/jobs/latest_job.h"
#include "ui/theme/theme.h"

#include <QDialog>

#include <array>
#include <filesystem>
#include <vector>

class QComboBox;
class QLabel;

namespace gufo::ui {

class JobBar;

class PairingDialog : public QDialog {
    Q_OBJECT

public:
    // `open` are the paths of the open models; the first two are compared.
    PairingDialog(const std::vector<std::filesystem::path>& open, QWidget* parent);

    void setPath(std::size_t side, const std::filesystem::path& path); // side 0 or 1
    [[nodiscard]] std::filesystem::path path(std::size_t side) const;
    [[nodiscard]] QComboBox* field(std::size_t side) const { return m_files.at(side); }
    [[nodiscard]] QString verdict() const; // empty while there is none
    [[nodiscard]] QString reasons() const;

signals:
    void answered();

private:
    void select(std::size_t side, const std::filesystem::path& path); // compares nothing
    void addPath(QComboBox* field, const std::filesystem::path& path);
    void chosen(std::size_t side, int row);
    void choose(std::size_t side);
    void check();
    void answer(const Result<Pairing>& pairing);
    void say(const QString& verdict, Token color, const QString& reasons);

    std::array<QComboBox*, 2> m_files{};
    QLabel* m_verdict;
    QLabel* m_reasons;
    JobBar* m_bar;
    LatestJob m_job{this};
};

} // namespace gufo::ui
