#include "ui/tools/pairing_dialog.h"

#include "pairing/pairing.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/job_dialog.h"
#include "ui/widgets/text_color.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace gufo::ui {

PairingDialog::PairingDialog(const std::vector<std::filesystem::path>& open, QWidget* parent)
    : QDialog(parent)
    , m_verdict(themedLabel({}, TextStyle::Section, Token::Text, this))
    , m_reasons(themedLabel({}, TextStyle::Body, Token::Text, this))
    , m_bar(new JobBar(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Check Pairing"));
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setHorizontalSpacing(12);
    form->setVerticalSpacing(10);
    const std::array<QString, 2> labels{tr("&Model"), tr("&Other file")};
    for (std::size_t side = 0; side < m_files.size(); ++side) {
        auto* field = new QComboBox(this);
        field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        field->setMinimumContentsLength(20);
        field->setPlaceholderText(tr("not chosen yet"));
        field->addItem(tr("Choose a file…"));
        for (const std::filesystem::path& path : open) {
            addPath(field, path);
        }
        auto* label = new QLabel(labels.at(side), this);
        label->setBuddy(field);
        form->addRow(label, field);
        m_files.at(side) = field;
        field->setCurrentIndex(-1);
        connect(field, &QComboBox::activated, this, [this, side](int row) { chosen(side, row); });
    }
    m_reasons->setWordWrap(true);
    m_reasons->setTextFormat(Qt::PlainText);
    m_reasons->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_reasons->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(m_reasons);
    auto* closeButton = new QPushButton(tr("Close"), this);
    connect(closeButton, &QPushButton::clicked, this, &QDialog::close);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_bar, 1);
    buttons->addStretch();
    buttons->addWidget(closeButton);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(10);
    auto* about = themedLabel(tr("One file is a model, the other a projector (mmproj), a LoRA adapter, an importance "
                                 "matrix, a smaller model that drafts, or prediction blocks. No weights are read."),
                              TextStyle::Table, Token::Muted, this);
    about->setWordWrap(true);
    column->addWidget(about);
    column->addLayout(form);
    column->addWidget(m_verdict);
    column->addWidget(scroll, 1);
    column->addLayout(buttons);
    resizeOverWindow(*this, {620, 400});
    for (std::size_t side = 0; side < m_files.size() && side < open.size(); ++side) {
        m_files.at(side)->setCurrentIndex(static_cast<int>(side) + 1); // after "Choose a file…"
    }
    check();
}

void PairingDialog::addPath(QComboBox* field, const std::filesystem::path& path) {
    field->addItem(fileNameText(path), encodePath(path));
    field->setItemData(field->count() - 1, plainToolTip(displayPath(path)), Qt::ToolTipRole);
}

std::filesystem::path PairingDialog::path(std::size_t side) const {
    return decodePath(m_files.at(side)->currentData().toString());
}

void PairingDialog::setPath(std::size_t side, const std::filesystem::path& path) {
    select(side, path);
    check();
}

void PairingDialog::select(std::size_t side, const std::filesystem::path& path) {
    QComboBox* field = m_files.at(side);
    if (field->findData(encodePath(path)) < 0) {
        addPath(field, path);
    }
    field->setCurrentIndex(field->findData(encodePath(path)));
}

void PairingDialog::chosen(std::size_t side, int row) {
    if (row == 0) {
        m_files.at(side)->setCurrentIndex(-1);
        choose(side);
    }
    check();
}

void PairingDialog::choose(std::size_t side) {
    auto* dialog = new QFileDialog(this, side == 0 ? tr("Choose the model") : tr("Choose the other file"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    rememberFolder(*dialog, FolderFor::Imports);
    dialog->setNameFilters({openModelFilter(), tr("All files (*)")}); // importance matrices have any suffix
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, side](const QString& file) { setPath(side, fromQtPath(file)); });
    dialog->open();
}

void PairingDialog::check() {
    m_job.cancel();
    const std::array<std::filesystem::path, 2> files{path(0), path(1)};
    if (files[0].empty() || files[1].empty()) {
        say({}, Token::Muted, tr("Choose two files."));
        return;
    }
    say({}, Token::Muted, {});
    Job* job = m_job.start<Pairing>(
        [files](const JobContext& context) -> Result<Pairing> {
            const PairFile first = GUFO_TRY(openPairFile(files[0], context));
            const PairFile second = GUFO_TRY(openPairFile(files[1], context));
            return checkPairing(first, second, context);
        },
        [this](const Result<Pairing>& pairing) { answer(pairing); });
    m_bar->watch(job, tr("Comparing"));
}

void PairingDialog::answer(const Result<Pairing>& pairing) {
    if (!pairing) {
        say(tr("The files could not be compared"), Token::ErrorText, errorLine(pairing.error()));
        emit answered();
        return;
    }
    QString text;
    for (const PairReason& reason : pairing->reasons) {
        QString sentence = pairReasonText(reason);
        sentence.replace(0, 1, sentence.left(1).toUpper());
        text += sentence + QStringLiteral(".\n");
        if (const QString remedy = pairRemedyText(reason); !remedy.isEmpty()) {
            text += remedy + u'\n';
        }
        text += u'\n';
    }
    if (pairing->isSecondModel) { // the fields are named by what the files are, not by who chose them first
        const std::array<std::filesystem::path, 2> files{path(0), path(1)};
        select(0, files[1]);
        select(1, files[0]);
    }
    const PairVerdict verdict = pairing->verdict();
    say(tr("%1: %2").arg(pairVerdictText(verdict), pairKindText(pairing->kind)),
        verdict == PairVerdict::Fits      ? Token::Good
        : verdict == PairVerdict::Limited ? Token::WarningText
                                          : Token::ErrorText,
        text.trimmed());
    emit answered();
}

void PairingDialog::say(const QString& verdict, Token color, const QString& reasons) {
    setTextColor(m_verdict, color);
    m_verdict->setText(verdict);
    m_reasons->setText(reasons);
}

QString PairingDialog::verdict() const { return m_verdict->text(); }

QString PairingDialog::reasons() const { return m_reasons->text(); }

} // namespace gufo::ui

#include "moc_pairing_dialog.cpp"
