#include "ui/hub/origin_check_dialog.h"

#include "document/header_update.h"
#include "document/open_model.h"
#include "hub/repository_models.h"
#include "ui/document/model_document.h"
#include "ui/hub/address_field.h"
#include "ui/hub/downloads.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/native_path.h"
#include "ui/shell/places.h"
#include "ui/theme/style.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include <algorithm>
#include <random>
#include <utility>

namespace gufo::ui {
namespace {

constexpr int kCheckWidth = 640;

bool isSame(const hub::FileVerification& file) {
    return file.verdict == hub::Verdict::Same || file.verdict == hub::Verdict::SameParts;
}

QString verdictText(const hub::FileVerification& file) {
    switch (file.verdict) {
    case hub::Verdict::Same:
        return OriginCheckDialog::tr("This is the file of the server: its SHA-256 is the same.");
    case hub::Verdict::SameParts:
        return OriginCheckDialog::tr("Its header and random parts, %1 in all, are those of the server's file. Only the "
                                     "whole check proves that all of it is.")
            .arg(formatBytes(file.comparedBytes));
    case hub::Verdict::OtherSize:
        return OriginCheckDialog::tr("This is another file: its size differs from that of the server's.");
    case hub::Verdict::OtherBytes:
        break;
    }
    return file.differingPart ? OriginCheckDialog::tr("This is another file: it differs between byte %1 and byte %2.")
                                    .arg(formatCount(file.differingPart->offset),
                                         formatCount(file.differingPart->offset + file.differingPart->length))
                              : OriginCheckDialog::tr(
                                    "This is another file: its SHA-256 differs from the one that the server states.");
}

} // namespace

OriginCheckDialog::OriginCheckDialog(std::filesystem::path file, ModelDocument* document, QWidget* parent)
    : QDialog(parent)
    , m_file(std::move(file))
    , m_document(document)
    , m_address(new AddressField(this))
    , m_quick(new QRadioButton(tr("&Quick check: its size, its header and random parts"), this))
    , m_whole(new QRadioButton(tr("&Whole check: the SHA-256 of all its bytes"), this))
    , m_metadata(new QRadioButton(tr("&Take its metadata, if the weights are the same"), this))
    , m_verdict(themedLabel({}, TextStyle::Body, Token::Text, this))
    , m_progress(new JobBar(this))
    , m_check(new QPushButton(tr("&Check"), this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Compare %1 with its original").arg(fileNameText(m_file)));
    build();
    if (const auto origin = knownOrigin(m_file)) {
        m_address->setText(pathText(*origin));
    }
    m_quick->setChecked(true);
    connect(m_address, &AddressField::changed, this, &OriginCheckDialog::update);
    for (QRadioButton* one : {m_quick, m_whole, m_metadata}) {
        connect(one, &QRadioButton::toggled, this, &OriginCheckDialog::update);
    }
    connect(m_check, &QPushButton::clicked, this, &OriginCheckDialog::start);
    update();
}

void OriginCheckDialog::build() {
    m_verdict->setTextFormat(Qt::PlainText);
    m_verdict->setWordWrap(true);
    m_verdict->setMinimumHeight(2 * m_verdict->fontMetrics().lineSpacing()); // the dialog keeps its size
    m_verdict->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_whole->setToolTip(tr("Reads the whole file on this computer"));
    m_metadata->setToolTip(
        tr("For uploads whose template or keys were corrected: the changes are shown before they are "
           "saved, and no weights are fetched"));
    m_check->setProperty(kPrimaryProperty, true);
    m_check->setDefault(true);
    auto* label = new QLabel(tr("&Address of the original, or its name on a hub"), this);
    label->setBuddy(m_address->edit());
    auto* closeButton = new QPushButton(tr("Close"), this);
    closeButton->setAutoDefault(false);
    connect(closeButton, &QPushButton::clicked, this, &QDialog::close);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_progress, 1);
    buttons->addStretch();
    buttons->addWidget(m_check);
    buttons->addWidget(closeButton);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(8);
    column->addWidget(label);
    column->addWidget(m_address);
    column->addWidget(m_quick);
    column->addWidget(m_whole);
    column->addWidget(m_metadata);
    column->addSpacing(4);
    column->addWidget(m_verdict);
    column->addLayout(buttons);
    resize(kCheckWidth, sizeHint().height());
    growWithTexts(this);
}

QRadioButton* OriginCheckDialog::choice(Check check) const {
    return check == Check::Quick ? m_quick : check == Check::Whole ? m_whole : m_metadata;
}

void OriginCheckDialog::setCheck(Check check) { choice(check)->setChecked(true); }

QString OriginCheckDialog::verdict() const { return m_verdict->text(); }

void OriginCheckDialog::update() {
    const bool canEdit = m_document != nullptr && m_document->can(Capability::EditMetadata);
    m_metadata->setEnabled(canEdit);
    const bool isPossible = m_document != nullptr && (canEdit || !m_metadata->isChecked());
    m_check->setEnabled(isPossible && !isBusy() && m_address->place().has_value());
    m_check->setText(m_metadata->isChecked() ? tr("&Compare metadata") : tr("&Check"));
}

void OriginCheckDialog::start() {
    const auto address = m_address->place();
    if (!address) {
        return;
    }
    m_checked = *address;
    m_address->keepConsent();
    m_verdict->clear();
    if (m_metadata->isChecked()) {
        updateMetadata();
    } else {
        verify(m_whole->isChecked() ? hub::Thoroughness::WholeFile : hub::Thoroughness::Parts);
    }
}

void OriginCheckDialog::follow(Job* job, const QString& what) {
    m_job = job;
    connect(job, &Job::finished, this, [this, job] {
        m_job.clear();
        if (job->isCancelled()) {
            showVerdict(tr("Cancelled."), Token::Muted);
        }
        update();
        emit ended();
    });
    m_progress->watch(job, what);
    update();
}

void OriginCheckDialog::verify(hub::Thoroughness thoroughness) {
    using Files = std::vector<hub::FileVerification>;
    Job* job = startJob<Files>(
        this,
        [address = m_checked, file = m_file, thoroughness](const JobContext& context) -> Result<Files> {
            const auto client = net::Client::shared();
            const auto resolved = GUFO_TRY(hub::resolveModel(*client, address, context));
            return hub::verify(client, resolved.model, file, thoroughness, std::random_device()(), context);
        },
        [this](const Result<Files>& files) {
            if (!files) {
                showVerdict(errorLine(files.error()), Token::ErrorText);
                return;
            }
            rememberOrigin(m_file, m_checked);
            showVerdicts(*files);
        });
    follow(job, tr("Comparing with %1").arg(hostOf(m_checked)));
}

// Of several shards, the first that differs decides.
void OriginCheckDialog::showVerdicts(const std::vector<hub::FileVerification>& files) {
    const auto other = std::ranges::find_if_not(files, isSame);
    const hub::FileVerification& shown = other != files.end() ? *other : files.front();
    const QString name = files.size() > 1 ? fileNameText(shown.path) + QStringLiteral(": ") : QString();
    showVerdict(other == files.end() && files.size() > 1
                    ? tr("All %n files: ", nullptr, numerus(files.size())) + verdictText(shown)
                    : name + verdictText(shown),
                other == files.end() ? Token::Good : Token::WarningText);
}

void OriginCheckDialog::updateMetadata() {
    using Changes = std::vector<Change>;
    Job* job = startJob<Changes>(
        this,
        [address = m_checked, model = m_document->current()](const JobContext& context) -> Result<Changes> {
            const auto newer = GUFO_TRY(openModel(address, context));
            return headerUpdate(*model, *newer, std::random_device()(), context);
        },
        [this](Result<Changes> changes) {
            if (!changes) {
                showVerdict(errorLine(changes.error()), Token::ErrorText);
            } else {
                takeChanges(*std::move(changes));
            }
        });
    follow(job, tr("Reading the header on %1").arg(hostOf(m_checked)));
}

void OriginCheckDialog::takeChanges(std::vector<Change> changes) {
    rememberOrigin(m_file, m_checked);
    if (changes.empty()) {
        showVerdict(tr("The metadata is that of the server's file."), Token::Good);
        return;
    }
    if (m_document == nullptr || !m_document->can(Capability::EditMetadata)) {
        showVerdict(tr("The metadata differs, but the model cannot be changed now."), Token::WarningText);
        return;
    }
    const auto count = numerus(changes.size());
    if (m_document->apply(std::move(changes), tr("Take the metadata of %1").arg(fileNameText(m_checked)))) {
        showVerdict(tr("%n changes were made, which you can review, save or undo.", nullptr, count), Token::Good);
        close(); // it would cover the review
        emit reviewRequested();
    } else {
        showVerdict(tr("The changes were refused."), Token::ErrorText);
    }
}

void OriginCheckDialog::showVerdict(const QString& text, Token color) {
    setTextColor(m_verdict, color);
    m_verdict->setText(text);
}

} // namespace gufo::ui

#include "moc_origin_check_dialog.cpp"
