// gufo-cli on a pseudo-terminal of a given width.
#pragma once

#include "test_paths.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QStringList>

#include <csignal>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace gufo::test {

class Terminal {
    static constexpr int kPatience = 30'000; // ms; enough for a busy machine

public:
    explicit Terminal(const QStringList& arguments, unsigned short columns = 80) {
        winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
        QList<QByteArray> bytes{GUFO_CLI};
        for (const QString& argument : arguments) {
            bytes << argument.toUtf8();
        }
        std::vector<char*> argv;
        for (QByteArray& each : bytes) {
            argv.push_back(each.data());
        }
        argv.push_back(nullptr);
        m_child = forkpty(&m_fd, nullptr, nullptr, &size);
        if (m_child == 0) {
            setenv("TERM", "dumb", 1); // no colours in the expected texts
            setenv("LC_ALL", "C.UTF-8", 1);
            execv(argv[0], argv.data());
            _exit(127);
        }
    }
    ~Terminal() {
        if (m_child > 0) {
            ::kill(m_child, SIGKILL);
            waitpid(m_child, nullptr, 0);
        }
        close(m_fd);
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    void type(const QByteArray& keys) { m_typed = write(m_fd, keys.data(), static_cast<std::size_t>(keys.size())); }
    // Waits until `text` appears after the text waited for last.
    bool waitFor(const QByteArray& text) {
        QElapsedTimer clock;
        clock.start();
        for (;;) {
            if (const auto at = m_shown.indexOf(text, m_seen); at >= 0) {
                m_seen = at + text.size();
                return true;
            }
            if (!readMore() || clock.elapsed() > kPatience) {
                return false;
            }
        }
    }
    // The exit code, 128 + signal, or −1 if it is still running.
    int end() {
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < kPatience) {
            readMore();
            int status = 0;
            if (waitpid(m_child, &status, WNOHANG) == m_child) {
                m_child = -1;
                while (readMore()) {
                }
                return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            }
        }
        return -1;
    }
    [[nodiscard]] const QByteArray& shown() const { return m_shown; }

private:
    // Returns false at the end of the output.
    bool readMore() {
        pollfd wait{.fd = m_fd, .events = POLLIN, .revents = 0};
        if (poll(&wait, 1, 100) <= 0) {
            return m_child > 0;
        }
        char buffer[4096];
        const ssize_t count = read(m_fd, buffer, sizeof buffer);
        if (count <= 0) {
            return false;
        }
        m_shown.append(buffer, count);
        return true;
    }

    pid_t m_child = -1;
    int m_fd = -1;
    ssize_t m_typed = 0;
    QByteArray m_shown;
    qsizetype m_seen = 0;
};

} // namespace gufo::test
