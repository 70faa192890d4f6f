#include "ui/mainwindow/start/single_instance.h"

#include <QDataStream>
#include <QDir>
#include <QFile>
#include <QLocalSocket>
#include <QTimer>

#include <memory>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gufo::ui {
namespace {

constexpr int kTimeoutMs = 1000;
constexpr qint64 kMaxMessageBytes = 16 << 20; // far longer than any argument list
constexpr quint32 kProtocol = 0x67756632;     // "guf2": protocol version
constexpr char kTaken = 1;                    // the reply

QByteArray encode(const std::vector<hub::ModelPlace>& models, bool compare) {
    QByteArray message;
    QDataStream stream(&message, QIODevice::WriteOnly);
    stream.setVersion(QDataStream::Qt_6_0);
    stream << kProtocol << compare << static_cast<quint32>(models.size());
    for (const hub::ModelPlace& model : models) {
        stream << QByteArray::fromStdString(model.text());
    }
    return message;
}

// Whether the path is a directory (not a link to one) that belongs to this user and that no other user may access.
bool isPrivateFolder(const QByteArray& path) {
    struct stat status{};
    return path.startsWith('/') && ::lstat(path.constData(), &status) == 0 && S_ISDIR(status.st_mode) &&
           status.st_uid == ::geteuid() && (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

// Empty if there is none.
QString privateFolder() {
    const QByteArray runtime = qgetenv("XDG_RUNTIME_DIR");
    if (isPrivateFolder(runtime)) {
        return QFile::decodeName(runtime);
    }
    const QByteArray folder =
        QFile::encodeName(QDir::tempPath()) + "/gufo-" + QByteArray::number(static_cast<quint64>(::geteuid()));
    // It does not matter whether the folder existed: it is used only if its owner and mode are right.
    static_cast<void>(::mkdir(folder.constData(), S_IRWXU));
    return isPrivateFolder(folder) ? QFile::decodeName(folder) : QString();
}

// Whether the process at the other end of a connection belongs to the same user.
bool isSameUser(qintptr socket) {
#ifdef SO_PEERCRED
    ucred peer{};
    socklen_t size = sizeof peer;
    return ::getsockopt(static_cast<int>(socket), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           peer.uid == ::geteuid();
#else
    uid_t user = 0;
    gid_t group = 0;
    return ::getpeereid(static_cast<int>(socket), &user, &group) == 0 && user == ::geteuid();
#endif
}

} // namespace

SingleInstance::SingleInstance(QString name, QObject* parent)
    : QObject(parent)
    , m_name(std::move(name))
    , m_lock(m_name + QStringLiteral(".lock")) {
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, &SingleInstance::receive);
}

QString SingleInstance::defaultName() {
    // Two displays of one user are separate desktops: a file opened on one must not appear on the other.
    QString display = qEnvironmentVariable("WAYLAND_DISPLAY", qEnvironmentVariable("DISPLAY"));
    display.replace(QLatin1Char('/'), QLatin1Char('_'));
    const QString folder = privateFolder();
    return folder.isEmpty() ? QString() : QStringLiteral("%1/gufo-%2-%3").arg(folder).arg(::geteuid()).arg(display);
}

bool SingleInstance::sendToRunning(const std::vector<hub::ModelPlace>& models, bool compare) const {
    QLocalSocket socket;
    if (!m_name.isEmpty()) {
        socket.connectToServer(m_name);
    }
    if (!socket.waitForConnected(kTimeoutMs) || !isSameUser(socket.socketDescriptor())) {
        return false;
    }
    QDataStream stream(&socket);
    stream.setVersion(QDataStream::Qt_6_0);
    stream << encode(models, compare);
    if (!socket.waitForBytesWritten(kTimeoutMs)) {
        return false;
    }
    char answer = 0;
    return socket.waitForReadyRead(kTimeoutMs) && socket.read(&answer, 1) == 1 && answer == kTaken;
}

bool SingleInstance::listen() {
    // The lock, not the socket, decides which process is first, because QLocalServer with access options replaces a
    // socket that another process listens on. The lock of a dead process counts as free.
    m_lock.setStaleLockTime(0);
    if (m_name.isEmpty() || !m_lock.tryLock(0)) {
        return false;
    }
    QLocalServer::removeServer(m_name);
    return m_server.listen(m_name);
}

void SingleInstance::receive() {
    while (QLocalSocket* socket = m_server.nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        if (!isSameUser(socket->socketDescriptor())) {
            socket->abort();
            continue;
        }
        QTimer::singleShot(5 * kTimeoutMs, socket,
                           &QLocalSocket::abort); // in case the peer never completes its message
        const auto read = [this, socket] {
            if (socket->bytesAvailable() > kMaxMessageBytes) {
                socket->abort();
                return;
            }
            QDataStream stream(socket);
            stream.setVersion(QDataStream::Qt_6_0);
            stream.startTransaction();
            QByteArray message;
            stream >> message;
            if (!stream.commitTransaction()) {
                return; // the message is incomplete
            }
            QDataStream content(message);
            content.setVersion(QDataStream::Qt_6_0);
            quint32 protocol = 0;
            bool compare = false;
            quint32 count = 0;
            content >> protocol >> compare >> count;
            std::vector<hub::ModelPlace> models;
            while (protocol == kProtocol && models.size() < count && content.status() == QDataStream::Ok) {
                QByteArray text;
                content >> text;
                models.push_back(hub::ModelPlace::parse(text.toStdString()));
            }
            if (protocol != kProtocol || content.status() != QDataStream::Ok) {
                socket->abort();
                return;
            }
            socket->write(&kTaken, 1);
            socket->flush();
            socket->disconnectFromServer();
            emit modelsReceived(models, compare);
        };
        connect(socket, &QLocalSocket::readyRead, this, read);
        read(); // handles data that has already arrived
    }
}

} // namespace gufo::ui

#include "moc_single_instance.cpp"
