#include "ui/plots/plot_export.h"

#include "base/output_file.h"
#include "ui/plots/zoom_plot.h"
#include "ui/theme/theme_scope.h"

#include <QBuffer>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <array>
#include <utility>
#include <variant>
#include <vector>

namespace gufo::ui {
namespace {

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

// What is written: its layout, and how the content is drawn into content(). Made and drawn in the colours of its theme.
struct Drawing {
    FrameLayout layout;
    QString title;
    std::function<void(QCPPainter& painter, const QRect& rect)> drawContent;

    void draw(QPaintDevice& device, bool isVector, double scale = 1) const {
        QCPPainter painter;
        painter.begin(&device);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.scale(scale, scale);
        layout.paint(painter);
        painter.setMode(QCPPainter::pmVectorized, isVector);
        painter.setMode(QCPPainter::pmNoCaching);
        painter.setMode(QCPPainter::pmNonCosmetic, scale > 1);
        painter.save();
        painter.translate(layout.content().topLeft());
        drawContent(painter, layout.content());
        painter.restore();
    }
};

// Gives a plot the labels of its frame, with room for them, and the colours of the current ThemeScope.
class LabelledPlot {
public:
    LabelledPlot(QCustomPlot& plot, const PictureFrame& frame)
        : m_plot(plot)
        , m_autoMargins(plot.axisRect()->autoMargins())
        , m_margins(plot.axisRect()->margins()) {
        restyle(false);
        const auto label = [this](QCPAxis* axis, const QString& text) {
            m_labels.emplace_back(axis, axis->label());
            axis->setLabel(text.isEmpty() ? axis->label() : text);
            styleAxisLabel(*axis, kLabelPadding);
        };
        label(plot.xAxis, frame.xLabel);
        label(plot.yAxis, frame.yLabel);
        for (QCPLayoutElement* element : plot.plotLayout()->elements(false)) {
            if (auto* scale = qobject_cast<QCPColorScale*>(element)) {
                label(scale->axis(), frame.scaleLabel);
            }
        }
        plot.axisRect()->setAutoMargins(QCP::msLeft | QCP::msBottom | m_autoMargins);
    }
    ~LabelledPlot() {
        for (const auto& [axis, text] : m_labels) {
            axis->setLabel(text);
        }
        m_plot.axisRect()->setAutoMargins(m_autoMargins);
        m_plot.axisRect()->setMargins(m_margins);
    }
    LabelledPlot(const LabelledPlot&) = delete;
    LabelledPlot& operator=(const LabelledPlot&) = delete;

    void restyle(bool marksFocus) const {
        if (auto* plot = dynamic_cast<ZoomPlot*>(&m_plot)) {
            plot->applyTheme(marksFocus);
        }
    }

private:
    static constexpr int kLabelPadding = 4;

    QCustomPlot& m_plot;
    QCP::MarginSides m_autoMargins;
    QMargins m_margins;
    std::vector<std::pair<QCPAxis*, QString>> m_labels;
};

// Runs `make` in the colours that the options ask for.
template<typename Make>
auto inTheme(const PictureOptions& options, const Make& make) {
    const ThemeScope scope(options.theme == PictureTheme::Window ? isPaintedDark()
                                                                 : options.theme == PictureTheme::Dark);
    return make();
}

template<typename Use>
auto withDrawing(QCustomPlot& plot, const PictureFrame& frame, const PictureOptions& options, const Use& use) {
    const auto result = inTheme(options, [&] {
        const LabelledPlot labelled(plot, frame);
        return use(Drawing{FrameLayout(frame, options.size, plot.size()), frame.title,
                           [&plot](QCPPainter& painter, const QRect& rect) {
                               plot.toPainter(&painter, rect.width(), rect.height());
                           }});
    });
    if (auto* zoomed = dynamic_cast<ZoomPlot*>(&plot)) {
        zoomed->applyTheme(true);
    }
    plot.replot(QCustomPlot::rpQueuedReplot);
    return result;
}

template<typename Use>
auto withDrawing(const Picture& picture, const PictureOptions& options, const Use& use) {
    return inTheme(options, [&] {
        return use(Drawing{FrameLayout(picture.frame, options.size, picture.shown), picture.frame.title,
                           [&picture](QCPPainter& painter, const QRect& rect) {
                               // The wider it is laid out, the lower it is, and the smaller it has to be drawn.
                               int width = rect.width();
                               const auto needs = [&] {
                                   return static_cast<double>(picture.heightFor(width)) * rect.width() / width;
                               };
                               while (needs() > rect.height() && width < 4 * rect.width()) {
                                   width += std::max(rect.width() / 8, 1);
                               }
                               const double fit = std::min(1.0, rect.height() / std::max(needs(), 1.0));
                               painter.scale(fit * rect.width() / width, fit * rect.width() / width);
                               picture.draw(painter, width);
                           }});
    });
}

QByteArray asSvg(const Drawing& drawing) {
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(drawing.layout.size());
    generator.setViewBox(QRect(QPoint(), drawing.layout.size()));
    generator.setResolution(kDotsPerInch);
    generator.setTitle(drawing.title);
    drawing.draw(generator, true);
    return buffer.data();
}

QByteArray asPdf(const Drawing& drawing) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(drawing.title);
    writer.setCreator(QStringLiteral("Gufo"));
    writer.setResolution(kDotsPerInch);
    writer.setPageMargins({});
    writer.setPageSize(
        QPageSize(QSizeF(drawing.layout.size()) * kPointsPerPixel, QPageSize::Point, {}, QPageSize::ExactMatch));
    drawing.draw(writer, true);
    return buffer.data();
}

QImage asImage(const Drawing& drawing, int scale) {
    QImage image(drawing.layout.size() * scale, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    drawing.draw(image, false, scale);
    return image;
}

Result<> writeFile(const std::filesystem::path& path, const QByteArray& bytes) {
    return writeWholeFile(path, {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

// A picture as it is written. Drawing happens immediately; packing a PNG is most of the work and is left to the job.
using Drawn = std::variant<QImage, QByteArray>;

Drawn drawn(const Drawing& drawing, PlotFormat format, int scale) {
    switch (format) {
    case PlotFormat::Png:
        break;
    case PlotFormat::Svg:
        return asSvg(drawing);
    case PlotFormat::Pdf:
        return asPdf(drawing);
    }
    return asImage(drawing, scale);
}

Job* writeDrawn(QObject* owner, Drawn picture, const std::filesystem::path& path, std::function<void(Result<>)> done) {
    return startJob<void>(
        owner,
        [picture = std::move(picture), path](const JobContext&) {
            if (const auto* bytes = std::get_if<QByteArray>(&picture)) {
                return writeFile(path, *bytes);
            }
            QBuffer buffer;
            std::get<QImage>(picture).save(&buffer, "PNG");
            return writeFile(path, buffer.data());
        },
        std::move(done));
}

} // namespace

std::span<const PlotFormatRow> plotFormats() { return kPlotFormats; }

QString plotFormatText(const char* text) { return QCoreApplication::translate("gufo::ui::PlotFormat", text); }

Job* exportPlot(QObject* owner, QCustomPlot& plot, const PictureFrame& frame, const PictureOptions& options,
                const std::filesystem::path& path, PlotFormat format, std::function<void(Result<>)> done) {
    return writeDrawn(owner,
                      withDrawing(plot, frame, options,
                                  [&](const Drawing& drawing) { return drawn(drawing, format, options.scale); }),
                      path, std::move(done));
}

Job* exportPicture(QObject* owner, const Picture& picture, const PictureOptions& options,
                   const std::filesystem::path& path, PlotFormat format, std::function<void(Result<>)> done) {
    return writeDrawn(
        owner,
        withDrawing(picture, options, [&](const Drawing& drawing) { return drawn(drawing, format, options.scale); }),
        path, std::move(done));
}

Result<> writeBytes(std::string_view bytes, const std::filesystem::path& path) {
    return writeFile(path, QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size())));
}

Job* exportText(QObject* owner, const QString& text, const std::filesystem::path& path,
                std::function<void(Result<>)> done) {
    return startJob<void>(
        owner, [text, path](const JobContext&) { return writeBytes(text.toStdString(), path); }, std::move(done));
}

void copyPicture(const Picture& picture, const PictureOptions& options) {
    QGuiApplication::clipboard()->setImage(
        withDrawing(picture, options, [&](const Drawing& drawing) { return asImage(drawing, options.scale); }));
}

void copyPlot(QCustomPlot& plot, const PictureFrame& frame, const PictureOptions& options) {
    QGuiApplication::clipboard()->setImage(
        withDrawing(plot, frame, options, [&](const Drawing& drawing) { return asImage(drawing, options.scale); }));
}

} // namespace gufo::ui
