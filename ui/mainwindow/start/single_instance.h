// Runs one process per user and display: a second one passes its files to the first over a local socket and exits.
//
// The socket is in a folder that only the user can access, and both sides check the other's user: the listener learns
// which files are opened, and the client makes the listener open them.
//
// The message consists of a command and a list of absolute paths and addresses as native bytes, so that every file name
// is preserved.
#pragma once

#include "hub/model_place.h"

#include <QLocalServer>
#include <QLockFile>
#include <QObject>

#include <vector>

namespace gufo::ui {

class SingleInstance : public QObject {
    Q_OBJECT

public:
    // `name` is a path; processes with different names ignore each other, which tests use. The default is per user and
    // display. If it is empty, there is no private folder, and every process runs on its own.
    explicit SingleInstance(QString name = defaultName(), QObject* parent = nullptr);

    // Passes the models to a running process, to be opened or compared with each other. An empty list raises its
    // window. Returns false if there is no such process or it does not answer within a second.
    [[nodiscard]] bool sendToRunning(const std::vector<hub::ModelPlace>& models, bool compare = false) const;

    // Becomes the listening process; replaces a socket left behind by a crash. Returns false if another process listens
    // or the socket cannot be created; the program can run without it.
    bool listen();

    // A path in $XDG_RUNTIME_DIR, or, if that is missing or not private to the user, in a temporary folder of mode
    // 0700. Empty if another user owns that folder.
    [[nodiscard]] static QString defaultName();

signals:
    void modelsReceived(const std::vector<gufo::hub::ModelPlace>& models, bool compare);

private:
    void receive();

    QString m_name;
    QLockFile m_lock;
    QLocalServer m_server;
};

} // namespace gufo::ui
