#include "ui/hub/address_field.h"

#include "base/detail.h"
#include "net/address_rules.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/places.h"
#include "ui/widgets/text_color.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

// Which requests opening the place begins with.
QString requestsText(const hub::ModelPlace& place) {
    const QString host = hostOf(place);
    const hub::HubName* name = place.hubName();
    if (name == nullptr) {
        return AddressField::tr("Contacts %1 for the header of %2.").arg(host, fileNameText(place));
    }
    const QString repository = displayText(name->name.repository);
    return name->isRepository()
               ? AddressField::tr("Contacts %1 for the list of files of %2.").arg(host, repository)
               : AddressField::tr("Contacts %1 for the list of files of %2, and then for the header of the chosen one.")
                     .arg(host, repository);
}

} // namespace

AddressField::AddressField(QWidget* parent)
    : QWidget(parent)
    , m_edit(new QLineEdit(this))
    , m_explanation(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_consent(new QCheckBox(this)) {
    m_consent->setObjectName(QStringLiteral("consentBox"));
    m_edit->setPlaceholderText(tr("https://…/model.gguf, or hf.co/owner/repo:Q4_K_M"));
    m_edit->setAccessibleName(tr("Address or name of the model"));
    m_edit->setClearButtonEnabled(true);
    m_explanation->setTextFormat(Qt::PlainText);
    m_explanation->setWordWrap(true);
    m_explanation->setMinimumHeight(2 * m_explanation->fontMetrics().lineSpacing()); // the dialog keeps its size
    m_explanation->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_edit);
    column->addWidget(m_explanation);
    column->addWidget(m_consent);
    setFocusProxy(m_edit);
    connect(m_edit, &QLineEdit::textChanged, this, &AddressField::update);
    connect(m_consent, &QCheckBox::toggled, this, &AddressField::update);
    update();
}

void AddressField::setText(const QString& text) { m_edit->setText(text); }

std::optional<hub::ModelPlace> AddressField::place() const { return m_isUsable ? m_place : std::nullopt; }

QString AddressField::explanation() const { return m_explanation->text(); }

void AddressField::update() {
    m_place = typedPlace(m_edit->text());
    m_isUsable = false;
    QString plainHost;
    QString text;
    Token color = Token::Muted;
    if (m_edit->text().trimmed().isEmpty()) {
        text = tr("Nothing is sent before you press a button.");
    } else if (!m_place) {
        text = tr("This is neither an address that begins with https:// nor a name such as owner/repo, "
                  "hf.co/owner/repo:Q4_K_M or ollama.com/library/name.");
        color = Token::WarningText;
    } else {
        const auto allowed = net::checkedAddress(m_place->contactedAddress(), {});
        const bool isPlain = !allowed && allowed.error().args[0].detail() == Detail::PlainHttpRefused;
        if (isPlain) {
            plainHost = displayText(allowed.error().args[0].args()[0].text());
            text = requestsText(*m_place) + QLatin1Char(' ') +
                   tr("Without encryption, others on the way can read and change what is sent.");
            color = Token::WarningText;
        } else if (allowed) {
            text = requestsText(*m_place);
        } else {
            text = errorReason(allowed.error());
            color = Token::ErrorText;
        }
        m_isUsable = allowed.has_value();
    }
    if (plainHost != m_plainHost) { // another host begins with what the user decided about it before
        m_plainHost = plainHost;
        const QSignalBlocker quiet(m_consent);
        m_consent->setText(tr("&Contact %1 without encryption, now and later").arg(plainHost));
        m_consent->setChecked(allowedPlainHosts().contains(plainHost));
    }
    m_consent->setVisible(!plainHost.isEmpty());
    m_isUsable = m_isUsable || (!plainHost.isEmpty() && m_consent->isChecked());
    m_explanation->setText(text);
    setTextColor(m_explanation, color);
    emit changed();
}

void AddressField::keepConsent() const {
    if (!m_plainHost.isEmpty()) {
        setPlainHostAllowed(m_plainHost, m_consent->isChecked());
    }
}

} // namespace gufo::ui

#include "moc_address_field.cpp"
