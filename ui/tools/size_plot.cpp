#include "ui/tools/size_plot.h"

#include "ui/messages/figure_text.h"
#include "ui/plots/label_layout.h"
#include "ui/widgets/elided_label.h"

#include <QAccessible>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gufo::ui {
namespace {

constexpr double kMarkRadius = 4.5;
constexpr double kNearMark = 12;
constexpr double kMebibyte = 1024.0 * 1024.0;

Token inkOf(SizedFile::Kind kind) {
    switch (kind) {
    case SizedFile::Kind::Plan:
        return Token::Accent;
    case SizedFile::Kind::Mix:
        return Token::Muted;
    case SizedFile::Kind::File:
        break;
    }
    return Token::Good;
}

// Plans are circles, mixes squares and files diamonds.
void paintMark(QPainter& painter, QPointF at, SizedFile::Kind kind, bool filled) {
    const QColor ink = themeColor(inkOf(kind));
    painter.setPen(QPen(ink, 1.6));
    painter.setBrush(filled ? QBrush(ink) : QBrush(themeColor(Token::Base)));
    const double r = kMarkRadius;
    if (kind == SizedFile::Kind::Plan) {
        painter.drawEllipse(at, r, r);
    } else if (kind == SizedFile::Kind::Mix) {
        painter.drawRect(QRectF(at.x() - r + 0.5, at.y() - r + 0.5, 2 * r - 1, 2 * r - 1));
    } else {
        painter.drawPolygon(QPolygonF(
            {at + QPointF(0, -r - 1), at + QPointF(r + 1, 0), at + QPointF(0, r + 1), at + QPointF(-r - 1, 0)}));
    }
}

// Bytes on a logarithmic axis that spans few octaves.
class MebibyteTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override {
        return cleanMantissa(range.size() / kMebibyte / 6) * kMebibyte;
    }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return formatReal(tick / kMebibyte, 4); }
    int getSubTickCount(double) override { return 0; }
};

} // namespace

class SizeMarks : public QCPAbstractItem {
public:
    explicit SizeMarks(SizePlot& plot)
        : QCPAbstractItem(&plot)
        , m_plot(plot) {
        setClipToAxisRect(true);
    }
    double selectTest(const QPointF&, bool, QVariant* = nullptr) const override { return -1; }

protected:
    void draw(QCPPainter* painter) override {
        painter->setAntialiasing(true);
        const QFont font = themeFont(TextStyle::Axis);
        painter->setFont(font);
        const QRect area = m_plot.axisRect()->rect();
        if (m_plot.front().empty() && m_plot.files().empty()) {
            painter->setPen(themeColor(Token::Muted));
            painter->drawText(area.adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap,
                              SizePlot::tr("The costs are not known yet."));
            return;
        }
        const std::vector<QLineF> lines = drawFront(*painter);
        const QFontMetricsF metrics(font);
        std::vector<LabelledPoint> labels;
        std::vector<const SizedFile*> labelled;
        for (std::size_t i = 0; i < m_plot.files().size(); ++i) {
            const SizedFile& file = m_plot.files()[i];
            const auto shown = file.measured ? file.nats() : file.expected;
            if (!shown || *shown <= 0) {
                continue;
            }
            const QPointF at = m_plot.pixelOf(file.bytes, *shown);
            if (file.measured && file.expected && *file.expected > 0) {
                const QPointF expected = m_plot.pixelOf(file.bytes, *file.expected);
                painter->setPen(QPen(themeColor(inkOf(file.kind)), 1.2, Qt::DotLine));
                painter->drawLine(at, expected);
                paintMark(*painter, expected, file.kind, false);
            }
            paintMark(*painter, at, file.kind, file.measured.has_value());
            if (m_plot.chosen() == i) {
                painter->setPen(QPen(themeColor(Token::Text), 1.4));
                painter->setBrush(Qt::NoBrush);
                painter->drawEllipse(at, kMarkRadius + 4, kMarkRadius + 4);
            }
            labels.push_back({.at = at,
                              .size = {metrics.horizontalAdvance(file.name) + 2, metrics.height()},
                              .radius = kMarkRadius});
            labelled.push_back(&file);
        }
        const auto placed = layOutLabels(labels, lines, QRectF(area));
        for (std::size_t i = 0; i < placed.size(); ++i) {
            painter->setPen(themeColor(labelled[i]->kind == SizedFile::Kind::Plan ? Token::Text : Token::Muted));
            painter->drawText(placed[i], Qt::AlignCenter | Qt::TextDontClip, labelled[i]->name);
        }
        painter->setPen(themeColor(Token::Muted));
        painter->drawText(area.adjusted(8, 4, -8, 0), Qt::AlignRight | Qt::AlignTop,
                          SizePlot::tr("line: best plans; hollow: expected; filled: measured"));
    }

private:
    std::vector<QLineF> drawFront(QCPPainter& painter) const {
        std::vector<QLineF> lines;
        const auto& front = m_plot.front();
        for (std::size_t i = 1; i < front.size(); ++i) {
            if (front[i].nats > 0) {
                lines.emplace_back(m_plot.pixelOf(front[i - 1].bytes, front[i - 1].nats),
                                   m_plot.pixelOf(front[i].bytes, front[i].nats));
            }
        }
        QColor ink = themeColor(Token::Accent);
        ink.setAlphaF(0.6F);
        painter.setPen(QPen(ink, 1.4));
        for (const QLineF& line : lines) {
            painter.drawLine(line);
        }
        return lines;
    }

    SizePlot& m_plot;
};

SizePlot::SizePlot(QWidget* parent)
    : ZoomPlot(Qt::Horizontal | Qt::Vertical, parent) {
    setAccessibleName(tr("Size against KL divergence"));
    setMinimumSize(260, 170);
    axisRect()->setMinimumMargins({8, 8, 16, 4});
    xAxis->setScaleType(QCPAxis::stLogarithmic);
    xAxis->setTicker(QSharedPointer<MebibyteTicker>::create());
    xAxis->setLabel(tr("Size of the file, MiB"));
    yAxis->setScaleType(QCPAxis::stLogarithmic);
    yAxis->setTicker(QSharedPointer<DecadeTicker>::create());
    yAxis->setLabel(tr("KL divergence, nats"));
    m_marks = new SizeMarks(*this);
    restyle();
}

void SizePlot::restyle() {
    stylePlot(*this);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        styleAxisLabel(*axis, 6);
    }
    replot(rpQueuedReplot);
}

void SizePlot::setFront(std::vector<FrontPoint> front) {
    m_front = std::move(front);
    showAll();
}

void SizePlot::setFiles(std::vector<SizedFile> files) {
    m_files = std::move(files);
    m_chosen.reset();
    setAccessibleDescription(tr("%n files", nullptr, static_cast<int>(m_files.size())));
    showAll();
}

void SizePlot::showAll() {
    std::optional<QCPRange> sizes;
    std::optional<QCPRange> losses;
    const auto add = [&](std::uint64_t bytes, std::optional<double> nats) {
        if (nats && *nats > 0 && bytes > 0) {
            const QCPRange x(static_cast<double>(bytes), static_cast<double>(bytes));
            const QCPRange y(*nats, *nats);
            sizes = sizes ? sizes->expanded(x) : x;
            losses = losses ? losses->expanded(y) : y;
        }
    };
    for (const FrontPoint& point : m_front) {
        add(point.bytes, point.nats);
    }
    for (const SizedFile& file : m_files) {
        add(file.bytes, file.expected);
        add(file.bytes, file.nats());
    }
    constexpr double kAround = 1.08;
    constexpr double kAbove = 1.8;
    xAxis->setTickLabels(sizes.has_value());
    yAxis->setTickLabels(sizes.has_value());
    if (sizes) {
        xAxis->setRange(sizes->lower / kAround, sizes->upper * kAround);
        yAxis->setRange(losses->lower / kAbove, losses->upper * kAbove);
    }
    replot(rpQueuedReplot);
}

QPointF SizePlot::pixelOf(std::uint64_t bytes, double nats) const {
    return {xAxis->coordToPixel(static_cast<double>(bytes)), yAxis->coordToPixel(nats)};
}

QString SizePlot::describe(const SizedFile& file) const {
    QStringList lines{file.name, formatBytes(file.bytes)};
    if (file.expected) {
        lines << tr("expected KL divergence: %1 nats").arg(formatReal(*file.expected, 3));
    }
    if (file.measured) {
        lines << tr("measured: %1 nats").arg(formatReal(file.measured->nats.mean, 3));
    }
    if (!file.whyNot.isEmpty()) {
        lines << file.whyNot;
    }
    return lines.join(u'\n');
}

std::optional<std::size_t> SizePlot::fileAt(QPointF pixel) const {
    std::optional<std::size_t> nearest;
    double distance = kNearMark;
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        for (const auto& nats : {m_files[i].expected, m_files[i].nats()}) {
            const double away =
                nats && *nats > 0 ? QLineF(pixelOf(m_files[i].bytes, *nats), pixel).length() : kNearMark;
            if (away < distance) {
                distance = away;
                nearest = i;
            }
        }
    }
    return nearest;
}

void SizePlot::choose(std::size_t file) {
    m_chosen = file;
    setAccessibleDescription(describe(m_files[file]));
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
    replot(rpQueuedReplot);
}

bool SizePlot::step(int columns, int /*rows*/, Qt::KeyboardModifiers /*modifiers*/) {
    if (columns == 0 || m_files.empty()) {
        return false;
    }
    std::vector<std::size_t> bySize(m_files.size());
    std::iota(bySize.begin(), bySize.end(), std::size_t{0});
    std::ranges::sort(bySize, {}, [this](std::size_t i) { return std::pair(m_files[i].bytes, i); });
    const auto last = static_cast<std::ptrdiff_t>(bySize.size()) - 1;
    const auto at = m_chosen ? std::ranges::find(bySize, *m_chosen) - bySize.begin() + columns : columns > 0 ? 0 : last;
    choose(bySize[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, last))]);
    return true;
}

void SizePlot::mouseMoveEvent(QMouseEvent* event) {
    QCustomPlot::mouseMoveEvent(event);
    if (const auto file = fileAt(event->position())) {
        QToolTip::showText(event->globalPosition().toPoint(), plainToolTip(describe(m_files[*file])), this);
    } else {
        QToolTip::hideText();
    }
}

void SizePlot::mousePressEvent(QMouseEvent* event) {
    QCustomPlot::mousePressEvent(event);
    if (const auto file = fileAt(event->position())) {
        choose(*file);
    }
}

} // namespace gufo::ui

#include "moc_size_plot.cpp"
