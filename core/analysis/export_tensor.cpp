#include "analysis/export_tensor.h"

#include "base/detail.h"
#include "base/output_file.h"
#include "base/parallel.h"
#include "base/try.h"
#include "tensor/decode.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <string>

namespace gufo {
namespace {

// The number of weights in a unit of work; a multiple of every block size.
constexpr std::uint64_t kChunkWeights = 1U << 16U;
constexpr std::uint64_t kRawChunkBytes = 1U << 22U;

using Buffer = std::vector<std::byte>;

// Encodes the weights [first, first + count) as text or bytes.
using Encoder = std::function<Result<>(std::uint64_t first, std::uint64_t count, Buffer& out)>;

struct Source {
    const TensorInfo& info;
    StoredRows rows;
};

bool isInteger(std::uint32_t typeId) {
    const TensorTypeFact* type = findTensorType(typeId);
    return type != nullptr && type->kind == TensorTypeKind::Integer;
}

bool isNative(std::uint32_t typeId) { // written as stored, because a float cannot hold it
    return isInteger(typeId) || typeId == static_cast<std::uint32_t>(TensorType::F64);
}

Bytes asBytes(std::string_view text) { return std::as_bytes(std::span(text)); }

// `description` is NumPy's of an element.
std::string npyHeaderFor(const std::string& description, std::span<const std::uint64_t> shape) {
    std::string dims;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        dims += std::to_string(shape[i]) + (i + 1 < shape.size() ? ", " : shape.size() == 1 ? "," : "");
    }
    std::string dictionary = "{'descr': " + description + ", 'fortran_order': False, 'shape': (" + dims + "), }";
    constexpr std::size_t kPreamble = 10;
    constexpr std::size_t kAlignment = 64;
    const std::size_t used = kPreamble + dictionary.size() + 1;
    dictionary.append((kAlignment - used % kAlignment) % kAlignment, ' ');
    dictionary += '\n';
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>(dictionary.size() & 0xFFU);
    header += static_cast<char>(dictionary.size() >> 8U);
    return header + dictionary;
}

std::string npyHeaderOf(const TensorInfo& info) {
    std::string scalar = "<f4";
    if (isNative(info.typeId)) {
        const std::uint32_t size = info.type()->blockBytes;
        const char letter = info.typeId == static_cast<std::uint32_t>(TensorType::Bool) ? 'b'
                            : info.type()->isUnsigned                                   ? 'u'
                            : isInteger(info.typeId)                                    ? 'i'
                                                                                        : 'f';
        scalar = std::string(size == 1 ? "|" : "<") + letter + std::to_string(size);
    }
    const auto dims = info.shape.dims();
    return npyHeader(scalar, std::vector<std::uint64_t>(dims.rbegin(), dims.rend()));
}

// Copies the stored scalars as they are.
Result<> encodeStored(const Source& source, std::uint64_t first, std::uint64_t count, Buffer& out) {
    out.resize(count * source.rows.type().blockBytes);
    return copyStored(source.rows, first, count, out);
}

// Copies the stored scalars in little-endian order.
Result<> encodeNative(const Source& source, std::uint64_t first, std::uint64_t count, Buffer& out) {
    auto copied = encodeStored(source, first, count, out);
    if (!copied || source.rows.order == ByteOrder::Little) {
        return copied;
    }
    const Buffer big = out;
    return swapByteOrder(source.info.typeId, big, out);
}

Result<> encodeF32(const Source& source, std::uint64_t first, std::uint64_t count, Buffer& out) {
    std::vector<float> values(count);
    GUFO_TRY(decode(source.rows, first, values));
    out.resize(count * sizeof(float));
    for (std::size_t i = 0; i < count; ++i) {
        store(out.data() + i * sizeof(float), values[i]);
    }
    return {};
}

// Calls use() with the value of a little-endian scalar: a double for floats, and an integer of its size otherwise.
template<typename Use>
void useScalar(const std::byte* from, const TensorTypeFact& type, Use use) {
    if (type.kind != TensorTypeKind::Integer) {
        return use(load<double>(from));
    }
    switch (type.blockBytes) {
    case 1:
        return type.isUnsigned ? use(int{load<std::uint8_t>(from)}) : use(int{load<std::int8_t>(from)});
    case 2:
        return type.isUnsigned ? use(load<std::uint16_t>(from)) : use(load<std::int16_t>(from));
    case 4:
        return type.isUnsigned ? use(load<std::uint32_t>(from)) : use(load<std::int32_t>(from));
    default:
        return type.isUnsigned ? use(load<std::uint64_t>(from)) : use(load<std::int64_t>(from));
    }
}

// Appends numbers, each followed by a comma or, after the last of a row, by a line end.
class CsvWriter {
public:
    CsvWriter(Buffer& out, std::uint64_t first, std::uint64_t columns)
        : m_out(out)
        , m_index(first)
        , m_columns(columns) {}

    template<typename T>
    void append(T value) {
        char text[32];
        const auto end = std::to_chars(std::begin(text), std::end(text) - 1, value).ptr;
        ++m_index;
        *end = m_index % m_columns == 0 ? '\n' : ',';
        const auto* bytes = reinterpret_cast<const std::byte*>(text);
        m_out.insert(m_out.end(), bytes, bytes + (end + 1 - text));
    }

private:
    Buffer& m_out;
    std::uint64_t m_index;
    std::uint64_t m_columns;
};

Result<> encodeCsv(const Source& source, std::uint64_t first, std::uint64_t count, Buffer& out) {
    out.clear();
    const std::uint64_t columns = source.info.shape.count() < 2 ? 1 : source.info.shape[0];
    CsvWriter writer(out, first, columns);
    const std::uint32_t type = source.info.typeId;
    if (isNative(type)) {
        const TensorTypeFact& facts = *source.info.type();
        Buffer scalars;
        auto copied = encodeNative(source, first, count, scalars);
        for (std::size_t at = 0; copied && at < scalars.size(); at += facts.blockBytes) {
            useScalar(scalars.data() + at, facts, [&](auto number) { writer.append(number); });
        }
        return copied;
    }
    std::vector<float> values(count);
    GUFO_TRY(decode(source.rows, first, values));
    for (const float value : values) {
        writer.append(value);
    }
    return {};
}

Encoder encoderFor(ExportFormat format, const Source& source) {
    if (format == ExportFormat::Raw) {
        return [source](auto first, auto count, Buffer& out) { return encodeStored(source, first, count, out); };
    }
    if (format == ExportFormat::Csv) {
        return [source](auto first, auto count, Buffer& out) { return encodeCsv(source, first, count, out); };
    }
    if (format == ExportFormat::Npy && isNative(source.info.typeId)) {
        return [source](auto first, auto count, Buffer& out) { return encodeNative(source, first, count, out); };
    }
    return [source](auto first, auto count, Buffer& out) { return encodeF32(source, first, count, out); };
}

Result<> writeRaw(const TensorInfo& info, Bytes bytes, OutputFile& file, const ByteSource& pages,
                  const JobContext& job) {
    job.start(bytes.size());
    for (std::uint64_t at = 0; at < bytes.size(); at += kRawChunkBytes) {
        GUFO_TRY(job.check());
        const std::uint64_t length = std::min<std::uint64_t>(kRawChunkBytes, bytes.size() - at);
        GUFO_TRY(file.write(bytes.subspan(at, length)));
        pages.advise({info.offset + at, length}, Access::Release);
        job.advance(length);
    }
    return {};
}

// Encodes a batch of chunks in parallel, then writes them in order.
Result<> writeEncoded(const Source& source, const Encoder& encode, OutputFile& file, const ByteSource& pages,
                      const JobContext& job) {
    const std::uint64_t weights = source.info.weights();
    const std::uint64_t chunks = (weights + kChunkWeights - 1) / kChunkWeights;
    const std::uint64_t batch = 2ULL * workerCount(chunks, 1, job);
    std::vector<Buffer> buffers(std::min(batch, chunks));
    std::vector<Result<>> results(buffers.size());
    job.start(source.info.bytes.value_or(0));
    for (std::uint64_t chunk = 0; chunk < chunks; chunk += batch) {
        const std::uint64_t batchChunks = std::min(batch, chunks - chunk);
        const bool done = parallelFor(batchChunks, 1, job, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
            for (std::uint64_t i = begin; i < end; ++i) {
                const std::uint64_t first = (chunk + i) * kChunkWeights;
                results[i] = encode(first, std::min(kChunkWeights, weights - first), buffers[i]);
            }
        });
        if (!done || job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        for (std::uint64_t i = 0; i < batchChunks; ++i) {
            if (!results[i]) {
                return results[i];
            }
            GUFO_TRY(file.write(buffers[i]));
        }
        const std::uint64_t first = chunk * kChunkWeights;
        const std::uint64_t count = std::min(batchChunks * kChunkWeights, weights - first);
        if (source.rows.layout.strides() != nullptr) {
            job.advance(count * source.rows.type().blockBytes);
        } else {
            const ByteRange range = source.rows.layout.range(first, count);
            pages.advise({source.info.offset + range.offset, range.length}, Access::Release);
            job.advance(range.length);
        }
    }
    return {};
}

} // namespace

Result<> exportTensor(const Model& model, TensorIndex tensor, const std::filesystem::path& out, ExportFormat format,
                      const JobContext& job) {
    const TensorInfo& info = model.tensor(tensor);
    const Place place = Place::tensor(std::string(info.name));
    for (const ModelFile& file : model.files) {
        std::error_code error;
        if (std::filesystem::equivalent(out, file.path, error)) {
            return std::unexpected(Error{ErrorCode::InvalidArgument, out, place, {Detail::OwnFile}, 0});
        }
    }
    // Bytes that are not in order are gathered weight by weight, as values are.
    const bool verbatim = format == ExportFormat::Raw && info.strides == nullptr;
    if (!verbatim && (!isDecodable(info.typeId) || info.bytesDerived)) {
        return fail(ErrorCode::NotDecodable, place, {info.typeName()});
    }
    const auto bytes = GUFO_TRY(model.bytesOf(info));
    if (!verbatim && !info.complete()) {
        return fail(ErrorCode::Truncated, place, {std::string(info.name), *info.bytes, info.bytesPresent});
    }
    const ByteSource& pages = *model.sourceOf(info);
    auto file = GUFO_TRY(OutputFile::create(out));
    if (format == ExportFormat::Npy) {
        GUFO_TRY(file.write(asBytes(npyHeaderOf(info))));
    }
    pages.advise({info.offset, info.bytesPresent}, Access::Sequential);
    const auto write = [&]() -> Result<> {
        if (verbatim) {
            return writeRaw(info, bytes, file, pages, job);
        }
        const auto rows = GUFO_TRY(model.rowsOf(info));
        const Source source{.info = info, .rows = rows};
        return writeEncoded(source, encoderFor(format, source), file, pages, job);
    };
    GUFO_TRY(write());
    if (auto damage = pages.damage()) {
        return std::unexpected(*damage);
    }
    return file.commit();
}

std::string npyHeader(std::string_view scalar, std::span<const std::uint64_t> shape) {
    return npyHeaderFor("'" + std::string(scalar) + "'", shape);
}

std::string npyHeader(std::span<const NpyField> fields, std::span<const std::uint64_t> shape) {
    std::string description = "[";
    for (const NpyField& field : fields) {
        description += "('" + std::string(field.name) + "', '" + std::string(field.scalar) + "'), ";
    }
    return npyHeaderFor(description + "]", shape);
}

} // namespace gufo
