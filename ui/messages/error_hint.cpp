#include "base/detail.h"
#include "ui/messages/error_text.h"
#include "ui/messages/error_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <optional>

namespace gufo::ui {
namespace {

const char* hintOfKey(const Error& error, ServerKind server) {
    const bool hasKey = error.args.back().detail() != Detail::Key;
    if (server == ServerKind::ConsoleEngine) {
        return hasKey ? QT_TRANSLATE_NOOP("gufo::ErrorText", "It expects another key than that of --engine-key-file or "
                                                             "GUFO_ENGINE_KEY.")
                      : QT_TRANSLATE_NOOP(
                            "gufo::ErrorText",
                            "It needs a key: give it in a file with --engine-key-file, or in the environment "
                            "variable GUFO_ENGINE_KEY.");
    }
    return hasKey ? QT_TRANSLATE_NOOP("gufo::ErrorText", "It expects another key.")
                  : QT_TRANSLATE_NOOP("gufo::ErrorText", "It needs a key.");
}

// The hint for HttpStatus depends on the status; empty if there is none.
const char* hintOfStatus(const Error& error, ServerKind server) {
    const bool isEngine = server != ServerKind::Files;
    const int status = error.args.empty() ? 0 : QString::fromStdString(error.args[0].text()).toInt();
    switch (status) {
    case 301:
    case 302:
    case 307:
    case 308:
        return isEngine ? QT_TRANSLATE_NOOP("gufo::ErrorText",
                                            "It redirects there: if you trust that server, give its address instead.")
                        : "";
    case 401:
    case 403:
        return isEngine ? hintOfKey(error, server)
                        : QT_TRANSLATE_NOOP("gufo::ErrorText",
                                            "It may be private, or its terms have to be accepted on its page. Give an "
                                            "access token of that account, for Hugging Face in HF_TOKEN.");
    case 404:
    case 410:
        if (isEngine) {
            if (error.file.native().ends_with("/v1/completions")) { // it has answered another request before
                return QT_TRANSLATE_NOOP("gufo::ErrorText", "The server continues no texts: chat with it instead.");
            }
            return QT_TRANSLATE_NOOP("gufo::ErrorText", "Check the address: it has neither llama-server's interface "
                                                        "nor OpenAI's.");
        }
        return QT_TRANSLATE_NOOP("gufo::ErrorText", "Check the address: the server has no such file.");
    case 416:
        return QT_TRANSLATE_NOOP("gufo::ErrorText", "The file may be empty, or have been replaced: try again.");
    case 429:
        return QT_TRANSLATE_NOOP("gufo::ErrorText", "The server wants fewer requests: try again later.");
    default:
        return status >= 500 ? QT_TRANSLATE_NOOP("gufo::ErrorText", "The server has a problem: try again later.") : "";
    }
}

// Advice about addresses and replies depends on what is wrong with them.
struct DetailHint {
    Detail detail;
    const char* hint;
    const char* ofEngine = nullptr;        // for a server that is an engine; null: the same
    const char* ofConsoleEngine = nullptr; // the same on the console; null: as in the window
};
constexpr const char* kNotHttp =
    QT_TRANSLATE_NOOP("gufo::ErrorText", "The server, or a proxy on the way to it, violates HTTP. "
                                         "A file can be downloaded with a browser and opened from the disk.");
constexpr const char* kUsualAddress =
    QT_TRANSLATE_NOOP("gufo::ErrorText", "Give an address that begins with https://. A model on Hugging Face is also "
                                         "found by its name, hf.co/OWNER/REPO:Q4_K_M.");
constexpr const char* kServerAddress =
    QT_TRANSLATE_NOOP("gufo::ErrorText", "Give the address of a server, such as http://127.0.0.1:8080.");
constexpr const char* kNotHttpEngine =
    QT_TRANSLATE_NOOP("gufo::ErrorText", "The server, or a proxy on the way to it, violates HTTP.");
constexpr const char* kOddRedirect =
    QT_TRANSLATE_NOOP("gufo::ErrorText", "The server may be misconfigured, or not be the one that you mean. If you "
                                         "know where the file is, give that address.");
constexpr const char* kInterrupted =
    QT_TRANSLATE_NOOP("gufo::ErrorText", "The connection may have been interrupted: try again.");
constexpr auto kDetailHints = std::to_array<DetailHint>({
    {Detail::AddressMalformed, kUsualAddress, kServerAddress},
    {Detail::SchemeRefused, kUsualAddress, kServerAddress},
    {Detail::PlainHttpRefused,
     QT_TRANSLATE_NOOP("gufo::ErrorText",
                       "Use https if the server has it. To use http nevertheless, agree to it in the window "
                       "(Open Address), or for gufo-cli name the host in GUFO_PLAIN_HOSTS."),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Use https if the server has it. To use http nevertheless, agree to it for "
                                          "this server under Open Address."),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Use https if the server has it. To use http nevertheless, name the host in "
                                          "the environment variable GUFO_PLAIN_HOSTS.")},
    {Detail::AddressWithPassword,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Remove it: everyone who sees the address would know it. A token of Hugging "
                                          "Face belongs in HF_TOKEN."),
     QT_TRANSLATE_NOOP("gufo::ErrorText",
                       "Remove it: everyone who sees the address would know it. A key has a field of its own."),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Remove it: everyone who sees the address would know it. A key is given with "
                                          "--engine-key-file, or in the environment variable GUFO_ENGINE_KEY.")},
    {Detail::RedirectLimit, kOddRedirect, kServerAddress},
    {Detail::RedirectUnencrypted, kOddRedirect, kServerAddress},
    {Detail::RedirectInside, kOddRedirect, kServerAddress},
    {Detail::ReplyEncoded, kNotHttp, kNotHttpEngine},
    {Detail::ReplyTooLong, kNotHttp, kNotHttpEngine},
    {Detail::RangeWrong, kNotHttp, kNotHttpEngine},
    {Detail::LengthMissing, kNotHttp, kNotHttpEngine},
    {Detail::ReplyCut, kInterrupted},
    {Detail::ConnectionClosed, kInterrupted},
    {Detail::RangesIgnored, QT_TRANSLATE_NOOP("gufo::ErrorText", "Download the file, and open it from the disk.")},
    {Detail::RemoteFileTooLarge,
     QT_TRANSLATE_NOOP("gufo::ErrorText",
                       "Check the address. A large file that is not GGUF has to be downloaded before it is opened.")},
    {Detail::SizeDiffers,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "The server contradicts its own list of files: try again later.")},
    {Detail::ReplyNotJson,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Something else may have replied, such as the login page of a network: check "
                                          "the address and the connection with a browser.")},
});

// Advice about a file of another format, where the usual one is of no use. The argument is the id of the format.
struct FormatHint {
    std::string_view format;
    const char* hint;
};
constexpr const char* kPacked = QT_TRANSLATE_NOOP("gufo::ErrorText", "Unpack it, and open the model that is in it.");
constexpr auto kFormatHints = std::to_array<FormatHint>({
    {"silero_vad", QT_TRANSLATE_NOOP("gufo::ErrorText", "Use it with whisper.cpp, which detects speech with it.")},
    {"zip", kPacked},
    {"tar", kPacked},
    {"gzip", kPacked},
    {"zstd", kPacked},
    {"xz", kPacked},
    {"bzip2", kPacked},
    {"lz4", kPacked},
    {"7z", kPacked},
});

const char* hintOfFormat(const Error& error) {
    const auto* found =
        std::ranges::find(kFormatHints, error.args.empty() ? std::string() : error.args[0].text(), &FormatHint::format);
    return found != kFormatHints.end() ? found->hint : wordsOf(error).hint;
}

const char* hintOfDetail(const Error& error, ServerKind server) {
    const auto* found = std::ranges::find(
        kDetailHints, error.args.empty() ? std::optional<Detail>() : error.args[0].detail(), &DetailHint::detail);
    if (found == kDetailHints.end()) {
        return "";
    }
    if (server == ServerKind::ConsoleEngine && found->ofConsoleEngine != nullptr) {
        return found->ofConsoleEngine;
    }
    return server != ServerKind::Files && found->ofEngine != nullptr ? found->ofEngine : found->hint;
}

} // namespace

QString errorHint(const Error& error, ServerKind server) {
    const bool isAboutServer = error.code == ErrorCode::AddressRefused || error.code == ErrorCode::ReplyUnusable;
    const char* hint = error.code == ErrorCode::HttpStatus    ? hintOfStatus(error, server)
                       : isAboutServer                        ? hintOfDetail(error, server)
                       : error.code == ErrorCode::OtherFormat ? hintOfFormat(error)
                                                              : wordsOf(error).hint;
    return *hint == '\0' ? QString() : QCoreApplication::translate(kErrorContext, hint);
}

} // namespace gufo::ui
