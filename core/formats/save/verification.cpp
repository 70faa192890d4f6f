#include "formats/save/verification.h"

#include "base/mapped_file.h"
#include "base/parallel.h"
#include "base/sha256.h"
#include "formats/save/new_files.h"

namespace gufo::saving {
namespace {

std::vector<TensorIndex> allTensors(const Model& model) {
    std::vector<TensorIndex> tensors;
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        tensors.emplace_back(i);
    }
    return tensors;
}

// The tensors of the written model, in the order of the model that it was written from.
std::vector<TensorIndex> inOrderOf(const Model& edited, const Model& written) {
    std::vector<TensorIndex> tensors = allTensors(written);
    const bool inOneFile = edited.shardCount() == 1 && written.shardCount() == 1;
    if (inOneFile || edited.tensors.size() != written.tensors.size()) {
        return tensors;
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        tensors[i] = written.findTensor(edited.tensors[i].name).value_or(tensors[i]);
    }
    return tensors;
}

// The SHA-256, in hexadecimal, over the SHA-256 of each tensor's bytes in the given byte order. Progress is in bytes.
// Errors: Cancelled, FileChangedWhileReading, those of reading.
Result<std::string> hashTensors(const Model& model, std::span<const TensorIndex> tensors, ByteOrder order,
                                const JobContext& job) {
    std::uint64_t total = 0;
    for (const TensorIndex index : tensors) {
        total += model.tensor(index).bytesPresent;
    }
    job.start(total);
    std::vector<Sha256Digest> digests(tensors.size());
    std::vector<Result<>> results(tensors.size());
    const auto hashOne = [&](std::size_t i) -> Result<> {
        const TensorInfo& tensor = model.tensor(tensors[i]);
        const auto bytes = GUFO_TRY(model.bytesOf(tensor));
        Sha256 hash;
        std::uint64_t at = tensor.offset;
        const auto add = [&](Bytes part) -> Result<> {
            hash.add(part);
            model.sourceOf(tensor)->advise({at, part.size()}, Access::Release);
            at += part.size();
            job.advance(part.size());
            return {};
        };
        const TensorTypeInfo* type = tensor.type();
        const bool swaps = model.byteOrder != order && type != nullptr;
        auto passed = passTensor(bytes, swaps ? RowLayout::of(*type, tensor.shape[0]) : std::nullopt, add, job);
        digests[i] = hash.finish();
        return passed;
    };
    const bool whole = parallelFor(tensors.size(), 1, job, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t i = begin; i < end; ++i) {
            results[i] = hashOne(i);
        }
    });
    if (!whole) {
        return fail(ErrorCode::Cancelled);
    }
    for (Result<>& result : results) {
        if (!result) {
            return std::unexpected(std::move(result).error());
        }
    }
    for (const ModelFile& file : model.files) {
        if (const auto damage = file.source != nullptr ? file.source->damage() : std::nullopt) {
            return std::unexpected(*damage);
        }
    }
    Sha256 all;
    for (const Sha256Digest& digest : digests) {
        all.add(digest);
    }
    return hexText(all.finish());
}

} // namespace

Result<> hashBefore(SaveReport& report, const Model& edited, const SaveTarget& target, const JobContext& job) {
    report.hashBefore = GUFO_TRY(hashTensors(edited, allTensors(edited), target.byteOrder, job));
    return {};
}

Result<> hashAfter(SaveReport& report, const Model& edited, const SaveTarget& target, const std::filesystem::path& path,
                   ReadWritten read, const JobContext& job) {
    auto file = MappedFile::open(path);
    const auto written = GUFO_TRY(file ? read(*std::move(file), job) : std::unexpected(std::move(file).error()));
    report.hashAfter = GUFO_TRY(hashTensors(*written, inOrderOf(edited, *written), target.byteOrder, job));
    if (report.hashAfter != report.hashBefore) {
        return std::unexpected(
            Error{ErrorCode::VerificationFailed, path, {}, {*report.hashBefore, *report.hashAfter}, 0});
    }
    return {};
}

} // namespace gufo::saving
