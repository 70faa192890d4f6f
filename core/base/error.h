// What can go wrong in core, as data: a code, the file, the place in it, and the arguments of the sentence that the
// programs make of it (ui/messages). Core never prints and never words an error.
#pragma once

#include "base/place.h"

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gufo {

// One row each in kErrorFacts (error.cpp); the words stand in ui/messages/error_text.cpp.
enum class ErrorCode : std::uint8_t {
    // The operating system's answers; Error::systemError holds errno.
    FileNotFound,
    PermissionDenied,
    IsDirectory,
    NotRegularFile, // a FIFO, socket or device
    ReadFailed,
    WriteFailed,
    MapFailed,
    FileChangedWhileReading, // truncated or removed medium under a mapping
    // What the file is.
    EmptyFile,
    NotAModel,          // args: first bytes in hex
    OtherFormat,        // args: name of the recognised format
    NotImatrix,         // asked for an importance matrix
    UnsupportedVersion, // args: version
    // Unreadable layout.
    Truncated,         // args: what was being read, bytes needed, bytes left
    CountTooLarge,     // args: what is counted, the count, bytes left
    StringTooLong,     // args: what, length, bytes left
    UnknownValueType,  // args: type id
    ArrayTooLong,      // args: length, bytes left
    NestingTooDeep,    // args: limit
    TooManyDimensions, // args: count, limit
    LimitExceeded,     // more than any model has: args: what is counted, the count, the limit
    // Requests that cannot be met.
    RangeOutsideFile, // args: offset, length, file size
    NoSuchKey,        // args: key
    NoSuchTensor,     // args: name
    WrongShape,       // args: shape found, shape expected
    NoSuchToken,      // args: tokens in the vocabulary
    NoSuchElement,    // args: index, elements of the array
    BadSyntax,        // of a text that is read: args: what was expected, line, column
    WrongValueType,   // args: type expected, type found
    UnequalArrays,    // args: length, key of the array that gives the length, its length
    NotDecodable,     // args: tensor type name
    NotEncodable,     // args: tensor type name
    WeightOutOfRange, // args: tensor type name, the weight's value, which the type cannot hold
    LossySource,      // args: tensor type name: quantising it once more was not asked for
    NotSupported,     // args: what
    NotRunnable,      // args: what of the model the engine cannot do
    TensorsNotUsed,   // args: names of tensors that change the answers, and that the engine has no use for
    NotEnoughMemory,  // args: bytes needed, bytes free
    SchemaNotUsable,  // args: place in the JSON schema (a JSON pointer), what cannot be followed there
    InvalidArgument,  // args: what
    Cancelled,
    // Saving.
    FileChangedOnDisk,    // another program changed it since it was opened
    SharedFile,           // it is not to be edited in place: args: "content_addressed" or "hard_links"
    FileNotWritable,      // you may not write it
    ReadOnlyFolder,       // no file can be made beside it
    AttributesNotKept,    // a new file could not get owner, mode and extended attributes of the old one
    FileBusy,             // another process saves it
    NoSpace,              // args: bytes needed, bytes free
    StrategyImpossible,   // args: names of the strategy and of the reason (gguf/save.h)
    TensorIncomplete,     // args: bytes missing
    VerificationFailed,   // args: hash before, hash after
    SaveInterrupted,      // an interrupted save left it unreadable: args: name of its journal
    JournalDamaged,       // args: name of the journal
    JournalOfAnotherFile, // args: name of the journal
};

// The stable name of a code, for JSON and tests: "file_not_found".
[[nodiscard]] std::string_view errorName(ErrorCode code);

struct Error {
    ErrorCode code;
    std::filesystem::path file; // native bytes; empty when no file is concerned
    Place place;
    std::vector<std::string> args; // in the order given beside the code
    int systemError = 0;           // errno, 0 if none

    // The same error, said of a file.
    [[nodiscard]] Error in(std::filesystem::path path) && {
        file = std::move(path);
        return std::move(*this);
    }
};

template<typename T = void>
using Result = std::expected<T, Error>;

// Shorthand for the failing return: `return fail(ErrorCode::EmptyFile);`
[[nodiscard]] std::unexpected<Error> fail(ErrorCode code, Place place = {}, std::vector<std::string> args = {});

// The error that an errno of opening or reading stands for.
[[nodiscard]] Error systemError(int errnoValue, std::filesystem::path file, ErrorCode fallback = ErrorCode::ReadFailed);

} // namespace gufo
