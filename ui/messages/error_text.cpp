#include "ui/messages/error_text.h"

#include "base/detail.h"
#include "ui/messages/detail_text.h"
#include "ui/messages/error_words.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/file_format_text.h"
#include "ui/messages/save_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace gufo::ui {
namespace {

// Formats byte counts, and replaces names in the arguments by words.
Arguments worded(const Error& error) {
    Arguments args = error.args;
    if (error.code == ErrorCode::NotEnoughMemory || error.code == ErrorCode::NoSpace) {
        for (Argument& bytes : args) {
            bytes = formatBytes(QString::fromStdString(bytes.text()).toULongLong()).toStdString();
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
        args[0] = strategyText(args[0].text()).toLower().toStdString();
        args[1] = saveReasonText(args[1].text(), Arguments(args.begin() + 2, args.end())).toStdString();
    }
    return args;
}

} // namespace

QString errorReason(const Error& error) {
    QString text = sentence(kErrorContext, wordsOf(error).reason, worded(error));
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
