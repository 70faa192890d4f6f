#include "cli/text_input.h"

#include "base/detail.h"
#include "base/mapped_file.h"
#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <limits>
#include <unistd.h>

namespace gufo::cli {
namespace {

constexpr std::size_t kMaximum = 64U << 20U; // of a file

std::unexpected<Error> tooLong(std::uint64_t size) {
    return fail(ErrorCode::LimitExceeded, {}, {Detail::Bytes, std::to_string(size), std::to_string(kMaximum)});
}

// Reads to the end, or slightly more than `maximum` bytes if there are more.
Result<std::string> readAll(int descriptor, const std::filesystem::path& path, std::size_t maximum) {
    std::string bytes;
    std::array<char, 65'536> buffer{};
    while (bytes.size() <= maximum) {
        const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
        if (count == 0) {
            break;
        }
        if (count < 0 && errno != EINTR) {
            return std::unexpected(systemError(errno, path));
        }
        bytes.append(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    }
    return bytes;
}

Result<std::string> readPipe(const std::filesystem::path& path) {
    const int descriptor = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return std::unexpected(systemError(errno, path));
    }
    auto bytes = readAll(descriptor, path, kMaximum);
    if (descriptor != STDIN_FILENO) {
        ::close(descriptor);
    }
    if (bytes && bytes->size() > kMaximum) {
        return tooLong(bytes->size());
    }
    return bytes;
}

Result<std::string> readFile(const std::filesystem::path& path) {
    std::error_code ignored; // opening the file reports the error
    const auto kind = std::filesystem::status(path, ignored).type();
    // The kind is checked before opening: a program that writes into a pipe would not survive its being opened and
    // closed again.
    if (path == "-" || kind == std::filesystem::file_type::fifo || kind == std::filesystem::file_type::character) {
        return readPipe(path);
    }
    const auto file = MappedFile::open(path);
    if (!file) {
        return file.error().code == ErrorCode::EmptyFile ? Result<std::string>(std::string())
                                                         : std::unexpected(file.error());
    }
    if ((*file)->size() > kMaximum) {
        return tooLong((*file)->size());
    }
    const auto bytes = GUFO_TRY((*file)->view({0, (*file)->size()}));
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

} // namespace

Result<std::string> readStandardInput() {
    return readAll(STDIN_FILENO, "standard input", std::numeric_limits<std::size_t>::max() - 1);
}

Expected<std::string> readTextFile(const std::filesystem::path& path, Console& console) {
    auto text = readFile(path);
    if (!text) {
        return std::unexpected(console.fail(std::move(text.error()), path));
    }
    return std::move(*text);
}

namespace {

constexpr char16_t kEscaped = 0xDC00;

bool isEscaped(QChar c) { return c.unicode() >= kEscaped + 0x80 && c.unicode() <= kEscaped + 0xFF; }

} // namespace

QString fromNative(std::string_view bytes) {
    QString text;
    while (!bytes.empty()) {
        const Char c = decodeChar(bytes);
        if (!c.isValid()) {
            text += QChar(static_cast<char16_t>(kEscaped + static_cast<unsigned char>(bytes.front())));
        } else {
            text += QString::fromUtf8(bytes.data(), static_cast<qsizetype>(c.bytes));
        }
        bytes.remove_prefix(c.bytes);
    }
    return text;
}

std::string toNative(const QString& text) {
    std::string bytes;
    qsizetype start = 0;
    for (qsizetype i = 0; i <= text.size(); ++i) {
        // The second half of a surrogate pair is not an escaped byte.
        const bool paired = i > 0 && i < text.size() && text[i - 1].isHighSurrogate();
        if (i < text.size() && (paired || !isEscaped(text[i]))) {
            continue;
        }
        bytes += text.mid(start, i - start).toStdString();
        if (i < text.size()) {
            bytes += static_cast<char>(text[i].unicode() - kEscaped);
        }
        start = i + 1;
    }
    return bytes;
}

} // namespace gufo::cli
