// A paint device that records what a widget paints as text, such as an elided label or the ticks of a plot:
//   TextRecorder recorder(widget->size());
//   widget->render(&recorder, {}, {}, {}); // without its children
#pragma once

#include <QColor>
#include <QImage>
#include <QList>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>
#include <QStringList>

#include <algorithm>

namespace gufo::test {

class TextRecorder : public QPaintDevice {
public:
    explicit TextRecorder(QSize size)
        : m_size(size)
        , m_engine(this) {}
    [[nodiscard]] QPaintEngine* paintEngine() const override { return &m_engine; }
    struct Painted {
        QString text;
        QRectF place;
        QColor color;
    };
    QStringList texts;
    QStringList outside; // those that reach beyond its left or right edge
    QList<Painted> painted;

protected:
    [[nodiscard]] int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        case PdmDepth:
            return 32;
        case PdmNumColors:
            return 1 << 24;
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return 96;
        default:
            return QPaintDevice::metric(metric);
        }
    }

private:
    class Engine : public QPaintEngine {
    public:
        explicit Engine(TextRecorder* owner)
            : QPaintEngine(AllFeatures)
            , m_owner(owner) {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState&) override {}
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
        void drawPath(const QPainterPath&) override {}
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
        void drawPolygon(const QPoint*, int, PolygonDrawMode) override {}
        [[nodiscard]] Type type() const override { return User; }
        void drawTextItem(const QPointF& at, const QTextItem& item) override {
            m_owner->texts << item.text();
            const QRectF place(at.x(), at.y() - item.ascent(), item.width(), item.ascent() + item.descent());
            m_owner->painted.append(
                {item.text(), painter()->combinedTransform().mapRect(place), painter()->pen().color()});
            const QPointF from = painter()->combinedTransform().map(at);
            const QPointF to = painter()->combinedTransform().map(at + QPointF(item.width(), 0));
            if (std::max(from.x(), to.x()) > m_owner->m_size.width() + 1 || std::min(from.x(), to.x()) < -1) {
                m_owner->outside << item.text();
            }
        }

    private:
        TextRecorder* m_owner;
    };
    QSize m_size;
    mutable Engine m_engine;
};

} // namespace gufo::test
