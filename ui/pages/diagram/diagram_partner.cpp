#include "ui/pages/diagram/diagram_partner.h"

#include "document/open_model.h"
#include "ui/widgets/job_bar.h"

#include <QHBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

// Whether measured figures of one model hold for the other, too: an edit of keys leaves the tensors as they are.
bool haveSameTensors(const Model& one, const Model& other) {
    const auto isSame = [](const TensorInfo& a, const TensorInfo& b) {
        return a.name == b.name && a.typeId == b.typeId && a.shape == b.shape && a.file == b.file &&
               a.offset == b.offset && a.strides == b.strides;
    };
    return std::ranges::equal(one.files, other.files, {}, &ModelFile::source, &ModelFile::source) &&
           std::ranges::equal(std::as_const(one).tensors, std::as_const(other).tensors, isSame);
}

} // namespace

DiagramPartner::DiagramPartner(QWidget* parent)
    : QWidget(parent)
    , m_button(new QPushButton(this))
    , m_menu(new PartnerMenu(this))
    , m_progress(new JobBar(this)) {
    m_button->setObjectName(QStringLiteral("diagramPartner"));
    m_button->setMenu(m_menu);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_button);
    layout->addWidget(m_progress);
    connect(m_menu, &PartnerMenu::modelChosen, this,
            [this](const std::shared_ptr<const Model>& model) { measureBeside(model); });
    connect(m_menu, &PartnerMenu::fileChosen, this, [this](const std::filesystem::path& path) { measureBeside(path); });
    connect(m_progress, &JobBar::cancelled, this, [this] {
        m_job.cancel();
        showState();
    });
    showState();
}

void DiagramPartner::setModel(std::shared_ptr<const Model> model) {
    m_menu->setModel(model);
    if (m_model != nullptr && model != nullptr && haveSameTensors(*m_model, *model)) {
        m_model = std::move(model);
        return;
    }
    m_job.cancel();
    m_progress->cancel();
    m_model = std::move(model);
    m_error.reset();
    m_coverage.reset();
    showState();
}

void DiagramPartner::setKind(DiagramFigures::Kind kind) {
    if (m_kind != kind) {
        m_job.cancel();
        m_progress->cancel();
        m_kind = kind;
    }
    m_menu->setWanted(kind == DiagramFigures::Kind::Error ? FileKind::Model : FileKind::Imatrix);
    showState();
}

std::shared_ptr<const DiagramFigures> DiagramPartner::figures() const {
    return m_kind == DiagramFigures::Kind::Error ? m_error : m_coverage;
}

void DiagramPartner::showState() {
    const bool isError = m_kind == DiagramFigures::Kind::Error;
    QString text = isError ? tr("Compare with…") : tr("Importance matrix…");
    if (const auto found = figures()) {
        text = PartnerMenu::buttonText(found->partner, m_button->font());
    }
    m_button->setText(text);
    m_button->setToolTip(isError ? tr("The model whose weights are compared with those of this one")
                                 : tr("The importance matrix whose coverage of this model is shown"));
    m_button->setEnabled(!m_job.isRunning());
}

template<typename Work>
void DiagramPartner::start(Work work) {
    m_job.start<std::shared_ptr<const DiagramFigures>>(
        std::move(work), [this](Result<std::shared_ptr<const DiagramFigures>> found) {
            if (found) {
                (m_kind == DiagramFigures::Kind::Error ? m_error : m_coverage) = *std::move(found);
            }
            showState();
            if (found) {
                emit measured();
            } else {
                emit failed(found.error());
            }
        });
    showState();
    m_progress->watch(m_job.job(), m_kind == DiagramFigures::Kind::Error ? tr("Comparing weights")
                                                                         : tr("Reading the importance matrix"));
}

void DiagramPartner::measureBeside(std::shared_ptr<const Model> partner) {
    if (m_kind == DiagramFigures::Kind::Coverage) {
        measureBeside(partner->path());
        return;
    }
    start([model = m_model, partner = std::move(partner)](const JobContext& job) {
        return errorFigures(model, partner, job);
    });
}

void DiagramPartner::measureBeside(const std::filesystem::path& path) {
    using Figures = Result<std::shared_ptr<const DiagramFigures>>;
    if (m_kind == DiagramFigures::Kind::Error) {
        start([model = m_model, path](const JobContext& job) -> Figures {
            const auto partner = GUFO_TRY(openModel(path, job));
            return errorFigures(model, partner, job);
        });
    } else {
        start([model = m_model, path](const JobContext& job) -> Figures {
            const auto imatrix = GUFO_TRY(Imatrix::open(path, job));
            return coverageFigures(*model, *imatrix, job);
        });
    }
}

} // namespace gufo::ui

#include "moc_diagram_partner.cpp"
