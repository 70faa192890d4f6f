#include "ui/plots/plot_export.h"

#include "base/output_file.h"

#include <QBuffer>
#include <QClipboard>
#include <QGuiApplication>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace gufo::ui {
namespace {

constexpr double kPngScale = 2;
constexpr int kDotsPerInch = 96;
constexpr double kPointsPerPixel = 72.0 / kDotsPerInch;

void drawOn(QPaintDevice& device, QCustomPlot& plot) {
    QCPPainter painter;
    painter.begin(&device);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    plot.toPainter(&painter, plot.width(), plot.height());
    painter.end();
}

QByteArray asSvg(QCustomPlot& plot) {
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(plot.size());
    generator.setViewBox(QRect(QPoint(), plot.size()));
    generator.setResolution(kDotsPerInch);
    generator.setTitle(plot.accessibleName());
    drawOn(generator, plot);
    return buffer.data();
}

QByteArray asPdf(QCustomPlot& plot) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(plot.accessibleName());
    writer.setCreator(QStringLiteral("Gufo"));
    writer.setResolution(kDotsPerInch);
    writer.setPageMargins({});
    writer.setPageSize(QPageSize(QSizeF(plot.size()) * kPointsPerPixel, QPageSize::Point, {}, QPageSize::ExactMatch));
    drawOn(writer, plot);
    return buffer.data();
}

Result<> writeFile(const std::filesystem::path& path, const QByteArray& bytes) {
    auto file = OutputFile::create(path);
    if (!file) {
        return std::unexpected(file.error());
    }
    const auto written =
        file->write(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
    return written ? file->commit() : written;
}

} // namespace

Job* exportPlot(QObject* owner, QCustomPlot& plot, const std::filesystem::path& path, PlotFormat format,
                std::function<void(Result<>)> done) {
    if (format == PlotFormat::Png) {
        // Packing the pixels is most of the work.
        return startJob<void>(
            owner,
            [image = plot.toPixmap(0, 0, kPngScale).toImage(), path](const JobContext&) {
                QBuffer buffer;
                image.save(&buffer, "PNG");
                return writeFile(path, buffer.data());
            },
            std::move(done));
    }
    const QByteArray bytes = format == PlotFormat::Svg ? asSvg(plot) : asPdf(plot);
    return startJob<void>(owner, [bytes, path](const JobContext&) { return writeFile(path, bytes); }, std::move(done));
}

void copyPlot(QCustomPlot& plot) { QGuiApplication::clipboard()->setPixmap(plot.toPixmap(0, 0, kPngScale)); }

} // namespace gufo::ui
