#include "base/error.h"

#include <array>
#include <cerrno>
#include <system_error>

namespace gufo {
namespace {

constexpr auto kErrorNames = std::to_array<std::string_view>({
#define GUFO_ERROR(code, name, args, reason, hint) name,
#include "base/error_codes.inc"
#undef GUFO_ERROR
});

// Writing was not permitted: a file that exists may be read-only; otherwise its folder is.
ErrorCode refusedWrite(const std::filesystem::path& file) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(file, ignored) ? ErrorCode::FileNotWritable : ErrorCode::ReadOnlyFolder;
}

} // namespace

std::string_view errorName(ErrorCode code) { return kErrorNames[static_cast<std::size_t>(code)]; }

std::unexpected<Error> fail(ErrorCode code, Place place, Arguments args) {
    return std::unexpected(Error{.code = code, .file = {}, .place = std::move(place), .args = std::move(args)});
}

Error systemError(int errnoValue, std::filesystem::path file, ErrorCode fallback) {
    ErrorCode code = fallback;
    switch (errnoValue) {
    case ENOENT:
    case ENOTDIR:
        code = ErrorCode::FileNotFound;
        break;
    case EACCES:
    case EPERM:
        code = fallback == ErrorCode::WriteFailed ? refusedWrite(file) : ErrorCode::PermissionDenied;
        break;
    case EISDIR:
        code = ErrorCode::IsDirectory;
        break;
    default:
        break;
    }
    return {.code = code, .file = std::move(file), .place = {}, .args = {}, .systemError = errnoValue};
}

} // namespace gufo
