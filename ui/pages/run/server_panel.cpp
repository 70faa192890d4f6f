#include "ui/pages/run/server_panel.h"

#include "inference/remote/server_connection.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/run/server_keys.h"
#include "ui/widgets/text_color.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kLogHeight = 120;
constexpr int kLongestContext = 1 << 24; // tokens
constexpr int kMaxLayers = 9999;
// The data of the entries of the combo box that are not addresses:
const QString kOther = QStringLiteral("other");
const QString kStart = QStringLiteral("start");

bool isEncrypted(const std::string& address) { return address.starts_with("https://"); }

bool isOnThisComputer(const std::string& address) {
    return address.starts_with("http://127.") || address.starts_with("http://localhost") ||
           address.starts_with("http://[::1]");
}

void addRow(QGridLayout* grid, const QString& name, QWidget* field, int labelWidth) {
    QLabel* label = themedLabel(name, TextStyle::Table, Token::Text, field->parentWidget());
    label->setFixedWidth(labelWidth);
    label->setBuddy(field);
    const int row = grid->rowCount();
    grid->addWidget(label, row, 0);
    grid->addWidget(field, row, 1);
}

QGridLayout* rowsOf(QWidget* page) {
    auto* grid = new QGridLayout;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(grid);
    return grid;
}

} // namespace

ServerPanel::ServerPanel(int labelWidth, QWidget* parent)
    : QWidget(parent)
    , m_program(LocalServer::program())
    , m_choice(new QComboBox(this))
    , m_addressPage(new QWidget(this))
    , m_startPage(new QWidget(this)) {
    m_choice->setObjectName(QStringLiteral("choiceCombo"));
    m_choice->setAccessibleName(tr("Server"));
    m_choice->setToolTip(tr("The server that runs the model"));
    QLabel* label = themedLabel(tr("Server"), TextStyle::Table, Token::Text, this);
    label->setFixedWidth(labelWidth);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(label);
    row->addWidget(m_choice, 1);
    fillAddressPage(labelWidth);
    fillStartPage(labelWidth);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addLayout(row);
    layout->addWidget(m_addressPage); // only one is visible, so that the taller one leaves no gap below the other
    layout->addWidget(m_startPage);
    fillChoices(kOther);
    connect(&ServerKeys::shared(), &ServerKeys::found, this, [this](const std::string& address) {
        if (!startsOne() && address == access().address && m_key->text().isEmpty()) {
            showKey();
            emit changed();
        }
    });
    connect(&ServerKeys::shared(), &ServerKeys::failed, this, [this](const QString& problem) {
        if (isVisible()) {
            m_storeProblem =
                tr("The system's secret store cannot be used (%1): the key is forgotten when the program ends.")
                    .arg(problem);
            say(m_said, Token::WarningText);
        }
    });
    connect(m_choice, &QComboBox::currentIndexChanged, this, &ServerPanel::showChoice);
    showChoice();
}

void ServerPanel::fillAddressPage(int labelWidth) {
    QWidget* page = m_addressPage;
    m_address = new QLineEdit(page);
    m_address->setAccessibleName(tr("Address of the server"));
    m_address->setPlaceholderText(QStringLiteral("http://127.0.0.1:8080"));
    m_address->setToolTip(tr("A llama-server, or another server with OpenAI's interface"));
    m_key = new QLineEdit(page);
    m_key->setAccessibleName(tr("Key of the server"));
    m_key->setEchoMode(QLineEdit::Password);
    m_key->setPlaceholderText(tr("none"));
    m_key->setToolTip(ServerKeys::shared().isLasting()
                          ? tr("It is sent to this address only. Once the server has answered, it is kept in the "
                               "system's secret store.")
                          : tr("It is sent to this address only, and forgotten when the program ends"));
    m_check = new QPushButton(tr("Check"), page);
    m_check->setToolTip(tr("Ask the server what it is and whether it runs this file"));
    m_remove = new QPushButton(tr("Remove"), page);
    m_remove->setToolTip(tr("Remove the address from the list"));
    m_result = themedLabel({}, TextStyle::Table, Token::Muted, page);
    m_result->setObjectName(QStringLiteral("resultLabel"));
    m_result->setWordWrap(true);
    m_result->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QGridLayout* grid = rowsOf(page);
    addRow(grid, tr("Address"), m_address, labelWidth);
    addRow(grid, tr("Key"), m_key, labelWidth);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_check);
    buttons->addWidget(m_remove);
    buttons->addStretch();
    const int row = grid->rowCount();
    grid->addLayout(buttons, row, 1);
    grid->addWidget(m_result, row + 1, 1);
    connect(m_check, &QPushButton::clicked, this, &ServerPanel::check);
    connect(m_address, &QLineEdit::returnPressed, this, &ServerPanel::check);
    connect(m_address, &QLineEdit::textChanged, this, [this] {
        m_job.cancel();
        m_check->setEnabled(isComplete());
        const std::string address = access().address;
        if (!m_keyAddress.empty() && address != m_keyAddress) { // another server must not get this key
            const QSignalBlocker quiet(m_key);
            m_key->clear();
            m_keyAddress.clear();
        }
        say(address.empty() || isEncrypted(address) || isOnThisComputer(address)
                ? QString()
                : tr("The connection is not encrypted: others in the network can read what is sent, with the key."),
            Token::WarningText);
        emit changed();
    });
    connect(m_key, &QLineEdit::textChanged, this, [this](const QString& key) {
        if (const std::string address = access().address; !address.empty()) {
            ServerKeys::shared().set(address, key.toStdString());
            m_keyAddress = address;
        }
        emit changed();
    });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        ServerKeys::shared().forget(access().address);
        m_addresses.removeAll(m_choice->currentData().toString());
        fillChoices(kOther);
        showChoice();
    });
}

void ServerPanel::fillStartPage(int labelWidth) {
    QWidget* page = m_startPage;
    m_context = new QSpinBox(page);
    m_context->setRange(0, kLongestContext);
    m_context->setSingleStep(1024);
    m_context->setSpecialValueText(tr("automatic"));
    m_context->setAccessibleName(tr("Context in tokens"));
    m_layers = new QSpinBox(page);
    m_layers->setRange(-1, kMaxLayers);
    m_layers->setValue(-1);
    m_layers->setSpecialValueText(tr("automatic"));
    m_layers->setAccessibleName(tr("Layers on the GPU"));
    m_layers->setToolTip(tr("The number of layers whose weights are in the memory of the GPU"));
    m_hosts = new QLineEdit(page);
    m_hosts->setAccessibleName(tr("Other machines"));
    m_hosts->setPlaceholderText(QStringLiteral("192.168.1.5:50052, 192.168.1.6:50052"));
    m_hosts->setToolTip(tr("Machines that run llama.cpp's rpc-server and compute a part of the layers"));
    m_arguments = new QLineEdit(page);
    m_arguments->setObjectName(QStringLiteral("argumentsField"));
    m_arguments->setAccessibleName(tr("Further arguments"));
    m_arguments->setToolTip(tr("Further arguments of llama-server"));
    m_log = new QPlainTextEdit(page);
    m_log->setObjectName(QStringLiteral("logView"));
    m_log->setReadOnly(true);
    m_log->setFixedHeight(kLogHeight);
    m_log->setMaximumBlockCount(LocalServer::kMaxLines);
    m_log->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_log->setAccessibleName(tr("Log of llama-server"));
    m_log->setPlaceholderText(tr("What llama-server writes"));
    m_log->setTabChangesFocus(true);
    QGridLayout* grid = rowsOf(page);
    addRow(grid, tr("Context"), m_context, labelWidth);
    addRow(grid, tr("GPU layers"), m_layers, labelWidth);
    addRow(grid, tr("Machines"), m_hosts, labelWidth);
    addRow(grid, tr("Arguments"), m_arguments, labelWidth);
    addRow(grid, tr("Log"), m_log, labelWidth);
    const int row = grid->rowCount() - 1;
    grid->setAlignment(grid->itemAtPosition(row, 0)->widget(), Qt::AlignTop);
}

void ServerPanel::setProgram(const QString& program) {
    m_program = program;
    fillChoices(m_choice->currentData().toString());
    showChoice();
}

void ServerPanel::fillChoices(const QString& current) {
    const QSignalBlocker quiet(m_choice);
    m_choice->clear();
    for (const QString& address : m_addresses) {
        m_choice->addItem(address, address);
    }
    m_choice->addItem(tr("Another address"), kOther);
    // Without the program, the entry stays and says why it cannot be chosen.
    m_choice->addItem(m_program.isEmpty() ? tr("Start one here (llama-server is not installed)")
                                          : tr("Start llama-server on this computer"),
                      kStart);
    if (m_program.isEmpty()) {
        m_choice->setItemData(m_choice->count() - 1, 0, Qt::UserRole - 1); // disables the entry
    }
    const bool canStart = current != kStart || !m_program.isEmpty();
    m_choice->setCurrentIndex(std::max(0, m_choice->findData(canStart ? current : kOther)));
}

void ServerPanel::showChoice() {
    const QString choice = m_choice->currentData().toString();
    const bool isStored = choice != kOther && choice != kStart;
    m_addressPage->setVisible(!startsOne());
    m_startPage->setVisible(startsOne());
    m_remove->setVisible(isStored);
    if (!startsOne()) {
        m_address->setText(isStored ? choice : QString());
        m_address->setReadOnly(isStored);
        showKey();
        m_check->setEnabled(isComplete());
    }
    emit changed();
}

// The store is asked only while the panel is visible, because it may ask the user for a password.
void ServerPanel::showKey() {
    const std::string address = access().address;
    const QSignalBlocker quiet(m_key);
    const std::string key = ServerKeys::shared().key(address);
    m_key->setText(QString::fromStdString(key));
    m_keyAddress = key.empty() ? std::string() : address;
    if (isVisible() && !startsOne()) {
        ServerKeys::shared().look(address);
    }
}

void ServerPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!startsOne()) {
        ServerKeys::shared().look(access().address);
    }
}

bool ServerPanel::startsOne() const { return m_choice->currentData().toString() == kStart; }

bool ServerPanel::isComplete() const { return startsOne() ? !m_program.isEmpty() : !access().address.empty(); }

inference::ServerAccess ServerPanel::access() const {
    return {.address = inference::serverAddress(m_address->text().toStdString()), .key = m_key->text().toStdString()};
}

LocalServerOptions ServerPanel::localOptions() const {
    return {.program = m_program,
            .model = m_model != nullptr ? m_model->files.front().path : std::filesystem::path(),
            .context = static_cast<std::uint32_t>(m_context->value()),
            .gpuLayers = m_layers->value() >= 0 ? std::optional(m_layers->value()) : std::nullopt,
            .rpcHosts = m_hosts->text(),
            .arguments = m_arguments->text()};
}

void ServerPanel::check() {
    if (!isComplete() || startsOne()) {
        return;
    }
    m_job.cancel();
    say(tr("Asking %1…").arg(displayText(access().address)), Token::Muted);
    struct Found {
        inference::ServerFacts facts;
        inference::ServerMatch match;
    };
    m_job.start<Found>(
        [access = access(), model = m_model](const JobContext& job) -> Result<Found> {
            auto facts = GUFO_TRY(inference::probeServer(inference::ServerConnection(access), job));
            const auto match = inference::matchOf(facts, *model);
            return Found{std::move(facts), match};
        },
        [this](const Result<Found>& found) {
            if (!found) {
                const QString hint = errorHint(found.error(), ServerKind::Engine);
                QString text = errorReason(found.error()) + u'.' + (hint.isEmpty() ? QString() : u' ' + hint);
                text[0] = text[0].toUpper();
                say(text, Token::ErrorText);
                return;
            }
            keepAddress();
            const bool isSame = found->match.model() == inference::Agreement::Same;
            say(serverText(found->facts) + QStringLiteral("; ") + serverMatchText(found->match) + u'.',
                isSame ? Token::Good : Token::WarningText);
        });
}

void ServerPanel::keepAddress() {
    const QString address = QString::fromStdString(access().address);
    if (startsOne() || address.isEmpty()) {
        return;
    }
    ServerKeys::shared().set(address.toStdString(), m_key->text().toStdString());
    ServerKeys::shared().keep(address.toStdString());
    if (m_addresses.contains(address)) {
        return;
    }
    m_addresses << address;
    fillChoices(address);
    showChoice();
}

void ServerPanel::showLine(const QString& line) { m_log->appendPlainText(line); }

void ServerPanel::clearLog() { m_log->clear(); }

void ServerPanel::say(const QString& text, Token token) {
    m_said = text;
    const QString separator = text.isEmpty() || m_storeProblem.isEmpty() ? QString() : QStringLiteral("\n");
    m_result->setText(text + separator + m_storeProblem);
    m_result->setVisible(!m_result->text().isEmpty());
    setTextColor(m_result, token);
}

QJsonObject ServerPanel::saveState() const {
    return {{QStringLiteral("addresses"), QJsonArray::fromStringList(m_addresses)},
            {QStringLiteral("choice"), m_choice->currentData().toString()},
            {QStringLiteral("context"), m_context->value()},
            {QStringLiteral("layers"), m_layers->value()},
            {QStringLiteral("hosts"), m_hosts->text()},
            {QStringLiteral("arguments"), m_arguments->text()}};
}

void ServerPanel::restoreState(const QJsonObject& state) {
    m_addresses.clear();
    for (const QJsonValue& address : state[QStringLiteral("addresses")].toArray()) {
        if (const QString text = address.toString(); !text.isEmpty() && !m_addresses.contains(text)) {
            m_addresses << text;
        }
    }
    m_context->setValue(state[QStringLiteral("context")].toInt());
    m_layers->setValue(state[QStringLiteral("layers")].toInt(-1));
    m_hosts->setText(state[QStringLiteral("hosts")].toString());
    m_arguments->setText(state[QStringLiteral("arguments")].toString());
    fillChoices(state[QStringLiteral("choice")].toString(kOther));
    showChoice();
}

} // namespace gufo::ui

#include "moc_server_panel.cpp"
