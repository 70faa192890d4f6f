#include "quantize/expert_choice.h"

#include "base/detail.h"
#include "base/mapped_file.h"
#include "formats/imatrix/imatrix.h"
#include "quantize/imatrix_coverage.h"

#include <array>
#include <charconv>
#include <memory>

namespace gufo {
namespace {

constexpr std::uint64_t kMostOfList = std::uint64_t{1} << 24U; // bytes; a list of all experts of any model is shorter

std::unexpected<Error> in(const std::filesystem::path& file, Error error) {
    error.file = error.file.empty() ? file : error.file;
    return std::unexpected(std::move(error));
}

std::optional<std::uint64_t> numberIn(const std::string& text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return !text.empty() && error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                                     : std::nullopt;
}

Result<KeptExperts> listedExperts(const Model& model, const std::filesystem::path& path) {
    const auto file = MappedFile::open(path);
    const auto bytes =
        file ? (*file)->view({0, std::min((*file)->size(), kMostOfList)}) : std::unexpected(file.error());
    if (!bytes) {
        return in(path, bytes.error());
    }
    auto kept = parseKeptExperts({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, model);
    return kept ? kept : in(path, kept.error());
}

} // namespace

Result<KeptExperts> chosenExperts(const Model& model, const std::string& wanted,
                                  const std::optional<std::filesystem::path>& imatrix, const JobContext& job) {
    if (const auto count = numberIn(wanted)) {
        std::shared_ptr<const Imatrix> counts;
        if (imatrix) {
            auto opened = Imatrix::open(*imatrix, job);
            if (!opened) {
                return in(*imatrix, opened.error());
            }
            counts = *std::move(opened);
        } else {
            // The models belong to the caller.
            const std::array<std::shared_ptr<const Model>, 1> models{{{std::shared_ptr<const void>(), &model}}};
            counts = GUFO_TRY(namedImatrix(models, job));
        }
        if (counts == nullptr) {
            return fail(ErrorCode::InvalidArgument, {},
                        {hasExperts(model) ? Detail::ExpertsNeedCounts : Detail::NoExperts});
        }
        return mostUsedExperts(model, *counts, *count);
    }
    const std::filesystem::path path = wanted;
    const auto counts = Imatrix::open(path, job);
    if (counts) {
        return mostUsedExperts(model, **counts, std::nullopt);
    }
    // Whatever is no importance matrix is read as a list, which names the line that it cannot read.
    const ErrorCode code = counts.error().code;
    if (code == ErrorCode::FileNotFound || code == ErrorCode::Cancelled) {
        return in(path, counts.error());
    }
    return listedExperts(model, path);
}

} // namespace gufo
