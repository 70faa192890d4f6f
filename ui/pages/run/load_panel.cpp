#include "ui/pages/run/load_panel.h"

#include "inference/engine/compute/team.h"
#include "model/file_kind.h"
#include "ui/document/fetching.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/memory_text.h"
#include "ui/theme/style.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/text_color.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QThread>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kWidth = 480;
constexpr int kMinMargin = 24;
constexpr int kLowHeight = 520; // of the room for the panel
constexpr int kLabelWidth = 90;

QFrame* separator(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setFrameShape(QFrame::HLine);
    line->setFixedHeight(1);
    return line;
}

QString refusalText(const Error& error) {
    if (error.code != ErrorCode::NotRunnable) {
        const QString hint = errorHint(error);
        return LoadPanel::tr("This model cannot run: %1.").arg(errorReason(error)) +
               (hint.isEmpty() ? QString() : u' ' + hint);
    }
    QString text = errorReason(error) + u'.';
    text[0] = text[0].toUpper();
    if (error.place.kind == Place::Kind::Key && error.place.name == "general.architecture") {
        QStringList known;
        for (const inference::GraphTraits& each : inference::graphTraits()) {
            if (!each.encoder) { // encoders make vectors, which this page does not show
                known << latin1(each.name);
            }
        }
        known.sort();
        text += LoadPanel::tr(" The architectures that it runs: %1.").arg(known.join(QStringLiteral(", ")));
    }
    return text;
}

} // namespace

LoadPanel::LoadPanel(QWidget* parent, std::span<const inference::Engine> engines)
    : QWidget(parent)
    , m_engines(engines)
    , m_title(themedLabel(tr("Run this model"), TextStyle::PageTitle, Token::Text, this))
    , m_intro(themedLabel(tr("It runs on this machine, directly from the file; nothing is sent anywhere."),
                          TextStyle::Table, Token::Muted, this))
    , m_controls(new QWidget(this))
    , m_engineRow(new QWidget(m_controls))
    , m_engine(new QComboBox(m_engineRow))
    , m_offReasons(engines.size())
    , m_server(new ServerPanel(kLabelWidth, m_controls))
    , m_localControls(new QWidget(m_controls))
    , m_context(new ContextField(kLabelWidth, m_localControls))
    , m_cacheRow(new QWidget(m_localControls))
    , m_valuesLabel(themedLabel(tr("V cache"), TextStyle::Table, Token::Text, m_cacheRow))
    , m_keys(new QComboBox(m_cacheRow))
    , m_values(new QComboBox(m_cacheRow))
    , m_rope(new RopeField(kLabelWidth, m_localControls))
    , m_threads(new CountBox(m_localControls))
    , m_offload(new OffloadField(kLabelWidth, m_localControls))
    , m_figureBox(new QWidget(m_localControls))
    , m_mark(new QLabel(this))
    , m_verdict(themedLabel(QString(), TextStyle::Table, Token::Muted, this))
    , m_load(new QPushButton(tr("Load"), this)) {
    for (QComboBox* box : {m_keys, m_values}) {
        for (const KvCacheType type : kvCacheTypes()) {
            box->addItem(latin1(kvCacheTypeName(type)), static_cast<int>(type));
        }
        box->setCurrentIndex(box->findData(static_cast<int>(KvCacheType::F16)));
        box->setFixedWidth(76);
        box->setToolTip(
            tr("How the KV cache is stored: f16 is the default, q8_0 takes half of that, q4_0 a quarter; f32 is "
               "exact. "
               "Keys are more sensitive to low precision than values"));
        connect(box, &QComboBox::currentIndexChanged, this, &LoadPanel::estimateSoon);
    }
    m_keys->setAccessibleName(tr("Type of the K cache"));
    m_values->setAccessibleName(tr("Type of the V cache"));
    m_threads->setRange(1, std::max(1, QThread::idealThreadCount()));
    m_threads->setValue(static_cast<int>(inference::physicalCores()));
    m_threads->setFixedWidth(64);
    m_threads->setAccessibleName(tr("Threads"));
    m_threads->setToolTip(
        tr("The number of physical cores is usually best: more threads compete for memory bandwidth"));

    const auto label = [this](const QString& text) {
        QLabel* made = themedLabel(text, TextStyle::Table, Token::Text, m_controls);
        made->setFixedWidth(kLabelWidth);
        return made;
    };
    for (const inference::Engine& engine : m_engines) {
        m_engine->addItem(engineName(engine.id), latin1(engine.id));
    }
    m_engine->setAccessibleName(tr("Engine"));
    m_engine->setToolTip(tr("What runs the model"));
    m_server->hide();
    m_offload->hide();
    m_engineRow->setVisible(m_engines.size() > 1);
    auto* engineRow = new QHBoxLayout(m_engineRow);
    engineRow->setContentsMargins(0, 0, 0, 10);
    engineRow->setSpacing(8);
    engineRow->addWidget(label(tr("Engine")));
    engineRow->addWidget(m_engine);
    engineRow->addStretch();
    auto* cacheRow = new QHBoxLayout(m_cacheRow);
    cacheRow->setContentsMargins(0, 0, 0, 0);
    cacheRow->setSpacing(8);
    cacheRow->addWidget(label(tr("K cache")));
    cacheRow->addWidget(m_keys);
    cacheRow->addSpacing(12);
    cacheRow->addWidget(m_valuesLabel);
    cacheRow->addWidget(m_values);
    cacheRow->addStretch();
    auto* threadsRow = new QHBoxLayout;
    threadsRow->setSpacing(8);
    threadsRow->addWidget(label(tr("Threads")));
    threadsRow->addWidget(m_threads);
    threadsRow->addWidget(
        themedLabel(tr("of %1").arg(QThread::idealThreadCount()), TextStyle::Table, Token::Muted, m_controls));
    threadsRow->addStretch();
    auto* controls = new QVBoxLayout(m_controls);
    controls->setContentsMargins(0, 0, 0, 0);
    controls->setSpacing(0);
    controls->addWidget(m_engineRow);
    controls->addWidget(m_server);
    controls->addWidget(m_localControls);
    auto* local = new QVBoxLayout(m_localControls);
    local->setContentsMargins(0, 0, 0, 0);
    local->setSpacing(0);
    local->addWidget(m_context);
    local->addSpacing(10);
    local->addWidget(m_cacheRow);
    local->addSpacing(6);
    local->addWidget(m_rope);
    local->addSpacing(6);
    local->addLayout(threadsRow);
    local->addSpacing(6);
    local->addWidget(m_offload);
    local->addSpacing(14);
    local->addWidget(m_figureBox);
    auto* figures = new QVBoxLayout(m_figureBox);
    figures->setContentsMargins(0, 0, 0, 0);
    figures->setSpacing(0);
    const auto figure = [&](Figure which, const QString& name, const QString& detail, bool strong) {
        auto* widget = new QWidget(m_figureBox);
        auto* row = new QHBoxLayout(widget);
        row->setContentsMargins(0, 3, 0, 3);
        const TextStyle style = strong ? TextStyle::Section : TextStyle::Table;
        row->addWidget(themedLabel(name, style, Token::Text, widget));
        QLabel* details = themedLabel(detail, TextStyle::Table, Token::Muted, widget);
        row->addWidget(details, 1);
        QLabel* bytes = themedLabel({}, style, Token::Text, widget);
        row->addWidget(bytes);
        figures->addWidget(widget);
        m_figures[which] = {widget, details, bytes};
    };
    figure(Weights, tr("Weights"), tr("mapped from the file"), false);
    figure(Cache, tr("KV cache"), {}, false);
    figure(State, tr("Recurrent state"), tr("independent of the context"), false);
    figure(Scratch, tr("Buffers"), tr("activations, norms, logits"), false);
    figures->addWidget(separator(m_figureBox));
    figure(InAll, tr("Total"), {}, true);
    figure(Free, tr("Free memory"), {}, false);

    m_verdict->setWordWrap(true);
    m_mark->setFixedSize(16, 18);
    auto* verdict = new QHBoxLayout;
    verdict->addWidget(m_mark, 0, Qt::AlignTop);
    verdict->addWidget(m_verdict, 1);
    m_load->setProperty(kPrimaryProperty, true);
    m_load->setEnabled(false);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_load);
    buttons->addStretch();

    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(10);
    layout->addStretch(2);
    layout->addWidget(m_title);
    layout->addWidget(m_intro);
    layout->addSpacing(8);
    layout->addWidget(m_controls);
    layout->addLayout(verdict);
    layout->addSpacing(4);
    layout->addLayout(buttons);
    layout->addStretch(3);

    connect(m_engine, &QComboBox::currentIndexChanged, this, [this] {
        emit engineChanged();
        estimateSoon();
    });
    connect(m_server, &ServerPanel::changed, this, [this] {
        if (engine().remote) {
            estimateSoon();
        }
    });
    connect(m_context, &ContextField::changed, this, &LoadPanel::estimateSoon);
    connect(m_rope, &RopeField::changed, this, &LoadPanel::estimateSoon);
    connect(m_threads, &QSpinBox::valueChanged, this, &LoadPanel::estimateSoon);
    connect(m_offload, &OffloadField::changed, this, &LoadPanel::estimateSoon);
    connect(m_load, &QPushButton::clicked, this, [this] {
        if (m_loading) {
            emit cancelRequested();
        } else {
            emit loadRequested();
        }
    });
    connect(&Theme::instance(), &Theme::changed, this, &LoadPanel::estimateSoon);
}

void LoadPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int side = std::max(kMinMargin, (width() - kWidth) / 2);
    // In the lowest window, the button stays in sight.
    const bool isLow = parentWidget() != nullptr && parentWidget()->height() < kLowHeight;
    layout()->setContentsMargins(side, isLow ? 4 : 16, side, isLow ? 4 : 16);
    layout()->setSpacing(isLow ? 5 : 10);
}

// Without the margins, which depend on the width: a scroll area would never make the panel narrower again.
QSize LoadPanel::minimumSizeHint() const {
    const QSize minimum = QWidget::minimumSizeHint();
    const QMargins margins = layout()->contentsMargins();
    return {minimum.width() - margins.left() - margins.right() + 2 * kMinMargin, minimum.height()};
}

void LoadPanel::setModel(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    m_server->setModel(m_model);
    const auto name = m_model->metadata.string("general.name");
    m_title->setText(name && !name->empty() ? tr("Run %1").arg(displayText(*name)) : tr("Run this model"));
}

void LoadPanel::activate() {
    listEngines();
    estimateSoon();
}

void LoadPanel::listEngines() {
    const bool allAsked = m_listed && std::ranges::all_of(m_offReasons, &QString::isEmpty);
    if (m_listing || allAsked) {
        return;
    }
    m_listing = startJob<std::vector<Result<std::string>>>(
        this,
        [engines = m_engines](const JobContext& job) -> Result<std::vector<Result<std::string>>> {
            std::vector<Result<std::string>> versions;
            for (const inference::Engine& engine : engines) {
                versions.push_back(engine.version != nullptr ? engine.version(job) : std::string());
            }
            return versions;
        },
        [this](const Result<std::vector<Result<std::string>>>& versions) {
            m_listing.clear();
            m_listed = true;
            const QString before = offReason(m_engine->currentIndex());
            for (std::size_t row = 0; row < versions->size(); ++row) {
                showEngine(static_cast<int>(row), (*versions)[row]);
            }
            emit enginesListed();
            if (offReason(m_engine->currentIndex()) != before) {
                estimateSoon();
            }
        });
}

// The entry of an engine that is not available stays and says why.
void LoadPanel::showEngine(int row, const Result<std::string>& version) {
    const QString name = engineName(m_engines[static_cast<std::size_t>(row)].id);
    QString& reason = m_offReasons[static_cast<std::size_t>(row)];
    reason = version ? QString() : errorReason(version.error());
    m_engine->setItemText(row, !version           ? tr("%1 (not available)").arg(name)
                               : version->empty() ? name
                                                  : name + u' ' + displayText(*version));
    m_engine->setItemData(row, reason, Qt::ToolTipRole);
    m_engine->setItemData(row, version ? QVariant() : QVariant(0), Qt::UserRole - 1); // 0 disables the entry
}

void LoadPanel::setMachine(const inference::MachineMemory& machine) {
    m_machine = machine;
    estimateSoon();
}

void LoadPanel::setLoading(bool loading) {
    m_loading = loading;
    m_load->setText(loading ? tr("Cancel") : tr("Load"));
    m_controls->setEnabled(!loading);
    if (loading) {
        m_load->setEnabled(true);
        say(tr("Loading…"), Token::Muted);
    } else {
        m_load->setEnabled(mayLoad());
    }
}

void LoadPanel::setLoaded(double share) {
    if (m_loading) {
        say(tr("Loading… %1 %").arg(static_cast<int>(100 * share)), Token::Muted);
    }
}

bool LoadPanel::mayLoad() const {
    if (!offReason(m_engine->currentIndex()).isEmpty()) {
        return false;
    }
    return engine().remote ? m_server->isComplete() : m_needs.has_value() || engine().forecast == nullptr;
}

const inference::Engine& LoadPanel::engine() const {
    return m_engines[static_cast<std::size_t>(std::max(0, m_engine->currentIndex()))];
}

inference::SessionOptions LoadPanel::options() const {
    if (engine().remote) {
        return {.server = m_server->access()};
    }
    return {.context = static_cast<std::uint32_t>(m_context->context()),
            .keys = static_cast<KvCacheType>(m_keys->currentData().toInt()),
            .values = static_cast<KvCacheType>(m_values->currentData().toInt()),
            .threads = static_cast<unsigned>(m_threads->value()),
            .rope = m_rope->isVisibleTo(this) ? m_rope->rope() : inference::RopeOverride(),
            .offload = engine().offloads ? m_offload->offload() : inference::Offload()};
}

void LoadPanel::estimateSoon() {
    if (m_model == nullptr || m_loading) {
        return;
    }
    if (m_job) {
        m_again = true;
    } else {
        start();
    }
}

void LoadPanel::start() {
    m_again = false;
    m_server->setVisible(engine().remote);
    m_localControls->setVisible(!engine().remote);
    m_offload->setVisible(engine().offloads);
    m_engineRow->setVisible(m_engines.size() > 1);
    if (!engine().remote && isOnServer(*m_model)) {
        for (QWidget* part : {static_cast<QWidget*>(m_intro), m_localControls, static_cast<QWidget*>(m_load)}) {
            part->hide();
        }
        m_figureBox->hide();
        m_controls->setVisible(m_engines.size() > 1);
        refuse(tr("The weights are on %1, and running the model needs all of them: download it first.")
                   .arg(serverOf(*m_model)));
        return;
    }
    if (engine().forecast == nullptr) {
        showUnknown();
        return;
    }
    m_job = startJob<Answer>(
        this,
        [model = m_model, options = options(), given = m_machine, forecast = engine().forecast](const JobContext&) {
            const inference::MachineMemory machine = given ? *given : inference::machineMemory();
            auto shape = inference::readShape(*model);
            Answer answer{.forecast = forecast(model, options, machine),
                          .machine = machine,
                          .shape = shape ? std::optional(std::move(*shape)) : std::nullopt,
                          .refusal = {}};
            if (answer.forecast) {
                answer.refusal = answer.forecast->refusal;
            } else if (auto needs = inference::memoryNeeds(model, options); !needs) {
                answer.refusal = std::move(needs.error());
            }
            if (!answer.refusal && inference::onlyEmbeds(*model)) { // the page shows no vectors
                answer.refusal = fail(ErrorCode::NotRunnable, Place::key("general.architecture"),
                                      {"general.architecture = " + std::string(model->metadata.architecture())})
                                     .error();
            }
            return Result<Answer>(std::move(answer));
        },
        [this](const Result<Answer>& answer) {
            m_job.clear();
            if (!m_loading && engine().forecast != nullptr) { // the engine may have changed in the meantime
                showAnswer(*answer);
            }
            if (m_again) {
                start();
            }
        });
}

void LoadPanel::say(const QString& text, Token token) {
    m_verdict->setText(text);
    setTextColor(m_verdict, token);
    const QString icon = token == Token::Good          ? QStringLiteral("check")
                         : token == Token::WarningText ? QStringLiteral("warning")
                         : token == Token::ErrorText   ? QStringLiteral("error")
                                                       : QString();
    m_mark->setPixmap(icon.isEmpty() ? QPixmap() : themeIcon(icon, token).pixmap(QSize(14, 14), devicePixelRatioF()));
}

void LoadPanel::showError(const Error& error) {
    const QString hint = errorHint(error);
    showProblem((engine().remote ? tr("The server cannot be used: %1.") : tr("The model could not be loaded: %1."))
                    .arg(errorReason(error)) +
                (hint.isEmpty() ? QString() : u' ' + hint));
}

void LoadPanel::showProblem(const QString& text) { say(text, Token::ErrorText); }

void LoadPanel::refuse(const QString& why) {
    m_needs.reset();
    say(why, Token::ErrorText);
    m_load->setEnabled(false);
    emit estimated();
}

// The engine's needs are not known yet.
void LoadPanel::showUnknown() {
    m_needs.reset();
    const bool usesMachines = engine().offloads && !m_offload->offload().machines.empty();
    m_intro->setVisible(engine().load != nullptr && !usesMachines);
    m_controls->show();
    m_figureBox->hide();
    m_load->show();
    m_load->setEnabled(mayLoad());
    if (!engine().remote) {
        const auto trained = m_model->metadata.uint(m_model->metadata.architectureKey("context_length"));
        m_context->setLongest(trained.value_or(0));
    }
    if (const QString reason = offReason(m_engine->currentIndex()); !reason.isEmpty()) {
        say(tr("%1 cannot run this model: %2.").arg(engineName(engine().id), reason), Token::ErrorText);
    } else if (usesMachines) {
        say(tr("Weights and intermediate results are sent to the other machines, without encryption."),
            Token::WarningText);
    } else if (!engine().remote) {
        say(featureMissingTip(inference::Feature::MemoryForecast) + u'.', Token::Muted);
    } else if (m_server->startsOne()) {
        say(tr("Gufo starts it for this file and stops it when you unload the model or close the tab."), Token::Muted);
    } else {
        say(tr("What you write is sent to this server."), Token::Muted);
    }
    emit estimated();
}

void LoadPanel::showAnswer(const Answer& answer) {
    m_figureBox->show();
    const bool runs = answer.forecast && !answer.refusal;
    for (QWidget* part : {static_cast<QWidget*>(m_intro), m_localControls, static_cast<QWidget*>(m_load)}) {
        part->setVisible(runs);
    }
    m_controls->setVisible(runs || m_engines.size() > 1); // another engine may run what this one refuses
    if (!runs) {
        if (fileKind(*m_model) != FileKind::Model && !answer.forecast) {
            refuse(memoryProblemText(*m_model, answer.forecast.error()));
            return;
        }
        const Error& error = answer.refusal ? *answer.refusal : answer.forecast.error();
        refuse(refusalText(error));
        return;
    }
    m_needs = answer.forecast->needs;
    const inference::MemoryNeeds& needs = *m_needs;
    if (answer.shape) {
        m_rope->setShape(*answer.shape);
        m_rope->setVisible(answer.shape->architecture->rope != inference::RopeKind::None);
        const bool latent = answer.shape->architecture->family == inference::Family::LatentAttention;
        m_values->setVisible(!latent); // with latent attention, the keys contain the values
        m_valuesLabel->setVisible(!latent);
    }
    m_context->setLongest(m_rope->isVisibleTo(this) ? m_rope->longestContext() : needs.trainedContext);
    if (m_context->context() != needs.context) {
        m_again = true; // the range of contexts is now known
        return;
    }
    const auto show = [this](Figure which, std::uint64_t bytes, const QString& detail = {}) {
        m_figures[which].bytes->setText(formatBytes(bytes));
        if (!detail.isEmpty()) {
            m_figures[which].detail->setText(detail);
        }
    };
    show(Weights, needs.weights);
    show(Cache, needs.kvCache, kvGrowthText(needs));
    show(State, needs.recurrentState + needs.snapshots);
    show(Scratch, needs.scratch + needs.logits + needs.smallTensors);
    show(InAll, needs.total());
    show(Free, answer.machine.available, tr("of %1").arg(formatBytes(answer.machine.total)));
    m_cacheRow->setVisible(needs.kvCache != 0);
    m_figures[Cache].widget->setVisible(needs.kvCache != 0);
    m_figures[State].widget->setVisible(needs.recurrentState != 0);
    m_figures[Free].widget->setVisible(answer.machine.total != 0);
    const bool refused = answer.forecast->verdict == inference::MemoryVerdict::DoesNotFit;
    say(memoryVerdictText(*answer.forecast, answer.machine), refused                            ? Token::ErrorText
                                                             : memorySuffices(*answer.forecast) ? Token::Good
                                                                                                : Token::WarningText);
    m_load->setEnabled(!refused);
    emit estimated();
}

QJsonObject LoadPanel::saveState() const {
    return {{QStringLiteral("engine"), m_engine->currentData().toString()},
            {QStringLiteral("server"), m_server->saveState()},
            {QStringLiteral("context"), static_cast<qint64>(m_context->wanted())},
            {QStringLiteral("keys"), m_keys->currentText()},
            {QStringLiteral("values"), m_values->currentText()},
            {QStringLiteral("rope"), m_rope->saveState()},
            {QStringLiteral("threads"), m_threads->value()},
            {QStringLiteral("offload"), m_offload->saveState()}};
}

void LoadPanel::restoreState(const QJsonObject& state) {
    m_server->restoreState(state[QStringLiteral("server")].toObject());
    if (const int row = m_engine->findData(state[QStringLiteral("engine")].toString()); row >= 0) {
        m_engine->setCurrentIndex(row);
    }
    if (const qint64 context = state[QStringLiteral("context")].toInteger(); context > 0) {
        m_context->setContext(static_cast<std::uint64_t>(context));
    }
    const QJsonValue both = state[QStringLiteral("kv")]; // written by earlier versions
    for (const auto& [box, name] : {std::pair(m_keys, "keys"), std::pair(m_values, "values")}) {
        const int index = box->findText(state.value(QLatin1String(name)).toString(both.toString()));
        box->setCurrentIndex(index >= 0 ? index : box->currentIndex());
    }
    m_rope->restoreState(state[QStringLiteral("rope")].toObject());
    m_offload->restoreState(state[QStringLiteral("offload")].toObject());
    if (const int threads = state[QStringLiteral("threads")].toInt(); threads > 0) {
        m_threads->setValue(threads);
    }
}

} // namespace gufo::ui
