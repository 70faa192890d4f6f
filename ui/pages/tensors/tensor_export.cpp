#include "ui/pages/tensors/tensor_export.h"

#include "tensor/decode.h"
#include "ui/messages/figure_text.h"
#include "ui/plots/picture_options_dialog.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/widgets/job_bar.h"

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

struct ValueFormatRow {
    ExportFormat format;
    const char* title;
    const char* filter;
    const char* suffix;
};
constexpr std::array<ValueFormatRow, 4> kValueFormats{{
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

QStringList tensorLines(const Model& model, TensorIndex tensor) {
    const TensorInfo& info = model.tensor(tensor);
    return {QStringLiteral("%1, %2, %3")
                .arg(displayText(info.name), QString::fromStdString(info.typeName()), formatShape(info.shape)),
            fileNameText(model.path())};
}

TensorExport::TensorExport(JobBar& progress, QWidget& window)
    : QObject(&window)
    , m_progress(progress)
    , m_window(window) {
    addValues();
}

void TensorExport::addValues() {
    for (std::size_t i = 0; i < kValueFormats.size(); ++i) {
        QAction* action = m_menu.addAction(tr(kValueFormats[i].title));
        connect(action, &QAction::triggered, this, [this, i] {
            std::vector<ExportKind> kinds;
            for (const ValueFormatRow& format : kValueFormats) {
                kinds.push_back({tr(format.filter), QLatin1String(format.suffix)});
            }
            askExportPath(m_window, tr("Export values"), fileStem() + kinds[i].suffix, kinds, i,
                          [this](const std::filesystem::path& path, std::size_t kind) {
                              writeValues(path, kValueFormats[kind].format);
                          });
        });
        m_valueActions << action;
    }
    m_menu.addSeparator();
}

void TensorExport::addPlot(QCustomPlot& plot, const QString& title, const QString& suffix,
                           std::function<PictureFrame()> frame) {
    QMenu* menu = m_menu.addMenu(title);
    for (std::size_t i = 0; i < plotFormats().size(); ++i) {
        connect(menu->addAction(plotFormatText(plotFormats()[i].title)), &QAction::triggered, this,
                [this, i, suffix, frame, &plot] {
                    std::vector<ExportKind> kinds;
                    for (const PlotFormatRow& format : plotFormats()) {
                        kinds.push_back({plotFormatText(format.filter), QLatin1String(format.suffix)});
                    }
                    askExportPath(m_window, tr("Export plot"), fileStem() + suffix + kinds[i].suffix, kinds, i,
                                  [this, frame, &plot](const std::filesystem::path& path, std::size_t kind) {
                                      writePlot(plot, frame(), path, plotFormats()[kind].format);
                                  });
                });
    }
    connect(menu->addAction(tr("&Copy as picture")), &QAction::triggered, &plot,
            [&plot, frame] { copyPlot(plot, frame(), pictureOptions()); });
    connect(menu->addAction(tr("Picture &options…")), &QAction::triggered, &plot,
            [&plot] { PictureOptionsDialog::openFor(plot); });
    m_plotMenus.emplace_back(&plot, menu);
    plot.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&plot, &QWidget::customContextMenuRequested, menu,
            [menu, &plot](QPoint position) { menu->popup(plot.mapToGlobal(position)); });
}

void TensorExport::addFigures(const QCustomPlot& plot, const QString& suffix, std::function<QString()> csv) {
    const auto menu = std::ranges::find(m_plotMenus, &plot, [](const auto& one) { return one.first; });
    connect(menu->second->addAction(tr("&Figures as CSV…")), &QAction::triggered, this,
            [this, suffix, csv = std::move(csv)] {
                askExportPath(m_window, tr("Export figures"), fileStem() + suffix + QStringLiteral(".csv"),
                              {{tr("Comma-separated values (*.csv)"), QStringLiteral(".csv")}}, 0,
                              [this, csv](const std::filesystem::path& path, std::size_t) {
                                  follow(exportText(this, csv(), path, whenDone(path)), path);
                              });
            });
}

void TensorExport::setPlotsEnabled(bool enabled) {
    for (const auto& [plot, menu] : m_plotMenus) {
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

void TensorExport::writePlot(QCustomPlot& plot, const PictureFrame& frame, const std::filesystem::path& path,
                             PlotFormat format) {
    cancel();
    follow(exportPlot(this, plot, frame, pictureOptions(), path, format, whenDone(path)), path);
}

void TensorExport::cancel() {
    if (!m_job.isNull()) {
        m_job->cancel();
    }
}

} // namespace gufo::ui

#include "moc_tensor_export.cpp"
