#include "ui/compare/behaviour/behaviour_field.h"

#include "ui/document/fetching.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/report/metric.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/tools/measured_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/keep_focus.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_color.h"

#include <QFileDialog>
#include <QHBoxLayout>

#include <algorithm>

namespace gufo::ui {

BehaviourField::BehaviourField(Comparison& comparison, QWidget* parent)
    : QWidget(parent)
    , m_comparison(comparison)
    , m_name(new ElidedLabel(TextStyle::Body, Token::Muted, Qt::ElideMiddle, this))
    , m_choose(new QPushButton(tr("Choose text…"), this))
    , m_detail(new QComboBox(this))
    , m_measure(new QPushButton(tr("Measure"), this))
    , m_view(new SegmentedControl(tr("View of the behaviour"), this))
    , m_progress(new JobBar(this))
    , m_notes(new ElidedLabel(TextStyle::Axis, Token::Muted, Qt::ElideRight, this)) {
    m_choose->setToolTip(tr("A text over which tensors are swapped between the files; its first 512 tokens count"));
    m_detail->setAccessibleName(tr("What is swapped together"));
    m_detail->setToolTip(tr("The fewer tensors are swapped together, the more runs it takes"));
    m_detail->addItem(tr("By block"), static_cast<int>(BehaviourDetail::Blocks));
    m_detail->addItem(tr("Worst blocks by tensor"), static_cast<int>(BehaviourDetail::WorstBlocks));
    m_detail->addItem(tr("Chosen block by tensor"), static_cast<int>(BehaviourDetail::ChosenBlock));
    m_detail->addItem(tr("By role"), static_cast<int>(BehaviourDetail::Roles));
    m_detail->addItem(tr("By tensor"), static_cast<int>(BehaviourDetail::Tensors));
    m_detail->addItem(tr("By expert"), static_cast<int>(BehaviourDetail::Experts));
    m_view->addSegment(tr("Map"), {}, tr("By block and role"));
    m_view->addSegment(tr("Scatter"), {}, tr("Which tensors are worse than their weight error says?"));
    m_view->addSegment(tr("Layers"), {}, tr("After which block, and at which token, do the states part?"));
    constexpr int kDetailLetters = 12;
    constexpr int kDetailWidth = 230;
    m_detail->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // shrinks in narrow windows
    m_detail->setMinimumContentsLength(kDetailLetters);
    m_detail->setMaximumWidth(kDetailWidth);
    m_notes->setAccessibleName(tr("Figures and cost of the measurement"));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_name, 1);
    row->addWidget(m_choose);
    row->addWidget(m_detail, 1);
    row->addWidget(m_measure);
    row->addWidget(m_view);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(row);
    column->addWidget(m_progress);
    column->addWidget(m_notes);
    connect(m_choose, &QPushButton::clicked, this, &BehaviourField::choose);
    connect(m_measure, &QPushButton::clicked, this, &BehaviourField::measure);
    connect(m_view, &SegmentedControl::chosen, this, &BehaviourField::viewChosen);
    connect(m_detail, &QComboBox::currentIndexChanged, this, &BehaviourField::estimate);
    connect(m_progress, &JobBar::cancelled, this, [this] {
        m_job.cancel();
        finish();
    });
    connect(&comparison, &Comparison::filesChanged, this, [this] {
        m_job.cancel();
        m_estimate.cancel();
        m_whyNot.clear();
        m_cost.clear();
        updateState();
    });
    connect(&comparison, &Comparison::matched, this, &BehaviourField::estimate);
    connect(&comparison, &Comparison::behavioursMeasured, this, &BehaviourField::updateState);
    updateState();
}

BehaviourDetail BehaviourField::detail() const { return static_cast<BehaviourDetail>(m_detail->currentData().toInt()); }

void BehaviourField::setDetail(BehaviourDetail detail) {
    m_detail->setCurrentIndex(m_detail->findData(static_cast<int>(detail)));
}

void BehaviourField::setBlock(std::optional<std::uint32_t> block) {
    if (block == m_block) {
        return;
    }
    m_block = block;
    m_detail->setItemText(m_detail->findData(static_cast<int>(BehaviourDetail::ChosenBlock)),
                          block ? tr("Block %1 by tensor").arg(*block) : tr("Chosen block by tensor"));
    if (detail() == BehaviourDetail::ChosenBlock && !isBusy()) {
        estimate();
    }
}

void BehaviourField::refine(std::uint32_t block) {
    if (!isBusy()) {
        setBlock(block);
        setDetail(BehaviourDetail::ChosenBlock);
        measure();
    }
}

BehaviourRequest BehaviourField::requestOf(std::size_t file) const {
    return {.reference = m_comparison.files()[m_comparison.reference()].model,
            .other = m_comparison.files()[file].model,
            .text = m_text,
            .detail = detail(),
            .block = m_block.value_or(0),
            .known = m_comparison.behaviour(file)};
}

QString BehaviourField::notesText() const { return m_notes->text(); }

void BehaviourField::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    estimate();
}

void BehaviourField::choose() {
    auto* dialog = new QFileDialog(window(), tr("Choose a text"), {}, tr("Texts (*.txt *.raw *.md);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    rememberFolder(*dialog, FolderFor::Imports);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        const std::filesystem::path path = fromQtPath(file);
        setText({.file = path, .tokens = {}, .title = fileNameText(path)});
    });
    dialog->open();
}

void BehaviourField::setText(BehaviourText text) {
    if (text == m_text) {
        return;
    }
    m_text = std::move(text);
    m_job.cancel();
    m_whyNot.clear();
    m_comparison.setBehaviours(m_comparison.referencePlace(), {}, {}); // of the earlier text
    updateState();
}

QString BehaviourField::whyNot() const {
    const auto& files = m_comparison.files();
    if (files.empty()) {
        return tr("No file is open");
    }
    if (const Measurable can = canMeasure(*files[m_comparison.reference()].model); !can) {
        return tr("The reference cannot be run: %1").arg(can.error());
    }
    const auto remote = std::ranges::find_if(files, [](const ComparedFile& file) { return isOnServer(*file.model); });
    return remote != files.end() ? tr("%1 is on a server: download it to run it.").arg(remote->label) : QString();
}

// Of each file: the whole, and what the parts add up to.
QStringList BehaviourField::figures() const {
    QStringList lines;
    const MetricFact& nats = metricFact(Metric::Divergence);
    std::size_t positions = 0;
    for (const std::size_t file : m_comparison.others()) {
        const auto found = m_comparison.behaviour(file);
        if (found == nullptr) {
            continue;
        }
        const auto sum = [&](double interaction) { return metricText(nats, found->total - interaction); };
        lines << tr("%1: %2 nats; its parts %3 swapped in (interaction %4), %5 restored (interaction %6).")
                     .arg(m_comparison.files()[file].label, metricText(nats, found->total),
                          sum(found->interactionFromOther), metricText(nats, found->interactionFromOther),
                          sum(found->interactionRestored), metricText(nats, found->interactionRestored));
        positions = found->positions;
    }
    if (!lines.isEmpty()) {
        lines << tr("Mean of %n positions of %1; what the parts do not add up to is interaction.", nullptr,
                    numerus(positions))
                     .arg(m_comparison.behaviourText());
    }
    return lines;
}

void BehaviourField::updateState() {
    m_name->setText(m_text.isEmpty() ? tr("no text") : m_text.title);
    const QString reason = whyNot();
    const bool needsBlock = detail() == BehaviourDetail::ChosenBlock && !m_block;
    const bool can = reason.isEmpty() && !m_text.isEmpty() && m_comparison.matches() != nullptr && !needsBlock;
    setEnabledKeepingFocus(*m_measure, can && !isBusy(), *this);
    m_measure->setToolTip(!reason.isEmpty()  ? reason
                          : m_text.isEmpty() ? tr("Choose a text first")
                          : needsBlock       ? tr("Choose a tensor of the block first")
                                             : tr("Swap tensors between the files and run the text"));
    m_choose->setEnabled(!isBusy());
    m_detail->setEnabled(!isBusy());
    QStringList notes = figures() + m_whyNot;
    if (notes.isEmpty()) {
        notes << (!reason.isEmpty() ? reason
                  : m_text.isEmpty()
                      ? tr("Which tensors change the answers? Each part is swapped into the reference, and restored in "
                           "the other file, while a text runs. Choose a text.")
                      : m_cost);
    } else if (m_measuredAs != std::pair(detail(), m_block) && !m_cost.isEmpty() && !isBusy()) {
        notes.prepend(m_cost); // of what would be measured next
    }
    m_notes->setText(notes.join(u' '));
}

void BehaviourField::estimate() {
    m_estimate.cancel();
    m_cost.clear();
    if (isVisible() && m_comparison.matches() != nullptr && whyNot().isEmpty()) {
        std::vector<BehaviourRequest> requests;
        for (const std::size_t file : m_comparison.others()) {
            requests.push_back(requestOf(file));
        }
        m_estimate.start<BehaviourCost>(
            [requests = std::move(requests)](const JobContext& context) -> Result<BehaviourCost> {
                BehaviourCost all;
                for (const BehaviourRequest& request : requests) {
                    const BehaviourCost one = GUFO_TRY(behaviourCost(request, context));
                    all.parts += one.parts;
                    all.runs += one.runs;
                }
                return all;
            },
            [this](const Result<BehaviourCost>& cost) {
                m_cost = !cost ? errorLine(cost.error())
                               : tr("%n parts differ; measuring them takes as long as running the text %1 times.",
                                    nullptr, numerus(cost->parts))
                                     .arg(formatReal(cost->runs, 2));
                updateState();
            });
    }
    updateState();
}

void BehaviourField::measure() {
    if (m_comparison.matches() == nullptr || m_text.isEmpty() || !whyNot().isEmpty()) {
        return;
    }
    m_whyNot.clear();
    m_found.clear();
    m_measuredAs = {detail(), m_block};
    if (detail() == BehaviourDetail::ChosenBlock) { // files that cannot be refined keep what they have
        for (const std::size_t file : m_comparison.others()) {
            if (auto known = m_comparison.behaviour(file)) {
                m_found.emplace(m_comparison.files()[file].place, std::move(known));
            }
        }
    }
    next(0);
    updateState();
}

void BehaviourField::next(std::size_t index) {
    const std::vector<std::size_t> others = m_comparison.others();
    if (index >= others.size()) {
        finish();
        return;
    }
    const ComparedFile& file = m_comparison.files()[others[index]];
    BehaviourRequest request = requestOf(others[index]);
    Job* job = m_job.start<MeasuredBehaviour>(
        [request = std::move(request)](const JobContext& context) { return measureBehaviour(request, context); },
        [this, index, place = file.place, label = file.label](const Result<MeasuredBehaviour>& result) {
            if (!result) { // of the text or the reference, so the others would fail too
                m_whyNot << errorLine(result.error());
                finish();
                return;
            }
            if (result->found != nullptr) {
                m_found.insert_or_assign(place, result->found);
            } else {
                m_whyNot << tr("%1 has no figures. %2").arg(label, result->whyNot);
            }
            next(index + 1);
        });
    m_progress->watch(job, tr("Swapping tensors of %1 (%2 of %3)").arg(file.label).arg(index + 1).arg(others.size()));
}

// What was measured before it was cancelled stays.
void BehaviourField::finish() {
    if (!m_found.empty()) {
        m_comparison.setBehaviours(m_comparison.referencePlace(), m_found, m_text.title);
        emit measured();
    }
    updateState();
}

} // namespace gufo::ui

#include "moc_behaviour_field.cpp"
