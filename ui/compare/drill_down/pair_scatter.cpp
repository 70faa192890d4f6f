#include "ui/compare/drill_down/pair_scatter.h"

#include "ui/compare/drill_down/density_plot.h"

#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr std::uint32_t kBins = 180;

} // namespace

PairScatter::PairScatter(Comparison& comparison, QWidget* parent)
    : QWidget(parent)
    , m_comparison(comparison)
    , m_plot(new DensityPlot(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    setFocusProxy(m_plot);
    connect(m_plot, &DensityPlot::recountWanted, this, [this](double lo, double hi) {
        if (m_plot->content().bins != 0) {
            count({{lo, hi}});
        }
    });
}

void PairScatter::clear() {
    cancel();
    m_plot->clear();
}

void PairScatter::setPair(MatchedRow row, std::size_t file) {
    m_row = std::move(row);
    m_file = file;
    m_plot->setNames(m_comparison.files()[m_comparison.reference()].label, m_comparison.files()[file].label);
    count({});
}

void PairScatter::count(const std::optional<std::array<double, 2>>& range) {
    m_job.start<PairDensity>(
        [row = m_row, file = m_file, range](const JobContext& context) {
            return pairDensity(row.reference(), row.of(file), {.bins = kBins, .range = range}, context);
        },
        [this, again = range.has_value()](Result<PairDensity> density) {
            if (density && again) {
                m_plot->setRecount(std::move(*density));
            } else if (density) {
                m_plot->setContent(std::move(*density));
            } else if (!again) {
                emit failed(density.error());
            }
        });
    emit started(m_job.job(), tr("Counting pairs"));
}

} // namespace gufo::ui

#include "moc_pair_scatter.cpp"
