// Chooses the server that runs the model: one at an address, or a llama-server that Gufo starts on this computer. The
// panel says what the server is and whether it runs the open file. Nothing is sent before the user presses a button.
//
// Addresses are part of the page's state. Keys are kept by ServerKeys.
#pragma once

#include "inference/interface/server_facts.h"
#include "inference/interface/session.h"
#include "model/model.h"
#include "ui/jobs/latest_job.h"
#include "ui/run/local_server.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QWidget>

namespace gufo::ui {

class ServerPanel : public QWidget {
    Q_OBJECT

public:
    explicit ServerPanel(int labelWidth, QWidget* parent = nullptr);

    void setModel(std::shared_ptr<const Model> model) { m_model = std::move(model); }
    // Replaces the path of the installed llama-server, for tests; empty: there is none.
    void setProgram(const QString& program);

    // Whether Gufo is to start a server; otherwise access() names one.
    [[nodiscard]] bool startsOne() const;
    [[nodiscard]] bool isComplete() const; // there is an address, or a server can be started
    [[nodiscard]] inference::ServerAccess access() const;
    [[nodiscard]] LocalServerOptions localOptions() const;
    // Adds the address to the list; called when the server has answered.
    void keepAddress();
    void showLine(const QString& line); // of the log of the started server
    void clearLog();

    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

    [[nodiscard]] QLineEdit* addressField() const { return m_address; }
    [[nodiscard]] QLineEdit* keyField() const { return m_key; }
    [[nodiscard]] QPushButton* checkButton() const { return m_check; }
    [[nodiscard]] QPushButton* removeButton() const { return m_remove; }
    [[nodiscard]] QSpinBox* contextField() const { return m_context; }
    [[nodiscard]] QSpinBox* layersField() const { return m_layers; }

signals:
    void changed();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fillAddressPage(int labelWidth);
    void fillStartPage(int labelWidth);
    void fillChoices(const QString& current);
    void showChoice();
    void showKey();
    void check();
    void say(const QString& text, Token token);

    std::shared_ptr<const Model> m_model;
    QString m_program;
    QStringList m_addresses;
    QComboBox* m_choice;
    QString m_said;         // in m_result
    QString m_storeProblem; // of the secret store, also there
    QWidget* m_addressPage;
    QWidget* m_startPage;
    QLineEdit* m_address = nullptr;
    QLineEdit* m_key = nullptr;
    std::string m_keyAddress; // that the key was typed for; empty: the key came before the address
    QPushButton* m_check = nullptr;
    QPushButton* m_remove = nullptr;
    QLabel* m_result = nullptr;
    QSpinBox* m_context = nullptr;
    QSpinBox* m_layers = nullptr;
    QLineEdit* m_hosts = nullptr;
    QLineEdit* m_arguments = nullptr;
    QPlainTextEdit* m_log = nullptr;
    LatestJob m_job{this};
};

} // namespace gufo::ui
