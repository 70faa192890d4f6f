#include "ui/pages/tensors/tensor_export.h"

#include "tensor/decode.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/chosen_folder.h"
#include "ui/widgets/job_bar.h"

#include <QFile>
#include <QFileDialog>

#include <array>

namespace gufo::ui {
namespace {

struct ValueFormat {
    ExportFormat format;
    const char* title;
    const char* filter;
    const char* suffix;
};
constexpr std::array<ValueFormat, 4> kValueFormats{{
    {ExportFormat::Npy, QT_TRANSLATE_NOOP("gufo::ui::TensorExport", "Values as &NumPy array…"),
     QT_TRANSLATE_NOOP("gufo::ui::TensorExport", "NumPy array (*.npy)"), ".npy"},
    {ExportFormat::Csv, QT_TRANSLATE_NOOP("gufo::ui::TensorExport", "Values as &CSV…"),
     QT_TRANSLATE_NOOP("gufo::ui::TensorExport", "Comma-separated values (*.csv)"), ".csv"},
    {ExportFormat::F32, QT_TRANSLATE_NOOP("gufo::ui::TensorExport", "Values as raw &floats…"),
     QT_TRANSLATE_NOOP("gufo::ui::TensorExport", "Little-endian 32-bit floats (*.f32)"), ".f32"},
    {ExportFormat::Raw, QT_TRANSLATE_NOOP("gufo::ui::TensorExport", "Encoded &bytes…"),
     QT_TRANSLATE_NOOP("gufo::ui::TensorExport", "Encoded bytes (*.bin)"), ".bin"},
}};

} // namespace

TensorExport::TensorExport(JobBar& progress, QWidget& window)
    : QObject(&window)
    , m_progress(progress)
    , m_window(window) {
    addValues();
}

void TensorExport::addValues() {
    for (const ValueFormat& format : kValueFormats) {
        QAction* action = m_menu.addAction(tr(format.title));
        connect(action, &QAction::triggered, this, [this, format] {
            ask(tr("Export values"), tr(format.filter), fileStem() + QLatin1String(format.suffix),
                [this, format](const std::filesystem::path& path) { writeValues(path, format.format); });
        });
        m_valueActions << action;
    }
    m_menu.addSeparator();
}

void TensorExport::addPlot(QCustomPlot& plot, const QString& title, const QString& suffix) {
    QMenu* menu = m_menu.addMenu(title);
    for (const PlotFormatRow& format : plotFormats()) {
        connect(
            menu->addAction(plotFormatText(format.title)), &QAction::triggered, this, [this, format, suffix, &plot] {
                ask(tr("Export plot"), plotFormatText(format.filter),
                    fileStem() + suffix + QLatin1String(format.suffix),
                    [this, format, &plot](const std::filesystem::path& path) { writePlot(plot, path, format.format); });
            });
    }
    connect(menu->addAction(tr("&Copy as picture")), &QAction::triggered, &plot, [&plot] { copyPlot(plot); });
    m_plotMenus << menu;
    plot.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&plot, &QWidget::customContextMenuRequested, menu,
            [menu, &plot](QPoint position) { menu->popup(plot.mapToGlobal(position)); });
}

void TensorExport::setPlotsEnabled(bool enabled) {
    for (QMenu* menu : m_plotMenus) {
        menu->menuAction()->setEnabled(enabled);
    }
}

void TensorExport::setTensor(std::shared_ptr<const Model> model, std::optional<TensorIndex> tensor) {
    m_model = std::move(model);
    m_tensor = tensor;
    for (std::size_t i = 0; i < kValueFormats.size(); ++i) {
        const bool raw = kValueFormats[i].format == ExportFormat::Raw;
        const TensorInfo* info = tensor ? &m_model->tensor(*tensor) : nullptr;
        m_valueActions[static_cast<qsizetype>(i)]->setEnabled(
            info != nullptr && info->bytes &&
            (raw || (isDecodable(info->typeId) && !info->bytesDerived && info->complete())));
    }
}

QString TensorExport::fileStem() const {
    return m_tensor ? displayText(m_model->tensor(*m_tensor).name).replace(QLatin1Char('/'), QLatin1Char('_'))
                    : QString();
}

void TensorExport::ask(const QString& title, const QString& filter, const QString& fileName,
                       std::function<void(const std::filesystem::path&)> then) {
    auto* dialog = new QFileDialog(m_window.window(), title, {}, filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    rememberFolder(*dialog, FolderFor::Exports);
    dialog->selectFile(fileName);
    connect(dialog, &QFileDialog::fileSelected, this, [then = std::move(then)](const QString& file) {
        then(std::filesystem::path(QFile::encodeName(file).toStdString()));
    });
    dialog->open();
}

std::function<void(Result<>)> TensorExport::whenDone(const std::filesystem::path& path) {
    return [this, path](Result<> result) {
        if (result) {
            emit written(tr("Written: %1").arg(displayPath(path)));
        } else {
            emit failed(result.error());
        }
    };
}

void TensorExport::follow(Job* job, const std::filesystem::path& path) {
    m_job = job;
    m_progress.watch(job, tr("Writing %1").arg(displayText(path.filename().native())));
}

void TensorExport::writeValues(const std::filesystem::path& path, ExportFormat format) {
    if (!m_tensor) {
        return;
    }
    cancel();
    follow(startJob<void>(
               this,
               [model = m_model, tensor = *m_tensor, path, format](const JobContext& context) {
                   return exportTensor(*model, tensor, path, format, context);
               },
               whenDone(path)),
           path);
}

void TensorExport::writePlot(QCustomPlot& plot, const std::filesystem::path& path, PlotFormat format) {
    cancel();
    follow(exportPlot(this, plot, path, format, whenDone(path)), path);
}

void TensorExport::cancel() {
    if (!m_job.isNull()) {
        m_job->cancel();
    }
}

} // namespace gufo::ui

#include "moc_tensor_export.cpp"
