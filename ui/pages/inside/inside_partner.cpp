#include "ui/pages/inside/inside_partner.h"

#include "document/open_model.h"
#include "model/file_kind.h"
#include "ui/document/model_document.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/report/inside_report.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/widgets/elided_label.h"

#include <QFileDialog>

namespace gufo::ui {
namespace {

constexpr int kLongestName = 24; // characters of a file's name on the button

QString withoutMnemonic(QString text) { return text.replace(u'&', QStringLiteral("&&")); }

} // namespace

InsidePartner::InsidePartner(QWidget* parent)
    : QPushButton(parent) {
    setMenu(&m_menu);
    connect(&m_menu, &QMenu::aboutToShow, this, &InsidePartner::fill);
    showState();
}

void InsidePartner::setModel(std::shared_ptr<const Model> model) {
    cancel();
    m_model = std::move(model);
    stopComparing();
}

QString InsidePartner::name() const {
    return m_partner == nullptr || m_partner->files.empty() ? QString() : fileNameText(m_partner->path());
}

void InsidePartner::showState() {
    const QFontMetrics metrics(font());
    setText(m_partner == nullptr ? tr("Compare with…")
                                 : withoutMnemonic(metrics.elidedText(QStringLiteral("B: ") + name(), Qt::ElideMiddle,
                                                                      metrics.averageCharWidth() * kLongestName)));
    setToolTip(m_partner == nullptr ? tr("Show what differs inside another model that reads the same tokens")
                                    : plainToolTip(tr("Compared with %1").arg(name())));
}

void InsidePartner::fill() {
    m_menu.clear();
    if (m_partner != nullptr) {
        m_menu.addAction(tr("&Stop comparing"), this, &InsidePartner::stopComparing);
        m_menu.addSeparator();
    }
    for (const ModelDocument* document : openDocuments()) {
        const auto& other = document->current();
        if (other != nullptr && other != m_model && !other->files.empty() && fileKind(*other) == FileKind::Model) {
            m_menu.addAction(withoutMnemonic(fileNameText(other->path())), this, [this, other] { compareWith(other); });
        }
    }
    m_menu.addAction(tr("&File…"), this, &InsidePartner::askForFile);
}

void InsidePartner::askForFile() {
    auto* dialog = new QFileDialog(window(), tr("Choose a model"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    rememberFolder(*dialog, FolderFor::Imports);
    dialog->setNameFilters({openModelFilter(), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { compareWith(fromQtPath(file)); });
    dialog->open();
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
    // A save cancels the jobs of all pages.
    connect(m_job.job(), &Job::finished, this, [this, job = m_job.job()] {
        if (job == m_job.job()) {
            m_job.cancel();
        }
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
