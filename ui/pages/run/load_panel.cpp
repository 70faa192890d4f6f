#include "ui/pages/run/load_panel.h"

#include "inference/team.h"
#include "messages/error_text.h"
#include "messages/format.h"
#include "ui/models/key_text.h"
#include "ui/theme/style.h"
#include "ui/widgets/text_color.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QThread>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kWidth = 480;
constexpr int kLabelWidth = 90;
constexpr std::uint64_t kUsualContext = 4096;

QFrame* separator(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setFrameShape(QFrame::HLine);
    line->setFixedHeight(1);
    return line;
}

} // namespace

LoadPanel::LoadPanel(QWidget* parent)
    : QWidget(parent)
    , m_title(themedLabel(tr("Run this model"), TextStyle::PageTitle, Token::Text, this))
    , m_controls(new QWidget(this))
    , m_context(new QSpinBox(m_controls))
    , m_slider(new QSlider(Qt::Horizontal, m_controls))
    , m_ticks(new ContextTicks(m_controls))
    , m_kv(new QComboBox(m_controls))
    , m_threads(new QSpinBox(m_controls))
    , m_mark(new QLabel(this))
    , m_verdict(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_load(new QPushButton(tr("Load"), this)) {
    m_context->setGroupSeparatorShown(true);
    m_context->setLocale(QLocale(QLocale::English, QLocale::UnitedStates)); // as formatCount() writes
    m_context->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    m_context->setKeyboardTracking(false);
    m_context->setFixedWidth(112);
    m_context->setAccessibleName(tr("Context, tokens"));
    m_context->setToolTip(tr("How much text the model can look back on, question and answer together"));
    m_slider->setRange(0, ContextScale::kSteps);
    m_slider->setPageStep(ContextScale::kSteps / 10);
    m_slider->setAccessibleName(tr("Context"));
    for (const KvCacheType type : kvCacheTypes()) {
        m_kv->addItem(latin1(kvCacheTypeName(type)), static_cast<int>(type));
    }
    m_kv->setCurrentIndex(m_kv->findData(static_cast<int>(KvCacheType::F16)));
    m_kv->setAccessibleName(tr("Type of the KV cache"));
    m_kv->setToolTip(tr("How the model's memory of the text is kept: f16 is usual, q8_0 takes half of that, f32 is "
                        "exact"));
    m_threads->setRange(1, std::max(1, QThread::idealThreadCount()));
    m_threads->setValue(static_cast<int>(inference::physicalCores()));
    m_threads->setFixedWidth(64);
    m_threads->setAccessibleName(tr("Threads"));
    m_threads->setToolTip(tr("Physical cores are usually best: more threads wait for the same memory"));

    const auto label = [this](const QString& text) {
        QLabel* made = themedLabel(text, TextStyle::Table, Token::Text, m_controls);
        made->setFixedWidth(kLabelWidth);
        return made;
    };
    auto* contextRow = new QHBoxLayout;
    contextRow->setSpacing(8);
    contextRow->addWidget(label(tr("Context")));
    contextRow->addWidget(m_context);
    contextRow->addWidget(themedLabel(tr("tokens"), TextStyle::Table, Token::Muted, m_controls));
    contextRow->addStretch();
    auto* kvRow = new QHBoxLayout;
    kvRow->setSpacing(8);
    kvRow->addWidget(label(tr("KV cache")));
    kvRow->addWidget(m_kv);
    kvRow->addSpacing(20);
    kvRow->addWidget(themedLabel(tr("Threads"), TextStyle::Table, Token::Text, m_controls));
    kvRow->addWidget(m_threads);
    kvRow->addWidget(
        themedLabel(tr("of %1").arg(QThread::idealThreadCount()), TextStyle::Table, Token::Muted, m_controls));
    kvRow->addStretch();
    auto* controls = new QVBoxLayout(m_controls);
    controls->setContentsMargins(0, 0, 0, 0);
    controls->setSpacing(0);
    controls->addLayout(contextRow);
    controls->addSpacing(6);
    controls->addWidget(m_slider);
    controls->addWidget(m_ticks);
    controls->addSpacing(10);
    controls->addLayout(kvRow);
    controls->addSpacing(16);
    const auto figure = [&](Figure which, const QString& name, const QString& detail, bool strong) {
        auto* widget = new QWidget(m_controls);
        auto* row = new QHBoxLayout(widget);
        row->setContentsMargins(0, 3, 0, 3);
        const TextStyle style = strong ? TextStyle::Section : TextStyle::Table;
        row->addWidget(themedLabel(name, style, Token::Text, widget));
        QLabel* details = themedLabel(detail, TextStyle::Table, Token::Muted, widget);
        row->addWidget(details, 1);
        QLabel* bytes = themedLabel({}, style, Token::Text, widget);
        row->addWidget(bytes);
        controls->addWidget(widget);
        m_figures[which] = {widget, details, bytes};
    };
    figure(Weights, tr("Weights"), tr("read from the file where it lies"), false);
    figure(Cache, tr("KV cache"), {}, false);
    figure(State, tr("Recurrent state"), tr("whatever the context"), false);
    figure(Scratch, tr("Scratch"), tr("activations, norms, logits"), false);
    controls->addWidget(separator(m_controls));
    figure(InAll, tr("In all"), {}, true);
    figure(Free, tr("Memory free"), {}, false);

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
    layout->addWidget(themedLabel(tr("It runs on this machine, straight from the file; nothing is sent anywhere."),
                                  TextStyle::Table, Token::Muted, this));
    layout->addSpacing(8);
    layout->addWidget(m_controls);
    layout->addLayout(verdict);
    layout->addSpacing(4);
    layout->addLayout(buttons);
    layout->addStretch(3);

    connect(m_slider, &QSlider::valueChanged, this, [this](int position) { setContext(m_scale.contextAt(position)); });
    connect(m_context, &QSpinBox::valueChanged, this,
            [this](int value) { setContext(static_cast<std::uint64_t>(value)); });
    connect(m_kv, &QComboBox::currentIndexChanged, this, &LoadPanel::estimateSoon);
    connect(m_threads, &QSpinBox::valueChanged, this, &LoadPanel::estimateSoon);
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
    const int side = std::max(24, (width() - kWidth) / 2);
    layout()->setContentsMargins(side, 16, side, 16);
}

void LoadPanel::setModel(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    const auto name = m_model->metadata.string("general.name");
    m_title->setText(name && !name->empty() ? tr("Run %1").arg(displayText(*name)) : tr("Run this model"));
}

void LoadPanel::activate() {
    m_failed = false;
    estimateSoon();
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
        m_load->setEnabled(m_needs.has_value() && !m_failed);
    }
}

inference::SessionOptions LoadPanel::options() const {
    const auto type = static_cast<KvCacheType>(m_kv->currentData().toInt());
    return {.context = m_ranged ? static_cast<std::uint32_t>(m_context->value()) : 0,
            .keys = type,
            .values = type,
            .threads = static_cast<unsigned>(m_threads->value())};
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
    m_failed = false;
    m_job = startJob<Answer>(
        this,
        [model = m_model, options = options(), machine = m_machine](const JobContext&) {
            return Result<Answer>(
                Answer{inference::memoryNeeds(model, options), machine ? *machine : inference::machineMemory()});
        },
        [this](const Result<Answer>& answer) {
            m_job.clear();
            if (!m_loading) {
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
    m_failed = true;
    const QString hint = errorHint(error);
    say(tr("It was not loaded: %1.").arg(errorReason(error)) + (hint.isEmpty() ? QString() : u' ' + hint),
        Token::ErrorText);
    m_load->setEnabled(true); // to be tried again
}

void LoadPanel::showAnswer(const Answer& answer) {
    m_controls->setVisible(answer.needs.has_value());
    if (!answer.needs) {
        m_needs.reset();
        const Error& error = answer.needs.error();
        const QString hint = errorHint(error);
        say(tr("This model cannot run: %1.").arg(errorReason(error)) + (hint.isEmpty() ? QString() : u' ' + hint),
            Token::ErrorText);
        m_load->setEnabled(false);
        emit estimated();
        return;
    }
    m_needs = *answer.needs;
    const inference::MemoryNeeds& needs = *m_needs;
    if (!m_ranged) {
        m_ranged = true;
        m_scale = ContextScale(needs.trainedContext);
        m_ticks->setScale(m_scale);
        const QSignalBlocker quiet(m_context);
        m_context->setRange(1, static_cast<int>(m_scale.most()));
        setContext(std::min(m_wantedContext.value_or(kUsualContext), m_scale.most()));
    }
    const auto show = [this](Figure which, std::uint64_t bytes, const QString& detail = {}) {
        m_figures[which].bytes->setText(formatBytes(bytes));
        if (!detail.isEmpty()) {
            m_figures[which].detail->setText(detail);
        }
    };
    show(Weights, needs.weights);
    show(Cache, needs.kvCache, tr("%1 for each token of context").arg(formatBytes(needs.kvPerToken)));
    show(State, needs.recurrentState);
    show(Scratch, needs.scratch + needs.logits + needs.smallTensors);
    show(InAll, needs.total());
    show(Free, answer.machine.available, tr("of %1").arg(formatBytes(answer.machine.total)));
    m_figures[Cache].widget->setVisible(needs.kvCache != 0);
    m_figures[State].widget->setVisible(needs.recurrentState != 0);
    m_figures[Free].widget->setVisible(answer.machine.total != 0);
    bool runs = true;
    switch (inference::judge(needs, answer.machine)) {
    case inference::MemoryVerdict::Fits:
        say(tr("Fits in the memory that is free."), Token::Good);
        break;
    case inference::MemoryVerdict::WeightsExceed:
        say(tr("The weights are larger than the %1 that are free: parts of the file will be read from the disk again "
               "for every token, which is slow.")
                .arg(formatBytes(answer.machine.available)),
            Token::WarningText);
        break;
    case inference::MemoryVerdict::DoesNotFit:
        say(tr("KV cache and scratch take %1, and %2 are free. A smaller context or a q8_0 cache takes less.")
                .arg(formatBytes(needs.anonymous()), formatBytes(answer.machine.available)),
            Token::ErrorText);
        runs = false;
        break;
    }
    m_load->setEnabled(runs);
    emit estimated();
}

void LoadPanel::setContext(std::uint64_t context) {
    const QSignalBlocker quietBox(m_context);
    const QSignalBlocker quietSlider(m_slider);
    m_context->setValue(static_cast<int>(std::clamp<std::uint64_t>(context, 1, m_scale.most())));
    if (m_scale.contextAt(m_slider->value()) != context) {
        m_slider->setValue(m_scale.positionOf(context));
    }
    estimateSoon();
}

QJsonObject LoadPanel::saveState() const {
    return {{QStringLiteral("context"), m_ranged ? m_context->value() : 0},
            {QStringLiteral("kv"), m_kv->currentText()},
            {QStringLiteral("threads"), m_threads->value()}};
}

void LoadPanel::restoreState(const QJsonObject& state) {
    if (const qint64 context = state[QStringLiteral("context")].toInteger(); context > 0) {
        m_wantedContext = static_cast<std::uint64_t>(context);
    }
    if (const int index = m_kv->findText(state[QStringLiteral("kv")].toString()); index >= 0) {
        m_kv->setCurrentIndex(index);
    }
    if (const int threads = state[QStringLiteral("threads")].toInt(); threads > 0) {
        m_threads->setValue(threads);
    }
}

} // namespace gufo::ui
