#include "ui/pages/overview/memory_panel.h"

#include "messages/error_text.h"
#include "messages/format.h"
#include "ui/models/key_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::uint64_t kUsualContext = 8192;

QColor weightsColor() { return themeColor(Token::Accent); }
QColor cacheColor() { return seriesColor(1); }
QColor stateColor() { return seriesColor(3); }
QColor buffersColor() { return seriesColor(2); }

class Swatch : public QWidget {
public:
    Swatch(QColor (*color)(), QWidget* parent)
        : QWidget(parent)
        , m_color(color) {
        setFixedSize(9, 9);
        connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    }

protected:
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), m_color()); }

private:
    QColor (*m_color)();
};

QFrame* separator(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setFrameShape(QFrame::HLine);
    line->setFixedHeight(1);
    return line;
}

// Why there is no estimate.
QString problemText(const Model& model, const Error& error) {
    if (error.code != ErrorCode::NotSupported) {
        return errorReason(error) + u' ' + errorHint(error);
    }
    if (error.place.kind == Place::Kind::Key) {
        return MemoryPanel::tr("No estimate: it takes %1, which the file does not state.")
            .arg(displayText(error.place.name));
    }
    return model.tensors.empty() ? MemoryPanel::tr("There are no weights in this file to run.")
                                 : MemoryPanel::tr("This file is no whole model, and does not run by itself.");
}

} // namespace

MemoryPanel::MemoryPanel(QWidget* parent)
    : QWidget(parent)
    , m_controls(new QWidget(this))
    , m_context(new QSpinBox(this))
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_ticks(new ContextTicks(this))
    , m_keys(new QComboBox(this))
    , m_values(new QComboBox(this))
    , m_bar(new MemoryBar(this))
    , m_totalRow(new QWidget(this))
    , m_total(themedLabel({}, TextStyle::Section, Token::Text, this))
    , m_verdictRow(new QWidget(this))
    , m_verdict(themedLabel({}, TextStyle::Table, Token::Good, this))
    , m_verdictMark(new QLabel(this))
    , m_problem(themedLabel({}, TextStyle::Table, Token::Muted, this)) {
    m_context->setGroupSeparatorShown(true);
    m_context->setLocale(QLocale(QLocale::English, QLocale::UnitedStates)); // as formatCount() writes
    m_context->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    m_context->setFixedWidth(112);
    m_context->setKeyboardTracking(false);
    m_context->setAccessibleName(tr("Context, tokens"));
    m_slider->setAccessibleName(tr("Context"));
    m_slider->setRange(0, ContextScale::kSteps);
    m_slider->setPageStep(ContextScale::kSteps / 10);
    for (QComboBox* box : {m_keys, m_values}) {
        for (const KvCacheType type : kvCacheTypes()) {
            box->addItem(latin1(kvCacheTypeName(type)), static_cast<int>(type));
        }
        box->setCurrentIndex(box->findData(static_cast<int>(KvCacheType::F16)));
        box->setFixedWidth(76);
        connect(box, &QComboBox::currentIndexChanged, this, &MemoryPanel::estimateSoon);
    }
    m_keys->setAccessibleName(tr("Type of the K cache"));
    m_values->setAccessibleName(tr("Type of the V cache"));
    m_problem->setWordWrap(true);
    m_verdict->setWordWrap(true);

    auto* contextRow = new QHBoxLayout;
    contextRow->setSpacing(8);
    contextRow->addWidget(themedLabel(tr("Context"), TextStyle::Table, Token::Text, this));
    contextRow->addWidget(m_context);
    contextRow->addWidget(themedLabel(tr("tokens"), TextStyle::Table, Token::Muted, this));
    contextRow->addStretch();
    auto* cacheRow = new QHBoxLayout;
    cacheRow->setSpacing(8);
    cacheRow->addWidget(themedLabel(tr("K cache"), TextStyle::Table, Token::Text, this));
    cacheRow->addWidget(m_keys);
    cacheRow->addSpacing(12);
    cacheRow->addWidget(themedLabel(tr("V cache"), TextStyle::Table, Token::Text, this));
    cacheRow->addWidget(m_values);
    cacheRow->addStretch();
    auto* controls = new QVBoxLayout(m_controls);
    controls->setContentsMargins(0, 0, 0, 0);
    controls->setSpacing(0);
    controls->addLayout(contextRow);
    controls->addSpacing(8);
    controls->addWidget(m_slider);
    controls->addWidget(m_ticks);
    controls->addSpacing(8);
    controls->addLayout(cacheRow);
    controls->addSpacing(14);
    controls->addWidget(m_bar);
    controls->addSpacing(10);
    const auto row = [&](QColor (*color)(), const QString& name) {
        auto* widget = new QWidget(m_controls);
        auto* layout = new QHBoxLayout(widget);
        layout->setContentsMargins(0, 2, 0, 2);
        QLabel* detail = themedLabel({}, TextStyle::Table, Token::Muted, widget);
        QLabel* bytes = themedLabel({}, TextStyle::Table, Token::Text, widget);
        layout->addWidget(new Swatch(color, widget));
        layout->addWidget(themedLabel(name, TextStyle::Table, Token::Text, widget));
        layout->addWidget(detail, 1);
        layout->addWidget(bytes);
        controls->addWidget(widget);
        m_rows << Row{widget, detail, bytes};
    };
    row(weightsColor, tr("Weights"));
    row(cacheColor, tr("KV cache"));
    row(stateColor, tr("Recurrent state"));
    row(buffersColor, tr("Buffers"));
    auto* totals = new QHBoxLayout(m_totalRow);
    totals->setContentsMargins(0, 4, 0, 4);
    totals->addWidget(themedLabel(tr("Total"), TextStyle::Section, Token::Text, m_totalRow), 1);
    totals->addWidget(m_total);
    controls->addSpacing(3);
    controls->addWidget(separator(m_controls));
    controls->addWidget(m_totalRow);
    auto* verdict = new QHBoxLayout(m_verdictRow);
    verdict->setContentsMargins(0, 0, 0, 0);
    m_verdictMark->setFixedSize(16, 18);
    verdict->addWidget(m_verdictMark, 0, Qt::AlignTop);
    verdict->addWidget(m_verdict, 1);
    controls->addWidget(m_verdictRow);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(themedLabel(tr("Memory to run"), TextStyle::Section, Token::Text, this));
    layout->addWidget(m_problem);
    layout->addWidget(m_controls);
    m_problem->hide();
    m_controls->setEnabled(false);

    connect(m_slider, &QSlider::valueChanged, this, [this](int position) { setContext(m_scale.contextAt(position)); });
    connect(m_context, &QSpinBox::valueChanged, this,
            [this](int value) { setContext(static_cast<std::uint64_t>(value)); });
    connect(&Theme::instance(), &Theme::changed, this, &MemoryPanel::estimateSoon); // the verdict's colour
}

void MemoryPanel::setModel(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    m_ranged = false;
    refresh();
}

void MemoryPanel::follow(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    refresh();
}

void MemoryPanel::refresh() {
    if (!m_memoryIsGiven) {
        m_memory = systemMemory();
    }
    estimateSoon();
}

void MemoryPanel::setSystemMemory(std::optional<SystemMemory> memory) {
    m_memory = memory;
    m_memoryIsGiven = true;
    estimateSoon();
}

std::uint64_t MemoryPanel::context() const { return static_cast<std::uint64_t>(m_context->value()); }

void MemoryPanel::estimateSoon() {
    if (m_model && m_job) {
        m_again = true;
    } else if (m_model) {
        start();
    }
}

void MemoryPanel::start() {
    m_again = false;
    MemoryRequest request;
    request.context = m_ranged ? context() : 0;
    request.keys = static_cast<KvCacheType>(m_keys->currentData().toInt());
    request.values = static_cast<KvCacheType>(m_values->currentData().toInt());
    m_job = startJob<Answer>(
        this,
        [model = m_model, request,
         budget = m_memory ? std::optional(m_memory->available) : std::nullopt](const JobContext&) {
            Answer answer{estimateMemory(*model, request), std::nullopt};
            if (answer.estimate && budget) {
                answer.largest = largestContext(*model, request, *budget).value_or(std::nullopt);
            }
            return Result<Answer>(std::move(answer));
        },
        [this](const Result<Answer>& answer) {
            m_job.clear();
            showAnswer(*answer);
            if (m_again) {
                start();
            }
        });
}

void MemoryPanel::showAnswer(const Answer& answer) {
    m_problem->setVisible(!answer.estimate);
    m_controls->setVisible(answer.estimate.has_value());
    if (!answer.estimate) {
        m_problem->setText(problemText(*m_model, answer.estimate.error()));
        emit estimated();
        return;
    }
    const MemoryEstimate& estimate = *answer.estimate;
    m_controls->setEnabled(true);
    if (!m_ranged || estimate.trainedContext != m_trained) {
        setRange(estimate.trainedContext);
    }
    m_trained = estimate.trainedContext;
    m_rows[0].detail->setText(tr("mapped from the file"));
    m_rows[0].bytes->setText(formatBytes(estimate.weights));
    m_rows[1].detail->setText(tr("%1 per token").arg(formatBytes(estimate.kvPerToken)));
    m_rows[1].bytes->setText(formatBytes(estimate.kvCache));
    m_rows[1].widget->setVisible(estimate.kvCache != 0);
    m_rows[2].detail->setText(tr("whatever the context"));
    m_rows[2].bytes->setText(formatBytes(estimate.recurrentState));
    m_rows[2].widget->setVisible(estimate.recurrentState != 0);
    m_rows[3].detail->setText(tr("batch %1, logits").arg(MemoryRequest().batch));
    m_rows[3].bytes->setText(formatBytes(estimate.buffers + estimate.logits));
    m_total->setText(formatBytes(estimate.total()));
    m_bar->setParts(m_memory, {{weightsColor, estimate.weights},
                               {cacheColor, estimate.kvCache},
                               {stateColor, estimate.recurrentState},
                               {buffersColor, estimate.buffers + estimate.logits}});
    m_verdictRow->setVisible(m_memory.has_value());
    if (m_memory) {
        const bool fits = estimate.total() <= m_memory->available;
        const bool all =
            fits && answer.largest && estimate.trainedContext != 0 && *answer.largest >= estimate.trainedContext;
        const QString free = formatBytes(m_memory->available);
        QString text;
        if (all) {
            text = tr("Fits in the %1 that are free, with the whole trained context of %2 tokens.")
                       .arg(free, formatCount(estimate.trainedContext));
        } else if (fits && answer.largest) {
            text = tr("Fits in the %1 that are free, up to a context of %2 tokens.")
                       .arg(free, formatCount(*answer.largest));
        } else if (fits) {
            text = tr("Fits in the %1 that are free.").arg(free);
        } else if (answer.largest) {
            text = tr("%1 more than the %2 that are free. A context of %3 tokens would fit.")
                       .arg(formatBytes(estimate.total() - m_memory->available), free, formatCount(*answer.largest));
        } else {
            text = tr("%1 more than the %2 that are free, whatever the context.")
                       .arg(formatBytes(estimate.total() - m_memory->available), free);
        }
        const Token color = fits ? Token::Good : Token::WarningText;
        m_verdict->setText(text);
        setTextColor(m_verdict, color);
        m_verdictMark->setPixmap(themeIcon(fits ? QStringLiteral("check") : QStringLiteral("warning"), color)
                                     .pixmap(QSize(14, 14), devicePixelRatioF()));
        m_bar->setAccessibleDescription(tr("%1 needed. %2").arg(m_total->text(), text));
    }
    emit estimated();
}

void MemoryPanel::setRange(std::uint64_t trained) {
    m_scale = ContextScale(trained);
    m_ranged = true;
    const QSignalBlocker quiet(m_context);
    m_context->setRange(1, static_cast<int>(m_scale.most()));
    m_ticks->setScale(m_scale);
    setContext(std::min(m_wantedContext.value_or(kUsualContext), m_scale.most()));
}

void MemoryPanel::setContext(std::uint64_t context) {
    const QSignalBlocker quietBox(m_context);
    const QSignalBlocker quietSlider(m_slider);
    m_context->setValue(static_cast<int>(std::clamp<std::uint64_t>(context, 1, m_scale.most())));
    if (m_scale.contextAt(m_slider->value()) != context) {
        m_slider->setValue(m_scale.positionOf(context));
    }
    estimateSoon();
}

QJsonObject MemoryPanel::saveState() const {
    return {{QStringLiteral("context"), static_cast<qint64>(context())},
            {QStringLiteral("keys"), m_keys->currentText()},
            {QStringLiteral("values"), m_values->currentText()}};
}

void MemoryPanel::restoreState(const QJsonObject& state) {
    if (const qint64 context = state.value(QStringLiteral("context")).toInteger(); context > 0) {
        m_wantedContext = static_cast<std::uint64_t>(context);
        if (m_ranged) {
            setContext(std::min(*m_wantedContext, m_scale.most()));
        }
    }
    for (const auto& [box, name] : {std::pair(m_keys, "keys"), std::pair(m_values, "values")}) {
        const int index = box->findText(state.value(QLatin1String(name)).toString());
        box->setCurrentIndex(index >= 0 ? index : box->currentIndex());
    }
}

} // namespace gufo::ui
