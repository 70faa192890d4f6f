#include "ui/widgets/context_field.h"

#include "ui/messages/catalogue.h"
#include "ui/theme/theme.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace gufo::ui {

namespace {

constexpr std::uint64_t kUnstatedContext = 32768; // end of the scale if the file does not state a length

} // namespace

ContextScale::ContextScale(std::uint64_t trained)
    : m_maximum(std::clamp<std::uint64_t>(trained != 0 ? trained : kUnstatedContext, 2, std::uint64_t{1} << 30U))
    , m_minimum(m_maximum >= 4096 ? 512 : 1) {}

std::uint64_t ContextScale::contextAt(int position) const {
    if (position == kSteps) {
        return m_maximum;
    }
    const double ratio = static_cast<double>(m_maximum) / static_cast<double>(m_minimum);
    const double exact = static_cast<double>(m_minimum) * std::pow(ratio, static_cast<double>(position) / kSteps);
    const double grain = std::max(1.0, std::exp2(std::floor(std::log2(exact)) - 5));
    return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::lround(exact / grain) * static_cast<long>(grain)),
                                     m_minimum, m_maximum);
}

int ContextScale::positionOf(std::uint64_t context) const {
    const double range = std::log(static_cast<double>(m_maximum) / static_cast<double>(m_minimum));
    const double at = std::log(static_cast<double>(std::max(context, m_minimum)) / static_cast<double>(m_minimum));
    return range > 0 ? static_cast<int>(std::lround(at / range * kSteps)) : 0;
}

ContextTicks::ContextTicks(QWidget* parent)
    : QWidget(parent) {
    setFixedHeight(18);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void ContextTicks::setScale(const ContextScale& scale) {
    m_scale = scale;
    update();
}

void ContextTicks::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(themeFont(TextStyle::Axis));
    const auto minimum = static_cast<double>(m_scale.minimum());
    const auto maximum = static_cast<double>(m_scale.maximum());
    const double range = std::log2(maximum / minimum);
    constexpr int kHandle = 14;
    const double step = range > 12 ? 3 : range > 5 ? 2 : 1;
    for (double power = std::ceil(std::log2(minimum)); power <= std::log2(maximum) + 1e-9; power += step) {
        const double value = std::exp2(power);
        const double share = std::log2(value / minimum) / range;
        const int x = static_cast<int>(kHandle / 2 + share * (width() - kHandle));
        painter.fillRect(x, 0, 1, 4, themeColor(Token::StrongLine));
        const QString text = value >= 1024 ? QStringLiteral("%1k").arg(value / 1024) : QString::number(value);
        const int textWidth = painter.fontMetrics().horizontalAdvance(text);
        painter.setPen(themeColor(Token::Muted));
        painter.drawText(std::clamp(x - textWidth / 2, 0, std::max(0, width() - textWidth)),
                         4 + painter.fontMetrics().ascent(), text);
    }
}

namespace {

constexpr std::uint64_t kUsualContext = 4096; // the engine's default as well

} // namespace

ContextField::ContextField(int labelWidth, QWidget* parent)
    : QWidget(parent)
    , m_box(new CountBox(this))
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_ticks(new ContextTicks(this))
    , m_wanted(kUsualContext) {
    m_box->setGroupSeparatorShown(true);
    m_box->setLocale(figureLocale());
    m_box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    m_box->setKeyboardTracking(false);
    m_box->setFixedWidth(112);
    m_box->setAccessibleName(tr("Context, tokens"));
    m_box->setToolTip(tr("The length of text that the model can take into account: prompt and answer together"));
    m_slider->setRange(0, ContextScale::kSteps);
    m_slider->setPageStep(ContextScale::kSteps / 10);
    m_slider->setAccessibleName(tr("Context"));
    QLabel* label = themedLabel(tr("Context"), TextStyle::Table, Token::Text, this);
    if (labelWidth > 0) {
        label->setFixedWidth(labelWidth);
    }
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(label);
    row->addWidget(m_box);
    row->addWidget(themedLabel(tr("tokens"), TextStyle::Table, Token::Muted, this));
    row->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    layout->addSpacing(8);
    layout->addWidget(m_slider);
    layout->addWidget(m_ticks);
    connect(m_slider, &QSlider::valueChanged, this, [this](int position) { take(m_scale.contextAt(position)); });
    connect(m_box, &QSpinBox::valueChanged, this, [this](int value) { take(static_cast<std::uint64_t>(value)); });
}

void ContextField::setLongest(std::uint64_t longest) {
    if (m_longest == longest) {
        return;
    }
    m_longest = longest;
    m_scale = ContextScale(longest);
    m_ticks->setScale(m_scale);
    const QSignalBlocker quiet(this);
    const QSignalBlocker quietBox(m_box);
    m_box->setRange(1, static_cast<int>(m_scale.maximum()));
    setContext(m_wanted);
}

std::uint64_t ContextField::context() const {
    return m_longest ? static_cast<std::uint64_t>(m_box->value()) : std::uint64_t{0};
}

void ContextField::setContext(std::uint64_t context) {
    const std::uint64_t wanted = std::max<std::uint64_t>(1, context);
    if (m_longest) {
        take(std::min(wanted, m_scale.maximum()));
    }
    m_wanted = wanted;
}

void ContextField::take(std::uint64_t context) {
    const QSignalBlocker quietBox(m_box);
    const QSignalBlocker quietSlider(m_slider);
    m_wanted = context;
    m_box->setValue(static_cast<int>(context));
    if (m_scale.contextAt(m_slider->value()) != context) {
        m_slider->setValue(m_scale.positionOf(context));
    }
    emit changed();
}

} // namespace gufo::ui

#include "moc_context_field.cpp"
