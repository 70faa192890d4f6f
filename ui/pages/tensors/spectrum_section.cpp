#include "ui/pages/tensors/spectrum_section.h"

#include "ui/messages/figure_text.h"
#include "ui/pages/tensors/spectrum_plot.h"
#include "ui/pages/tensors/tensor_export.h"
#include "ui/plots/picture_menu.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr int kSpectrumHeight = 176;
constexpr int kEnergyWidth = 250;
constexpr int kEnergyRowHeight = 20;
constexpr int kEnergyColumns = 4;

QTableWidgetItem* energyCell(const QString& text) {
    auto* item = new QTableWidgetItem(text);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

} // namespace

SpectrumSection::SpectrumSection(QWidget* parent)
    : QWidget(parent)
    , m_axis(new SegmentedControl(tr("Axis of the singular values"), this))
    , m_measure(new QPushButton(tr("Measure"), this))
    , m_description(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_result(new QWidget(this))
    , m_plot(new SpectrumPlot(m_result))
    , m_lines(new QTableWidget(m_result))
    , m_pictures(new PictureMenu(*this))
    , m_progress(new JobBar(this)) {
    m_pictures->setPlot(*m_plot, tr("singular values"), [this] { return frame(); });
    m_pictures->addText(tr("Figures as &CSV…"), QStringLiteral(".csv"), tr("Comma-separated values (*.csv)"),
                        [this] { return csv(); });
    connect(m_pictures, &PictureMenu::message, this, &SpectrumSection::said);
    m_pictures->button()->setProperty("small", true);
    m_axis->addSegment(tr("Linear"));
    m_axis->addSegment(tr("Log"));
    m_measure->setObjectName(QStringLiteral("measureSpectrum"));
    m_measure->setProperty("small", true);
    m_measure->setToolTip(tr("Reads the whole matrix several times to find its largest singular values, and the rows "
                             "and columns with the most energy"));
    m_description->setWordWrap(true);
    m_description->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_lines->setObjectName(QStringLiteral("energyLines"));
    m_lines->setAccessibleName(tr("Rows and columns with the most energy"));
    m_lines->ensurePolished();
    m_lines->setColumnCount(kEnergyColumns);
    m_lines->setHorizontalHeaderLabels({tr("Row"), tr("Energy"), tr("Column"), tr("Energy")});
    m_lines->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_lines->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_lines->horizontalHeader()->setHighlightSections(false);
    m_lines->verticalHeader()->hide();
    m_lines->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_lines->verticalHeader()->setMinimumSectionSize(kEnergyRowHeight);
    m_lines->verticalHeader()->setDefaultSectionSize(kEnergyRowHeight);
    m_lines->setShowGrid(false);
    m_lines->setFrameShape(QFrame::NoFrame);
    m_lines->setTabKeyNavigation(false);
    m_lines->setSelectionMode(QAbstractItemView::SingleSelection);
    m_lines->setFixedWidth(kEnergyWidth);
    m_lines->setToolTip(tr("Share of the sum of all squares; a double click shows the row or column above"));
    m_plot->setMinimumHeight(kSpectrumHeight);

    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->setContentsMargins(0, 0, 8, 0);
    head->addWidget(themedLabel(tr("Singular values"), TextStyle::Section, Token::Text, this));
    head->addStretch();
    head->addWidget(m_progress);
    head->addWidget(m_axis);
    head->addWidget(m_pictures->button());
    head->addWidget(m_measure);
    auto* result = new QHBoxLayout(m_result);
    result->setContentsMargins(0, 0, 0, 0);
    result->setSpacing(20);
    result->addWidget(m_plot, 1);
    result->addWidget(m_lines);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(m_description);
    layout->addWidget(m_result, 1);

    connect(m_measure, &QPushButton::clicked, this, &SpectrumSection::measure);
    connect(m_axis, &SegmentedControl::chosen, this, [this](int axis) { m_plot->setLogarithmic(axis == 1); });
    connect(m_progress, &JobBar::cancelled, this, [this] {
        m_job.cancel();
        m_measure->setEnabled(true);
    });
    connect(m_lines, &QTableWidget::cellActivated, this, [this](int row, int column) {
        const auto line = static_cast<std::size_t>(row);
        if (m_spectrum == nullptr) {
            return;
        }
        if (column < 2 && line < m_spectrum->topRows.size()) {
            emit rowPicked(m_spectrum->topRows[line].index);
        } else if (column >= 2 && line < m_spectrum->topColumns.size()) {
            emit columnPicked(m_spectrum->topColumns[line].index);
        }
    });
    reset();
}

void SpectrumSection::reset() {
    m_job.cancel();
    m_progress->cancel();
    m_model.reset();
    take(nullptr);
    hide();
}

void SpectrumSection::setTensor(std::shared_ptr<const Model> model, TensorIndex tensor, const SliceRequest& matrix) {
    reset();
    const TensorInfo& info = model->tensor(tensor);
    m_model = std::move(model);
    m_tensor = tensor;
    m_request = {.rowDimension = matrix.rowDimension};
    m_request.fixed = matrix.fixed;
    setVisible(info.complete() && info.shape[0] > 1 && info.shape[matrix.rowDimension] > 1);
}

void SpectrumSection::measure() {
    m_measure->setEnabled(false);
    m_job.start<std::shared_ptr<const Spectrum>>(
        [model = m_model, tensor = m_tensor,
         request = m_request](const JobContext& context) -> Result<std::shared_ptr<const Spectrum>> {
            return std::make_shared<const Spectrum>(GUFO_TRY(measureSpectrum(*model, tensor, request, context)));
        },
        [this](Result<std::shared_ptr<const Spectrum>> result) {
            if (result) {
                take(*std::move(result));
                emit measured();
            } else {
                m_measure->setEnabled(true);
                emit failed(result.error());
            }
        },
        [this] { m_measure->setEnabled(true); });
    m_progress->watch(m_job.job(), tr("Measuring singular values"));
}

void SpectrumSection::take(std::shared_ptr<const Spectrum> spectrum) {
    m_spectrum = std::move(spectrum);
    const bool there = m_spectrum != nullptr;
    m_plot->setSpectrum(m_spectrum);
    m_lines->setRowCount(0);
    m_measure->setEnabled(!there);
    m_measure->setVisible(!there);
    m_axis->setVisible(there);
    m_pictures->button()->setVisible(there);
    m_result->setVisible(there);
    m_description->setVisible(there);
    if (!there) {
        return;
    }
    const Spectrum& found = *m_spectrum;
    const QString share = formatFixed(100 * found.share(found.values.size()), 1);
    const QString what = found.isWhole ? tr("All %n singular values.", nullptr, static_cast<int>(found.values.size()))
                                       : tr("The %n largest singular values hold %1 % of the energy.", nullptr,
                                            static_cast<int>(found.values.size()))
                                             .arg(share);
    const QString how = tr("Randomised subspace iteration (Halko, Martinsson, Tropp 2011), %n passes; the last one "
                           "changed no value by more than %1 %.",
                           nullptr, static_cast<int>(found.passes))
                            .arg(formatReal(100 * found.change, 2));
    QStringList texts{what, how};
    if (found.leftOut != 0) {
        texts << tr("%n weights are not finite and count as 0.", nullptr,
                    static_cast<int>(std::min<std::uint64_t>(found.leftOut, 1'000'000'000)));
    }
    m_description->setText(texts.join(u' '));
    m_lines->setRowCount(static_cast<int>(std::max(found.topRows.size(), found.topColumns.size())));
    const auto fill = [&](const std::vector<Spectrum::Line>& lines, int column) {
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const double part = found.energy > 0 ? lines[i].energy / found.energy : 0;
            m_lines->setItem(static_cast<int>(i), column, energyCell(formatCount(lines[i].index)));
            m_lines->setItem(static_cast<int>(i), column + 1,
                             energyCell(formatFixed(100 * part, 2) + QStringLiteral(" %")));
        }
    };
    fill(found.topRows, 0);
    fill(found.topColumns, 2);
}

PictureFrame SpectrumSection::frame() const {
    PictureFrame frame{.title = m_plot->accessibleName(), .lines = {}};
    if (m_model != nullptr) {
        frame.lines = tensorLines(*m_model, m_tensor);
        frame.lines << m_description->text();
    }
    frame.xLabel = tr("number");
    frame.yLabel = tr("singular value");
    frame.keys = m_plot->keys();
    return frame;
}

QString SpectrumSection::csv() const {
    QString text = QStringLiteral("number,value,share\r\n");
    for (std::size_t i = 0; m_spectrum != nullptr && i < m_spectrum->values.size(); ++i) {
        text += QString::number(i + 1) + u',' + exactText(m_spectrum->values[i]) + u',' +
                exactText(m_spectrum->share(i + 1)) + QStringLiteral("\r\n");
    }
    return text;
}

} // namespace gufo::ui

#include "moc_spectrum_section.cpp"
