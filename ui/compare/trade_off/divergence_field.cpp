#include "ui/compare/trade_off/divergence_field.h"

#include "ui/compare/trade_off/divergence_measure.h"
#include "ui/document/fetching.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/tools/measured_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/keep_focus.h"
#include "ui/widgets/text_color.h"

#include <QFileDialog>
#include <QHBoxLayout>

#include <algorithm>

namespace gufo::ui {

DivergenceField::DivergenceField(Comparison& comparison, QWidget* parent)
    : QWidget(parent)
    , m_comparison(comparison)
    , m_name(new ElidedLabel(TextStyle::Body, Token::Muted, Qt::ElideMiddle, this))
    , m_choose(new QPushButton(tr("Choose text…"), this))
    , m_measure(new QPushButton(tr("Measure"), this))
    , m_progress(new JobBar(this))
    , m_notes(themedLabel({}, TextStyle::Axis, Token::Muted, this)) {
    m_notes->setObjectName(QStringLiteral("notes"));
    m_measure->setObjectName(QStringLiteral("measureButton"));
    m_choose->setToolTip(tr("A text on which all files are run: the KL divergence of their predictions from those of "
                            "the reference also shows what an importance matrix gains"));
    m_notes->setWordWrap(true);
    m_notes->hide();
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(themedLabel(tr("KL divergence"), TextStyle::Table, Token::Muted, this));
    row->addWidget(m_name, 1);
    auto* buttons = new QHBoxLayout; // below, because the side is narrow
    buttons->setSpacing(8);
    buttons->addWidget(m_choose);
    buttons->addWidget(m_measure);
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 8, 16, 8);
    column->setSpacing(4);
    column->addLayout(row);
    column->addLayout(buttons);
    column->addWidget(m_progress);
    column->addWidget(m_notes);
    connect(m_choose, &QPushButton::clicked, this, &DivergenceField::choose);
    connect(m_measure, &QPushButton::clicked, this, &DivergenceField::measure);
    connect(m_progress, &JobBar::cancelled, this, [this] {
        m_job.cancel();
        finish(false);
    });
    connect(&comparison, &Comparison::filesChanged, this, [this] {
        m_job.cancel();
        updateState();
    });
    connect(&comparison, &Comparison::matched, this, &DivergenceField::recall);
    connect(&comparison, &Comparison::divergencesMeasured, this, &DivergenceField::updateState);
    updateState();
}

void DivergenceField::choose() {
    auto* dialog = new QFileDialog(window(), tr("Choose a text"), {}, tr("Texts (*.txt *.raw *.md);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    rememberFolder(*dialog, FolderFor::Imports);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { setText(fromQtPath(file)); });
    dialog->open();
}

void DivergenceField::setText(const std::filesystem::path& text) {
    if (text != m_text) {
        m_comparison.setDivergences(m_comparison.referencePlace(), {}, {}); // of the earlier text
    }
    m_text = text;
    recall();
}

QString DivergenceField::whyNot() const {
    const auto& files = m_comparison.files();
    if (files.empty()) {
        return tr("No file is open");
    }
    if (const Measurable can = canMeasure(*files[m_comparison.reference()].model); !can) {
        return tr("The reference cannot be run: %1").arg(can.error());
    }
    if (m_text.empty()) {
        return tr("Choose a text first");
    }
    const auto remote = std::ranges::find_if(files, [](const ComparedFile& file) { return isOnServer(*file.model); });
    return remote != files.end() ? tr("%1 is on a server: download it to run it.").arg(remote->label) : QString();
}

void DivergenceField::updateState() {
    m_name->setText(m_text.empty() ? tr("no text") : fileNameText(m_text));
    const QString reason = whyNot();
    setEnabledKeepingFocus(*m_measure, reason.isEmpty() && m_comparison.matches() != nullptr && !m_job.isRunning(),
                           *this);
    m_measure->setToolTip(reason.isEmpty() ? tr("Run all files on the text") : reason);
    QStringList notes = m_whyNot;
    if (const QString& text = m_comparison.divergenceText(); !text.isEmpty() && !m_job.isRunning()) {
        notes.prepend(tr("Measured on %1").arg(text));
    }
    m_notes->setText(notes.join(u'\n'));
    m_notes->setVisible(!notes.isEmpty());
}

void DivergenceField::recall() {
    m_whyNot.clear();
    m_figures.clear();
    m_job.cancel();
    if (m_comparison.matches() != nullptr && whyNot().isEmpty()) {
        next(0, true);
    }
    updateState();
}

void DivergenceField::measure() {
    if (m_comparison.matches() == nullptr || !whyNot().isEmpty()) {
        return;
    }
    m_whyNot.clear();
    m_figures.clear();
    next(0, false);
    updateState();
}

void DivergenceField::next(std::size_t index, bool onlyKept) {
    const std::vector<std::size_t> others = m_comparison.others();
    if (index >= others.size()) {
        finish(onlyKept);
        return;
    }
    const ComparedFile& file = m_comparison.files()[others[index]];
    DivergenceRequest request{.reference = m_comparison.files()[m_comparison.reference()].model,
                              .other = file.model,
                              .text = m_text,
                              .onlyKept = onlyKept};
    Job* job = m_job.start<MeasuredDivergence>(
        [request = std::move(request)](const JobContext& context) {
            return measureDivergence(request, keptDivergences(), context);
        },
        [this, index, onlyKept, place = file.place, label = file.label](const Result<MeasuredDivergence>& result) {
            if (!result) { // of the text or the reference, so the others would fail too
                if (!onlyKept) {
                    m_whyNot << errorLine(result.error());
                }
                finish(onlyKept);
                return;
            }
            if (result->nats) {
                m_figures.insert_or_assign(place, *result->nats);
            } else if (!onlyKept) {
                m_whyNot << tr("%1 has no figure. %2").arg(label, result->whyNot);
            }
            next(index + 1, onlyKept);
        });
    if (!onlyKept) {
        m_progress->watch(job, tr("Running %1 (%2 of %3)").arg(file.label).arg(index + 1).arg(others.size()));
    }
}

// What was measured before it was cancelled stays.
void DivergenceField::finish(bool onlyKept) {
    if (!m_figures.empty()) {
        m_comparison.setDivergences(m_comparison.referencePlace(), m_figures, fileNameText(m_text));
        if (!onlyKept) {
            emit measured();
        }
    }
    updateState();
}

} // namespace gufo::ui

#include "moc_divergence_field.cpp"
