#include "ui/pages/overview/publish_dialog.h"

#include "base/output_file.h"
#include "model/file_naming.h"
#include "model/hub_values.h"
#include "ui/compare/trade_off/divergence_measure.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"
#include "ui/messages/key_text.h"
#include "ui/report/card_pictures.h"
#include "ui/report/model_card.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/widgets/job_dialog.h"
#include "ui/widgets/text_color.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::string_view kLicence = "general.license";
constexpr int kFilesHeight = 132;
constexpr int kDivergenceColumn = 4;

QPushButton* plainButton(const QString& text, const QString& tip, QWidget* parent) {
    auto* button = new QPushButton(text, parent);
    button->setAutoDefault(false);
    button->setToolTip(tip);
    return button;
}

} // namespace

PublishDialog::PublishDialog(std::filesystem::path file, ModelDocument* document, QWidget* parent)
    : QDialog(parent)
    , m_file(std::move(file))
    , m_document(document)
    , m_verdict(themedLabel(tr("Checking…"), TextStyle::Section, Token::Text, this))
    , m_licence(new QComboBox(this))
    , m_setLicence(plainButton(tr("&Set"), tr("Sets general.license; can be undone"), this))
    , m_name(new QLineEdit(this))
    , m_rename(plainButton(tr("&Rename"), tr("Renames the file on the disk"), this))
    , m_notice(themedLabel(QString(), TextStyle::Table, Token::Muted, this))
    , m_findings(new FindingsPanel(this))
    , m_files(new QTableWidget(this))
    , m_review(plainButton(tr("Re&view Changes…"), tr("Shows all changes before they are saved"), this))
    , m_writeCard(plainButton(tr("&Write Model Card…"),
                              tr("Writes a README.md with the files below, as the Hub reads it"), this))
    , m_measure(plainButton(tr("Measure &KL…"), QString(), this))
    , m_progress(new JobBar(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Ready to publish: %1").arg(fileNameText(m_file)));
    build();
    m_findings->setPublishing(true);
    m_findings->setModel(m_document->current());
    m_findings->setDocument(m_document->can(Capability::EditMetadata) ? m_document.data() : nullptr);
    connect(m_findings, &FindingsPanel::checked, this, &PublishDialog::update);
    connect(m_findings, &FindingsPanel::reported, this, [this](const QString& text) { say(text, Token::Muted); });
    connect(m_findings, &FindingsPanel::placeRequested, this, &PublishDialog::placeRequested);
    connect(m_document, &ModelDocument::edited, this, &PublishDialog::follow);
    connect(m_document, &ModelDocument::editableChanged, this, &PublishDialog::update);
    connect(m_document, &ModelDocument::modifiedChanged, this, &PublishDialog::update);
    connect(m_licence, &QComboBox::editTextChanged, this, &PublishDialog::update);
    connect(m_name, &QLineEdit::textChanged, this, &PublishDialog::update);
    m_setLicence->setObjectName(QStringLiteral("setLicence"));
    connect(m_setLicence, &QPushButton::clicked, this, &PublishDialog::setLicence);
    connect(m_licence->lineEdit(), &QLineEdit::returnPressed, this, &PublishDialog::setLicence);
    m_rename->setObjectName(QStringLiteral("rename"));
    connect(m_rename, &QPushButton::clicked, this, [this] { emit renameRequested(fromQtPath(m_name->text())); });
    connect(m_review, &QPushButton::clicked, this, [this] {
        close(); // it would cover the review
        emit reviewRequested();
    });
    connect(m_writeCard, &QPushButton::clicked, this, &PublishDialog::askForCard);
    connect(m_measure, &QPushButton::clicked, this, &PublishDialog::askForText);
    connect(m_progress, &JobBar::cancelled, this, [this] {
        m_measuring.cancel();
        finishMeasuring();
    });
    follow({});
    m_findings->runChecks();
    listFiles();
}

PublishDialog::~PublishDialog() = default;

void PublishDialog::build() {
    m_licence->setEditable(true);
    m_licence->setInsertPolicy(QComboBox::NoInsert);
    m_licence->completer()->setFilterMode(Qt::MatchContains);
    m_licence->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_licence->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_licence->setMinimumContentsLength(16);
    for (const std::string_view each : hubLicences()) {
        m_licence->addItem(latin1(each));
    }
    const auto withButton = [](QWidget* field, QPushButton* button) {
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        row->addWidget(field, 1);
        row->addWidget(button);
        return row;
    };
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(12);
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    auto* licence = new QLabel(tr("&Licence"), this);
    licence->setBuddy(m_licence);
    form->addRow(licence, withButton(m_licence, m_setLicence));
    auto* name = new QLabel(tr("&Name of the file"), this);
    name->setBuddy(m_name);
    form->addRow(name, withButton(m_name, m_rename));
    m_notice->setWordWrap(true);
    m_notice->setTextFormat(Qt::PlainText);
    m_notice->hide();

    const QStringList titles{tr("Belongs to it"),   tr("Type"),          tr("Size"),
                             tr("Bits per weight"), tr("KL divergence"), tr("Pairing")};
    m_files->setColumnCount(static_cast<int>(titles.size()));
    m_files->setHorizontalHeaderLabels(titles);
    m_files->setAccessibleName(tr("Files of the folder"));
    m_files->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_files->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_files->setTabKeyNavigation(false);
    m_files->setShowGrid(false);
    m_files->verticalHeader()->hide();
    m_files->horizontalHeader()->setHighlightSections(false);
    for (int column = 0; column < m_files->columnCount(); ++column) {
        m_files->horizontalHeader()->setSectionResizeMode(column, column == 0 ? QHeaderView::Stretch
                                                                              : QHeaderView::ResizeToContents);
    }
    m_files->setColumnHidden(kDivergenceColumn, true); // until something is measured
    m_files->setMaximumHeight(kFilesHeight);
    m_files->setMinimumHeight(kFilesHeight / 2);

    auto* closeButton = plainButton(tr("Close"), {}, this);
    connect(closeButton, &QPushButton::clicked, this, &QDialog::close);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_writeCard);
    buttons->addWidget(m_measure);
    buttons->addStretch();
    buttons->addWidget(m_review);
    buttons->addWidget(closeButton);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(10);
    column->addWidget(m_verdict);
    column->addLayout(form);
    column->addWidget(m_notice);
    column->addWidget(m_findings, 1);
    column->addWidget(m_files);
    column->addWidget(m_progress);
    column->addLayout(buttons);
    resizeOverWindow(*this, {720, 620});
}

// Shows what the keys say now.
void PublishDialog::follow(const TouchedParts& touched) {
    const auto& model = m_document->current();
    m_findings->follow(model, touched.tensors);
    if (touched.tensors && m_document->document().isModified() && !m_cardFiles.empty()) {
        forgetDivergences(); // other weights predict otherwise; a save alone changes none
    }
    const bool isTyping = m_licence->lineEdit()->isModified() && m_licence->hasFocus();
    if (!isTyping) {
        m_licence->setEditText(displayText(model->metadata.string(kLicence).value_or(std::string_view())));
        m_licence->lineEdit()->setModified(false);
    }
    if (!m_name->isModified()) {
        const auto suggested = suggestedFileName(*model);
        m_name->setText(suggested ? displayText(*suggested) : fileNameText(m_file));
    }
    update();
}

void PublishDialog::update() {
    if (m_document == nullptr) {
        return;
    }
    const std::string stated(m_document->current()->metadata.string(kLicence).value_or(std::string_view()));
    const QString licence = m_licence->currentText().trimmed();
    m_setLicence->setEnabled(m_document->can(Capability::EditMetadata) && !licence.isEmpty() &&
                             licence.toStdString() != stated);
    const bool isSet = m_document->current()->shardCount() > 1;
    const bool hasChanges = m_document->hasChanges() || m_document->isBlocked();
    const QString name = m_name->text().trimmed();
    const bool isName = !name.isEmpty() && !name.contains(u'/') && fromQtPath(name) != m_file.filename();
    m_rename->setEnabled(isName && !isSet && !hasChanges);
    m_rename->setToolTip(isSet        ? tr("The files of a set are renamed together, which Gufo does when it merges or "
                                                  "splits them")
                         : hasChanges ? tr("Save the changes first")
                                      : tr("Renames the file on the disk"));
    m_review->setEnabled(m_document->document().isModified());
    const bool hasSeveral = m_reference && std::ranges::count_if(m_cardFiles, [this](const CardFile& file) {
                                               return isSameModel(*file.model, *m_cardFiles[*m_reference].model);
                                           }) > 1;
    m_measure->setEnabled(hasSeveral && !hasChanges && !m_measuring.isRunning());
    m_measure->setToolTip(!hasSeveral ? tr("The folder has no other quantisation of this model")
                          : hasChanges
                              ? tr("Save the changes first")
                              : tr("Runs all quantisations of the folder on a text, and adds to the model card "
                                   "how far their predictions are from those of the largest file"));
    if (const Validation* validation = m_findings->findings()->validation(); validation != nullptr) {
        const auto errors = m_findings->findings()->count(Severity::Error);
        const auto warnings = m_findings->findings()->count(Severity::Warning);
        const bool ready = errors + warnings == 0;
        setTextColor(m_verdict, ready ? Token::Good : Token::WarningText);
        m_verdict->setText(ready ? tr("Ready to publish") : tr("Not ready to publish")); // the findings show the counts
    }
}

// What people write is spelled as hubs spell it.
void PublishDialog::setLicence() {
    const std::string typed = m_licence->currentText().trimmed().toStdString();
    if (!m_setLicence->isEnabled()) {
        return;
    }
    const auto known = isLicenceIdentifier(typed) ? std::nullopt : hubLicence(typed);
    const std::string licence = known ? std::string(*known) : typed;
    m_licence->lineEdit()->setModified(false);
    m_document->apply({SetKey{std::string(kLicence), OwnedValue::string(licence)}}, tr("Set the licence"));
    m_licence->setEditText(displayText(licence));
}

void PublishDialog::listFiles() {
    m_listing.start<std::vector<ListedFile>>(
        [model = m_document->current()](const JobContext& context) -> Result<std::vector<ListedFile>> {
            std::vector<ListedFile> files;
            auto neighbours = GUFO_TRY(neighboursOf(model, context));
            for (NeighbourModel& neighbour : neighbours) {
                CardFile card = cardFile(neighbour.model);
                files.push_back({std::move(neighbour), std::move(card)});
            }
            return files;
        },
        [this](const Result<std::vector<ListedFile>>& files) {
            if (files) {
                showFiles(*files);
            } else {
                say(errorLine(files.error()), Token::ErrorText);
            }
            emit filesListed();
        });
}

void PublishDialog::showFiles(const std::vector<ListedFile>& files) {
    m_cardFiles.clear();
    m_files->setRowCount(0);
    for (const auto& [neighbour, file] : files) {
        m_cardFiles.push_back(file);
        const QString pairing = neighbour.sameModel ? QString()
                                                    : tr("%1: %2").arg(pairVerdictText(neighbour.pairing.verdict()),
                                                                       pairKindText(neighbour.pairing.kind));
        const QStringList cells{displayText(file.name),
                                displayText(file.type),
                                formatBytes(file.bytes),
                                file.bitsPerWeight ? formatBitsPerWeight(*file.bitsPerWeight) : QStringLiteral("–"),
                                QString(),
                                pairing};
        const int row = m_files->rowCount();
        m_files->insertRow(row);
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            const bool isFigure = column >= 2 && column <= kDivergenceColumn;
            item->setTextAlignment((isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            m_files->setItem(row, column, item);
        }
    }
    m_reference = divergenceReference(m_cardFiles);
    update();
}

void PublishDialog::askForText() {
    auto* dialog = new QFileDialog(this, tr("Choose a text"), {}, tr("Texts (*.txt *.raw *.md);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    rememberFolder(*dialog, FolderFor::Imports);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { measure(fromQtPath(file)); });
    dialog->open();
}

void PublishDialog::measure(const std::filesystem::path& text) {
    if (!m_measure->isEnabled()) {
        return;
    }
    m_text = text;
    m_whyNot.clear();
    for (CardFile& file : m_cardFiles) {
        file.divergence.reset();
    }
    measureNext(0);
    update();
}

void PublishDialog::measureNext(std::size_t index) {
    const auto isMeasured = [this](std::size_t i) {
        return i != *m_reference && isSameModel(*m_cardFiles[i].model, *m_cardFiles[*m_reference].model);
    };
    while (index < m_cardFiles.size() && !isMeasured(index)) {
        ++index;
    }
    if (index == m_cardFiles.size()) {
        finishMeasuring();
        return;
    }
    DivergenceRequest request{
        .reference = m_cardFiles[*m_reference].model, .other = m_cardFiles[index].model, .text = m_text};
    const QString name = displayText(m_cardFiles[index].name);
    Job* job = m_measuring.start<MeasuredDivergence>(
        [request = std::move(request)](const JobContext& context) {
            return measureDivergence(request, keptDivergences(), context);
        },
        [this, index, name](const Result<MeasuredDivergence>& result) {
            if (!result) { // of the text or the reference, so the others would fail too
                m_whyNot << errorLine(result.error());
                finishMeasuring();
                return;
            }
            m_cardFiles[index].divergence = result->nats;
            if (!result->nats) {
                m_whyNot << tr("%1 has no figure. %2").arg(name, result->whyNot);
            }
            measureNext(index + 1);
        });
    m_progress->watch(job, tr("Running %1").arg(name));
}

void PublishDialog::forgetDivergences() {
    m_measuring.cancel();
    for (CardFile& file : m_cardFiles) {
        file.divergence.reset();
    }
    showDivergences();
}

void PublishDialog::showDivergences() {
    constexpr int kFigures = 3;
    bool any = false;
    for (std::size_t i = 0; i < m_cardFiles.size(); ++i) {
        const auto& nats = m_cardFiles[i].divergence;
        any = any || nats.has_value();
        m_files->item(static_cast<int>(i), kDivergenceColumn)
            ->setText(i == m_reference ? tr("reference")
                      : nats           ? formatReal(*nats, kFigures)
                                       : QStringLiteral("–"));
    }
    m_files->setColumnHidden(kDivergenceColumn, !any);
}

// What was measured before it was cancelled stays.
void PublishDialog::finishMeasuring() {
    showDivergences();
    if (!m_whyNot.isEmpty()) {
        say(m_whyNot.join(u'\n'), Token::WarningText);
    }
    update();
    emit measured();
}

void PublishDialog::say(const QString& text, Token color) {
    setTextColor(m_notice, color);
    m_notice->setText(text);
    m_notice->show();
}

void PublishDialog::askForCard() {
    const QString suffix = QStringLiteral(".md");
    askExportPath(*this, tr("Write the model card"), QStringLiteral("README") + suffix,
                  {{tr("Markdown (*.md)"), suffix}}, 0,
                  [this](const std::filesystem::path& path, std::size_t) { writeCard(path); });
}

void PublishDialog::writeCard(const std::filesystem::path& path) {
    std::vector<CardFile> files = m_cardFiles;
    if (!files.empty()) {
        files.front().model = m_document->current(); // as it is edited
    }
    const bool any = std::ranges::any_of(files, [](const CardFile& file) { return file.divergence.has_value(); });
    std::optional<CardDivergence> divergence;
    if (any) {
        divergence = {.reference = files[*m_reference].name, .text = m_text.filename().native()};
    }
    startJob<void>(
        this,
        [files = std::move(files), path, divergence = std::move(divergence)](const JobContext&) -> Result<> {
            if (files.empty()) {
                return {};
            }
            const std::vector<CardPicture> pictures = cardPictures(files, path.stem().native());
            StringSink card;
            writeModelCard(card, files, pictures, divergence);
            GUFO_TRY(writeWholeFile(path, card.text())); // first, so that a refusal leaves no pictures behind
            for (const CardPicture& picture : pictures) {
                GUFO_TRY(writeWholeFile(path.parent_path() / picture.name, picture.svg.toStdString()));
            }
            return {};
        },
        [this, path](const Result<>& written) {
            say(written ? tr("Written: %1").arg(displayPath(path)) : errorLine(written.error()),
                written ? Token::Good : Token::ErrorText);
            emit cardWritten();
        });
}

QString PublishDialog::verdict() const { return m_verdict->text(); }

} // namespace gufo::ui

#include "moc_publish_dialog.cpp"
