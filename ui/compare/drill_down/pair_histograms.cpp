#include "ui/compare/drill_down/pair_histograms.h"

#include "ui/compare/drill_down/series_histogram.h"
#include "ui/compare/series_legend.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr std::uint32_t kBins = 240;

Result<std::vector<Histogram>> valuesOf(const MatchedRow& row, const std::vector<std::size_t>& files,
                                        const HistogramRequest& request, const JobContext& job) {
    std::vector<PartOf> parts;
    std::ranges::transform(files, std::back_inserter(parts), [&](std::size_t file) { return row.of(file); });
    return valueHistograms(parts, request, job);
}

// Counts the errors of several files with common bin edges; without a range, the range of all files is used.
Result<std::vector<Histogram>> errorsOf(const MatchedRow& row, const std::vector<std::size_t>& files,
                                        HistogramRequest request, const JobContext& job) {
    const auto count = [&]() -> Result<std::vector<Histogram>> {
        std::vector<Histogram> histograms;
        for (const std::size_t file : files) {
            auto one = GUFO_TRY(errorHistogram(row.reference(), row.of(file), request, job));
            histograms.push_back(std::move(one));
        }
        return histograms;
    };
    auto first = count();
    if (!first || request.range) {
        return first;
    }
    double widest = 0;
    for (const Histogram& one : *first) {
        widest = std::max({widest, std::abs(one.lo), std::abs(one.hi)});
    }
    if (std::ranges::all_of(*first, [&](const Histogram& one) { return one.hi == widest; })) {
        return first;
    }
    request.range = {-widest, widest};
    return count();
}

constexpr int kColumnGap = 16;
constexpr int kTitleGap = 10;

QVBoxLayout* titled(QHBoxLayout* head, QWidget* title, QWidget* note, QWidget* plot) {
    head->setSpacing(kTitleGap);
    head->addWidget(title);
    head->addWidget(note, 1);
    auto* column = new QVBoxLayout;
    column->setSpacing(2);
    column->addLayout(head);
    column->addWidget(plot, 1);
    return column;
}

} // namespace

PairHistograms::PairHistograms(Comparison& comparison, QWidget* parent)
    : QWidget(parent)
    , m_comparison(comparison)
    , m_column(new QVBoxLayout(this))
    , m_head(new QHBoxLayout)
    , m_valuesTitle(themedLabel(tr("Weights"), TextStyle::Table, Token::Text, this))
    , m_legend(new SeriesLegend(this))
    , m_errorTitle(new ElidedLabel(TextStyle::Table, Token::Text, Qt::ElideMiddle, this))
    , m_values(new SeriesHistogram(this))
    , m_errors(new SeriesHistogram(this)) {
    m_values->setAccessibleName(tr("Histogram of the weights"));
    m_errors->setAccessibleName(tr("Histogram of the errors"));
    m_errorTitle->setText(tr("Error"));
    QLabel* unit = themedLabel(tr("weights per bin, log"), TextStyle::Axis, Token::Muted, this);
    unit->setAlignment(Qt::AlignRight);
    auto* row = new QHBoxLayout;
    row->setSpacing(kColumnGap);
    row->addLayout(titled(m_head, m_valuesTitle, m_legend, m_values), 1);
    row->addLayout(titled(new QHBoxLayout, m_errorTitle, unit, m_errors), 1);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(2);
    m_column->addLayout(row, 1);
    connect(m_values, &SeriesHistogram::recountWanted, this, [this](double lo, double hi) {
        if (!m_values->content().empty()) {
            countValues({{lo, hi}});
        }
    });
    connect(m_errors, &SeriesHistogram::recountWanted, this, [this](double lo, double hi) {
        if (!m_errors->content().empty()) {
            countErrors({{lo, hi}});
        }
    });
}

void PairHistograms::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeLegend();
}

void PairHistograms::placeLegend() {
    const int room = (width() - kColumnGap) / 2 - m_valuesTitle->sizeHint().width() - kTitleGap;
    const bool legendIsBelow = m_legend->sizeHint().width() > room;
    if (legendIsBelow == m_legendIsBelow) {
        return;
    }
    m_legendIsBelow = legendIsBelow;
    if (legendIsBelow) {
        m_head->removeWidget(m_legend);
        m_column->insertWidget(0, m_legend);
    } else {
        m_column->removeWidget(m_legend);
        m_head->addWidget(m_legend, 1);
    }
}

void PairHistograms::cancel() {
    m_valueJob.cancel();
    m_errorJob.cancel();
}

void PairHistograms::clear() {
    cancel();
    m_values->clear();
    m_errors->clear();
}

void PairHistograms::setRow(MatchedRow row, std::vector<std::size_t> files) {
    m_row = std::move(row);
    m_files = std::move(files);
    const std::size_t reference = m_comparison.reference();
    std::vector<SeriesLegend::Entry> entries{
        {m_comparison.files()[reference].label, m_comparison.files()[reference].series}};
    for (const std::size_t file : m_files) {
        entries.push_back({m_comparison.files()[file].label, m_comparison.files()[file].series});
    }
    m_errorTitle->setText(tr("Error: file − %1").arg(entries.front().label));
    m_legend->setEntries(std::move(entries));
    placeLegend();
    countValues({});
    countErrors({});
}

void PairHistograms::countValues(const Range& range) {
    std::vector<std::size_t> files{m_comparison.reference()};
    files.insert(files.end(), m_files.begin(), m_files.end());
    m_valueJob.start<std::vector<Histogram>>(
        [row = m_row, files, range](const JobContext& context) {
            return valuesOf(row, files, {.bins = kBins, .range = range}, context);
        },
        [this, files, again = range.has_value()](Result<std::vector<Histogram>> histograms) {
            take(*m_values, files, std::move(histograms), again);
        });
    emit started(m_valueJob.job(), tr("Counting weights"));
}

void PairHistograms::countErrors(const Range& range) {
    m_errorJob.start<std::vector<Histogram>>(
        [row = m_row, files = m_files, range](const JobContext& context) {
            return errorsOf(row, files, {.bins = kBins, .range = range}, context);
        },
        [this, files = m_files, again = range.has_value()](Result<std::vector<Histogram>> histograms) {
            take(*m_errors, files, std::move(histograms), again);
        });
    if (range) { // otherwise the weights are being counted, which is already shown
        emit started(m_errorJob.job(), tr("Counting errors"));
    }
}

void PairHistograms::take(SeriesHistogram& plot, const std::vector<std::size_t>& files,
                          Result<std::vector<Histogram>> histograms, bool again) {
    if (!histograms) {
        if (!again) {
            emit failed(histograms.error());
        }
        return;
    }
    if (again) {
        plot.setRecount(std::move(*histograms));
        return;
    }
    std::vector<SeriesHistogram::Series> series;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const ComparedFile& file = m_comparison.files()[files[i]];
        series.push_back({file.label, file.series, std::move((*histograms)[i])});
    }
    plot.setContent(std::move(series));
}

} // namespace gufo::ui

#include "moc_pair_histograms.cpp"
