#include "ui/pages/run/load_panel.h"

#include "inference/engine/gufo_engine.h"
#include "model/file_kind.h"
#include "model/set_fault.h"
#include "ui/document/fetching.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/widgets/text_color.h"

#include <QGridLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kMostLayers = 9999;

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

OffloadField::OffloadField(int labelWidth, QWidget* parent)
    : QWidget(parent)
    , m_layers(new QSpinBox(this))
    , m_machines(new QLineEdit(this)) {
    m_machines->setObjectName(QStringLiteral("machinesField"));
    m_layers->setRange(inference::Offload::kAllLayers, kMostLayers);
    m_layers->setValue(inference::Offload::kAllLayers);
    m_layers->setSpecialValueText(tr("all"));
    m_layers->setFixedWidth(76);
    m_layers->setAccessibleName(tr("Layers on the GPU"));
    m_layers->setToolTip(tr("The number of layers whose weights are in the memory of GPUs and of other machines"));
    m_machines->setAccessibleName(tr("Other machines"));
    m_machines->setPlaceholderText(QStringLiteral("192.168.1.5:50052, 192.168.1.6:50052"));
    m_machines->setToolTip(tr("Machines that run llama.cpp's rpc-server and compute a part of the layers"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    const auto row = [&](int index, const QString& name, QWidget* field) {
        QLabel* label = themedLabel(name, TextStyle::Table, Token::Text, this);
        label->setFixedWidth(labelWidth);
        label->setBuddy(field);
        grid->addWidget(label, index, 0);
        grid->addWidget(field, index, 1, field == m_layers ? Qt::AlignLeft : Qt::Alignment());
    };
    row(0, tr("GPU layers"), m_layers);
    row(1, tr("Machines"), m_machines);
    connect(m_layers, &QSpinBox::valueChanged, this, &OffloadField::changed);
    connect(m_machines, &QLineEdit::textChanged, this, &OffloadField::changed);
}

inference::Offload OffloadField::offload() const {
    return {.layers = m_layers->value(), .machines = inference::machinesOf(m_machines->text().toStdString())};
}

QJsonObject OffloadField::saveState() const {
    return {{QStringLiteral("layers"), m_layers->value()}, {QStringLiteral("machines"), m_machines->text()}};
}

void OffloadField::restoreState(const QJsonObject& state) {
    m_layers->setValue(state[QStringLiteral("layers")].toInt(inference::Offload::kAllLayers));
    m_machines->setText(state[QStringLiteral("machines")].toString());
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
    if (m_listing.isRunning() || allAsked) {
        return;
    }
    m_listing.start<std::vector<Result<std::string>>>(
        [engines = m_engines](const JobContext& job) -> Result<std::vector<Result<std::string>>> {
            std::vector<Result<std::string>> versions;
            for (const inference::Engine& engine : engines) {
                versions.push_back(engine.version != nullptr ? engine.version(job) : std::string());
            }
            return versions;
        },
        [this](const Result<std::vector<Result<std::string>>>& versions) {
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
    if (!offReason(m_engine->currentIndex()).isEmpty() || needsDownload()) {
        return false;
    }
    return engine().remote ? m_server->isComplete() : m_needs.has_value() || engine().forecast == nullptr;
}

// An engine on this computer reads the model's file, and so does a server that Gufo starts.
bool LoadPanel::needsDownload() const {
    return m_model != nullptr && isOnServer(*m_model) && (!engine().remote || m_server->startsOne());
}

const inference::Engine& LoadPanel::engine() const {
    return m_engines[static_cast<std::size_t>(std::max(0, m_engine->currentIndex()))];
}

inference::SessionOptions LoadPanel::options() const {
    return inference::obeyedBy(engine(),
                               {.context = static_cast<std::uint32_t>(m_context->context()),
                                .keys = static_cast<KvCacheType>(m_keys->currentData().toInt()),
                                .values = static_cast<KvCacheType>(m_values->currentData().toInt()),
                                .threads = static_cast<unsigned>(m_threads->value()),
                                .rope = m_rope->isVisibleTo(this) ? m_rope->rope() : inference::RopeOverride(),
                                .server = engine().remote ? m_server->access() : inference::ServerAccess(),
                                .offload = m_offload->offload()});
}

void LoadPanel::estimateSoon() {
    if (m_model == nullptr || m_loading) {
        return;
    }
    if (m_job.isRunning()) {
        m_again = true;
    } else {
        start();
    }
}

// Only what the engine obeys and the model has.
void LoadPanel::showSettings() {
    const inference::ObeyedOptions& obeys = engine().obeys;
    m_context->setVisible(obeys.context);
    m_cacheRow->setVisible(obeys.cacheTypes && m_hasCache);
    m_rope->setVisible(obeys.rope && m_hasRope);
    m_threadsRow->setVisible(obeys.threads);
    m_offload->setVisible(obeys.offload);
}

void LoadPanel::start() {
    m_again = false;
    m_server->setVisible(engine().remote);
    m_localControls->setVisible(!engine().remote);
    showSettings();
    m_engineRow->setVisible(m_engines.size() > 1);
    m_download->setVisible(needsDownload());
    if (needsDownload()) {
        refuseUntilDownloaded();
        return;
    }
    if (engine().forecast == nullptr) { // a forecast says by itself why the engine cannot run the model
        showUnknown();
        const auto complete = checkSet(*m_model);
        if (!complete && (!engine().remote || m_server->startsOne())) {
            refuse(refusalText(complete.error()));
        }
        return;
    }
    m_job.start<Answer>(
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
    const QString hint = errorHint(error, engine().remote ? ServerKind::Engine : ServerKind::Files);
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

void LoadPanel::refuseUntilDownloaded() {
    for (QWidget* part : {static_cast<QWidget*>(m_intro), m_localControls, static_cast<QWidget*>(m_load)}) {
        part->hide();
    }
    m_figureBox->hide();
    m_controls->setVisible(m_engines.size() > 1);
    refuse((engine().remote
                ? tr("llama-server reads the model from a file of this computer, and it is on %1: download it first.")
                : tr("The weights are on %1, and running the model needs all of them: download it first."))
               .arg(serverOf(*m_model)));
}

// The engine's needs are not known yet.
void LoadPanel::showUnknown() {
    m_needs.reset();
    const bool usesMachines = engine().obeys.offload && !m_offload->offload().machines.empty();
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
        m_hasRope = answer.shape->architecture->rope.kind != inference::RopeKind::None;
        const bool latent = answer.shape->architecture->attention.kind->latent;
        m_values->setVisible(!latent); // with latent attention, the keys contain the values
        m_valuesLabel->setVisible(!latent);
    }
    m_hasCache = needs.kvCache != 0;
    showSettings();
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

#include "moc_load_panel.cpp"
