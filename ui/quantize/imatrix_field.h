// An importance matrix to choose: its name, a button, and one that lets it go. It is read by a job.
#pragma once

#include "formats/imatrix/imatrix.h"
#include "ui/jobs/job.h"

#include <QLabel>
#include <QPushButton>
#include <QWidget>

namespace gufo::ui {

class ImatrixField : public QWidget {
    Q_OBJECT

public:
    explicit ImatrixField(QWidget* parent = nullptr);

    [[nodiscard]] const std::shared_ptr<const Imatrix>& imatrix() const { return m_imatrix; } // null: none
    void load(const std::filesystem::path& path);
    void set(std::shared_ptr<const Imatrix> imatrix);
    [[nodiscard]] bool isBusy() const { return !m_job.isNull(); }

signals:
    void changed();
    void failed(const gufo::Error& error);

private:
    void choose();
    void show();

    std::shared_ptr<const Imatrix> m_imatrix;
    QPointer<Job> m_job;
    QLabel* m_name;
    QPushButton* m_choose;
    QPushButton* m_clear;
};

} // namespace gufo::ui
