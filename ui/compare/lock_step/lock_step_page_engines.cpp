// What else can run the reference's model in lock step: another engine on this computer, and a server.
#include "inference/remote/server_connection.h"
#include "ui/compare/lock_step/lock_step_page.h"
#include "ui/jobs/job.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/error_text.h"
#include "ui/run/server_keys.h"
#include "ui/theme/style.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>

#include <utility>

namespace gufo::ui {

QWidget* LockStepPage::buildEnginesRow() {
    auto* row = new QWidget(this);
    if (const inference::Engine* other = m_run.otherEngine()) {
        m_withLibrary = new QCheckBox(engineName(other->id), row);
        m_withLibrary->setObjectName(QStringLiteral("libraryBox"));
        m_withLibrary->setEnabled(false); // until it is known whether it is installed
    }
    m_withServer = new QCheckBox(tr("a server"), row);
    m_withServer->setObjectName(QStringLiteral("serverBox"));
    m_withServer->setToolTip(tr("Compare a server that runs the reference's model, too"));
    auto* server = new QWidget(row);
    m_address = new QLineEdit(server);
    m_address->setAccessibleName(tr("Address of the server"));
    m_address->setPlaceholderText(QStringLiteral("http://127.0.0.1:8080"));
    m_address->setToolTip(tr("A llama-server that runs the reference's model. It receives the text and one request for "
                             "each token."));
    m_key = new QLineEdit(server);
    m_key->setAccessibleName(tr("Key of the server"));
    m_key->setEchoMode(QLineEdit::Password);
    m_key->setPlaceholderText(tr("none"));
    m_key->setToolTip(tr("It is sent to this address only. If it is empty, the key is used that the Run page knows."));
    auto* fields = new QHBoxLayout(server);
    fields->setContentsMargins(0, 0, 0, 0);
    fields->addWidget(m_address, 3);
    fields->addWidget(themedLabel(tr("Key"), TextStyle::Table, Token::Muted, server));
    fields->addWidget(m_key, 1);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(themedLabel(tr("Also run the reference with"), TextStyle::Table, Token::Muted, row));
    if (m_withLibrary != nullptr) {
        layout->addWidget(m_withLibrary);
    }
    layout->addWidget(m_withServer);
    layout->addWidget(server, 1);
    layout->addStretch();
    row->setMinimumHeight(m_address->sizeHint().height()); // does not change with the fields
    server->hide();
    connect(m_withServer, &QCheckBox::toggled, server, &QWidget::setVisible);
    connect(m_withServer, &QCheckBox::toggled, this, &LockStepPage::updateState);
    connect(m_address, &QLineEdit::textChanged, this, [this] {
        m_key->clear(); // another server must not get this key
        updateState();
    });
    connect(m_address, &QLineEdit::returnPressed, this, [this] { m_start->click(); });
    return row;
}

void LockStepPage::showEvent(QShowEvent* event) {
    ComparePage::showEvent(event);
    if (m_withLibrary != nullptr && !std::exchange(m_versionAsked, true)) {
        askVersion();
    }
}

void LockStepPage::askVersion() {
    const inference::Engine* other = m_run.otherEngine();
    startJob<std::string>(
        this, [ask = other->version](const JobContext& job) { return ask != nullptr ? ask(job) : std::string(); },
        [this, name = engineName(other->id)](const Result<std::string>& version) {
            m_withLibrary->setEnabled(version.has_value());
            m_withLibrary->setChecked(version && m_wantsLibrary);
            m_withLibrary->setToolTip(version ? tr("Also run the reference with %1, in a separate process").arg(name)
                                              : tr("%1 is not available: %2").arg(name, errorReason(version.error())));
        });
}

inference::ServerAccess LockStepPage::server() const {
    if (!m_withServer->isChecked()) {
        return {};
    }
    inference::ServerAccess access{.address = inference::serverAddress(m_address->text().toStdString()),
                                   .key = m_key->text().toStdString()};
    if (access.key.empty()) {
        access.key = ServerKeys::shared().key(access.address);
    }
    return access;
}

} // namespace gufo::ui
