#include "quantize/write_model.h"

#include "base/detail.h"
#include "base/file_operations.h"
#include "base/output_file.h"
#include "base/write_queue.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace gufo {
namespace {

constexpr std::size_t kCopyBytes = 4U << 20U;

Result<> checkSpace(const std::filesystem::path& out, std::uint64_t bytes) {
    std::error_code error;
    if (std::filesystem::exists(out, error) && !std::filesystem::is_regular_file(out, error)) {
        return {}; // a device or a pipe
    }
    const auto folder = out.parent_path().empty() ? std::filesystem::path(".") : out.parent_path();
    const auto space = std::filesystem::space(folder, error);
    if (!error && space.available < bytes) {
        return std::unexpected(Error{ErrorCode::NoSpace, out, {}, {bytes, std::uint64_t{space.available}}, 0});
    }
    return {};
}

// The bytes of files on this computer, which stay in memory while a model is made from them. A source on a server has
// no identity, and would fetch all bytes that are viewed.
class SourceBytes {
public:
    explicit SourceBytes(std::span<const Model* const> sources) {
        for (const Model* source : sources) {
            for (const ModelFile& file : source->files) {
                if (file.source != nullptr && file.source->identity()) {
                    m_files.push_back(file.source->view({0, file.source->size()}).value_or(Bytes()));
                }
            }
        }
    }

    [[nodiscard]] bool contain(Bytes bytes) const {
        const std::less_equal<const std::byte*> notAfter; // also for pointers into different files
        return std::ranges::any_of(m_files, [&](Bytes file) {
            return notAfter(file.data(), bytes.data()) &&
                   notAfter(bytes.data() + bytes.size(), file.data() + file.size());
        });
    }

private:
    std::vector<Bytes> m_files;
};

Result<> checkAllUnchanged(std::span<const Model* const> sources) {
    for (const Model* source : sources) {
        GUFO_TRY(checkUnchanged(*source));
    }
    return {};
}

} // namespace

Result<> writeModel(std::span<const Model* const> sources, const gguf::Writer& writer,
                    const gguf::Writer::TensorData& data, const std::filesystem::path& out, const JobContext& job) {
    for (const Model* source : sources) {
        GUFO_TRY(checkIsOtherFile(*source, out));
    }
    GUFO_TRY(checkSpace(out, writer.fileBytes()));
    GUFO_TRY(checkAllUnchanged(sources));
    auto file = GUFO_TRY(OutputFile::create(out, OutputFile::OpenFiles::Replaced));
    WriteQueue queue([&](Bytes bytes) { return file.write(bytes); });
    const SourceBytes kept(sources);
    GUFO_TRY(writer.write([&](Bytes bytes) { return kept.contain(bytes) ? queue.pushKept(bytes) : queue.push(bytes); },
                          data, job));
    GUFO_TRY(queue.finish());
    GUFO_TRY(checkAllUnchanged(sources));
    return file.commit();
}

Result<> copyPieces(Bytes bytes, const gguf::Sink& out) {
    for (std::size_t at = 0; at < bytes.size(); at += kCopyBytes) {
        GUFO_TRY(out(bytes.subspan(at, std::min(kCopyBytes, bytes.size() - at))));
    }
    return {};
}

Result<> checkUnchanged(const Model& model) {
    for (const ModelFile& file : model.files) {
        if (file.source == nullptr) {
            continue;
        }
        GUFO_TRY(checkSource(realFileOperations(), *file.source, SourceUse::Own));
    }
    return {};
}

Result<> checkIsOtherFile(const Model& model, const std::filesystem::path& out) {
    const auto isOut = [&](const std::filesystem::path& path) {
        std::error_code ignored;
        return std::filesystem::equivalent(out, path, ignored);
    };
    if (std::ranges::any_of(model.files, isOut, &ModelFile::path) ||
        std::ranges::any_of(model.companions, isOut, [](const auto& companion) { return companion->path(); })) {
        return std::unexpected(Error{ErrorCode::InvalidArgument, out, {}, {Detail::OwnFile}, 0});
    }
    return {};
}

} // namespace gufo
