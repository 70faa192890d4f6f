#include "analysis/model_digests.h"

#include "base/parallel.h"
#include "base/try.h"
#include "tensor/decode.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace gufo {
namespace {

constexpr std::uint64_t kPieceBytes = 8U << 20U; // hashed in 4 to 30 ms, so that a thread's start does not matter
constexpr std::uint64_t kCopiedWeights = 1U << 20U;

// Whether the file holds the tensor's bytes as GGUF stores them, so that they are hashed together with the file.
bool isPlain(const Model& model, const TensorInfo& tensor) {
    return tensor.strides == nullptr && (model.byteOrder == ByteOrder::Little || !isDecodable(tensor.typeId));
}

// The tensors of one file, hashed while the file is read from front to back. Tensors may overlap in a hostile file.
class TensorsOfFile {
public:
    TensorsOfFile(const Model& model, FileIndex file, std::vector<std::optional<Sha256Digest>>& digests)
        : m_digests(digests) {
        for (std::size_t i = 0; i < model.tensors.size(); ++i) {
            const TensorInfo& tensor = model.tensors[i];
            if (tensor.file == file && tensor.complete() && isPlain(model, tensor)) {
                m_waiting.push_back({.index = i, .range = {tensor.offset, *tensor.bytes}, .hash = {}});
            }
        }
        std::ranges::sort(m_waiting, std::ranges::greater(), [](const Hashed& each) { return each.range.offset; });
    }

    // Takes the next bytes of the file, which begin at `offset`.
    void add(std::uint64_t offset, Bytes bytes) {
        const std::uint64_t end = offset + bytes.size();
        while (!m_waiting.empty() && m_waiting.back().range.offset < end) {
            m_begun.push_back(std::move(m_waiting.back()));
            m_waiting.pop_back();
        }
        for (Hashed& tensor : m_begun) {
            const std::uint64_t from = std::max(offset, tensor.range.offset);
            const std::uint64_t to = std::min(end, tensor.range.offset + tensor.range.length);
            tensor.hash.add(bytes.subspan(from - offset, to - from));
            if (to < end || tensor.range.offset + tensor.range.length == end) {
                m_digests[tensor.index] = tensor.hash.finish();
                tensor.isFinished = true;
            }
        }
        std::erase_if(m_begun, [](const Hashed& each) { return each.isFinished; });
    }

    // Empty tensors at the end of the file begin behind its last byte.
    void finish() {
        for (Hashed& tensor : m_waiting) {
            m_digests[tensor.index] = tensor.hash.finish();
        }
    }

private:
    struct Hashed {
        std::size_t index;
        ByteRange range;
        Sha256 hash;
        bool isFinished = false;
    };
    std::vector<Hashed> m_waiting; // the last one begins first
    std::vector<Hashed> m_begun;
    std::vector<std::optional<Sha256Digest>>& m_digests;
};

Result<ModelDigests::File> digestFile(const Model& model, FileIndex index, const JobContext& job,
                                      std::vector<std::optional<Sha256Digest>>& digests) {
    const ModelFile& file = model.files[index.value];
    const ByteSource& source = *file.source;
    ModelDigests::File result{.file = index, .whole = {}, .header = {}};
    if (file.headerBytes != 0) {
        result.header = sha256(GUFO_TRY(source.view({0, std::min(file.headerBytes, source.size())})));
    }
    Sha256 whole;
    TensorsOfFile tensors(model, index, digests);
    source.advise({0, source.size()}, Access::Sequential);
    for (std::uint64_t at = 0; at < source.size(); at += kPieceBytes) {
        const ByteRange range{at, std::min(kPieceBytes, source.size() - at)};
        const Bytes bytes = GUFO_TRY(source.view(range));
        // Both read the piece at the same time, so that the second reader finds it in a cache.
        const bool done = parallelFor(2, 1, job, [&](std::uint64_t part, std::uint64_t, unsigned) {
            part == 0 ? whole.add(bytes) : tensors.add(at, bytes);
        });
        if (!done) {
            return fail(ErrorCode::Cancelled);
        }
        source.advise(range, Access::Release);
        job.advance(range.length);
    }
    tensors.finish();
    result.whole = whole.finish();
    if (auto damage = source.damage()) {
        return std::unexpected(*std::move(damage));
    }
    return result;
}

// Hashes a tensor whose bytes are stored in another order.
Result<Sha256Digest> digestReordered(const Model& model, const TensorInfo& tensor, const JobContext& job) {
    const StoredRows rows = GUFO_TRY(model.rowsOf(tensor));
    Sha256 hash;
    std::vector<std::byte> copy;
    std::vector<std::byte> swapped;
    const std::uint64_t weights = tensor.weights();
    const std::uint64_t step = kCopiedWeights / rows.type().blockSize * rows.type().blockSize;
    for (std::uint64_t at = 0; at < weights; at += step) {
        GUFO_TRY(job.check());
        const std::uint64_t count = std::min(step, weights - at);
        Bytes bytes;
        if (tensor.strides != nullptr) {
            copy.resize(count * rows.type().blockBytes);
            GUFO_TRY(copyStored(rows, at, count, copy));
            bytes = copy;
        } else {
            const ByteRange range = rows.layout.range(at, count);
            bytes = rows.bytes.subspan(range.offset, range.length);
        }
        if (model.byteOrder == ByteOrder::Big) {
            swapped.resize(bytes.size());
            GUFO_TRY(tensor.strides != nullptr ? swapByteOrder(tensor.typeId, bytes, swapped)
                                               : swapByteOrder(rows.layout, at, bytes, swapped));
            bytes = swapped;
        }
        hash.add(bytes);
        job.advance(bytes.size());
    }
    if (auto damage = model.sourceOf(tensor)->damage()) {
        return std::unexpected(*std::move(damage));
    }
    return hash.finish();
}

std::optional<Sha256Digest> digestOfWeights(const Model& model, std::span<const std::optional<Sha256Digest>> digests) {
    if (model.tensors.empty() || !std::ranges::all_of(digests, [](const auto& digest) { return digest.has_value(); })) {
        return std::nullopt;
    }
    std::vector<std::size_t> order(model.tensors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // Tensors of the same name, which a damaged file may have, keep an order that does not depend on the file's.
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        const std::string_view left = model.tensors[a].name;
        const std::string_view right = model.tensors[b].name;
        return left != right ? left < right : *digests[a] < *digests[b];
    });
    Sha256 hash;
    for (const std::size_t i : order) {
        const TensorInfo& tensor = model.tensors[i];
        std::string line = std::string(tensor.name) + ' ' + tensor.typeName() + ' ';
        for (std::size_t dim = 0; dim < tensor.shape.count(); ++dim) {
            line += (dim == 0 ? "" : "x") + std::to_string(tensor.shape[dim]);
        }
        line += ' ' + hexText(*digests[i]) + '\n';
        hash.add(std::as_bytes(std::span(line)));
    }
    return hash.finish();
}

} // namespace

Result<ModelDigests> digestModel(const Model& model, const JobContext& job) {
    ModelDigests result;
    result.tensors.resize(model.tensors.size());
    std::vector<std::size_t> reordered;
    std::uint64_t total = 0;
    for (const ModelFile& file : model.files) {
        total += file.source != nullptr ? file.source->size() : 0;
    }
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const TensorInfo& tensor = model.tensors[i];
        if (tensor.complete() && !isPlain(model, tensor)) {
            reordered.push_back(i);
            total += *tensor.bytes;
        }
    }
    job.start(total);
    for (std::size_t i = 0; i < model.files.size(); ++i) {
        if (model.files[i].source != nullptr) {
            result.files.push_back(
                GUFO_TRY(digestFile(model, FileIndex{static_cast<std::uint32_t>(i)}, job, result.tensors)));
        }
    }
    std::vector<Result<>> done(reordered.size());
    const bool all = parallelFor(reordered.size(), 1, job, [&](std::uint64_t i, std::uint64_t, unsigned) {
        auto digest = digestReordered(model, model.tensors[reordered[i]], job);
        if (digest) {
            result.tensors[reordered[i]] = *digest;
        } else {
            done[i] = std::unexpected(std::move(digest.error()));
        }
    });
    if (!all) {
        return fail(ErrorCode::Cancelled);
    }
    for (const Result<>& each : done) {
        GUFO_TRY(each);
    }
    result.weights = digestOfWeights(model, result.tensors);
    return result;
}

} // namespace gufo
