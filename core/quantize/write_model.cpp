#include "quantize/write_model.h"

#include "base/output_file.h"
#include "base/write_queue.h"
#include "quantize/source_checks.h"

#include <algorithm>

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

Result<> checkAllUnchanged(std::span<const Model* const> sources) {
    for (const Model* source : sources) {
        if (auto unchanged = checkUnchanged(*source); !unchanged) {
            return unchanged;
        }
    }
    return {};
}

} // namespace

Result<> writeModel(std::span<const Model* const> sources, const gguf::Writer& writer,
                    const gguf::Writer::TensorData& data, const std::filesystem::path& out, const JobContext& job) {
    for (const Model* source : sources) {
        if (auto other = checkIsOtherFile(*source, out); !other) {
            return other;
        }
    }
    auto ready = checkSpace(out, writer.fileBytes());
    ready = ready ? checkAllUnchanged(sources) : ready;
    if (!ready) {
        return ready;
    }
    auto file = OutputFile::create(out);
    if (!file) {
        return std::unexpected(std::move(file).error());
    }
    WriteQueue queue([&](Bytes bytes) { return file->write(bytes); });
    auto written = writer.write([&](Bytes bytes) { return queue.push(bytes); }, data, job);
    written = written ? queue.finish() : written;
    written = written ? checkAllUnchanged(sources) : written;
    return written ? file->commit() : written;
}

Result<> copyPieces(Bytes bytes, const gguf::Sink& out) {
    for (std::size_t at = 0; at < bytes.size(); at += kCopyBytes) {
        if (auto written = out(bytes.subspan(at, std::min(kCopyBytes, bytes.size() - at))); !written) {
            return written;
        }
    }
    return {};
}

} // namespace gufo
