// Chooses the model with which the page Inside compares, among the open ones and on the disk. A model that does not fit
// is refused with a reason. A job opens and checks it.
#pragma once

#include "model/model.h"
#include "ui/jobs/latest_job.h"

#include <QPushButton>

#include <filesystem>

namespace gufo::ui {

class PartnerMenu;

class InsidePartner : public QPushButton {
    Q_OBJECT

public:
    explicit InsidePartner(QWidget* parent = nullptr);

    // The model of the page. Another one ends the comparison.
    void setModel(std::shared_ptr<const Model> model);
    // What is compared; null: nothing.
    [[nodiscard]] const std::shared_ptr<const Model>& partner() const { return m_partner; }
    [[nodiscard]] QString name() const; // of its file
    void compareWith(std::shared_ptr<const Model> partner);
    void compareWith(const std::filesystem::path& path);
    void stopComparing();
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }
    void cancel();

signals:
    void changed(); // partner()
    void refused(const QString& reason);
    void checking(gufo::ui::Job* job);

private:
    using Found = std::shared_ptr<const Model>;
    void check(std::function<Result<Found>(const JobContext&)> open);
    void showState();

    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const Model> m_partner;
    LatestJob m_job{this};
    PartnerMenu* m_menu;
};

} // namespace gufo::ui
