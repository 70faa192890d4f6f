#include "ui/convert/convert_dialog.h"

#include "base/detail.h"
#include "ui/convert/base_field.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"
#include "ui/messages/recipe_text.h"
#include "ui/quantize/imatrix_field.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/theme/style.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_color.h"

#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QFileOpenEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <atomic>

namespace gufo::ui {
namespace {

constexpr QSize kSize(1160, 680);
constexpr int kPlanDelayMs = 200; // waits while the user types
constexpr std::size_t kFindingsShown = 3;
constexpr std::array kTensorWidths{230, 62, 108, 76, 220};
constexpr int kMostForOperations = 420;
constexpr std::array kKeyWidths{300, 90, 260};

QTableView* makeTable(QAbstractItemModel* model, const QString& name) {
    auto* table = new QTableView;
    table->setAccessibleName(name);
    table->setModel(model);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setAlternatingRowColors(true);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setStretchLastSection(true);
    return table;
}

// Columns have widths once there are columns. The last one takes the rest.
void setWidths(QTableView& table, std::span<const int> widths) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
        table.setColumnWidth(static_cast<int>(i), widths[i]);
    }
}

// The names of the tensors without a place; empty if the error is another one.
QStringList unmappedNames(const Error& error) {
    if (error.args.empty() || error.args[0].detail() != Detail::TensorsUnmapped || error.args[0].args().size() != 2) {
        return {};
    }
    return displayText(error.args[0].args()[1].text()).split(QStringLiteral(", "), Qt::SkipEmptyParts);
}

} // namespace

ConvertDialog::ConvertDialog(std::filesystem::path path, QWidget* parent)
    : JobDialog(parent)
    , m_path(std::move(path))
    , m_type(new QComboBox(this))
    , m_imatrix(new ImatrixField(this))
    , m_name(new QLineEdit(this))
    , m_vocabulary(new QCheckBox(tr("&Vocabulary and keys only"), this))
    , m_baseLabel(new QLabel(tr("&Base model"), this))
    , m_base(new BaseField(this))
    , m_which(new SegmentedControl(tr("What the table shows"), this))
    , m_filter(new FilterField(tr("Filter"), this))
    , m_count(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_stack(new QStackedWidget(this))
    , m_tensorModel(new PlanTensorModel(this))
    , m_keyModel(new PlanKeyModel(this))
    , m_tensorRows(new QSortFilterProxyModel(this))
    , m_keyRows(new QSortFilterProxyModel(this))
    , m_tensors(makeTable(m_tensorRows, tr("Tensors of the result")))
    , m_keys(makeTable(m_keyRows, tr("Keys of the result")))
    , m_summary(themedLabel({}, TextStyle::Section, Token::Text, this))
    , m_notice(themedLabel({}, TextStyle::Body, Token::Muted, this))
    , m_progress(new JobBar(this))
    , m_rate(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_convert(new QPushButton(tr("&Convert…"), this))
    , m_open(new QPushButton(tr("&Open It"), this))
    , m_compare(new QPushButton(tr("Com&pare with the Original"), this)) {
    m_convert->setObjectName(QStringLiteral("convertButton"));
    m_keys->setObjectName(QStringLiteral("keyTable"));
    m_tensors->setObjectName(QStringLiteral("tensorTable"));
    m_vocabulary->setObjectName(QStringLiteral("vocabularyBox"));
    m_name->setObjectName(QStringLiteral("nameField"));
    m_type->setObjectName(QStringLiteral("typeCombo"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Convert %1 to GGUF").arg(fileNameText(m_path)));
    m_tensorRows->setSourceModel(m_tensorModel);
    m_keyRows->setSourceModel(m_keyModel);
    m_tensors->setTextElideMode(Qt::ElideLeft); // the names of tensors differ at their ends
    setWidths(*m_tensors, kTensorWidths);
    setWidths(*m_keys, kKeyWidths);
    build();
    m_planSoon.setSingleShot(true);
    m_planSoon.setInterval(kPlanDelayMs);
    connect(&m_planSoon, &QTimer::timeout, this, &ConvertDialog::plan);
    connect(m_type, &QComboBox::currentIndexChanged, this, &ConvertDialog::replanSoon);
    connect(m_base, &BaseField::changed, this, &ConvertDialog::replanSoon);
    connect(m_imatrix, &ImatrixField::changed, this, &ConvertDialog::replanSoon);
    connect(m_imatrix, &ImatrixField::failed, this,
            [this](const Error& error) { showNotice(errorLine(error), Token::ErrorText); });
    connect(m_name, &QLineEdit::textEdited, this, &ConvertDialog::replanSoon);
    connect(m_vocabulary, &QCheckBox::toggled, this, &ConvertDialog::replanSoon);
    connect(m_which, &SegmentedControl::chosen, this, [this](int index) {
        m_stack->setCurrentIndex(index);
        showCounts();
    });
    connect(m_filter, &FilterField::filterChanged, this, [this](const QString& text) {
        m_tensorRows->setFilterFixedString(text);
        m_keyRows->setFilterFixedString(text);
        showCounts();
    });
    connect(m_convert, &QPushButton::clicked, this, &ConvertDialog::ask);
    connect(m_progress, &JobBar::cancelled, this, [this] {
        showNotice(isWriting() ? tr("Cancelling …") : tr("Cancelled. There is no plan."), Token::Muted);
    });
    connect(m_open, &QPushButton::clicked, this, [this] {
        // Sends the event that the desktop would send; the window manager opens the file.
        QFileOpenEvent event(QFile::decodeName(m_written.c_str()));
        QCoreApplication::sendEvent(qApp, &event);
        close();
    });
    connect(m_compare, &QPushButton::clicked, this, [this] {
        emit compareRequested(m_path, m_written);
        close();
    });
    plan();
}

void ConvertDialog::build() {
    m_type->setAccessibleName(tr("Type of the weights"));
    listTypes();
    m_name->setPlaceholderText(tr("as the source says"));
    m_name->setAccessibleName(tr("Name of the model"));
    m_vocabulary->setToolTip(tr("Writes no tensors; such a file is enough to tokenise"));
    m_which->addSegment(tr("Tensors"));
    m_which->addSegment(tr("Keys"));
    for (QSortFilterProxyModel* rows : {m_tensorRows, m_keyRows}) {
        rows->setFilterCaseSensitivity(Qt::CaseInsensitive);
        rows->setFilterKeyColumn(-1);
    }
    m_stack->addWidget(m_tensors);
    m_stack->addWidget(m_keys);
    m_notice->setWordWrap(true);
    m_notice->setTextFormat(Qt::PlainText);
    m_notice->hide();
    m_rate->hide();
    m_open->hide();
    m_compare->hide();
    m_convert->setProperty(kPrimaryProperty, true);
    m_convert->setEnabled(false);

    const auto label = [this](const QString& text, QWidget* buddy) {
        auto* made = new QLabel(text, this);
        made->setBuddy(buddy);
        return made;
    };
    auto* form = new QGridLayout;
    form->setHorizontalSpacing(12);
    form->setVerticalSpacing(8);
    form->addWidget(label(tr("&Type"), m_type), 0, 0);
    form->addWidget(m_type, 0, 1);
    form->addWidget(label(tr("&Name"), m_name), 0, 2);
    form->addWidget(m_name, 0, 3);
    form->addWidget(label(tr("&Importance matrix"), m_imatrix), 1, 0);
    form->addWidget(m_imatrix, 1, 1);
    form->addWidget(m_vocabulary, 1, 3);
    m_baseLabel->setBuddy(m_base->fileButton());
    form->addWidget(m_baseLabel, 2, 0);
    form->addWidget(m_base, 2, 1, 1, 3);
    m_baseLabel->hide(); // until the source turns out to be an adapter
    m_base->hide();
    form->setColumnStretch(1, 1);
    form->setColumnStretch(3, 1);
    auto* strip = new QHBoxLayout;
    strip->setSpacing(12);
    strip->addWidget(m_which);
    strip->addWidget(m_count);
    strip->addStretch();
    strip->addWidget(m_filter);
    auto* closeButton = new QPushButton(tr("Close"), this);
    for (QPushButton* button : {m_open, m_compare, closeButton}) {
        button->setAutoDefault(false);
    }
    connect(closeButton, &QPushButton::clicked, this, &QDialog::reject);
    m_convert->setDefault(true);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_progress, 1);
    buttons->addWidget(m_rate);
    buttons->addStretch();
    buttons->addWidget(m_open);
    buttons->addWidget(m_compare);
    buttons->addWidget(m_convert);
    buttons->addWidget(closeButton);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(10);
    column->addLayout(form);
    column->addLayout(strip);
    column->addWidget(m_stack, 1);
    column->addWidget(m_summary);
    column->addWidget(m_notice);
    column->addLayout(buttons);
    resizeOverWindow(*this, kSize);
}

// Lists the types that the weights of the source can get; the chosen one stays chosen.
void ConvertDialog::listTypes() {
    const QString chosen = m_type->currentData().toString();
    const QSignalBlocker quiet(m_type);
    m_type->clear();
    m_type->addItem(tr("As in the source"));
    const convert::SourceKind kind = m_source != nullptr ? m_source->kind : convert::SourceKind::Model;
    for (const Recipe& recipe : recipes()) {
        if (!convert::takesType(kind, recipe.type)) {
            continue;
        }
        const QString name = QString::fromLatin1(recipe.name.data(), static_cast<qsizetype>(recipe.name.size()));
        m_type->addItem(name, name);
        m_type->setItemData(m_type->count() - 1, recipeText(recipe.name), Qt::ToolTipRole);
    }
    m_type->setCurrentIndex(std::max(m_type->findData(chosen), 0));
}

// Offers the choices that the kind of the source has, when it is known.
void ConvertDialog::offerWhatApplies() {
    listTypes();
    const convert::SourceKind kind = m_source->kind;
    m_baseLabel->setVisible(convert::takesBase(kind));
    m_base->setVisible(convert::takesBase(kind));
    m_type->setToolTip(kind == convert::SourceKind::Legacy
                           ? tr("Files from before GGUF keep their types. Quantising the result changes them.")
                           : QString());
    setInputsEnabled(true);
    m_convert->setEnabled(false); // until there is a plan
}

void ConvertDialog::replanSoon() {
    m_convert->setEnabled(false); // the plan that is shown is not the one that would be written
    m_planSoon.start();
}

ConversionChoices ConvertDialog::choices() const {
    convert::ConvertRequest request;
    const QString type = m_type->currentData().toString();
    request.recipe.recipe = type.isEmpty() ? nullptr : findRecipe(type.toStdString());
    request.imatrix = m_imatrix->imatrix();
    request.vocabularyOnly = m_vocabulary->isChecked();
    request.name = m_name->text().trimmed().toStdString();
    return {std::move(request), m_base->path()};
}

// Enter in a field takes over what was typed; only on the button does it ask for a file.
void ConvertDialog::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && qobject_cast<QPushButton*>(focusWidget()) == nullptr) {
        if (m_planSoon.isActive()) {
            plan();
        }
        event->accept();
        return;
    }
    JobDialog::keyPressEvent(event);
}

void ConvertDialog::plan() {
    m_planSoon.stop();
    m_convert->setEnabled(false);
    m_notice->hide();
    m_planning.start<PlanningResult>(
        [path = m_path, source = m_source, previous = m_planned, choices = choices()](const JobContext& job)
            -> Result<PlanningResult> { return planConversionOf(path, source, previous.get(), choices, job); },
        [this](Result<PlanningResult> result) {
            if (m_source == nullptr && result->source != nullptr) {
                m_source = result->source;
                offerWhatApplies();
            }
            if (result->planned) {
                showPlan(std::move(*result->planned));
            } else {
                showRefusal(result->planned.error());
            }
            emit plannedOrRefused();
        });
    m_progress->watch(m_planning.job(), m_source == nullptr ? tr("Reading the source") : tr("Planning"));
}

void ConvertDialog::showPlan(std::shared_ptr<const PlannedConversion> planned) {
    m_planned = std::move(planned);
    m_tensorModel->setPlan(m_planned);
    m_keyModel->setPlan(m_planned);
    m_tensors->resizeColumnToContents(PlanTensorModel::Operations);
    m_tensors->setColumnWidth(
        PlanTensorModel::Operations,
        std::clamp(m_tensors->columnWidth(PlanTensorModel::Operations), kTensorWidths.back(), kMostForOperations));
    showCounts();
    const convert::ConversionPlan& plan = m_planned->plan;
    const QString architecture = displayText(plan.architecture->name);
    m_summary->setText(
        plan.rows.empty()
            ? tr("%1, %2 without tensors").arg(architecture, formatBytes(m_planned->bytes))
            : tr("%1, %2 with %3 bits per weight; the source has %4 with %5")
                  .arg(architecture, formatBytes(m_planned->bytes), formatBitsPerWeight(m_planned->bitsPerWeight()),
                       formatBytes(m_planned->sourceBytes),
                       m_planned->sourceBits ? formatBitsPerWeight(*m_planned->sourceBits) : QString(QChar(0x2013))));
    QStringList remarks; // what the source is, before what becomes of it
    for (std::size_t i = 0; i < std::min(plan.findings.size(), kFindingsShown); ++i) {
        remarks << findingMessage(plan.findings[i]);
    }
    if (plan.findings.size() > kFindingsShown) {
        remarks << tr("%n more findings.", nullptr, static_cast<int>(plan.findings.size() - kFindingsShown));
    }
    if (const std::size_t fallbacks = plan.fallbacks(); fallbacks > 0) {
        remarks << tr("%n tensors get another type, because their rows are not whole blocks of the intended type.",
                      nullptr, static_cast<int>(fallbacks));
    }
    if (plan.importance) {
        remarks << importanceRemarks(*plan.importance);
    }
    const auto worst = std::ranges::max_element(m_planned->losses, {}, [](const auto& l) { return l.value_or(-1); });
    if (worst != m_planned->losses.end() && *worst) {
        const auto rounded = std::ranges::count_if(m_planned->losses, [](const auto& l) { return l.has_value(); });
        remarks << tr("The scales of %n tensors are rounded to f16, which changes a weight by %1 at most.", nullptr,
                      static_cast<int>(rounded))
                       .arg(formatReal(**worst));
    }
    if (!remarks.isEmpty()) {
        const bool isWrong = std::ranges::any_of(
            plan.findings, [](const Finding& finding) { return finding.severity() == Severity::Error; });
        showNotice(remarks.join(QLatin1Char(' ')), isWrong                 ? Token::ErrorText
                                                   : plan.findings.empty() ? Token::Muted
                                                                           : Token::WarningText);
    }
    m_convert->setEnabled(plan.obstacles == 0);
}

void ConvertDialog::showRefusal(const Error& error) {
    m_planned.reset();
    m_tensorModel->setUnmapped(unmappedNames(error));
    m_keyModel->setPlan(nullptr);
    showCounts();
    const bool baseUnknown = !error.args.empty() && error.args[0].detail() == Detail::AdapterBaseUnknown;
    m_summary->setText(baseUnknown ? tr("Which model does this adapter belong to?")
                       : m_source != nullptr && m_source->kind == convert::SourceKind::Legacy
                           ? tr("This file cannot be converted")
                           : tr("This folder cannot be converted"));
    const QString place = placeText(error.place);
    const QString hint = baseUnknown ? tr("Choose its base model above.") : errorHint(error);
    showNotice((place.isEmpty() ? QString() : place + QStringLiteral(": ")) + errorReason(error) + u'.' +
                   (hint.isEmpty() ? QString() : u' ' + hint),
               Token::ErrorText);
}

void ConvertDialog::showCounts() {
    const bool tensors = m_stack->currentIndex() == 0;
    const QSortFilterProxyModel& rows = tensors ? *m_tensorRows : *m_keyRows;
    const int all = tensors ? m_tensorModel->rowCount() : m_keyModel->rowCount();
    m_count->setText(rows.rowCount() == all ? (tensors ? tr("%n tensors", nullptr, all) : tr("%n keys", nullptr, all))
                                            : tr("%1 of %2")
                                                  .arg(formatCount(static_cast<std::uint64_t>(rows.rowCount())),
                                                       formatCount(static_cast<std::uint64_t>(all))));
}

void ConvertDialog::showNotice(const QString& text, Token color) {
    setTextColor(m_notice, color);
    m_notice->setText(text);
    m_notice->show();
}

void ConvertDialog::ask() {
    auto* dialog = new QFileDialog(this, tr("Write the converted model"), {}, tr("GGUF models (*.gguf)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave); // asks before it returns the name of an existing file
    dialog->setDefaultSuffix(QStringLiteral("gguf"));
    rememberFolder(*dialog, FolderFor::Exports);
    const QString type = m_type->currentData().toString();
    dialog->selectFile(modelNameText(m_source->name()) + (type.isEmpty() ? QString() : u'-' + type) +
                       QStringLiteral(".gguf"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { write(fromQtPath(file)); });
    dialog->open();
}

void ConvertDialog::setInputsEnabled(bool enabled) {
    const convert::SourceKind kind = m_source->kind;
    m_type->setEnabled(enabled && kind != convert::SourceKind::Legacy);
    m_imatrix->setEnabled(enabled && convert::takesImatrix(kind));
    m_vocabulary->setEnabled(enabled && convert::takesVocabularyOnly(kind));
    for (QWidget* widget : std::initializer_list<QWidget*>{m_name, m_base, m_convert}) {
        widget->setEnabled(enabled);
    }
}

void ConvertDialog::write(const std::filesystem::path& path) {
    if (m_planned == nullptr || isPlanning() || isWriting()) {
        return;
    }
    m_open->hide();
    m_compare->hide();
    m_notice->hide();
    setInputsEnabled(false);
    m_clock.start();
    // A cancelled job delivers no result, but it may have been complete already.
    const auto complete = std::make_shared<std::atomic<bool>>(false);
    m_writing = startJob<bool>(
        this,
        [planned = m_planned, path, complete](const JobContext& job) -> Result<bool> {
            GUFO_TRY(convert::writeConverted(planned->source->folder, planned->plan, planned->request, path, job));
            *complete = true;
            return true;
        },
        [this](const Result<bool>& done) {
            if (!done) {
                const QString place = placeText(done.error().place);
                showNotice((place.isEmpty() ? QString() : place + QStringLiteral(": ")) + errorReason(done.error()) +
                               tr(". Nothing was written. ") + errorHint(done.error()),
                           Token::ErrorText);
            }
        });
    connect(m_writing, &Job::progressed, this, &ConvertDialog::showRate);
    connect(m_writing, &Job::finished, this, [this, path, complete, job = m_writing.data()] {
        if (*complete) {
            m_written = path;
            m_open->show();
            m_compare->setVisible(m_source->kind == convert::SourceKind::Model && !m_vocabulary->isChecked());
            m_open->setFocus(Qt::OtherFocusReason);
            showNotice(tr("Written: %1").arg(displayPath(path)), Token::Good);
        } else if (job->isCancelled()) {
            showNotice(tr("Cancelled. Nothing was written."), Token::Muted);
        }
        m_writing.clear();
        m_rate->hide();
        setInputsEnabled(true);
        emit written();
    });
    setWork(m_writing, tr("Stop converting to %1?").arg(fileNameText(path)),
            tr("What was written so far is discarded."));
    m_progress->watch(m_writing, tr("Writing %1").arg(fileNameText(path)));
}

void ConvertDialog::showRate(quint64 done, quint64 total) {
    const QString text = transferText(done, total, m_clock.elapsed());
    if (text.isEmpty()) {
        return;
    }
    m_rate->setText(text);
    m_rate->show();
}

} // namespace gufo::ui

#include "moc_convert_dialog.cpp"
