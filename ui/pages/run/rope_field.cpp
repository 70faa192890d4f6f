#include "ui/pages/run/rope_field.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QSignalBlocker>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

using inference::RopeScaling;

constexpr int kAsInFile = -1;
constexpr std::array kChoices{RopeScaling::None, RopeScaling::Linear, RopeScaling::Yarn};
constexpr double kUsualFactor = 2;

QString nameOf(RopeScaling scaling) {
    switch (scaling) {
    case RopeScaling::None:
        return RopeField::tr("none");
    case RopeScaling::Linear:
        return RopeField::tr("linear");
    case RopeScaling::Yarn:
        return QStringLiteral("YaRN");
    case RopeScaling::LongRope:
        return QStringLiteral("LongRoPE");
    }
    return {};
}

QString timesText(double factor) { return QStringLiteral(" × ") + formatReal(factor); }

bool stretches(RopeScaling scaling) { return scaling == RopeScaling::Linear || scaling == RopeScaling::Yarn; }

} // namespace

RopeField::RopeField(int labelWidth, QWidget* parent)
    : QWidget(parent)
    , m_scaling(new QComboBox(this))
    , m_times(themedLabel(QStringLiteral("×"), TextStyle::Table, Token::Muted, this))
    , m_factor(new RealBox(this))
    , m_base(new RealBox(this)) {
    QLabel* label = themedLabel(tr("RoPE scaling"), TextStyle::Table, Token::Text, this);
    label->setFixedWidth(labelWidth);
    m_scaling->addItem(tr("as in the file"), kAsInFile);
    for (const RopeScaling scaling : kChoices) {
        m_scaling->addItem(nameOf(scaling), static_cast<int>(scaling));
    }
    m_scaling->setAccessibleName(tr("Scaling of positions"));
    m_scaling->setToolTip(tr("Allows contexts longer than the model was trained with, at some loss of quality. YaRN "
                             "loses less than linear scaling"));
    m_scaling->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    for (QDoubleSpinBox* box : {m_factor, m_base}) {
        box->setLocale(figureLocale());
        box->setKeyboardTracking(false);
        connect(box, &QDoubleSpinBox::valueChanged, this, [this] {
            showFields();
            emit changed();
        });
    }
    m_factor->setRange(0.1, 1000);
    m_factor->setValue(kUsualFactor);
    m_factor->setFixedWidth(78);
    m_factor->setAccessibleName(tr("Factor of the scaling"));
    m_factor->setToolTip(tr("The factor by which the context becomes longer"));
    m_base->setRange(1, 1e12);
    m_base->setDecimals(0);
    m_base->setGroupSeparatorShown(true);
    m_base->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    m_base->setFixedWidth(112);
    m_base->setAccessibleName(tr("Base of the RoPE frequencies"));
    m_base->setToolTip(tr("Base of the RoPE frequencies; a higher base also allows longer contexts"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(label);
    row->addWidget(m_scaling);
    row->addWidget(m_times);
    row->addWidget(m_factor);
    row->addSpacing(12);
    row->addWidget(themedLabel(tr("Base"), TextStyle::Table, Token::Text, this));
    row->addWidget(m_base);
    row->addStretch();
    connect(m_scaling, &QComboBox::currentIndexChanged, this, [this] {
        showFields();
        emit changed();
    });
    showFields();
}

void RopeField::setShape(const inference::ModelShape& shape) {
    const bool baseIsFiles = !m_hasShape || m_base->value() == m_file.base;
    m_hasShape = true;
    m_file = shape.rope;
    m_trained = shape.trainedContext;
    const QString scaling =
        nameOf(m_file.scaling) + (stretches(m_file.scaling) ? timesText(1 / m_file.scale) : QString());
    m_scaling->setItemText(0, tr("as in the file: %1").arg(scaling));
    if (baseIsFiles) {
        const QSignalBlocker quiet(m_base);
        m_base->setValue(m_wantedBase != 0 ? m_wantedBase : m_file.base);
    }
    showFields();
}

void RopeField::showFields() {
    const int chosen = m_scaling->currentData().toInt();
    const bool factor = chosen != kAsInFile && stretches(static_cast<RopeScaling>(chosen));
    m_times->setVisible(factor);
    m_factor->setVisible(factor);
}

inference::RopeOverride RopeField::rope() const {
    inference::RopeOverride rope;
    if (const int chosen = m_scaling->currentData().toInt(); chosen != kAsInFile) {
        rope.scaling = static_cast<RopeScaling>(chosen);
        if (stretches(*rope.scaling)) {
            rope.scale = m_factor->value();
        }
    }
    if (m_hasShape && m_base->value() != m_file.base) {
        rope.base = m_base->value();
    }
    return rope;
}

std::uint64_t RopeField::longestContext() const {
    const inference::RopeOverride asked = rope();
    if (m_trained == 0 || !asked.scale) {
        return m_trained;
    }
    const std::uint64_t original = m_file.originalContext != 0 ? m_file.originalContext : m_trained;
    return std::max(m_trained, static_cast<std::uint64_t>(static_cast<double>(original) * *asked.scale));
}

QJsonObject RopeField::saveState() const {
    const int chosen = m_scaling->currentData().toInt();
    QJsonObject state;
    if (chosen != kAsInFile) {
        state.insert(QStringLiteral("scaling"), latin1(ropeScalingName(static_cast<RopeScaling>(chosen))));
        state.insert(QStringLiteral("factor"), m_factor->value());
    }
    if (const double base = m_hasShape ? rope().base.value_or(0) : m_wantedBase; base != 0) {
        state.insert(QStringLiteral("base"), base);
    }
    return state;
}

void RopeField::restoreState(const QJsonObject& state) {
    const QString name = state[QStringLiteral("scaling")].toString();
    const auto scaling = inference::ropeScalingFromName(name.toStdString());
    const int index = scaling ? m_scaling->findData(static_cast<int>(*scaling)) : 0;
    m_scaling->setCurrentIndex(std::max(0, index));
    m_factor->setValue(state[QStringLiteral("factor")].toDouble(kUsualFactor));
    m_wantedBase = state[QStringLiteral("base")].toDouble();
    if (m_hasShape && m_wantedBase != 0) {
        m_base->setValue(m_wantedBase);
    }
}

QString ropeText(const inference::RopeOverride& rope) {
    QStringList parts;
    if (rope.scaling) {
        parts << (*rope.scaling == RopeScaling::None ? RopeField::tr("unscaled")
                                                     : nameOf(*rope.scaling) + timesText(rope.scale.value_or(1)));
    }
    if (rope.base) {
        parts << RopeField::tr("base %1").arg(formatCount(static_cast<std::uint64_t>(*rope.base)));
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace gufo::ui

#include "moc_rope_field.cpp"
