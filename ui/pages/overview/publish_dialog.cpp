#include "ui/pages/overview/publish_dialog.h"

#include "base/output_file.h"
#include "model/file_naming.h"
#include "model/hub_values.h"
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
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QTableWidget>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr std::string_view kLicence = "general.license";
constexpr int kFilesHeight = 132;

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
                              tr("Writes a README.md with the files below, as the Hub reads it"), this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Ready to publish: %1").arg(fileNameText(m_file)));
    build();
    m_findings->setPublishing(true);
    m_findings->setModel(m_document->current());
    m_findings->setDocument(m_document->can(Capability::EditMetadata) ? m_document.data() : nullptr);
    connect(m_findings, &FindingsPanel::checked, this, &PublishDialog::update);
    connect(m_findings, &FindingsPanel::reported, this, [this](const QString& text) {
        setTextColor(m_notice, Token::Muted);
        m_notice->setText(text);
        m_notice->show();
    });
    connect(m_findings, &FindingsPanel::placeRequested, this, &PublishDialog::placeRequested);
    connect(m_document, &ModelDocument::edited, this, &PublishDialog::follow);
    connect(m_document, &ModelDocument::editableChanged, this, &PublishDialog::update);
    connect(m_document, &ModelDocument::modifiedChanged, this, &PublishDialog::update);
    connect(m_licence, &QComboBox::editTextChanged, this, &PublishDialog::update);
    connect(m_name, &QLineEdit::textChanged, this, &PublishDialog::update);
    connect(m_setLicence, &QPushButton::clicked, this, &PublishDialog::setLicence);
    connect(m_licence->lineEdit(), &QLineEdit::returnPressed, this, &PublishDialog::setLicence);
    connect(m_rename, &QPushButton::clicked, this, [this] { emit renameRequested(fromQtPath(m_name->text())); });
    connect(m_review, &QPushButton::clicked, this, [this] {
        close(); // it would cover the review
        emit reviewRequested();
    });
    connect(m_writeCard, &QPushButton::clicked, this, &PublishDialog::askForCard);
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
    const auto withButton = [this](QWidget* field, QPushButton* button) {
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

    const QStringList titles{tr("Belongs to it"), tr("Type"), tr("Size"), tr("Bits per weight"), tr("Pairing")};
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
    m_files->setMaximumHeight(kFilesHeight);
    m_files->setMinimumHeight(kFilesHeight / 2);

    auto* closeButton = plainButton(tr("Close"), {}, this);
    connect(closeButton, &QPushButton::clicked, this, &QDialog::close);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_writeCard);
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
    column->addLayout(buttons);
    resizeOverWindow(*this, {720, 620});
}

// Shows what the keys say now.
void PublishDialog::follow(const TouchedParts& touched) {
    const auto& model = m_document->current();
    m_findings->follow(model, touched.tensors);
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
    m_listing.start<std::vector<Neighbour>>(
        [model = m_document->current()](const JobContext& context) { return neighboursOf(model, context); },
        [this](const Result<std::vector<Neighbour>>& neighbours) {
            if (neighbours) {
                showFiles(*neighbours);
            } else {
                setTextColor(m_notice, Token::ErrorText);
                m_notice->setText(errorLine(neighbours.error()));
                m_notice->show();
            }
            emit filesListed();
        });
}

void PublishDialog::showFiles(const std::vector<Neighbour>& neighbours) {
    m_cardFiles.clear();
    m_files->setRowCount(0);
    for (const Neighbour& neighbour : neighbours) {
        const CardFile& file = m_cardFiles.emplace_back(cardFile(neighbour.model));
        const QString pairing = neighbour.sameModel ? QString()
                                                    : tr("%1: %2").arg(pairVerdictText(neighbour.pairing.verdict()),
                                                                       pairKindText(neighbour.pairing.kind));
        const QStringList cells{displayText(file.name), displayText(file.type), formatBytes(file.bytes),
                                file.bitsPerWeight ? formatBitsPerWeight(*file.bitsPerWeight) : QStringLiteral("–"),
                                pairing};
        const int row = m_files->rowCount();
        m_files->insertRow(row);
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            const bool isFigure = column == 2 || column == 3;
            item->setTextAlignment((isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            m_files->setItem(row, column, item);
        }
    }
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
    startJob<void>(
        this,
        [files = std::move(files), path](const JobContext&) -> Result<> {
            if (files.empty()) {
                return {};
            }
            const std::vector<CardPicture> pictures = cardPictures(files, path.stem().native());
            for (const CardPicture& picture : pictures) {
                GUFO_TRY(writeWholeFile(path.parent_path() / picture.name, picture.svg.toStdString()));
            }
            StringSink card;
            writeModelCard(card, files, pictures);
            return writeWholeFile(path, card.text());
        },
        [this, path](const Result<>& written) {
            setTextColor(m_notice, written ? Token::Good : Token::ErrorText);
            m_notice->setText(written ? tr("Written: %1").arg(displayPath(path)) : errorLine(written.error()));
            m_notice->show();
            emit cardWritten();
        });
}

QString PublishDialog::verdict() const { return m_verdict->text(); }

} // namespace gufo::ui

#include "moc_publish_dialog.cpp"
