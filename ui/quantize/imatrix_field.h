// Selects an importance matrix: its name, a button to choose a file, and a button to clear it. The file is read by a
// job.
#pragma once

#include "formats/imatrix/imatrix.h"
#include "ui/jobs/latest_job.h"

#include <QPushButton>
#include <QWidget>

namespace gufo::ui {

class ElidedLabel;

class ImatrixField : public QWidget {
    Q_OBJECT

public:
    explicit ImatrixField(QWidget* parent = nullptr);

    [[nodiscard]] const std::shared_ptr<const Imatrix>& imatrix() const { return m_imatrix; } // null: none
    void load(const std::filesystem::path& path);
    void set(std::shared_ptr<const Imatrix> imatrix);
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }

signals:
    void changed();
    void failed(const gufo::Error& error);

private:
    void choose();
    void show();

    std::shared_ptr<const Imatrix> m_imatrix;
    LatestJob m_job{this};
    ElidedLabel* m_name;
    QPushButton* m_choose;
    QPushButton* m_clear;
};

} // namespace gufo::ui
