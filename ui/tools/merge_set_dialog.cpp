#include "ui/tools/merge_set_dialog.h"

#include "formats/container/model_saving.h"
#include "formats/detection/shard_names.h"
#include "model/set_fault.h"
#include "quantize/write_model.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/save_text.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"

#include <QFileDialog>
#include <QFormLayout>

namespace gufo::ui {
namespace {

QString proposedName(const Model& model) {
    const std::filesystem::path name = model.files[model.openedFile.value].path.filename();
    const auto shard = parseSetMember(name);
    return shard ? displayText(shard->name.prefix) + displayText(shard->suffix) : fileNameText(name);
}

} // namespace

bool isInParts(const Model& model) { return model.shardCount() > 1 || !model.openedAs.empty(); }

MergeSetDialog::MergeSetDialog(std::shared_ptr<const Model> model, QWidget* parent)
    : ToolDialog(tr("Merge %1").arg(fileNameText(model->path())), tr("&Merge…"), parent)
    , m_model(std::move(model))
    , m_verify(new QCheckBox(tr("&Verify the tensor data"), this)) {
    m_verify->setToolTip(tr("Reads the file again and compares the SHA-256 of all tensors"));
    form()->addRow(QString(), m_verify);
    setColumns({tr("File"), tr("Size")});
    for (std::size_t i = 0; i < m_model->shardCount(); ++i) {
        const ModelFile& file = m_model->files[i];
        addRow({fileNameText(file.path), file.source != nullptr ? formatBytes(file.source->size()) : tr("missing")});
    }
    if (const auto complete = checkSet(*m_model); !complete) {
        showError(complete.error());
        return;
    }
    setSummary(tr("They become one file of %1.").arg(formatBytes(m_model->totals().fileBytes)));
    setReady(true);
}

void MergeSetDialog::start() {
    auto* dialog = new QFileDialog(this, tr("Write the merged model"), {}, saveModelFilter(*m_model));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(saveModelSuffix(*m_model));
    rememberFolder(*dialog, FolderFor::Exports);
    dialog->selectFile(proposedName(*m_model));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { write(fromQtPath(file)); });
    dialog->open();
}

void MergeSetDialog::write(const std::filesystem::path& path) {
    if (isWorking()) {
        return;
    }
    SaveOptions options;
    options.verify = m_verify->isChecked();
    Job* job = startJob<SaveReport>(
        this,
        [model = m_model, path, options](const JobContext& context) -> Result<SaveReport> {
            GUFO_TRY(checkIsOtherFile(*model, path));
            return saveModelAs(*model, {.version = model->version, .byteOrder = model->byteOrder}, path, options,
                               context);
        },
        [this, path](const Result<SaveReport>& report) {
            if (!report) {
                showError(report.error());
                return;
            }
            setSummary(saveReportText(*report));
            offer(path);
        });
    follow(job, tr("Writing %1").arg(fileNameText(path)), tr("Stop merging %1?").arg(fileNameText(m_model->path())),
           tr("What was written so far is discarded."));
}

} // namespace gufo::ui

#include "moc_merge_set_dialog.cpp"
