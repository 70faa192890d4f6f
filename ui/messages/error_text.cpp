#include "ui/messages/error_text.h"

#include "base/detail.h"
#include "ui/messages/detail_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/model_text.h"
#include "ui/messages/save_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <QtGlobal>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

namespace gufo::ui {
namespace {

// The context of all texts about errors in the catalogues of translations.
constexpr const char* kErrorContext = "gufo::ErrorText";

// A sentence before its arguments are inserted.
struct ErrorWords {
    ErrorCode code;
    const char* reason; // %1 … are Error::args, in the order documented beside the code
    const char* hint;   // empty if there is no useful advice
};

constexpr auto kErrorWords = std::to_array<ErrorWords>({
#define GUFO_ERROR(code, name, args, reason, hint) {ErrorCode::code, reason, hint},
#include "base/error_codes.inc"
#undef GUFO_ERROR
});

// FileChangedOnDisk, for files that are read or copied from.
constexpr ErrorWords kImportSourceChanged{
    ErrorCode::FileChangedOnDisk,
    QT_TRANSLATE_NOOP("gufo::ErrorText",
                      "another program changed it since tensors were imported from it; nothing was saved"),
    QT_TRANSLATE_NOOP("gufo::ErrorText",
                      "Import the tensors again from the file as it is now, or revert their import; then save.")};
constexpr ErrorWords kOpenedFileChanged{
    ErrorCode::FileChangedOnDisk,
    QT_TRANSLATE_NOOP("gufo::ErrorText",
                      "another program changed it since it was opened; its weights can no longer be read"),
    QT_TRANSLATE_NOOP("gufo::ErrorText", "Open it again when the other program has finished.")};

// WriteFailed, for a file that is to be created in a folder that does not exist.
constexpr ErrorWords kFolderMissing{ErrorCode::WriteFailed,
                                    QT_TRANSLATE_NOOP("gufo::ErrorText", "the folder for it does not exist"),
                                    QT_TRANSLATE_NOOP("gufo::ErrorText", "Create the folder, or choose another one.")};

// JournalOfAnotherFile, for a file that was copied in the middle of a save.
constexpr ErrorWords kMovedCopy{
    ErrorCode::JournalOfAnotherFile,
    QT_TRANSLATE_NOOP("gufo::ErrorText",
                      "it was copied or moved in the middle of a save, together with its journal %1; nothing was "
                      "changed"),
    QT_TRANSLATE_NOOP("gufo::ErrorText",
                      "Keep the journal, the only way back to the old file, and have the copy recovered: in the "
                      "window, or by gufo-cli recover FILE --moved.")};

// FormatReadOnly, for models of a format that can be changed, which several files or several names share.
constexpr const char* kSaveAs =
    QT_TRANSLATE_NOOP("gufo::ErrorText", "Save it under another name, which creates a separate "
                                         "file; with gufo-cli set, use -o OUT.");
constexpr ErrorWords kStored{
    ErrorCode::FormatReadOnly,
    QT_TRANSLATE_NOOP("gufo::ErrorText",
                      "a model in the store of Ollama is never changed in place, because the name of "
                      "its file is the hash of its content, and other models may share it"),
    kSaveAs};
constexpr ErrorWords kInParts{
    ErrorCode::FormatReadOnly,
    QT_TRANSLATE_NOOP("gufo::ErrorText", "its files were opened as one model, which is not changed in place"), kSaveAs};

// The same for a key of a folder that is not one of the weights' own.
constexpr ErrorWords kKeyOfAnotherFile{
    ErrorCode::FormatReadOnly,
    QT_TRANSLATE_NOOP("gufo::ErrorText",
                      "it is stated by a file beside the weights, such as config.json, which Gufo does not change"),
    QT_TRANSLATE_NOOP("gufo::ErrorText",
                      "Change that file with a text editor, or convert the folder to GGUF, and change the key there.")};

// The same for the tensors of a format whose metadata can be changed.
constexpr ErrorWords kMetadataOnly{
    ErrorCode::FormatReadOnly,
    QT_TRANSLATE_NOOP("gufo::ErrorText", "this is %1, of which only the metadata can be changed"),
    QT_TRANSLATE_NOOP("gufo::ErrorText", "Convert it to GGUF, and change that.")};

// The words of LimitExceeded, by the counted thing. Things that a user wrote or chose are not called damaged.
struct LimitWords {
    Detail counted;
    const char* hint;
    bool isBytes = false;
};
constexpr const char* kSimplerGrammar =
    QT_TRANSLATE_NOOP("gufo::ErrorText", "Simplify the grammar or schema, or divide what it describes.");
constexpr auto kLimitWords = std::to_array<LimitWords>({
    {Detail::Bytes,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Check that it is what you mean; if it is, divide it or leave parts out."),
     true},
    {Detail::HeaderBytes, QT_TRANSLATE_NOOP("gufo::ErrorText", "The file is damaged, or of another format."), true},
    {Detail::GrammarBytes, kSimplerGrammar, true},
    {Detail::GrammarElements, kSimplerGrammar},
    {Detail::GrammarStates, kSimplerGrammar},
    {Detail::NestedGroups, kSimplerGrammar},
    {Detail::StackedRepetitions, kSimplerGrammar},
    {Detail::SchemaWork, kSimplerGrammar},
    {Detail::ContextTokens,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Use a larger context if the model allows it, or a shorter text.")},
    {Detail::RepeatedBytes,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "The file stores less than its tensor claims to have, so the tensor is not "
                                          "expanded.")},
});
constexpr const char* kTooManyBytes = QT_TRANSLATE_NOOP("gufo::ErrorText", "it takes %2; the limit is %3");

const LimitWords* limitWords(const Error& error) {
    if (error.code != ErrorCode::LimitExceeded || error.args.size() != 3) {
        return nullptr;
    }
    const auto* found =
        std::ranges::find_if(kLimitWords, [&](const LimitWords& row) { return error.args[0].detail() == row.counted; });
    return found != kLimitWords.end() ? found : nullptr;
}

// Whether a file could not be created because there is no such folder.
bool isFolderMissing(const Error& error) { return error.code == ErrorCode::WriteFailed && error.systemError == ENOENT; }

// The row of the error's code, or a more exact one that its arguments call for.
const ErrorWords& wordsOf(const Error& error) {
    if (error.code == ErrorCode::FormatReadOnly && !error.args.empty()) {
        const std::string& id = error.args[0].text();
        if (id == "json" && error.place.kind == Place::Kind::Key) {
            return kKeyOfAnotherFile;
        }
        if (id == "safetensors") {
            return kMetadataOnly;
        }
        if (id == "ollama_manifest" || id == "gguf") {
            return id == "gguf" ? kInParts : kStored;
        }
    }
    if (isMovedCopy(error)) {
        return kMovedCopy;
    }
    if (isFolderMissing(error)) {
        return kFolderMissing;
    }
    if (error.code == ErrorCode::FileChangedOnDisk && !error.args.empty()) {
        return error.args[0].detail() == Detail::ImportSource ? kImportSourceChanged : kOpenedFileChanged;
    }
    return kErrorWords[static_cast<std::size_t>(error.code)];
}

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

// Advice about addresses and replies depends on their fault.
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
                       : limitWords(error) != nullptr         ? limitWords(error)->hint
                                                              : wordsOf(error).hint;
    return *hint == '\0' ? QString() : QCoreApplication::translate(kErrorContext, hint);
}

namespace {

// Formats byte counts, and replaces names in the arguments by words.
Arguments worded(const Error& error) {
    Arguments args = error.args;
    if (error.code == ErrorCode::NotEnoughMemory || error.code == ErrorCode::NoSpace) {
        for (Argument& bytes : args) {
            bytes = formatBytes(QString::fromStdString(bytes.text()).toULongLong()).toStdString();
        }
    } else if (const LimitWords* limit = limitWords(error); limit != nullptr && limit->isBytes) {
        const auto count = [&](std::size_t i) { return QString::fromStdString(args[i].text()).toULongLong(); };
        // A size that is barely too large is shown exactly.
        const bool isClose = formatBytes(count(1)) == formatBytes(count(2));
        const auto bytes = [&](std::size_t i) {
            return isClose ? QCoreApplication::translate("gufo::ErrorText", "%1 bytes").arg(formatCount(count(i)))
                           : formatBytes(count(i));
        };
        const std::array texts{bytes(1).toStdString(), bytes(2).toStdString()};
        args[1] = texts[0];
        args[2] = texts[1];
    } else if (error.code == ErrorCode::LimitExceeded && args.size() == 3) {
        for (std::size_t i = 1; i < args.size(); ++i) {
            args[i] = formatCount(QString::fromStdString(args[i].text()).toULongLong()).toStdString();
        }
    } else if ((error.code == ErrorCode::OtherFormat || error.code == ErrorCode::FormatReadOnly) && !args.empty()) {
        args[0] = fileFormatText(args[0].text()).toStdString();
    } else if (error.code == ErrorCode::LfsPointer && !args.empty()) {
        args[0] = formatBytes(QString::fromStdString(args[0].text()).toULongLong()).toStdString();
    } else if ((error.code == ErrorCode::ServerReply || error.code == ErrorCode::HttpStatus) && !args.empty() &&
               args[std::min<std::size_t>(args.size() - 1, 1)].text().empty()) {
        args[std::min<std::size_t>(args.size() - 1, 1)] =
            QCoreApplication::translate("gufo::ErrorText", "an error without a text").toStdString();
    } else if (error.code == ErrorCode::StrategyImpossible && args.size() >= 2) {
        args[0] = strategyInSentence(args[0].text()).toStdString();
        args[1] = saveReasonText(args[1].text(), Arguments(args.begin() + 2, args.end())).toStdString();
    }
    return args;
}

} // namespace

QString errorReason(const Error& error) {
    const LimitWords* limit = limitWords(error);
    const char* reason = limit != nullptr && limit->isBytes ? kTooManyBytes : wordsOf(error).reason;
    QString text = sentence(kErrorContext, reason, worded(error));
    const bool permission = error.code == ErrorCode::FileNotWritable || error.code == ErrorCode::ReadOnlyFolder;
    const bool codeSaysIt = error.code == ErrorCode::FileNotFound || error.code == ErrorCode::PermissionDenied ||
                            error.code == ErrorCode::IsDirectory || isFolderMissing(error) ||
                            (permission && error.systemError == EACCES);
    if (error.systemError != 0 && !codeSaysIt) {
        text += QStringLiteral(" (%1)").arg(QString::fromLocal8Bit(std::strerror(error.systemError)));
    }
    return text;
}

bool isMovedCopy(const Error& error) {
    return error.code == ErrorCode::JournalOfAnotherFile && error.args.size() == 2 &&
           error.args[1].detail() == Detail::MovedCopy;
}

bool exceedsContext(const Error& error) {
    return error.code == ErrorCode::LimitExceeded && error.args.size() == 3 &&
           error.args[0].detail() == Detail::ContextTokens;
}

QString placeText(const Place& place) {
    QStringList parts;
    const QString name = displayText(place.name);
    if (place.part) {
        parts << QCoreApplication::translate("gufo::ErrorText", "part %1").arg(*place.part + 1);
    }
    const QString element = place.index ? QStringLiteral("[%1]").arg(*place.index) : QString();
    switch (place.kind) {
    case Place::Kind::File:
        break;
    case Place::Kind::Key:
        parts << QCoreApplication::translate("gufo::ErrorText", "key %1").arg(name + element);
        break;
    case Place::Kind::Tensor:
        parts << QCoreApplication::translate("gufo::ErrorText", "tensor %1").arg(name + element);
        break;
    case Place::Kind::Token:
        parts << QCoreApplication::translate("gufo::ErrorText", "token %1").arg(place.index.value_or(0));
        break;
    case Place::Kind::FileName:
        parts << QCoreApplication::translate("gufo::ErrorText", "file name %1").arg(name);
        break;
    }
    if (place.offset) {
        parts << QCoreApplication::translate("gufo::ErrorText", "byte %1").arg(formatCount(*place.offset));
    }
    return parts.join(QStringLiteral(", "));
}

QString errorLine(const Error& error, ServerKind server) {
    QStringList parts;
    if (!error.file.empty()) {
        parts << displayText(error.file.native());
    }
    const QString place = placeText(error.place);
    if (!place.isEmpty()) {
        parts << place;
    }
    parts << errorReason(error);
    const QString line = parts.join(QStringLiteral(": "));
    const QString hint = errorHint(error, server);
    const bool isSentence = line.endsWith(QLatin1Char('.')); // as a server's message may be
    return hint.isEmpty() ? line : line + (isSentence ? QStringLiteral(" ") : QStringLiteral(". ")) + hint;
}

} // namespace gufo::ui
