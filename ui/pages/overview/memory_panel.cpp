#include "ui/pages/overview/memory_panel.h"

#include "inference/engine/gufo_engine.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {

MemoryBar::MemoryBar(QWidget* parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Memory needed and memory of this machine"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize MemoryBar::sizeHint() const { return {320, 16 + 18}; }

void MemoryBar::setParts(const inference::MachineMemory& machine, std::vector<Part> parts) {
    m_machine = machine;
    m_parts = std::move(parts);
    update();
}

void MemoryBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    std::uint64_t needed = 0;
    for (const Part& part : m_parts) {
        needed += part.bytes;
    }
    const std::uint64_t machine = m_machine.total;
    const std::uint64_t used = machine - std::min(m_machine.available, machine);
    const double whole = static_cast<double>(std::max(machine, used + needed));
    if (whole <= 0) {
        return;
    }
    const QRect bar(0, 0, width(), 16);
    const auto x = [&](std::uint64_t bytes) { return static_cast<int>(static_cast<double>(bytes) / whole * width()); };
    painter.fillRect(bar, themeColor(Token::Line));
    painter.fillRect(0, 0, x(used), bar.height(), QBrush(themeColor(Token::StrongLine), Qt::BDiagPattern));
    std::uint64_t before = used;
    int left = x(used);
    for (const Part& part : m_parts) {
        before += part.bytes;
        const int right = part.bytes == 0 ? left : std::max(left + 2, x(before));
        painter.fillRect(left, 0, right - left - (right - left > 2 ? 1 : 0), bar.height(), part.color());
        left = right;
    }
    painter.setFont(themeFont(TextStyle::Axis));
    painter.setPen(themeColor(Token::Muted));
    const QRect captions(0, bar.bottom() + 3, width(), 16);
    if (machine != 0) {
        painter.drawText(captions, Qt::AlignLeft, tr("%1 in use").arg(formatBytes(used)));
        painter.drawText(captions, Qt::AlignRight, tr("%1 of memory").arg(formatBytes(machine)));
        if (needed + used > machine) {
            painter.fillRect(x(machine), 0, 2, bar.height() + 3, themeColor(Token::ErrorText));
        }
    }
}

namespace {

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

} // namespace

MemoryPanel::MemoryPanel(QWidget* parent)
    : QWidget(parent)
    , m_controls(new QWidget(this))
    , m_context(new ContextField(0, this))
    , m_keys(new QComboBox(this))
    , m_values(new QComboBox(this))
    , m_bar(new MemoryBar(this))
    , m_totalRow(new QWidget(this))
    , m_total(themedLabel({}, TextStyle::Section, Token::Text, this))
    , m_verdictRow(new QWidget(this))
    , m_verdict(themedLabel({}, TextStyle::Table, Token::Good, this))
    , m_verdictMark(new QLabel(this))
    , m_estimate(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_problem(themedLabel({}, TextStyle::Table, Token::Muted, this)) {
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
    m_estimate->setWordWrap(true);
    m_verdict->setWordWrap(true);

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
    controls->addWidget(m_context);
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
    controls->addWidget(makeSeparator(Qt::Horizontal, m_controls));
    controls->addWidget(m_totalRow);
    auto* verdict = new QHBoxLayout(m_verdictRow);
    verdict->setContentsMargins(0, 0, 0, 0);
    m_verdictMark->setFixedSize(16, 18);
    verdict->addWidget(m_verdictMark, 0, Qt::AlignTop);
    verdict->addWidget(m_verdict, 1);
    controls->addWidget(m_verdictRow);
    controls->addSpacing(4);
    controls->addWidget(m_estimate);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(themedLabel(tr("Memory needed to run"), TextStyle::Section, Token::Text, this));
    layout->addWidget(m_problem);
    layout->addWidget(m_controls);
    m_problem->hide();
    m_controls->setEnabled(false);

    connect(m_context, &ContextField::changed, this, &MemoryPanel::estimateSoon);
    connect(&Theme::instance(), &Theme::changed, this, &MemoryPanel::estimateSoon); // for the verdict's colour
}

void MemoryPanel::setModel(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    estimateSoon();
}

void MemoryPanel::setMachine(const inference::MachineMemory& machine) {
    m_machine = machine;
    estimateSoon();
}

void MemoryPanel::estimateSoon() {
    if (m_model && m_job.isRunning()) {
        m_again = true;
    } else if (m_model) {
        start();
    }
}

void MemoryPanel::start() {
    m_again = false;
    const inference::SessionOptions options{.context = static_cast<std::uint32_t>(m_context->context()),
                                            .keys = static_cast<KvCacheType>(m_keys->currentData().toInt()),
                                            .values = static_cast<KvCacheType>(m_values->currentData().toInt())};
    m_job.start<Answer>(
        [model = m_model, options, given = m_machine](const JobContext&) {
            const inference::MachineMemory machine = given ? *given : inference::machineMemory();
            return Result<Answer>(Answer{inference::forecastMemory(model, options, machine), machine});
        },
        [this](const Result<Answer>& answer) {
            showAnswer(*answer);
            if (m_again) {
                start();
            }
        });
}

void MemoryPanel::showAnswer(const Answer& answer) {
    m_forecast = answer.forecast ? std::optional(*answer.forecast) : std::nullopt;
    m_problem->setVisible(!m_forecast);
    m_controls->setVisible(m_forecast.has_value());
    if (!m_forecast) {
        m_problem->setText(memoryProblemText(*m_model, answer.forecast.error()));
        emit estimated();
        return;
    }
    const inference::MemoryNeeds& needs = m_forecast->needs;
    m_controls->setEnabled(true);
    m_context->setLongest(needs.trainedContext);
    if (m_context->context() != needs.context) {
        m_again = true; // the range of contexts is now known
        return;
    }
    const std::uint64_t buffers = needs.scratch + needs.smallTensors + needs.logits;
    m_rows[0].detail->setText(tr("mapped from the file"));
    m_rows[0].bytes->setText(formatBytes(needs.weights));
    m_rows[1].detail->setText(kvGrowthText(needs));
    m_rows[1].bytes->setText(formatBytes(needs.kvCache));
    m_rows[1].widget->setVisible(needs.kvCache != 0);
    m_rows[2].detail->setText(tr("independent of the context"));
    m_rows[2].bytes->setText(formatBytes(needs.recurrentState + needs.snapshots));
    m_rows[2].widget->setVisible(needs.recurrentState != 0);
    m_rows[3].detail->setText(tr("batch %1, logits").arg(inference::SessionOptions().batch));
    m_rows[3].bytes->setText(formatBytes(buffers));
    m_total->setText(formatBytes(needs.total()));
    m_bar->setParts(answer.machine, {{weightsColor, needs.weights},
                                     {cacheColor, needs.kvCache},
                                     {stateColor, needs.recurrentState + needs.snapshots},
                                     {buffersColor, buffers}});
    showVerdict(answer.machine);
    const QString estimate = memoryEstimateText(*m_forecast);
    m_estimate->setText(estimate);
    m_estimate->setVisible(!estimate.isEmpty());
    emit estimated();
}

void MemoryPanel::showVerdict(const inference::MachineMemory& machine) {
    const QString text = memoryVerdictText(*m_forecast, machine);
    m_verdictRow->setVisible(!text.isEmpty());
    const bool fits = memorySuffices(*m_forecast);
    const Token color = fits ? Token::Good : Token::WarningText;
    m_verdict->setText(text);
    setTextColor(m_verdict, color);
    m_verdictMark->setPixmap(themeIcon(fits ? QStringLiteral("check") : QStringLiteral("warning"), color)
                                 .pixmap(QSize(14, 14), devicePixelRatioF()));
    m_bar->setAccessibleDescription(tr("%1 needed. %2").arg(m_total->text(), text));
}

QJsonObject MemoryPanel::saveState() const {
    return {{QStringLiteral("context"), static_cast<qint64>(m_context->wanted())},
            {QStringLiteral("keys"), m_keys->currentText()},
            {QStringLiteral("values"), m_values->currentText()}};
}

void MemoryPanel::restoreState(const QJsonObject& state) {
    if (const qint64 context = state.value(QStringLiteral("context")).toInteger(); context > 0) {
        m_context->setContext(static_cast<std::uint64_t>(context));
    }
    for (const auto& [box, name] : {std::pair(m_keys, "keys"), std::pair(m_values, "values")}) {
        const int index = box->findText(state.value(QLatin1String(name)).toString());
        box->setCurrentIndex(index >= 0 ? index : box->currentIndex());
    }
}

} // namespace gufo::ui

#include "moc_memory_panel.cpp"
