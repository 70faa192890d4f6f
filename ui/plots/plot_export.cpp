#include "ui/plots/plot_export.h"

#include "base/output_file.h"

#include <QBuffer>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <array>

namespace gufo::ui {
namespace {

constexpr double kPngScale = 2;
constexpr int kDotsPerInch = 96;
constexpr double kPointsPerPixel = 72.0 / kDotsPerInch;

constexpr auto kPlotFormats = std::to_array<PlotFormatRow>({
    {PlotFormat::Png, QT_TRANSLATE_NOOP("gufo::ui::PlotFormat", "&PNG…"),
     QT_TRANSLATE_NOOP("gufo::ui::PlotFormat", "PNG picture (*.png)"), ".png"},
    {PlotFormat::Svg, QT_TRANSLATE_NOOP("gufo::ui::PlotFormat", "&SVG…"),
     QT_TRANSLATE_NOOP("gufo::ui::PlotFormat", "SVG drawing (*.svg)"), ".svg"},
    {PlotFormat::Pdf, QT_TRANSLATE_NOOP("gufo::ui::PlotFormat", "P&DF…"),
     QT_TRANSLATE_NOOP("gufo::ui::PlotFormat", "PDF document (*.pdf)"), ".pdf"},
});

using Draw = std::function<void(QPaintDevice& device)>;

Draw drawingOf(QCustomPlot& plot) {
    return [&plot](QPaintDevice& device) {
        QCPPainter painter;
        painter.begin(&device);
        painter.setMode(QCPPainter::pmVectorized);
        painter.setMode(QCPPainter::pmNoCaching);
        plot.toPainter(&painter, plot.width(), plot.height());
        painter.end();
    };
}

Draw drawingOf(const Picture& picture) {
    return [&picture](QPaintDevice& device) {
        QPainter painter(&device);
        picture.draw(painter);
    };
}

QByteArray asSvg(QSize size, const QString& title, const Draw& draw) {
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setResolution(kDotsPerInch);
    generator.setTitle(title);
    draw(generator);
    return buffer.data();
}

QByteArray asPdf(QSize size, const QString& title, const Draw& draw) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(title);
    writer.setCreator(QStringLiteral("Gufo"));
    writer.setResolution(kDotsPerInch);
    writer.setPageMargins({});
    writer.setPageSize(QPageSize(QSizeF(size) * kPointsPerPixel, QPageSize::Point, {}, QPageSize::ExactMatch));
    draw(writer);
    return buffer.data();
}

QImage asImage(const Picture& picture) {
    QImage image(picture.size * kPngScale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(kPngScale);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    picture.draw(painter);
    return image;
}

Result<> writeFile(const std::filesystem::path& path, const QByteArray& bytes) {
    return writeWholeFile(path, {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

// PNG uses `image`, the other formats `draw`. Drawing happens immediately; the job does the packing, which is most of
// the work.
Job* exportDrawing(QObject* owner, const std::filesystem::path& path, PlotFormat format, QSize size,
                   const QString& title, const Draw& draw, const std::function<QImage()>& image,
                   std::function<void(Result<>)> done) {
    if (format == PlotFormat::Png) {
        return startJob<void>(
            owner,
            [pixels = image(), path](const JobContext&) {
                QBuffer buffer;
                pixels.save(&buffer, "PNG");
                return writeFile(path, buffer.data());
            },
            std::move(done));
    }
    const QByteArray bytes = format == PlotFormat::Svg ? asSvg(size, title, draw) : asPdf(size, title, draw);
    return startJob<void>(owner, [bytes, path](const JobContext&) { return writeFile(path, bytes); }, std::move(done));
}

} // namespace

std::span<const PlotFormatRow> plotFormats() { return kPlotFormats; }

QString plotFormatText(const char* text) { return QCoreApplication::translate("gufo::ui::PlotFormat", text); }

Job* exportPlot(QObject* owner, QCustomPlot& plot, const std::filesystem::path& path, PlotFormat format,
                std::function<void(Result<>)> done) {
    return exportDrawing(
        owner, path, format, plot.size(), plot.accessibleName(), drawingOf(plot),
        [&plot] { return plot.toPixmap(0, 0, kPngScale).toImage(); }, std::move(done));
}

Job* exportPicture(QObject* owner, const Picture& picture, const std::filesystem::path& path, PlotFormat format,
                   std::function<void(Result<>)> done) {
    return exportDrawing(
        owner, path, format, picture.size, picture.title, drawingOf(picture), [&picture] { return asImage(picture); },
        std::move(done));
}

Result<> writeBytes(std::string_view bytes, const std::filesystem::path& path) {
    return writeFile(path, QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size())));
}

Job* exportText(QObject* owner, const QString& text, const std::filesystem::path& path,
                std::function<void(Result<>)> done) {
    return startJob<void>(
        owner, [text, path](const JobContext&) { return writeBytes(text.toStdString(), path); }, std::move(done));
}

void copyPicture(const Picture& picture) { QGuiApplication::clipboard()->setImage(asImage(picture)); }

void copyPlot(QCustomPlot& plot) { QGuiApplication::clipboard()->setPixmap(plot.toPixmap(0, 0, kPngScale)); }

} // namespace gufo::ui
