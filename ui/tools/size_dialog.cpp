#include "ui/tools/size_dialog.h"

#include "inference/measuring/speed.h"
#include "model/tensor_role.h"
#include "quantize/calibration_store.h"
#include "text/tensor_filter.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/recipe_text.h"
#include "ui/quantize/imatrix_field.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/tools/file_field.h"
#include "ui/tools/measured_text.h"
#include "ui/tools/plan_check_view.h"
#include "ui/tools/type_map.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/segmented_control.h"

#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <thread>

namespace gufo::ui {
namespace {

constexpr int kPlanDelayMs = 120; // while the user types or slides
constexpr std::size_t kCalibrationWindow = 512;
constexpr int kEditDelayMs = 350;
constexpr std::uint64_t kReadForSpeed = std::uint64_t{512} << 20U;
constexpr int kReadingPasses = 3;
constexpr double kUsualBits = 4.5;

// As the user would type it, without groups of digits.
QString typedNumber(double value, int decimals) {
    return QString::number(value, 'f', decimals).replace(u'.', figureLocale().decimalPoint());
}

QString megabytes(std::uint64_t bytes) {
    const double size = static_cast<double>(bytes) / (1024.0 * 1024.0);
    return typedNumber(size, size < 100 ? 3 : 1) + QStringLiteral(" MiB");
}

// How fast the tensors can be read; nothing if the caches hold them, so that other things limit the speed.
Result<double> bandwidthOf(const Model& model, const JobContext& job) {
    if (model.totals().tensorBytes <= inference::lastLevelCacheBytes()) {
        return 0;
    }
    auto meter =
        GUFO_TRY(inference::ReadMeter::make(model, std::max(1U, std::thread::hardware_concurrency()), kReadForSpeed));
    meter.warm();
    for (int i = 0; i < kReadingPasses && !job.stopRequested(); ++i) {
        meter.pass();
    }
    return meter.best();
}

// What a token reads: a row of the embedding, unless the output is tied to it, the share of the experts that compute,
// and all other tensors.
double bytesOfToken(const Model& model, const QuantizePlan& file) {
    const auto experts = model.metadata.uint(model.metadata.architectureKey("expert_count"));
    const auto used = model.metadata.uint(model.metadata.architectureKey("expert_used_count"));
    const double share = experts && used && *experts > 0 && *used < *experts
                             ? static_cast<double>(*used) / static_cast<double>(*experts)
                             : 1;
    const bool isTied = !model.findTensor("output.weight");
    double bytes = 0;
    for (const PlannedTensor& planned : file.tensors()) {
        const std::string_view name = model.tensor(planned.tensor).name;
        if (name != "token_embd.weight" || isTied) {
            bytes += static_cast<double>(planned.bytes) * (parseTensorName(name).role.ends_with("_exps") ? share : 1);
        }
    }
    return bytes;
}

} // namespace

struct SizeDialog::Costs {
    std::shared_ptr<const CostTable> table;
    bool measured = false;
    std::uint64_t least = 0;
    double bandwidth = 0;
};

struct SizeDialog::Planned {
    RecipeOutcome outcome;
    std::optional<std::uint64_t> beside; // bytes of memory beside the weights
};

struct SizeDialog::Wanted {
    PlanTarget target;
    std::optional<std::uint64_t> memory; // sets the target's bytes
    std::uint64_t context = 0;
    QString text;
};

SizeDialog::SizeDialog(std::shared_ptr<const Model> model, const std::vector<std::filesystem::path>& open,
                       QWidget* parent)
    : ToolDialog(tr("Quantise %1 for a Size").arg(fileNameText(model->path())), tr("&Quantise…"), parent)
    , m_model(std::move(model))
    , m_target(new QComboBox(this))
    , m_value(new QLineEdit(this))
    , m_context(new CountBox(this))
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_imatrix(new ImatrixField(this))
    , m_text(new FileField(tr("text for the costs"), textFilters(), FileField::Needs::FileOrNothing, this))
    , m_joined(new QCheckBox(tr("Shared types"), this))
    , m_runtime(new QComboBox(this))
    , m_speed(new QComboBox(this))
    , m_view(new SegmentedControl(tr("View of the plan"), this))
    , m_map(new TypeMap(m_model))
    , m_editor(new QPlainTextEdit(this))
    , m_check(new PlanCheckView(m_model))
    , m_differencesText(new ElidedLabel(TextStyle::Table, Token::Text, Qt::ElideRight, this))
    , m_differences(new QTableWidget(this))
    , m_save(new QPushButton(tr("&Save Recipe…"), this)) {
    m_target->setObjectName("targetField");
    m_value->setObjectName("valueField");
    m_joined->setObjectName("joinedField");
    m_runtime->setObjectName("runtimeField");
    m_speed->setObjectName("speedField");
    m_slider->setRange(0, kSteps);
    m_slider->setAccessibleName(tr("Size of the file, from the smallest to the original"));
    m_slider->setEnabled(false);
    m_text->setToolTip(tr("Measures on this text how much the model loses by errors in each role of tensors; "
                          "otherwise, published figures of another model stand in for it"));
    auto* area = new QScrollArea(this);
    area->setWidget(buildViews());
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setMinimumHeight(48);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    addChoice(tr("&Target"), buildTarget());
    form()->addRow(QString(), m_slider);
    addChoice(tr("&Importance matrix"), m_imatrix);
    addChoice(tr("&Measure costs on"), m_text);
    form()->addRow(tr("Recipe"), buildRecipeRow());
    form()->addRow(buildViewRow());
    form()->addRow(area);
    m_check->setOthers(open);
    area->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    static_cast<QVBoxLayout*>(layout())->setStretchFactor(form()->parentWidget(), 1);
    setSummary(tr("Measuring what each type costs in each tensor…"));
    m_planSoon.setSingleShot(true);
    m_planSoon.setInterval(kPlanDelayMs);
    connect(&m_planSoon, &QTimer::timeout, this, &SizeDialog::plan);
    m_editSoon.setSingleShot(true);
    m_editSoon.setInterval(kEditDelayMs);
    connect(&m_editSoon, &QTimer::timeout, this, &SizeDialog::takeEdited);
    connect(m_editor, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_showsRecipe) {
            m_editSoon.start();
        }
    });
    connect(m_joined, &QCheckBox::toggled, this, [this] {
        if (m_costs != nullptr) {
            m_least = smallestBytes(*m_model, *m_costs, rules());
            m_check->setCosts(m_costs, {.recipe = {}, .imatrix = m_imatrix->imatrix()}, rules());
        }
        planChosen();
    });
    connect(m_imatrix, &ImatrixField::changed, this, &SizeDialog::measureCosts);
    connect(m_imatrix, &ImatrixField::failed, this, &SizeDialog::showError);
    connect(m_text, &FileField::changed, this, &SizeDialog::measureCosts);
    connect(m_slider, &QSlider::valueChanged, this, &SizeDialog::slide);
    connect(jobBar(), &JobBar::cancelled, this, [this] {
        if (m_timing.isRunning()) {
            m_timing.cancel();
            const QSignalBlocker quiet(m_speed);
            m_speed->setCurrentIndex(0);
            return;
        }
        if (m_costs == nullptr) { // otherwise the writing was cancelled
            m_costing.cancel();
            setSummary(tr("The costs were not measured."));
            showNotice(tr("Cancelled. Press Enter in the target to measure them."));
        }
    });
    resizeOverWindow(*this, {860, 700});
    showView();
    measureCosts();
}

QWidget* SizeDialog::buildTarget() {
    auto* row = new QWidget(this);
    m_target->addItem(tr("File size"), static_cast<int>(Target::FileSize));
    m_target->addItem(tr("Bits per weight"), static_cast<int>(Target::BitsPerWeight));
    m_target->addItem(tr("Fits in memory"), static_cast<int>(Target::Memory));
    m_target->addItem(tr("KL divergence"), static_cast<int>(Target::Divergence));
    m_target->setAccessibleName(tr("Kind of target"));
    m_target->setCurrentIndex(1);
    m_value->setText(typedNumber(kUsualBits, 1));
    m_value->setAccessibleName(tr("Target"));
    m_value->setMinimumWidth(70);
    m_value->setPlaceholderText(tr("4.2 GB"));
    m_context->setRange(16, 16'777'216);
    m_context->setValue(4096);
    m_context->setSuffix(tr(" tokens of context"));
    m_context->setAccessibleName(tr("Context"));
    m_context->setToolTip(tr("The context for which memory is stated and must suffice"));
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    line->addWidget(m_target);
    line->addWidget(m_value, 1);
    line->addWidget(m_context);
    row->setFocusProxy(m_target);
    connect(m_target, &QComboBox::currentIndexChanged, this, [this] {
        if (m_outcome != nullptr) { // the same target in other words
            const auto kind = static_cast<Target>(m_target->currentData().toInt());
            m_value->setText(kind == Target::BitsPerWeight ? typedNumber(m_outcome->file.bitsPerWeight(), 2)
                             : kind == Target::Divergence  ? figureLocale().toString(m_outcome->nats, 'g', 3)
                                                           : megabytes(m_outcome->file.fileBytes));
        }
        planChosen();
    });
    connect(m_value, &QLineEdit::textEdited, this, &SizeDialog::planChosen);
    connect(m_context, &QSpinBox::valueChanged, this, [this] { m_planSoon.start(); });
    return row;
}

void SizeDialog::chooseFile(const QString& title, const QStringList& filters,
                            void (SizeDialog::*then)(const std::filesystem::path&), bool save, const QString& name) {
    auto* dialog = new QFileDialog(this, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(save ? QFileDialog::AnyFile : QFileDialog::ExistingFile);
    dialog->setAcceptMode(save ? QFileDialog::AcceptSave : QFileDialog::AcceptOpen);
    rememberFolder(*dialog, save ? FolderFor::Exports : FolderFor::Imports);
    dialog->setNameFilters(filters);
    if (save) {
        dialog->selectFile(name);
    }
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, then](const QString& file) { (this->*then)(fromQtPath(file)); });
    dialog->open();
}

// Errors of all tensors in all types, and the factors that make them nats: published ones, or measured on the text.
void SizeDialog::measureCosts() {
    m_planning.cancel();
    m_costs = nullptr;
    m_outcome = nullptr;
    setReady(false);
    m_save->setEnabled(false);
    m_slider->setEnabled(false);
    m_map->clear();
    m_check->setCosts(nullptr, {}, {});
    showNotice({});
    setSummary(tr("Measuring what each type costs in each tensor…"));
    Job* job = m_costing.start<Costs>(
        [model = m_model, imatrix = m_imatrix->imatrix(), text = m_text->path(), rules = rules(),
         runtime = runtime()](const JobContext& context) -> Result<Costs> {
            auto table =
                std::make_shared<CostTable>(GUFO_TRY(tensorCosts(*model, imatrix, plannedTypes(runtime), context)));
            SensitivityFactors factors = publishedFactors(*model);
            if (!text.empty() && !table->tensors.empty()) {
                const auto tokenizer = GUFO_TRY(text::makeTokenizer(*model, context.silent()));
                const TextTokens tokens = GUFO_TRY(tokensOfFile(text, *tokenizer, context.silent()));
                const auto trained = model->metadata.uint(model->metadata.architectureKey("context_length"));
                const std::size_t window =
                    trained && *trained > 4 ? std::min<std::size_t>(kCalibrationWindow, *trained) : kCalibrationWindow;
                auto windows = calibrationWindows(*model, tokens.ids, window, tokens.bos);
                if (!windows) {
                    return std::unexpected(std::move(windows.error()).in(text));
                }
                factors = GUFO_TRY(calibrateOnce(model, imatrix, *table, *windows, {}, calibrationFolder(), context));
            }
            applyFactors(*model, factors, *table);
            const std::uint64_t least = table->tensors.empty() ? 0 : smallestBytes(*model, *table, rules);
            const double bandwidth = GUFO_TRY(bandwidthOf(*model, context));
            return Costs{
                .table = std::move(table), .measured = factors.measured, .least = least, .bandwidth = bandwidth};
        },
        [this](const Result<Costs>& costs) {
            if (costs) {
                takeCosts(*costs);
            } else {
                setSummary(tr("The costs were not measured."));
                showError(costs.error());
            }
        });
    jobBar()->watch(job, m_text->path().empty() ? tr("Measuring errors") : tr("Measuring costs on the text"));
}

void SizeDialog::takeCosts(const Costs& costs) {
    m_measured = costs.measured;
    m_least = costs.least;
    m_most = std::max(m_model->totals().tensorBytes, m_least + 1);
    if (costs.table->tensors.empty()) {
        setSummary(tr("Nothing to plan"));
        showNotice(tr("This model has no matrices of floating-point numbers. Plan with the original, in F32, F16 or "
                      "BF16: quantising twice loses more."),
                   Token::ErrorText);
        return;
    }
    m_costs = costs.table;
    m_bandwidth = costs.bandwidth;
    m_slider->setEnabled(true);
    m_check->setCosts(m_costs, {.recipe = {}, .imatrix = m_imatrix->imatrix()}, rules());
    plan();
}

std::uint64_t SizeDialog::bytesAt(int position) const {
    const double share = static_cast<double>(position) / kSteps;
    return static_cast<std::uint64_t>(std::ceil(
        static_cast<double>(m_least) * std::pow(static_cast<double>(m_most) / static_cast<double>(m_least), share)));
}

int SizeDialog::positionOf(std::uint64_t bytes) const {
    const double share = std::log(static_cast<double>(bytes) / static_cast<double>(m_least)) /
                         std::log(static_cast<double>(m_most) / static_cast<double>(m_least));
    return std::clamp(static_cast<int>(std::lround(share * kSteps)), 0, kSteps);
}

// The slider states its size in the words of the target.
void SizeDialog::slide(int position) {
    if (m_costs == nullptr) {
        return;
    }
    const QSignalBlocker quiet(m_target);
    m_target->setCurrentIndex(m_target->findData(static_cast<int>(Target::BitsPerWeight)));
    const double bits = 8.0 * static_cast<double>(bytesAt(position)) / static_cast<double>(m_model->totals().weights);
    m_value->setText(typedNumber(std::ceil(bits * 1000) / 1000, 3)); // no less than the smallest plan needs
    planChosen();
}

// The map follows while the slider moves, so a pending plan is not put off.
void SizeDialog::planChosen() {
    m_recipe.reset();
    m_from.clear();
    if (!m_planSoon.isActive()) {
        m_planSoon.start();
    }
}

std::optional<SizeDialog::Wanted> SizeDialog::wanted() {
    Wanted wanted{.target = {},
                  .memory = {},
                  .context = static_cast<std::uint64_t>(m_context->value()),
                  .text = m_target->currentText() + u' ' + m_value->text()};
    const auto kind = static_cast<Target>(m_target->currentData().toInt());
    if (kind == Target::BitsPerWeight) {
        bool isNumber = false;
        const double bits = m_value->text().trimmed().replace(u',', u'.').toDouble(&isNumber);
        if (!isNumber || bits < 0.5 || bits > 32) {
            return {};
        }
        wanted.target.tensorBytes =
            static_cast<std::uint64_t>(std::ceil(bits * static_cast<double>(m_model->totals().weights) / 8));
        return wanted;
    }
    if (kind == Target::Divergence) {
        bool isNumber = false;
        const double nats = m_value->text().trimmed().replace(u',', u'.').toDouble(&isNumber);
        if (!isNumber || !(nats > 0)) {
            return {};
        }
        wanted.target.nats = nats;
        return wanted;
    }
    const auto bytes = typedBytes(m_value->text());
    if (!bytes) {
        return {};
    }
    (kind == Target::Memory ? wanted.memory : wanted.target.fileBytes) = bytes;
    return wanted;
}

void SizeDialog::plan() {
    m_planSoon.stop();
    if (isWorking()) {
        return;
    }
    if (m_costs == nullptr) {
        if (!m_costing.isRunning()) {
            measureCosts();
        }
        return;
    }
    setReady(false);
    showNotice({});
    const auto asked = wanted();
    if (!asked && !m_recipe) {
        m_planning.cancel();
        showNotice(
            tr("The target is a size such as 4.2 GB, bits per weight such as 4.5, or a KL divergence such as 0.02."),
            Token::ErrorText);
        return;
    }
    QuantizeRequest request;
    request.imatrix = m_imatrix->imatrix();
    RecipeHeader header{
        {"model", std::string(m_model->metadata.string("general.name").value_or(""))},
        {"target", asked ? asked->text.toStdString() : std::string()},
        {"costs", m_measured ? "measured with " + m_text->path().filename().string() : std::string("published")}};
    if (request.imatrix != nullptr) {
        header.emplace_back("imatrix", request.imatrix->path().filename().string());
    }
    m_planning.start<Planned>(
        [model = m_model, costs = m_costs, asked = asked.value_or(Wanted{}), recipe = m_recipe,
         request = std::move(request), header = std::move(header), rules = rules(),
         context = static_cast<std::uint64_t>(m_context->value())](const JobContext& job) -> Result<Planned> {
            const auto beside = memoryBesideWeights(model, context);
            if (recipe) {
                return Planned{GUFO_TRY(outcomeOf(*model, *costs, *recipe, request, job)), beside};
            }
            PlanTarget target = asked.target;
            if (asked.memory) {
                target.tensorBytes = *asked.memory - std::min(*asked.memory, beside.value_or(0));
            }
            return Planned{GUFO_TRY(planFile(*model, *costs, target, rules, header, request, job)), beside};
        },
        [this](const Result<Planned>& planned) {
            if (planned) {
                showPlanned(*planned);
            } else {
                m_outcome = nullptr;
                m_save->setEnabled(false);
                m_check->setPlan(nullptr);
                showError(planned.error());
                if (planned.error().code == ErrorCode::InvalidArgument) {
                    const QString vetoes = vetoText();
                    showNotice((notice() + u' ' + vetoes).trimmed(), Token::ErrorText);
                }
            }
        });
}

void SizeDialog::showPlanned(const Planned& planned) {
    m_outcome = std::make_shared<const RecipeOutcome>(planned.outcome);
    const QuantizePlan& file = m_outcome->file;
    m_map->setPlan(m_costs, file);
    {
        const QSignalBlocker quiet(m_slider);
        m_slider->setValue(positionOf(file.tensorBytes));
    }
    QString summary = tr("%1 (%2 bytes), %3 bits per weight, expected KL divergence: %4 nats")
                          .arg(formatBytes(file.fileBytes), formatCount(file.fileBytes),
                               formatBitsPerWeight(file.bitsPerWeight()), formatReal(m_outcome->nats, 3));
    if (planned.beside) {
        summary += tr(", memory: %1").arg(formatBytes(file.tensorBytes + *planned.beside));
    }
    if (m_bandwidth > 0) {
        summary += tr(", at most %1 tokens/s here")
                       .arg(formatReal(m_bandwidth / std::max(1.0, bytesOfToken(*m_model, file)), 2));
    }
    setSummary(m_from.isEmpty() ? summary : tr("%1: %2").arg(m_from, summary));
    QStringList notes;
    if (!m_measured) {
        notes << tr("The costs are published ones of another model; choose a text to measure them on this one.");
    } else {
        notes << tr("The costs were measured on %1.").arg(fileNameText(m_text->path()));
    }
    if (m_outcome->unknown > 0) {
        notes << tr("%n tensors have types whose cost was not measured; the divergence leaves them out.", nullptr,
                    numerus(m_outcome->unknown));
    }
    if (file.importance) {
        notes << importanceRemarks(*file.importance);
    }
    const QStringList warnings = typeWarnings(*m_model, file.types, m_outcome->request.recipe.overrides);
    showNotice((notes + warnings).join(u' '), warnings.isEmpty() ? Token::Muted : Token::WarningText);
    m_save->setEnabled(true);
    m_check->setPlan(m_outcome);
    showRecipe();
    showDifferences();
    setReady(true);
}

QString SizeDialog::proposedName(const QString& suffix) const {
    // "Model-7B-F16.gguf" becomes "Model-7B-4.5bpw.gguf".
    QString stem = displayText(m_model->path().stem().native());
    const qsizetype dash = std::max(stem.lastIndexOf(u'-'), stem.lastIndexOf(u'.'));
    if (dash > 0 && findRecipe(stem.mid(dash + 1).toStdString()) != nullptr) {
        stem.truncate(dash);
    }
    return QStringLiteral("%1-%2bpw%3").arg(stem, QString::number(m_outcome->file.bitsPerWeight(), 'f', 2), suffix);
}

void SizeDialog::start() {
    if (m_outcome != nullptr && !isWorking()) {
        chooseFile(tr("Write the quantised model"), {tr("GGUF models (*.gguf)")}, &SizeDialog::write, true,
                   proposedName(QStringLiteral(".gguf")));
    }
}

void SizeDialog::write(const std::filesystem::path& path) {
    if (m_outcome == nullptr || isWorking()) {
        return;
    }
    Job* job = startJob<QuantizePlan>(
        this,
        [model = m_model, request = m_outcome->request, path](const JobContext& context) {
            return quantizeModel(*model, request, path, context);
        },
        [this, path](const Result<QuantizePlan>& written) {
            if (!written) {
                showError(written.error());
                return;
            }
            offer(path);
            m_check->setWritten(path);
            m_view->setCurrent(static_cast<int>(View::Sizes));
            showView();
            m_check->check(); // if there is a text
        });
    connect(job, &Job::finished, this, [this, job] {
        if (job->isCancelled()) {
            showNotice(tr("Cancelled. Nothing was written."));
        }
    });
    const QString name = fileNameText(path);
    follow(job, tr("Writing %1").arg(name), tr("Stop quantising %1?").arg(name),
           tr("What was written so far is discarded."));
}

void SizeDialog::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && qobject_cast<QPushButton*>(focusWidget()) == nullptr) {
        plan();
    }
    ToolDialog::keyPressEvent(event);
}

} // namespace gufo::ui

#include "moc_size_dialog.cpp"
