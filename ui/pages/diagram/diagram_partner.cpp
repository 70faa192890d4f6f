#include "ui/pages/diagram/diagram_partner.h"

#include "document/open_model.h"
#include "model/file_kind.h"
#include "ui/document/model_document.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/widgets/job_bar.h"

#include <QFileDialog>
#include <QHBoxLayout>

namespace gufo::ui {
namespace {

constexpr int kLongestName = 24; // characters of a file's name on the button

} // namespace

DiagramPartner::DiagramPartner(QWidget* parent)
    : QWidget(parent)
    , m_button(new QPushButton(this))
    , m_progress(new JobBar(this)) {
    m_button->setObjectName(QStringLiteral("diagramPartner"));
    m_button->setMenu(&m_menu);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_button);
    layout->addWidget(m_progress);
    connect(&m_menu, &QMenu::aboutToShow, this, &DiagramPartner::fill);
    connect(m_progress, &JobBar::cancelled, this, [this] {
        m_job.cancel();
        showState();
    });
    showState();
}

void DiagramPartner::setModel(std::shared_ptr<const Model> model) {
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
    showState();
}

std::shared_ptr<const DiagramFigures> DiagramPartner::figures() const {
    return m_kind == DiagramFigures::Kind::Error ? m_error : m_coverage;
}

void DiagramPartner::showState() {
    const bool isError = m_kind == DiagramFigures::Kind::Error;
    QString text = isError ? tr("Compare with…") : tr("Importance matrix…");
    if (const auto found = figures()) {
        text = QFontMetrics(m_button->font())
                   .elidedText(found->partner, Qt::ElideMiddle,
                               QFontMetrics(m_button->font()).averageCharWidth() * kLongestName);
    }
    m_button->setText(text.replace(u'&', QStringLiteral("&&")));
    m_button->setToolTip(isError ? tr("The model whose weights are compared with those of this one")
                                 : tr("The importance matrix whose coverage of this model is shown"));
    m_button->setEnabled(!m_job.isRunning());
}

void DiagramPartner::fill() {
    m_menu.clear();
    const FileKind wanted = m_kind == DiagramFigures::Kind::Error ? FileKind::Model : FileKind::Imatrix;
    for (const ModelDocument* document : openDocuments()) {
        const auto& other = document->current();
        if (other != nullptr && other != m_model && !other->files.empty() && fileKind(*other) == wanted) {
            m_menu.addAction(fileNameText(other->path()).replace(u'&', QStringLiteral("&&")), this,
                             [this, other] { measureBeside(other); });
        }
    }
    if (!m_menu.isEmpty()) {
        m_menu.addSeparator();
    }
    m_menu.addAction(tr("&File…"), this, &DiagramPartner::askForFile);
}

void DiagramPartner::askForFile() {
    const bool isError = m_kind == DiagramFigures::Kind::Error;
    auto* dialog = new QFileDialog(window(), isError ? tr("Choose a model") : tr("Choose an importance matrix"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    rememberFolder(*dialog, FolderFor::Imports);
    dialog->setNameFilters(
        {isError ? openModelFilter() : tr("Importance matrices (*.gguf *.dat *.imatrix)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { measureBeside(fromQtPath(file)); });
    dialog->open();
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
