#include "ui/pages/tensors/import_tensors_dialog.h"

#include "document/open_model.h"
#include "model/kept_description.h"
#include "ui/document/fetching.h"
#include "ui/document/model_document.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/file_dialogs.h"
#include "ui/theme/theme.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/job_dialog.h"
#include "ui/widgets/text_color.h"

#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr int kRowHeight = 22;

Result<std::vector<Change>> withHashes(std::vector<Change> changes, const JobContext& job) {
    std::uint64_t bytes = 0;
    const auto tensorOf = [](const Change& change) -> const TensorInfo& {
        const auto& import = std::get<ImportTensor>(change);
        return import.from->tensor(*import.from->findTensor(import.name));
    };
    for (const Change& change : changes) {
        bytes += tensorOf(change).bytesPresent;
    }
    job.start(bytes);
    for (Change& change : changes) {
        auto& import = std::get<ImportTensor>(change);
        import.hash = GUFO_TRY(importHash(*import.from, tensorOf(change), job));
    }
    return changes;
}

} // namespace

ImportTensorsDialog::ImportTensorsDialog(std::shared_ptr<const Model> into, std::vector<std::string> wanted,
                                         QWidget* parent)
    : QDialog(parent)
    , m_into(std::move(into))
    , m_wanted(std::move(wanted))
    , m_source(new QComboBox(this))
    , m_filter(new FilterField(tr("Filter by name"), this))
    , m_bar(new JobBar(this))
    , m_tensors(new TensorImportModel(m_into, this))
    , m_shown(new QSortFilterProxyModel(this))
    , m_view(new QTableView(this))
    , m_otherShapes(new QCheckBox(tr("Also replace tensors with &another shape"), this))
    , m_problem(themedLabel({}, TextStyle::Table, Token::ErrorText, this)) {
    setWindowTitle(tr("Import tensors from another model"));
    resizeOverWindow(*this, {1040, 560}); // wide enough for what becomes of each tensor
    m_source->setAccessibleName(tr("Model"));
    for (const ModelDocument* document : openDocuments()) {
        if (document->current() != m_into && !isOnServer(*document->current())) { // its weights are not here
            m_source->addItem(displayText(document->current()->path().filename().native()));
            m_sources.push_back(document->current());
        }
    }
    m_source->addItem(tr("A file…"));
    m_shown->setSourceModel(m_tensors);
    m_shown->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_view->setModel(m_shown);
    m_view->setAccessibleName(tr("Tensors of the other model"));
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->setFont(themeFont(TextStyle::Table));
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setTabKeyNavigation(false);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setStretchLastSection(true);
    constexpr int kWidths[] = {290, 70, 140, 210};
    for (int column = 0; column < 4; ++column) {
        m_view->setColumnWidth(column, kWidths[column]);
    }
    m_otherShapes->setToolTip(tr("Runtimes check shapes against the model's keys and may refuse such a file"));
    m_problem->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_take = buttons->addButton(QString(), QDialogButtonBox::AcceptRole);
    auto* top = new QHBoxLayout;
    top->addWidget(m_source, 1);
    top->addWidget(m_filter, 1);
    top->addWidget(m_bar, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(top);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_otherShapes);
    layout->addWidget(m_problem);
    layout->addWidget(buttons);
    connect(m_source, &QComboBox::activated, this, &ImportTensorsDialog::choose);
    connect(m_filter, &FilterField::filterChanged, this,
            [this](const QString& text) { m_shown->setFilterFixedString(text); });
    connect(m_filter, &FilterField::leftDownwards, m_view, qOverload<>(&QWidget::setFocus));
    connect(m_otherShapes, &QCheckBox::toggled, this, [this](bool on) {
        m_tensors->setOtherShapes(on);
        count();
    });
    connect(m_tensors, &QAbstractItemModel::dataChanged, this, &ImportTensorsDialog::count);
    connect(buttons, &QDialogButtonBox::accepted, this, &ImportTensorsDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    count();
    if (!m_sources.empty()) {
        showSource(m_sources.front());
    }
}

void ImportTensorsDialog::choose(int row) {
    if (row < static_cast<int>(m_sources.size())) {
        showSource(m_sources[static_cast<std::size_t>(row)]);
    } else {
        chooseFile();
    }
}

void ImportTensorsDialog::chooseFile() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Import tensors from a file"),
                                                      beginIn(FolderFor::Imports), openModelFilter());
    rememberChosen(FolderFor::Imports, path);
    if (!path.isEmpty()) {
        openFile(QFile::encodeName(path).toStdString());
    }
}

void ImportTensorsDialog::openFile(const std::filesystem::path& path) {
    m_problem->clear();
    m_opening.start<std::shared_ptr<const Model>>(
        [path](const JobContext& job) -> Result<std::shared_ptr<const Model>> {
            auto model = GUFO_TRY(openModel(path, job));
            [[maybe_unused]] const bool all = GUFO_TRY(keepDescription(*model));
            return model;
        },
        [this, path](Result<std::shared_ptr<const Model>> model) {
            if (!model) {
                m_problem->setText(errorLine(model.error()));
                return;
            }
            const int row = static_cast<int>(m_sources.size());
            m_sources.push_back(*model);
            m_source->insertItem(row, displayText(path.filename().native()));
            m_source->setCurrentIndex(row);
            showSource(std::move(*model));
        });
    m_bar->watch(m_opening.job(), tr("Opening"));
}

void ImportTensorsDialog::accept() {
    if (m_hashing.isRunning() || m_tensors->taken() == 0) {
        return;
    }
    m_problem->clear();
    m_take->setEnabled(false);
    m_hashing.start<std::vector<Change>>(
        [changes = m_tensors->changes()](const JobContext& job) { return withHashes(changes, job); },
        [this](Result<std::vector<Change>> changes) {
            count();
            if (!changes) {
                m_problem->setText(errorLine(changes.error()));
                return;
            }
            m_changes = *std::move(changes);
            QDialog::accept();
        },
        [this] { count(); }); // it may be tried again
    m_bar->watch(m_hashing.job(), tr("Reading the tensors"));
}

void ImportTensorsDialog::showSource(std::shared_ptr<const Model> from) {
    m_tensors->setSource(std::move(from));
    m_tensors->setTaken(m_wanted);
    count();
    emit sourceShown();
}

void ImportTensorsDialog::count() {
    const std::size_t taken = m_tensors->taken();
    m_take->setEnabled(taken != 0 && !m_hashing.isRunning());
    m_take->setText(tr("Import %n tensors", nullptr, numerus(taken)));
}

} // namespace gufo::ui

#include "moc_import_tensors_dialog.cpp"
