#include "ui/tools/surgery_dialog.h"

#include "tensor/encode.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/tools/file_field.h"

#include <QFileDialog>
#include <QFormLayout>
#include <QSignalBlocker>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

constexpr std::size_t kMostRows = 400; // more would only fill the table

struct OperationRow {
    SurgeryKind kind;
    const char* name;
    const char* field; // the label of the text; empty: there is none
    const char* tip;
};
// In the order of SurgeryKind.
constexpr auto kOperations = std::to_array<OperationRow>({
    {SurgeryKind::DropBlocks, QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "Drop blocks"),
     QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "&Blocks"),
     QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "Numbers and ranges, such as 3,7-9; the later blocks move up")},
    {SurgeryKind::DuplicateBlocks, QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "Duplicate blocks"),
     QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "&Blocks"),
     QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "Ranges, such as 4-7; a copy of each is put behind it")},
    {SurgeryKind::ExtractMtp, QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "Write prediction blocks (MTP) to a file"),
     "", ""},
    {SurgeryKind::StripMtp, QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "Remove prediction blocks (MTP)"), "", ""},
    {SurgeryKind::GraftMtp, QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "Add prediction blocks (MTP) of another file"),
     "", ""},
    {SurgeryKind::KeepExperts, QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "Keep some experts"),
     QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "&Experts of each block"),
     QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "How many stay; empty: all that the file below counts or lists")},
    {SurgeryKind::Retype, QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "Write single tensors in another type"),
     QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "Te&nsors"),
     QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog",
                       "A regular expression for a part of their names, such as attn_v; norms "
                       "and the like need their full name")},
    {SurgeryKind::MoveOut, QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "Move tensors to a file of their own"),
     QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "Te&nsors"),
     QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "A regular expression for their whole names, such as "
                                                  "per_layer_token_embd.* or (v|mm)\\..*")},
    {SurgeryKind::ExtendVocabulary, QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "Add a token to the vocabulary"),
     QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "&Token"),
     QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "Its text, as the vocabulary spells it")},
    {SurgeryKind::TrimVocabulary, QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "Remove tokens from the vocabulary"),
     QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "&Token ids"),
     QT_TRANSLATE_NOOP("gufo::ui::SurgeryDialog", "Such as 5,32000-32063; empty: all unused ones")},
});
static_assert(kOperations.size() == kSurgeryKinds);

const OperationRow& operationOf(SurgeryKind kind) { return kOperations.at(static_cast<std::size_t>(kind)); }

} // namespace

SurgeryDialog::SurgeryDialog(ModelDocument* document, QWidget* parent)
    : ToolDialog(tr("Surgery on %1").arg(fileNameText(document->current()->path())), tr("&Apply"), parent)
    , m_document(document)
    , m_operation(new QComboBox(this))
    , m_text(new QLineEdit(this))
    , m_type(new QComboBox(this))
    , m_donor(new FileField(tr("file with prediction blocks"), openModelFilter().split(QStringLiteral(";;")),
                            FileField::Needs::File, this))
    , m_experts(new FileField(tr("importance matrix or list of experts"), QStringList(tr("All files (*)")),
                              FileField::Needs::FileOrNothing, this))
    , m_like(new QLineEdit(this))
    , m_review(new QPushButton(tr("Re&view Changes…"), this)) {
    for (const OperationRow& each : kOperations) {
        m_operation->addItem(tr(each.name));
    }
    for (const TensorType each : encodableTypes()) {
        const auto id = static_cast<std::uint32_t>(each);
        if (!needsImportance(id)) {
            m_type->addItem(QString::fromLatin1(tensorTypeFact(each).name.data()), id);
        }
    }
    m_like->setPlaceholderText(tr("the mean of all tokens"));
    m_like->setToolTip(tr("The id of a token; empty: the new row is the mean of all rows"));
    m_review->setAutoDefault(false);
    m_review->hide();
    addChoice(tr("&What"), m_operation);
    addChoice(QString(), m_text);
    addChoice(tr("T&ype"), m_type);
    addChoice(tr("&From"), m_donor);
    addChoice(tr("&Counted or listed in"), m_experts);
    addChoice(tr("&Like the token"), m_like);
    form()->addRow(QString(), m_review);
    resizeOverWindow(*this, {720, 560});
    connect(m_operation, &QComboBox::currentIndexChanged, this, &SurgeryDialog::showFields);
    connect(m_text, &QLineEdit::textChanged, this, &SurgeryDialog::plan);
    connect(m_type, &QComboBox::currentIndexChanged, this, &SurgeryDialog::plan);
    connect(m_donor, &FileField::changed, this, &SurgeryDialog::plan);
    connect(m_experts, &FileField::changed, this, &SurgeryDialog::plan);
    connect(m_like, &QLineEdit::textChanged, this, &SurgeryDialog::plan);
    connect(m_review, &QPushButton::clicked, this, [this] {
        close(); // it would cover the review
        emit reviewRequested();
    });
    connect(document, &ModelDocument::edited, this, [this](const TouchedParts&) {
        if (!isWorking()) {
            plan();
        }
    });
    showFields();
}

SurgeryKind SurgeryDialog::kind() const {
    return kOperations.at(static_cast<std::size_t>(std::max(0, m_operation->currentIndex()))).kind;
}

void SurgeryDialog::choose(SurgeryKind kind) { m_operation->setCurrentIndex(static_cast<int>(kind)); }

SurgeryRequest SurgeryDialog::request() const {
    SurgeryRequest request{.kind = kind(), .text = m_text->text().trimmed().toStdString()};
    request.typeId = m_type->currentData().toUInt();
    request.file = request.kind == SurgeryKind::GraftMtp      ? m_donor->path()
                   : request.kind == SurgeryKind::KeepExperts ? m_experts->path()
                                                              : std::filesystem::path();
    bool isNumber = false;
    const qulonglong like = m_like->text().trimmed().toULongLong(&isNumber);
    if (isNumber) {
        request.like = like;
    }
    return request;
}

// Only the fields of the chosen operation are there.
void SurgeryDialog::showFields() {
    const OperationRow& chosen = operationOf(kind());
    const bool hasText = *chosen.field != '\0';
    form()->setRowVisible(m_text, hasText);
    form()->setRowVisible(m_type, chosen.kind == SurgeryKind::Retype);
    form()->setRowVisible(m_donor, chosen.kind == SurgeryKind::GraftMtp);
    form()->setRowVisible(m_experts, chosen.kind == SurgeryKind::KeepExperts);
    form()->setRowVisible(m_like, chosen.kind == SurgeryKind::ExtendVocabulary);
    if (auto* label = qobject_cast<QLabel*>(form()->labelForField(m_text)); label != nullptr && hasText) {
        label->setText(tr(chosen.field));
    }
    m_text->setAccessibleName(hasText ? tr(chosen.field).remove(u'&') : QString());
    m_text->setPlaceholderText(hasText ? tr(chosen.tip) : QString());
    m_text->setToolTip(hasText ? tr(chosen.tip) : QString());
    const QSignalBlocker quiet(m_text);
    m_text->clear();
    m_review->hide();
    plan();
}

void SurgeryDialog::plan() {
    m_planning.cancel();
    setReady(false);
    table()->hide();
    if (m_document == nullptr) {
        return;
    }
    const SurgeryRequest wanted = request();
    const bool needsText = wanted.kind == SurgeryKind::DropBlocks || wanted.kind == SurgeryKind::DuplicateBlocks ||
                           wanted.kind == SurgeryKind::Retype || wanted.kind == SurgeryKind::MoveOut ||
                           wanted.kind == SurgeryKind::ExtendVocabulary;
    const bool lacks = (needsText && wanted.text.empty()) ||
                       (wanted.kind == SurgeryKind::GraftMtp && wanted.file.empty()) ||
                       (wanted.kind == SurgeryKind::KeepExperts && wanted.text.empty() && wanted.file.empty());
    if (lacks) {
        setSummary(tr("What would change is shown here before anything is changed."));
        return;
    }
    if (!m_document->can(Capability::EditTensors)) {
        setSummary(m_document->whyNot(Capability::EditTensors));
        return;
    }
    m_planning.start<SurgeryPlan>(
        [model = m_document->current(), wanted](const JobContext& job) { return planSurgery(model, wanted, job); },
        [this](const Result<SurgeryPlan>& planned) {
            if (!planned) {
                setSummary({});
                showError(planned.error());
                return;
            }
            showNotice({});
            showPlan(*planned);
            setReady(!planned->rows.empty());
        });
}

void SurgeryDialog::showPlan(const SurgeryPlan& plan) {
    setColumns({tr("Key or tensor"), tr("Before"), tr("After")});
    for (std::size_t i = 0; i < std::min(plan.rows.size(), kMostRows); ++i) {
        const SurgeryRow& row = plan.rows[i];
        addRow({displayText(row.name), row.before.empty() ? tr("–") : displayText(row.before),
                row.after.empty() ? tr("–") : displayText(row.after)});
    }
    setSummary(plan.rows.empty() ? tr("Nothing would change.")
                                 : tr("%1 → %2 tensors, %3 → %4")
                                       .arg(formatCount(plan.tensorsBefore), formatCount(plan.tensorsAfter),
                                            formatBytes(plan.bytesBefore), formatBytes(plan.bytesAfter)));
}

void SurgeryDialog::start() {
    if (!writesOwnFile(kind())) {
        perform();
        return;
    }
    auto* dialog = new QFileDialog(this, tr("Write the file"), {}, tr("GGUF models (*.gguf)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("gguf"));
    rememberFolder(*dialog, FolderFor::Exports);
    const QString name = modelNameText(m_document->current()->path());
    dialog->selectFile(kind() == SurgeryKind::ExtractMtp ? QStringLiteral("mtp-%1.gguf").arg(name)
                                                         : QStringLiteral("%1-00002-of-00002.gguf").arg(name));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { perform(fromQtPath(file)); });
    dialog->open();
}

void SurgeryDialog::perform(const std::filesystem::path& out) {
    if (isWorking() || isPlanning() || m_document == nullptr || m_document->isBlocked()) {
        return;
    }
    SurgeryRequest wanted = request();
    wanted.out = out;
    const std::shared_ptr<const Model> model = m_document->current();
    Job* job = startJob<SurgeryPlan>(
        this, [model, wanted](const JobContext& context) { return performSurgery(model, wanted, context); },
        [this, model](Result<SurgeryPlan> made) { finish(model, std::move(made)); });
    follow(job,
           out.empty() ? tr("Changing %1").arg(fileNameText(model->path())) : tr("Writing %1").arg(fileNameText(out)),
           tr("Stop changing %1?").arg(fileNameText(model->path())), tr("Nothing is changed then."));
}

void SurgeryDialog::finish(const std::shared_ptr<const Model>& before, Result<SurgeryPlan> made) {
    if (!made) {
        showError(made.error());
        return;
    }
    if (m_document == nullptr || m_document->current() != before) {
        showNotice(tr("The model was changed meanwhile. Try again."), Token::ErrorText);
        return;
    }
    if (!made->changes.empty()) {
        // Blocks what the document tells to plan again, because the result is shown.
        if (!m_document->apply(std::move(made->changes), tr(operationOf(kind()).name))) {
            return;
        }
        m_planning.cancel();
        setReady(false);
        showPlan(*made);
        showNotice(tr("Changed, and not saved yet: review the changes and save them, or undo them."), Token::Good);
        form()->setRowVisible(m_review, true);
        m_review->show();
    }
    if (made->written) {
        offer(*made->written);
    }
}

} // namespace gufo::ui

#include "moc_surgery_dialog.cpp"
