#include "ui/pages/run/offload_field.h"

#include "ui/widgets/text_color.h"

#include <QGridLayout>

namespace gufo::ui {
namespace {

constexpr int kAll = inference::Offload::kAllLayers;
constexpr int kMaximum = 9999;

} // namespace

OffloadField::OffloadField(int labelWidth, QWidget* parent)
    : QWidget(parent)
    , m_layers(new QSpinBox(this))
    , m_machines(new QLineEdit(this)) {
    m_machines->setObjectName(QStringLiteral("machinesField"));
    m_layers->setRange(kAll, kMaximum);
    m_layers->setValue(kAll);
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
    m_layers->setValue(state[QStringLiteral("layers")].toInt(kAll));
    m_machines->setText(state[QStringLiteral("machines")].toString());
}

} // namespace gufo::ui

#include "moc_offload_field.cpp"
