#include "formats/save/tensor_hash.h"

#include "base/parallel.h"
#include "base/sha256.h"
#include "formats/gguf/write/conversion.h"

namespace gufo::saving {

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
        auto passed = gguf::passTensor(bytes, swaps ? RowLayout::of(*type, tensor.shape[0]) : std::nullopt, add, job);
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

} // namespace gufo::saving
