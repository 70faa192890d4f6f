// Errors of core, as data: a code, the file, the place in it, and the arguments of the message that ui/messages
// composes. Core never prints an error and contains no texts of errors.
#pragma once

#include "base/argument.h"
#include "base/place.h"
#include "base/try.h"

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gufo {

// Each code is a row of error_codes.inc, which also documents the arguments and has the words.
enum class ErrorCode : std::uint8_t {
#define GUFO_ERROR(code, name, args, reason, hint) code,
#include "base/error_codes.inc"
#undef GUFO_ERROR
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
