// Errors of core, as data: a code, the file, the place in it, and the arguments of the message that ui/messages
// composes. Core never prints an error and contains no texts of errors.
#pragma once

#include "base/argument.h"
#include "base/place.h"

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gufo {

// Each code is a row of kErrorFacts (error.cpp) and has its text in ui/messages/error_text.cpp.
enum class ErrorCode : std::uint8_t {
    // Reported by the operating system; Error::systemError holds errno.
    FileNotFound,
    PermissionDenied,
    IsDirectory,
    NotRegularFile, // a FIFO, socket or device
    ReadFailed,
    WriteFailed,
    MapFailed,
    FileChangedWhileReading, // the file was truncated, or its medium removed, while it was mapped
    // The file is not what was expected.
    EmptyFile,
    NotAModel,          // args: first bytes in hex
    OtherFormat,        // args: id of the recognised format (Container::id)
    FormatReadOnly,     // the format can be read but not changed or written; args: its id
    LfsPointer,         // args: bytes of the file that it stands for, its hash ("sha256:…")
    UnfinishedDownload, // args: name that the file will have when it is complete
    ServerReply,        // the server sent a message instead of the file; args: the message
    PieceMissing,       // the file is one of several pieces; args: name of a missing piece, name of the whole
    SetIncomplete,      // parts of the model are missing or do not belong to it; args: a Detail that names the part
    NotImatrix,         // an importance matrix was expected
    UnsupportedVersion, // args: version
    // The layout cannot be read.
    Truncated,         // args: what was being read, bytes needed, bytes left
    CountTooLarge,     // args: what is counted, the count, bytes left
    StringTooLong,     // args: what, length, bytes left
    UnknownValueType,  // args: type id
    ArrayTooLong,      // args: length, bytes left
    NestingTooDeep,    // args: limit
    TooManyDimensions, // args: count, limit
    LimitExceeded,     // more than any real model has; args: what is counted, the count, the limit
    Malformed,         // a rule of the format is broken, so that what it describes cannot be trusted; args: a Detail
    // The request cannot be met.
    RangeOutsideFile, // args: offset, length, file size
    NoSuchKey,        // args: key
    NoSuchTensor,     // args: name
    WrongShape,       // args: shape found, shape expected
    NoSuchToken,      // args: tokens in the vocabulary
    NoSuchElement,    // args: index, elements of the array
    BadSyntax,        // in a text that is being parsed; args: what was expected, line, column
    WrongValueType,   // args: type expected, type found
    UnequalArrays,    // args: length, key of the array that gives the length, its length
    NotDecodable,     // args: tensor type name
    NotEncodable,     // args: tensor type name
    WeightOutOfRange, // args: tensor type name, the weight's value, which the type cannot hold
    LossySource,      // requantising was not allowed; args: tensor type name
    NotSupported,     // args: what
    NotRunnable,      // args: the feature of the model that the engine does not support
    TensorsNotUsed,   // args: names of tensors that affect the output but that the engine does not use
    NotEnoughMemory,  // args: bytes needed, bytes free
    SchemaNotUsable,  // args: place in the JSON schema (a JSON pointer), what is not supported there
    InvalidArgument,  // args: what
    Cancelled,
    // Saving.
    FileChangedOnDisk,    // another program changed the file after it was opened
    SharedFile,           // the file must not be edited in place; args: Detail::ContentAddressed or HardLinks
    FileNotWritable,      // the user may not write the file
    ReadOnlyFolder,       // no file can be created next to it
    AttributesNotKept,    // the new file could not be given the owner, mode and extended attributes of the old one
    FileBusy,             // another process is saving the file
    NoSpace,              // args: bytes needed, bytes free
    StrategyImpossible,   // args: names of the strategy and of the reason (formats/saving.h)
    TensorIncomplete,     // args: bytes missing
    VerificationFailed,   // args: hash before, hash after
    SaveInterrupted,      // an interrupted save left the file unreadable; args: name of its journal
    JournalDamaged,       // args: name of the journal
    JournalOfAnotherFile, // args: name of the journal
    // Files that are elsewhere; Error::file is the address.
    AddressRefused,    // it is malformed, or must not be contacted; args: a Detail
    ConnectionFailed,  // args: host, a Detail
    TlsFailed,         // args: host, the reason as the TLS library states it
    HttpStatus,        // the server refused; args: status, the server's message, which may be empty
    ReplyUnusable,     // args: a Detail
    RemoteFileChanged, // the file on the server is not the one that was opened, or whose download began
    NoSuchRemoteFile,  // a repository has no such file; args: what was requested
    DigestMismatch,    // args: SHA-256 that the server states, SHA-256 of the bytes
};

// The stable name of a code, for JSON and tests: "file_not_found".
[[nodiscard]] std::string_view errorName(ErrorCode code);

struct Error {
    ErrorCode code;
    std::filesystem::path file; // native bytes; empty if no file is concerned
    Place place;
    Arguments args;      // in the order documented for the code
    int systemError = 0; // errno, 0 if none

    // Returns the same error with its file set.
    [[nodiscard]] Error in(std::filesystem::path path) && {
        file = std::move(path);
        return std::move(*this);
    }
};

template<typename T = void>
using Result = std::expected<T, Error>;

// Builds the return value of a function that fails: `return fail(ErrorCode::EmptyFile);`
[[nodiscard]] std::unexpected<Error> fail(ErrorCode code, Place place = {}, Arguments args = {});

// Maps an errno from opening or reading a file to an error; `fallback` is the code for every other errno.
[[nodiscard]] Error systemError(int errnoValue, std::filesystem::path file, ErrorCode fallback = ErrorCode::ReadFailed);

} // namespace gufo
