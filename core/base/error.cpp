#include "base/error.h"

#include <array>
#include <cerrno>

namespace gufo {
namespace {

constexpr auto kErrorNames = std::to_array<std::string_view>({
#define GUFO_ERROR(code, name, args, reason, hint) name,
#include "base/error_codes.inc"
#undef GUFO_ERROR
});

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
        code = ErrorCode::PermissionDenied;
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
