#include "base/error.h"

#include <array>
#include <cerrno>

namespace gufo {
namespace {

struct ErrorFact {
    ErrorCode code;
    std::string_view name;
};

constexpr auto kErrorFacts = std::to_array<ErrorFact>({
    {ErrorCode::FileNotFound, "file_not_found"},
    {ErrorCode::PermissionDenied, "permission_denied"},
    {ErrorCode::IsDirectory, "is_directory"},
    {ErrorCode::NotRegularFile, "not_regular_file"},
    {ErrorCode::ReadFailed, "read_failed"},
    {ErrorCode::WriteFailed, "write_failed"},
    {ErrorCode::MapFailed, "map_failed"},
    {ErrorCode::FileChangedWhileReading, "file_changed_while_reading"},
    {ErrorCode::EmptyFile, "empty_file"},
    {ErrorCode::NotAModel, "not_a_model"},
    {ErrorCode::OtherFormat, "other_format"},
    {ErrorCode::FormatReadOnly, "format_read_only"},
    {ErrorCode::LfsPointer, "lfs_pointer"},
    {ErrorCode::UnfinishedDownload, "unfinished_download"},
    {ErrorCode::ServerReply, "server_reply"},
    {ErrorCode::PieceMissing, "piece_missing"},
    {ErrorCode::SetIncomplete, "set_incomplete"},
    {ErrorCode::NotImatrix, "not_imatrix"},
    {ErrorCode::UnsupportedVersion, "unsupported_version"},
    {ErrorCode::Truncated, "truncated"},
    {ErrorCode::CountTooLarge, "count_too_large"},
    {ErrorCode::StringTooLong, "string_too_long"},
    {ErrorCode::UnknownValueType, "unknown_value_type"},
    {ErrorCode::ArrayTooLong, "array_too_long"},
    {ErrorCode::NestingTooDeep, "nesting_too_deep"},
    {ErrorCode::TooManyDimensions, "too_many_dimensions"},
    {ErrorCode::LimitExceeded, "limit_exceeded"},
    {ErrorCode::Malformed, "malformed"},
    {ErrorCode::RangeOutsideFile, "range_outside_file"},
    {ErrorCode::NoSuchKey, "no_such_key"},
    {ErrorCode::NoSuchTensor, "no_such_tensor"},
    {ErrorCode::WrongShape, "wrong_shape"},
    {ErrorCode::NoSuchToken, "no_such_token"},
    {ErrorCode::NoSuchElement, "no_such_element"},
    {ErrorCode::BadSyntax, "bad_syntax"},
    {ErrorCode::WrongValueType, "wrong_value_type"},
    {ErrorCode::UnequalArrays, "unequal_arrays"},
    {ErrorCode::NotDecodable, "not_decodable"},
    {ErrorCode::NotEncodable, "not_encodable"},
    {ErrorCode::WeightOutOfRange, "weight_out_of_range"},
    {ErrorCode::LossySource, "lossy_source"},
    {ErrorCode::NotSupported, "not_supported"},
    {ErrorCode::NotRunnable, "not_runnable"},
    {ErrorCode::TensorsNotUsed, "tensors_not_used"},
    {ErrorCode::NotEnoughMemory, "not_enough_memory"},
    {ErrorCode::SchemaNotUsable, "schema_not_usable"},
    {ErrorCode::InvalidArgument, "invalid_argument"},
    {ErrorCode::Cancelled, "cancelled"},
    {ErrorCode::FileChangedOnDisk, "file_changed_on_disk"},
    {ErrorCode::SharedFile, "shared_file"},
    {ErrorCode::FileNotWritable, "file_not_writable"},
    {ErrorCode::ReadOnlyFolder, "read_only_folder"},
    {ErrorCode::AttributesNotKept, "attributes_not_kept"},
    {ErrorCode::FileBusy, "file_busy"},
    {ErrorCode::NoSpace, "no_space"},
    {ErrorCode::StrategyImpossible, "strategy_impossible"},
    {ErrorCode::TensorIncomplete, "tensor_incomplete"},
    {ErrorCode::VerificationFailed, "verification_failed"},
    {ErrorCode::SaveInterrupted, "save_interrupted"},
    {ErrorCode::JournalDamaged, "journal_damaged"},
    {ErrorCode::JournalOfAnotherFile, "journal_of_another_file"},
    {ErrorCode::AddressRefused, "address_refused"},
    {ErrorCode::ConnectionFailed, "connection_failed"},
    {ErrorCode::TlsFailed, "tls_failed"},
    {ErrorCode::HttpStatus, "http_status"},
    {ErrorCode::ReplyUnusable, "reply_unusable"},
    {ErrorCode::RemoteFileChanged, "remote_file_changed"},
    {ErrorCode::NoSuchRemoteFile, "no_such_remote_file"},
    {ErrorCode::DigestMismatch, "digest_mismatch"},
});

constexpr bool inOrder() {
    for (std::size_t i = 0; i < kErrorFacts.size(); ++i) {
        if (static_cast<std::size_t>(kErrorFacts[i].code) != i) {
            return false;
        }
    }
    return kErrorFacts.size() == static_cast<std::size_t>(ErrorCode::DigestMismatch) + 1;
}
static_assert(inOrder(), "kErrorFacts has one row for each ErrorCode, in order");

} // namespace

std::string_view errorName(ErrorCode code) { return kErrorFacts[static_cast<std::size_t>(code)].name; }

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
