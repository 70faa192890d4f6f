#include "ui/quantize/quantize_dialog.h"

#include "tensor/encode.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/recipe_text.h"
#include "ui/quantize/imatrix_field.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/text_color.h"

#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QFileOpenEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace gufo::ui {
namespace {

constexpr int kPlanDelayMs = 150; // waits while the user types
constexpr int kVisibleOverrides = 4;

// `figures`: all columns except the first contain figures.
QTableWidget* makeTable(const QStringList& titles, const QString& name, bool figures) {
    auto* table = new QTableWidget(0, static_cast<int>(titles.size()));
    table->setHorizontalHeaderLabels(titles);
    for (int column = 0; column < table->columnCount(); ++column) {
        table->horizontalHeaderItem(column)->setTextAlignment((figures && column > 0 ? Qt::AlignRight : Qt::AlignLeft) |
                                                              Qt::AlignVCenter);
    }
    table->setAccessibleName(name);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setTabKeyNavigation(false);
    table->setShowGrid(false);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    return table;
}

QComboBox* typeChoice(std::uint32_t typeId) {
    auto* choice = new QComboBox;
    for (const TensorType type : encodableTypes()) {
        choice->addItem(QString::fromLatin1(tensorTypeFact(type).name.data()), static_cast<quint32>(type));
    }
    choice->setCurrentIndex(choice->findData(typeId));
    return choice;
}

} // namespace

QuantizeDialog::QuantizeDialog(std::shared_ptr<const Model> model, QWidget* parent)
    : JobDialog(parent)
    , m_model(std::move(model))
    , m_mix(new QComboBox)
    , m_meaning(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_overrides(makeTable({tr("Tensors whose name matches"), tr("Type")}, tr("Types of some tensors"), false))
    , m_add(new QPushButton(tr("&Add")))
    , m_remove(new QPushButton(tr("&Remove")))
    , m_imatrix(new ImatrixField)
    , m_requantise(new QCheckBox(tr("Requantise tensors that are already quantised")))
    , m_preview(makeTable({tr("Type"), tr("Tensors"), tr("Weights"), tr("Size")}, tr("Preview"), true))
    , m_summary(themedLabel({}, TextStyle::Section, Token::Text, this))
    , m_notice(themedLabel({}, TextStyle::Body, Token::ErrorText, this))
    , m_progress(new JobBar)
    , m_write(new QPushButton(tr("&Quantise…")))
    , m_open(new QPushButton(tr("&Open It")))
    , m_compare(new QPushButton(tr("&Compare with the Original"))) {
    m_write->setObjectName(QStringLiteral("write"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Quantise %1").arg(displayText(m_model->path().filename().native())));
    build();
    m_planSoon.setSingleShot(true);
    m_planSoon.setInterval(kPlanDelayMs);
    connect(&m_planSoon, &QTimer::timeout, this, &QuantizeDialog::plan);
    const auto replan = [this] { m_planSoon.start(); };
    connect(m_mix, &QComboBox::currentIndexChanged, this, replan);
    connect(m_imatrix, &ImatrixField::changed, this, replan);
    connect(m_imatrix, &ImatrixField::failed, this, &QuantizeDialog::showError);
    connect(m_requantise, &QCheckBox::toggled, this, replan);
    connect(m_add, &QPushButton::clicked, this, [this] {
        addOverride(QString(), static_cast<std::uint32_t>(TensorType::Q8_0));
        m_overrides->cellWidget(m_overrides->rowCount() - 1, 0)->setFocus();
    });
    connect(m_remove, &QPushButton::clicked, this, [this, replan] {
        m_overrides->removeRow(m_overrides->currentRow() >= 0 ? m_overrides->currentRow()
                                                              : m_overrides->rowCount() - 1);
        m_remove->setEnabled(m_overrides->rowCount() > 0);
        replan();
    });
    connect(m_write, &QPushButton::clicked, this, &QuantizeDialog::ask);
    connect(m_open, &QPushButton::clicked, this, [this] {
        // Sends the event that the desktop would send; the window manager opens the file.
        QFileOpenEvent event(QFile::decodeName(m_written.c_str()));
        QCoreApplication::sendEvent(qApp, &event);
        close();
    });
    connect(m_compare, &QPushButton::clicked, this, [this] {
        emit compareRequested(m_model->path(), m_written);
        close();
    });
    m_mix->setCurrentIndex(m_mix->findText(QStringLiteral("Q4_K_M")));
    plan();
}

void QuantizeDialog::build() {
    for (const Recipe& recipe : recipes()) {
        m_mix->addItem(QString::fromLatin1(recipe.name.data()));
    }
    m_mix->setAccessibleName(tr("Quantisation type"));
    m_meaning->setWordWrap(true);
    m_overrides->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Fixed);
    m_overrides->horizontalHeader()->resizeSection(1, 110);
    m_overrides->setFixedHeight((kVisibleOverrides + 1) * 30);
    m_overrides->setToolTip(tr("Regular expressions; the first match counts"));
    m_remove->setEnabled(false);
    m_preview->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_notice->setWordWrap(true);
    m_notice->hide();
    m_open->hide();
    m_compare->hide();
    m_write->setProperty("primary", true);
    m_write->setEnabled(false);
    const bool quantised = std::ranges::any_of(m_model->tensors, [](const TensorInfo& tensor) {
        return tensor.type() != nullptr && tensor.type()->kind == TensorTypeKind::Quantised;
    });
    m_requantise->setVisible(quantised);
    m_requantise->setToolTip(tr("Loses more than quantising the original"));

    auto* mix = new QHBoxLayout;
    mix->setSpacing(12);
    mix->addWidget(m_mix);
    mix->addWidget(m_meaning, 1);
    auto* overrideButtons = new QHBoxLayout;
    overrideButtons->setSpacing(8);
    overrideButtons->addWidget(m_add);
    overrideButtons->addWidget(m_remove);
    overrideButtons->addStretch();
    auto* overrides = new QVBoxLayout;
    overrides->setSpacing(6);
    overrides->addWidget(m_overrides);
    overrides->addLayout(overrideButtons);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(12);
    form->setVerticalSpacing(10);
    auto* mixLabel = new QLabel(tr("&Type"));
    mixLabel->setBuddy(m_mix);
    form->addRow(mixLabel, mix);
    form->addRow(tr("Other types"), overrides);
    form->addRow(tr("&Importance matrix"), m_imatrix);
    form->addRow(QString(), m_requantise);

    auto* closeButton = new QPushButton(tr("Close"));
    for (QPushButton* button : {m_add, m_remove, m_open, m_compare, closeButton}) {
        button->setAutoDefault(false);
    }
    m_write->setDefault(true);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_progress, 1);
    buttons->addStretch();
    buttons->addWidget(m_open);
    buttons->addWidget(m_compare);
    buttons->addWidget(m_write);
    buttons->addWidget(closeButton);
    connect(closeButton, &QPushButton::clicked, this, &QDialog::reject);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(10);
    column->addLayout(form);
    column->addWidget(m_preview, 1);
    column->addWidget(m_summary);
    column->addWidget(m_notice);
    column->addLayout(buttons);
    resizeOverWindow(*this, {680, 640});
}

void QuantizeDialog::addOverride(const QString& pattern, std::uint32_t typeId) {
    const int row = m_overrides->rowCount();
    m_overrides->insertRow(row);
    auto* text = new QLineEdit(pattern);
    text->setPlaceholderText(tr("attn_v|ffn_down"));
    text->setAccessibleName(tr("Name of tensors, a regular expression"));
    QComboBox* type = typeChoice(typeId);
    type->setAccessibleName(tr("Type of these tensors"));
    m_overrides->setCellWidget(row, 0, text);
    m_overrides->setCellWidget(row, 1, type);
    m_remove->setEnabled(true);
    const auto replan = [this] { m_planSoon.start(); };
    connect(text, &QLineEdit::textChanged, this, replan);
    connect(type, &QComboBox::currentIndexChanged, this, replan);
    m_planSoon.start();
}

void QuantizeDialog::addOverride(const std::vector<TensorIndex>& tensors, std::uint32_t typeId) {
    for (const std::string& pattern : patternsOf(*m_model, tensors)) {
        addOverride(QString::fromStdString(pattern), typeId);
    }
}

void QuantizeDialog::setImatrix(std::shared_ptr<const Imatrix> imatrix) {
    m_imatrix->set(std::move(imatrix));
    m_planSoon.start();
}

std::optional<QuantizeRequest> QuantizeDialog::request() {
    QuantizeRequest request;
    request.recipe.recipe = findRecipe(m_mix->currentText().toStdString());
    request.imatrix = m_imatrix->imatrix();
    request.allowRequantize = m_requantise->isChecked();
    for (int row = 0; row < m_overrides->rowCount(); ++row) {
        const auto* text = qobject_cast<QLineEdit*>(m_overrides->cellWidget(row, 0));
        const auto* type = qobject_cast<QComboBox*>(m_overrides->cellWidget(row, 1));
        if (text == nullptr || type == nullptr || text->text().isEmpty()) {
            continue;
        }
        const QRegularExpression pattern(text->text());
        if (!pattern.isValid()) {
            showNotice(tr("\"%1\" is not a regular expression: %2").arg(text->text(), pattern.errorString()), true);
            return {};
        }
        request.recipe.overrides.push_back(
            {.matches =
                 [pattern](std::string_view name) {
                     return pattern.match(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())))
                         .hasMatch();
                 },
             .typeId = type->currentData().toUInt(),
             .pattern = text->text().toStdString()});
    }
    return request;
}

// Enter in a field takes over what was typed; only on the button does it ask for a file.
void QuantizeDialog::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && qobject_cast<QPushButton*>(focusWidget()) == nullptr) {
        m_planSoon.stop();
        plan();
        event->accept();
        return;
    }
    JobDialog::keyPressEvent(event);
}

void QuantizeDialog::plan() {
    m_planning.cancel();
    m_write->setEnabled(false);
    m_notice->hide();
    const auto wanted = request();
    if (!wanted) {
        return;
    }
    m_meaning->setText(recipeText(wanted->recipe.recipe->name));
    m_planning.start<QuantizePlan>(
        [model = m_model, request = *wanted](const JobContext& context) {
            return planQuantization(*model, request, context);
        },
        [this, overrides = wanted->recipe.overrides](Result<QuantizePlan> plan) {
            if (plan) {
                showPlan(*plan, overrides);
            } else {
                m_preview->setRowCount(0);
                m_summary->clear();
                showError(plan.error());
            }
        });
}

void QuantizeDialog::showPlan(const QuantizePlan& plan, const std::vector<TypeOverride>& overrides) {
    struct Totals {
        std::uint64_t tensors = 0;
        std::uint64_t weights = 0;
        std::uint64_t bytes = 0;
    };
    std::map<std::string, Totals> byType;
    std::size_t fallbacks = 0;
    for (const PlannedTensor& tensor : plan.tensors()) {
        const TensorInfo& stored = m_model->tensor(tensor.tensor);
        const TensorInfo changed{.typeId = tensor.typeId};
        Totals& totals = byType[tensor.typeId == stored.typeId ? stored.typeName() : changed.typeName()];
        ++totals.tensors;
        totals.weights += stored.weights();
        totals.bytes += tensor.bytes;
        fallbacks += tensor.reason == TypeReason::Fallback ? 1 : 0;
    }
    std::vector<std::pair<std::string, Totals>> rows(byType.begin(), byType.end());
    std::ranges::stable_sort(rows, std::greater(), [](const auto& row) { return row.second.bytes; });
    m_preview->setRowCount(static_cast<int>(rows.size()));
    for (int row = 0; row < m_preview->rowCount(); ++row) {
        const auto& [type, totals] = rows[static_cast<std::size_t>(row)];
        const QStringList cells{displayText(type), formatCount(totals.tensors), formatCount(totals.weights),
                                formatBytes(totals.bytes)};
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            m_preview->setItem(row, column, item);
        }
    }
    const Model::Totals before = m_model->totals();
    m_summary->setText(tr("%1, %2 bits per weight; before: %3, %4")
                           .arg(formatBytes(plan.fileBytes), formatBitsPerWeight(plan.bitsPerWeight()),
                                formatBytes(before.fileBytes), formatBitsPerWeight(before.bitsPerWeight.value_or(0))));
    QStringList remarks;
    if (fallbacks > 0) {
        remarks << tr("%n tensors get another type, because their rows are not whole blocks of the intended type.",
                      nullptr, static_cast<int>(fallbacks));
    }
    if (plan.importance) {
        remarks << importanceRemarks(*plan.importance);
    }
    const QStringList warnings = typeWarnings(*m_model, plan.types, overrides);
    if (!remarks.isEmpty() || !warnings.isEmpty()) {
        showNotice((remarks + warnings).join(QLatin1Char(' ')), false);
        if (!warnings.isEmpty()) {
            setTextColor(m_notice, Token::WarningText);
        }
    }
    m_write->setEnabled(true);
}

void QuantizeDialog::showNotice(const QString& text, bool error) {
    setTextColor(m_notice, error ? Token::ErrorText : Token::Muted);
    m_notice->setText(text);
    m_notice->show();
}

void QuantizeDialog::showError(const Error& error) {
    const QString hint =
        error.code == ErrorCode::LossySource
            ? tr("Quantise the model in F32, F16 or BF16 instead, or tick the box above, which loses more.")
            : errorHint(error);
    // Only a file beside the model is named.
    const bool isMatrix = m_imatrix->imatrix() != nullptr && error.file == m_imatrix->imatrix()->path();
    const QString file = isMatrix ? displayText(error.file.filename().native()) + QStringLiteral(": ") : QString();
    const QString place = error.place.name.empty() ? QString() : displayText(error.place.name) + QStringLiteral(": ");
    showNotice(file + place + errorReason(error) + QStringLiteral(". ") + hint, true);
}

QString QuantizeDialog::proposedName() const {
    // "Model-7B-F16.gguf" becomes "Model-7B-Q4_K_M.gguf".
    QString stem = displayText(m_model->path().stem().native());
    const qsizetype dash = std::max(stem.lastIndexOf(QLatin1Char('-')), stem.lastIndexOf(QLatin1Char('.')));
    if (dash > 0 && findRecipe(stem.mid(dash + 1).toStdString()) != nullptr) {
        stem.truncate(dash);
    }
    return stem + QLatin1Char('-') + m_mix->currentText() + QStringLiteral(".gguf");
}

void QuantizeDialog::ask() {
    auto* dialog = new QFileDialog(this, tr("Write the quantised model"), {}, tr("GGUF models (*.gguf)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("gguf"));
    dialog->setDirectory(QFile::decodeName(m_model->path().parent_path().c_str()));
    dialog->selectFile(proposedName());
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& file) { write(std::filesystem::path(QFile::encodeName(file).toStdString())); });
    dialog->open();
}

void QuantizeDialog::setInputsEnabled(bool enabled) {
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_mix, m_overrides, m_add, m_remove, m_imatrix, m_requantise, m_write}) {
        widget->setEnabled(enabled);
    }
    m_remove->setEnabled(enabled && m_overrides->rowCount() > 0);
}

void QuantizeDialog::write(const std::filesystem::path& path) {
    const auto wanted = request();
    if (!wanted || !m_writing.isNull()) {
        return;
    }
    m_open->hide();
    m_compare->hide();
    m_notice->hide();
    setInputsEnabled(false);
    m_writing = startJob<QuantizePlan>(
        this,
        [model = m_model, request = *wanted, path](const JobContext& context) {
            return quantizeModel(*model, request, path, context);
        },
        [this, path](Result<QuantizePlan> result) {
            if (!result) {
                showError(result.error());
                return;
            }
            m_written = path;
            m_open->show();
            m_compare->show();
            showNotice(tr("Written: %1").arg(displayPath(path)), false);
            emit written(displayPath(path));
        });
    connect(m_writing, &Job::finished, this, [this] { setInputsEnabled(true); });
    const QString name = displayText(path.filename().native());
    setWork(m_writing, tr("Stop quantising %1?").arg(name), tr("What was written so far is discarded."));
    m_progress->watch(m_writing, tr("Writing %1").arg(name));
}

} // namespace gufo::ui

#include "moc_quantize_dialog.cpp"
