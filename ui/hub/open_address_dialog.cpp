#include "ui/hub/open_address_dialog.h"

#include "ui/hub/address_field.h"
#include "ui/theme/style.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr int kOpenWidth = 620;

} // namespace

OpenAddressDialog::OpenAddressDialog(QWidget* parent)
    : QDialog(parent)
    , m_address(new AddressField(this))
    , m_open(new QPushButton(tr("&Open"), this))
    , m_download(new QPushButton(tr("&Download…"), this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Open address"));
    auto* label = new QLabel(tr("&Address of a model, or its name on a hub"), this);
    label->setBuddy(m_address->edit());
    m_open->setProperty(kPrimaryProperty, true);
    m_open->setDefault(true);
    m_download->setAutoDefault(false);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setAutoDefault(false);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch(1);
    buttons->addWidget(m_open);
    buttons->addWidget(m_download);
    buttons->addWidget(cancel);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(8);
    column->addWidget(label);
    column->addWidget(m_address);
    column->addSpacing(8);
    column->addLayout(buttons);
    resize(kOpenWidth, sizeHint().height());
    growWithTexts(this);
    connect(m_address, &AddressField::changed, this, &OpenAddressDialog::update);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_open, &QPushButton::clicked, this, [this] { finish(&OpenAddressDialog::openRequested); });
    connect(m_download, &QPushButton::clicked, this, [this] { finish(&OpenAddressDialog::downloadRequested); });
    update();
}

void OpenAddressDialog::update() {
    const std::optional<hub::ModelPlace> place = m_address->place();
    const bool isRepository = place && place->isRepository();
    m_open->setText(isRepository ? tr("&List files") : tr("&Open"));
    m_open->setEnabled(place.has_value());
    m_download->setEnabled(place && !isRepository); // the list of files has its own button
}

void OpenAddressDialog::finish(void (OpenAddressDialog::*request)(const hub::ModelPlace&)) {
    const std::optional<hub::ModelPlace> place = m_address->place();
    m_address->keepConsent();
    QDialog::accept();
    if (place) {
        emit(this->*request)(*place);
    }
}

} // namespace gufo::ui

#include "moc_open_address_dialog.cpp"
