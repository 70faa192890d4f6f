#include "ui/tools/split_dialog.h"

#include "formats/detection/shard_names.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/save_text.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/widgets/number_box.h"

#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>

namespace gufo::ui {
namespace {

constexpr double kBytesPerGigabyte = 1e9; // as hubs count the limits of their files
constexpr double kUsualSize = 4;
constexpr int kUsualTensors = 128;
enum Limit { BySize, ByTensors };

struct Written {
    std::filesystem::path existing{}; // a file that would have been replaced; then nothing was written
    std::filesystem::path first{};
    SaveReport report{};
};

std::filesystem::path withoutSuffix(std::filesystem::path path) {
    return path.extension() == ".gguf" ? path.replace_extension() : path;
}

} // namespace

SplitDialog::SplitDialog(std::shared_ptr<const Model> model, QWidget* parent)
    : ToolDialog(tr("Split %1").arg(fileNameText(model->path())), tr("&Split…"), parent)
    , m_model(std::move(model))
    , m_limit(new QComboBox(this))
    , m_size(new RealBox(this))
    , m_tensors(new CountBox(this))
    , m_metadataFirst(new QCheckBox(tr("The first file contains only the &metadata"), this))
    , m_verify(new QCheckBox(tr("&Verify the tensor data"), this)) {
    m_limit->addItems({tr("by size"), tr("by number of tensors")});
    m_limit->setAccessibleName(tr("How to split"));
    m_size->setRange(0.001, 1e6);
    m_size->setDecimals(3);
    m_size->setValue(kUsualSize);
    m_size->setSuffix(tr(" GB"));
    m_size->setAccessibleName(tr("Tensor data of a file at most"));
    m_tensors->setRange(1, 1'000'000);
    m_tensors->setValue(kUsualTensors);
    m_tensors->setAccessibleName(tr("Tensors of a file at most"));
    m_verify->setToolTip(tr("Reads the files again and compares the SHA-256 of all tensors"));
    auto* limit = new QWidget(this);
    auto* row = new QHBoxLayout(limit);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_limit);
    row->addWidget(m_size);
    row->addWidget(m_tensors);
    row->addStretch();
    limit->setFocusProxy(m_limit);
    addChoice(tr("&At most"), limit);
    form()->addRow(QString(), m_metadataFirst);
    form()->addRow(QString(), m_verify);
    const auto replan = [this] {
        m_size->setVisible(m_limit->currentIndex() == BySize);
        m_tensors->setVisible(m_limit->currentIndex() == ByTensors);
        plan();
    };
    connect(m_limit, &QComboBox::currentIndexChanged, this, replan);
    connect(m_size, &QDoubleSpinBox::valueChanged, this, replan);
    connect(m_tensors, &QSpinBox::valueChanged, this, replan);
    connect(m_metadataFirst, &QCheckBox::toggled, this, replan);
    replan();
}

gguf::SplitOptions SplitDialog::options() const {
    gguf::SplitOptions options{.maxTensors = 0, .metadataFirst = m_metadataFirst->isChecked()};
    if (m_limit->currentIndex() == BySize) {
        options.maxBytes = static_cast<std::uint64_t>(m_size->value() * kBytesPerGigabyte);
    } else {
        options.maxTensors = static_cast<std::uint64_t>(m_tensors->value());
    }
    return options;
}

void SplitDialog::plan() {
    setReady(false);
    using Paths = std::vector<std::filesystem::path>;
    m_planning.start<Paths>(
        [model = m_model, options = options()](const JobContext&) {
            return gguf::splitPaths(*model, withoutSuffix(model->path()), options);
        },
        [this](const Result<Paths>& files) {
            if (!files) {
                setSummary({});
                showError(files.error());
                return;
            }
            showNotice({});
            setSummary(files->size() == 1 ? tr("Everything fits into one file: %1").arg(fileNameText(files->front()))
                                          : tr("%n files: %1 to %2", nullptr, numerus(files->size()))
                                                .arg(fileNameText(files->front()), fileNameText(files->back())));
            setReady(true);
        });
}

void SplitDialog::start() {
    auto* dialog = new QFileDialog(this, tr("Split into files that begin with"), {}, tr("GGUF models (*.gguf)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // the files have other names
    rememberFolder(*dialog, FolderFor::Exports);
    dialog->selectFile(fileNameText(withoutSuffix(m_model->path().filename())));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& file) { write(withoutSuffix(fromQtPath(file))); });
    dialog->open();
}

void SplitDialog::write(const std::filesystem::path& prefix) {
    if (isWorking()) {
        return;
    }
    SaveOptions saving;
    saving.verify = m_verify->isChecked();
    Job* job = startJob<Written>(
        this,
        [model = m_model, prefix, options = options(), saving](const JobContext& context) -> Result<Written> {
            const auto files = GUFO_TRY(gguf::splitPaths(*model, prefix, options));
            for (const std::filesystem::path& file : files) {
                if (std::error_code error; std::filesystem::exists(file, error)) {
                    return Written{.existing = file};
                }
            }
            auto report = GUFO_TRY(gguf::split(*model, prefix, options, saving, context));
            return Written{.first = files.front(), .report = std::move(report)};
        },
        [this](const Result<Written>& written) {
            if (!written) {
                showError(written.error());
                return;
            }
            if (!written->existing.empty()) {
                showNotice(tr("%1 exists already. Choose another name, or remove the file first.")
                               .arg(displayPath(written->existing)),
                           Token::ErrorText);
                return;
            }
            setColumns({tr("File"), tr("Size")});
            for (const FileReport& file : written->report.files) {
                addRow({fileNameText(file.plan.path), formatBytes(file.plan.bytesAfter)});
            }
            setSummary(saveReportText(written->report));
            offer(written->first);
        });
    follow(job, tr("Writing %1").arg(fileNameText(prefix)), tr("Stop splitting %1?").arg(fileNameText(m_model->path())),
           tr("What was written so far is discarded."));
}

} // namespace gufo::ui

#include "moc_split_dialog.cpp"
