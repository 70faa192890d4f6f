#include "ui/pages/inside/inside_partner.h"

#include "document/open_model.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/models/partner_menu.h"
#include "ui/report/inside_report.h"
#include "ui/shell/native_path.h"
#include "ui/widgets/elided_label.h"

namespace gufo::ui {

InsidePartner::InsidePartner(QWidget* parent)
    : QPushButton(parent)
    , m_menu(new PartnerMenu(this)) {
    setMenu(m_menu);
    connect(m_menu, &PartnerMenu::modelChosen, this,
            [this](const std::shared_ptr<const Model>& model) { compareWith(model); });
    connect(m_menu, &PartnerMenu::fileChosen, this, [this](const std::filesystem::path& path) { compareWith(path); });
    connect(m_menu, &PartnerMenu::stopChosen, this, &InsidePartner::stopComparing);
    showState();
}

void InsidePartner::setModel(std::shared_ptr<const Model> model) {
    cancel();
    m_menu->setModel(model);
    m_model = std::move(model);
    stopComparing();
}

QString InsidePartner::name() const {
    return m_partner == nullptr || m_partner->files.empty() ? QString() : fileNameText(m_partner->path());
}

void InsidePartner::showState() {
    m_menu->setStops(m_partner != nullptr);
    setText(m_partner == nullptr ? tr("Compare with…")
                                 : PartnerMenu::buttonText(QStringLiteral("B: ") + name(), font()));
    setToolTip(m_partner == nullptr ? tr("Show what differs inside another model that reads the same tokens")
                                    : plainToolTip(tr("Compared with %1").arg(name())));
}

void InsidePartner::compareWith(std::shared_ptr<const Model> partner) {
    check([partner = std::move(partner)](const JobContext&) -> Result<Found> { return partner; });
}

void InsidePartner::compareWith(const std::filesystem::path& path) {
    check([path](const JobContext& job) -> Result<Found> { return openModel(path, job); });
}

void InsidePartner::check(std::function<Result<Found>(const JobContext&)> open) {
    m_job.start<Found>(
        [model = m_model, open = std::move(open)](const JobContext& job) -> Result<Found> {
            auto partner = GUFO_TRY(open(job));
            GUFO_TRY(checkInsidePair(*model, *partner, job));
            return partner;
        },
        [this](Result<Found> found) {
            if (!found) {
                emit refused(errorReason(found.error()));
                return;
            }
            m_partner = *std::move(found);
            showState();
            emit changed();
        });
    emit checking(m_job.job());
}

void InsidePartner::stopComparing() {
    cancel();
    const bool compared = m_partner != nullptr;
    m_partner.reset();
    showState();
    if (compared) {
        emit changed();
    }
}

void InsidePartner::cancel() { m_job.cancel(); }

} // namespace gufo::ui

#include "moc_inside_partner.cpp"
