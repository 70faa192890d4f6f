// One running program per user and display: a second start hands its files to the first over a local socket and ends.
//
// The socket lies in a folder that nobody else may enter, and both ends make sure that the other one is the same user:
// who listens learns what files are opened, and who connects has this program open them.
//
// The message is what to do and a list of absolute paths as native bytes, so that a file name of any bytes arrives.
#pragma once

#include <QLocalServer>
#include <QLockFile>
#include <QObject>

#include <filesystem>
#include <vector>

namespace gufo::ui {

class SingleInstance : public QObject {
    Q_OBJECT

public:
    // `name`, a path, tells programs apart that must not find each other (tests); the default is per user and display.
    // An empty one: there is no private folder, every program runs by itself.
    explicit SingleInstance(QString name = defaultName(), QObject* parent = nullptr);

    // Hands the files to a running program, to be opened each or compared with each other. True if one took them; false
    // if there is none or it does not answer within a second. An empty list raises its window.
    [[nodiscard]] bool sendToRunning(const std::vector<std::filesystem::path>& files, bool compare = false) const;

    // Becomes the running program. A socket left behind by a crash is replaced. False if another program listens or
    // the socket cannot be made; the program then runs without.
    bool listen();

    // In $XDG_RUNTIME_DIR, or, where that is missing or not this user's alone, in a folder of mode 0700 among the
    // temporary files; empty if somebody else has taken that.
    [[nodiscard]] static QString defaultName();

signals:
    void filesReceived(const std::vector<std::filesystem::path>& files, bool compare);

private:
    void receive();

    QString m_name;
    QLockFile m_lock;
    QLocalServer m_server;
};

} // namespace gufo::ui
