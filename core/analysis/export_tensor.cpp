#include "analysis/export_tensor.h"

#include "base/output_file.h"
#include "base/parallel.h"
#include "tensor/decode.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <string>

namespace gufo {
namespace {

// Weights of one piece of work: a multiple of every block size.
constexpr std::uint64_t kChunkWeights = 1U << 16U;
constexpr std::uint64_t kRawChunkBytes = 1U << 22U;

using Buffer = std::vector<std::byte>;

// Makes the text or bytes of weights [first, first + count).
using Encoder = std::function<Result<>(std::uint64_t first, std::uint64_t count, Buffer& out)>;

struct Source {
    const TensorInfo& info;
    Bytes bytes;
    ByteOrder order;
};

bool isInteger(std::uint32_t typeId) {
    const TensorTypeInfo* type = findTensorType(typeId);
    return type != nullptr && type->kind == TensorTypeKind::Integer;
}

bool isNative(std::uint32_t typeId) { // written as stored: no float holds it, or float is what it is
    return isInteger(typeId) || typeId == static_cast<std::uint32_t>(TensorType::F64);
}

Bytes asBytes(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string npyHeader(const TensorInfo& info) {
    std::string kind = "<f4";
    if (isNative(info.typeId)) {
        const std::uint32_t size = info.type()->blockBytes;
        kind = (size == 1 ? "|" : "<") + std::string(isInteger(info.typeId) ? "i" : "f") + std::to_string(size);
    }
    std::string shape;
    for (std::size_t i = info.shape.count(); i-- > 0;) {
        shape += std::to_string(info.shape[i]) + (i > 0 ? ", " : info.shape.count() == 1 ? "," : "");
    }
    std::string dictionary = "{'descr': '" + kind + "', 'fortran_order': False, 'shape': (" + shape + "), }";
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

// Stored scalars in little-endian order.
Result<> encodeNative(const Source& source, std::uint64_t first, std::uint64_t count, Buffer& out) {
    const std::size_t size = source.info.type()->blockBytes;
    const Bytes in = source.bytes.subspan(first * size, count * size);
    out.resize(in.size());
    if (source.order == ByteOrder::Big && size > 1) {
        return swapByteOrder(source.info.typeId, in, out);
    }
    std::ranges::copy(in, out.begin());
    return {};
}

Result<> encodeF32(const Source& source, std::uint64_t first, std::uint64_t count, Buffer& out) {
    std::vector<float> values(count);
    if (auto decoded = decodeRange(source.info.typeId, source.bytes, first, values, source.order); !decoded) {
        return decoded;
    }
    out.resize(count * sizeof(float));
    for (std::size_t i = 0; i < count; ++i) {
        store(out.data() + i * sizeof(float), values[i]);
    }
    return {};
}

std::int64_t loadInteger(const std::byte* from, std::size_t size, ByteOrder order) {
    switch (size) {
    case 1:
        return load<std::int8_t>(from, order);
    case 2:
        return load<std::int16_t>(from, order);
    case 4:
        return load<std::int32_t>(from, order);
    default:
        return load<std::int64_t>(from, order);
    }
}

// Appends numbers with what stands after each: a comma, or a line end after the last of a row.
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
        const std::size_t size = source.info.type()->blockBytes;
        const std::byte* at = source.bytes.data() + first * size;
        for (std::uint64_t i = 0; i < count; ++i, at += size) {
            if (isInteger(type)) {
                writer.append(loadInteger(at, size, source.order));
            } else {
                writer.append(load<double>(at, source.order));
            }
        }
        return {};
    }
    std::vector<float> values(count);
    if (auto decoded = decodeRange(type, source.bytes, first, values, source.order); !decoded) {
        return decoded;
    }
    for (const float value : values) {
        writer.append(value);
    }
    return {};
}

Encoder encoderFor(ExportFormat format, const Source& source) {
    if (format == ExportFormat::Csv) {
        return [source](auto first, auto count, Buffer& out) { return encodeCsv(source, first, count, out); };
    }
    if (format == ExportFormat::Npy && isNative(source.info.typeId)) {
        return [source](auto first, auto count, Buffer& out) { return encodeNative(source, first, count, out); };
    }
    return [source](auto first, auto count, Buffer& out) { return encodeF32(source, first, count, out); };
}

Result<> writeRaw(const Source& source, OutputFile& file, const ByteSource& pages, const JobContext& job) {
    job.start(source.bytes.size());
    for (std::uint64_t at = 0; at < source.bytes.size(); at += kRawChunkBytes) {
        if (job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const std::uint64_t length = std::min<std::uint64_t>(kRawChunkBytes, source.bytes.size() - at);
        if (auto written = file.write(source.bytes.subspan(at, length)); !written) {
            return written;
        }
        pages.advise({source.info.offset + at, length}, Access::Release);
        job.advance(length);
    }
    return {};
}

// Some chunks are encoded beside each other, then written in their order.
Result<> writeEncoded(const Source& source, const Encoder& encode, OutputFile& file, const ByteSource& pages,
                      const JobContext& job) {
    const std::uint64_t weights = source.info.weights();
    const std::uint64_t chunks = (weights + kChunkWeights - 1) / kChunkWeights;
    const std::uint64_t batch = 2ULL * workerCount(chunks, 1, job);
    const TensorTypeInfo& type = *source.info.type();
    std::vector<Buffer> buffers(std::min(batch, chunks));
    std::vector<Result<>> results(buffers.size());
    job.start(source.bytes.size());
    for (std::uint64_t chunk = 0; chunk < chunks; chunk += batch) {
        const std::uint64_t here = std::min(batch, chunks - chunk);
        const bool done = parallelFor(here, 1, job, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
            for (std::uint64_t i = begin; i < end; ++i) {
                const std::uint64_t first = (chunk + i) * kChunkWeights;
                results[i] = encode(first, std::min(kChunkWeights, weights - first), buffers[i]);
            }
        });
        if (!done || job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        for (std::uint64_t i = 0; i < here; ++i) {
            if (!results[i]) {
                return results[i];
            }
            if (auto written = file.write(buffers[i]); !written) {
                return written;
            }
        }
        const std::uint64_t from = chunk * kChunkWeights / type.blockSize * type.blockBytes;
        const std::uint64_t length =
            std::min(batch * kChunkWeights / type.blockSize * type.blockBytes, source.bytes.size() - from);
        pages.advise({source.info.offset + from, length}, Access::Release);
        job.advance(length);
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
            return std::unexpected(Error{ErrorCode::InvalidArgument, out, place, {"the model's own file"}, 0});
        }
    }
    if (format != ExportFormat::Raw && !isDecodable(info.typeId)) {
        return fail(ErrorCode::NotDecodable, place, {info.typeName()});
    }
    const auto bytes = model.bytesOf(info);
    if (!bytes) {
        return std::unexpected(bytes.error());
    }
    if (format != ExportFormat::Raw && !info.complete()) {
        return fail(ErrorCode::Truncated, place,
                    {std::string(info.name), std::to_string(*info.bytes), std::to_string(info.bytesPresent)});
    }
    const Source source{.info = info, .bytes = *bytes, .order = model.byteOrder};
    const ByteSource& pages = *model.sourceOf(info);
    auto file = OutputFile::create(out);
    if (!file) {
        return std::unexpected(file.error());
    }
    if (format == ExportFormat::Npy) {
        if (auto written = file->write(asBytes(npyHeader(info))); !written) {
            return written;
        }
    }
    pages.advise({info.offset, info.bytesPresent}, Access::Sequential);
    const auto written = format == ExportFormat::Raw
                             ? writeRaw(source, *file, pages, job)
                             : writeEncoded(source, encoderFor(format, source), *file, pages, job);
    if (!written) {
        return written;
    }
    if (auto damage = pages.damage()) {
        return std::unexpected(*damage);
    }
    return file->commit();
}

} // namespace gufo
