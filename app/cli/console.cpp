#include "cli/console.h"

#include "ui/messages/detail_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"

#include <QCoreApplication>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <poll.h>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace gufo::cli {
namespace {

constexpr std::size_t kBufferBytes = 1U << 16U;

// SGR parameters, in the order of Colour.
constexpr std::array<const char*, 6> kColourCodes = {"", "1", "2", "31", "33", "36"};

bool wantsColours() {
    const char* none = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    return (none == nullptr || *none == '\0') && terminal != nullptr && std::string_view(terminal) != "dumb";
}

// An error may quote arguments and texts of files of any length. A message that is too long keeps its beginning, which
// names the file, and its end, which says what to do.
QString withinLimit(const QString& message) {
    constexpr qsizetype kLongest = 470; // bytes
    constexpr qsizetype kHead = 300;
    const QByteArray bytes = message.toUtf8();
    if (bytes.size() <= kLongest) {
        return message;
    }
    const auto isWithinCharacter = [&](qsizetype at) {
        return (static_cast<unsigned char>(bytes[at]) & 0xC0U) == 0x80U;
    };
    qsizetype head = kHead;
    qsizetype tail = bytes.size() - (kLongest - kHead);
    while (isWithinCharacter(head)) {
        --head;
    }
    while (tail < bytes.size() && isWithinCharacter(tail)) {
        ++tail;
    }
    return QString::fromUtf8(bytes.first(head)) + QChar(0x2026) + QString::fromUtf8(bytes.sliced(tail));
}

} // namespace

void Output::write(std::string_view bytes) {
    if (failed()) {
        return;
    }
    m_buffer += bytes;
    if (m_buffer.size() >= kBufferBytes) {
        flush();
    }
}

void Output::flush() {
    std::string_view left = m_buffer;
    while (!left.empty() && !failed()) {
        const ssize_t written = ::write(m_descriptor, left.data(), left.size());
        if (written >= 0) {
            left.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) { // another program made the shared descriptor non-blocking
            pollfd ready{.fd = m_descriptor, .events = POLLOUT, .revents = 0};
            poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            m_error = errno;
        }
    }
    m_buffer.clear();
}

int Output::finish() {
    flush();
    return m_error == EPIPE ? 0 : m_error;
}

Console::Console()
    : m_out(STDOUT_FILENO)
    , m_outIsTerminal(isatty(STDOUT_FILENO) == 1)
    , m_errorsAreTerminal(isatty(STDERR_FILENO) == 1)
    , m_colours(m_outIsTerminal && wantsColours()) {}

std::optional<int> Console::columns() const {
    winsize size{};
    if (!m_outIsTerminal || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
        return std::nullopt;
    }
    return size.ws_col;
}

QString Console::coloured(Colour colour, const QString& text) const {
    if (!m_colours || colour == Colour::Plain || text.isEmpty()) {
        return text;
    }
    return QStringLiteral("\x1b[%1m").arg(QLatin1String(kColourCodes[static_cast<std::size_t>(colour)])) + text +
           QStringLiteral("\x1b[0m");
}

int Console::fail(const QString& message) {
    note(withinLimit(message));
    return kFailed;
}

int Console::fail(Error error, const std::filesystem::path& file, ui::ServerKind server) {
    if (error.file.empty()) {
        error.file = file;
    }
    // The general wording of this error is about files, not about contexts.
    if (ui::exceedsContext(error)) {
        return fail(
            QCoreApplication::translate("gufo::cli::Cli", "%1: %2 tokens do not fit in a context of %3; see --context")
                .arg(ui::displayText(error.file.native()), ui::argumentText(error.args[1]),
                     ui::argumentText(error.args[2])));
    }
    return fail(ui::errorLine(error, server));
}

void Console::note(const QString& message) {
    m_out.flush(); // keeps the order of messages if both streams go to the same terminal
    Output errors(STDERR_FILENO);
    errors.writeLine(m_isInteractive ? coloured(Colour::Dim, message) : QStringLiteral("gufo-cli: ") + message);
}

} // namespace gufo::cli
