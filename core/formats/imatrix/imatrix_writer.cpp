#include "formats/imatrix/imatrix_writer.h"

#include "base/checked.h"
#include "base/detail.h"
#include "base/mapped_file.h"
#include "base/output_file.h"
#include "formats/gguf/read/reader.h"
#include "formats/gguf/write/writer.h"
#include "formats/imatrix/imatrix.h"
#include "model/encode_value.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gufo {
namespace {

constexpr std::string_view kSums = ".in_sum2";
constexpr std::string_view kExact = ".in_sum2_exact";
constexpr std::string_view kCounts = ".counts";
constexpr std::string_view kOrigin = "gufo.imatrix.origin";
constexpr auto kF32 = static_cast<std::uint32_t>(TensorType::F32);
constexpr auto kF64 = static_cast<std::uint32_t>(TensorType::F64);

// A tensor of the file, which is made of an entry.
struct Part {
    const ImatrixEntry* entry;
    std::string_view suffix;
};

template<typename To, typename From>
Result<> writeNumbers(const std::vector<From>& numbers, const gguf::Sink& out) {
    std::vector<std::byte> bytes(numbers.size() * sizeof(To));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        store(bytes.data() + i * sizeof(To), static_cast<To>(numbers[i]));
    }
    return out(bytes);
}

Result<> writePart(const Part& part, const gguf::Sink& out) {
    if (part.suffix == kCounts) {
        return writeNumbers<float>(part.entry->counts, out);
    }
    return part.suffix == kSums ? writeNumbers<float>(part.entry->sums, out)
                                : writeNumbers<double>(part.entry->sums, out);
}

Result<> addKeys(gguf::Writer& writer, const ImatrixContents& contents, std::optional<std::uint64_t> origin) {
    ArrayBuilder datasets(ValueType::String);
    for (const std::string& name : contents.datasets) {
        datasets.add(std::string_view(name));
    }
    Result<> done;
    const auto add = [&](std::string_view key, const Value& value) {
        if (done) {
            done = writer.add(key, value);
        }
    };
    add("general.type", std::string_view("imatrix"));
    add("imatrix.datasets", datasets.view());
    add("imatrix.chunk_count", static_cast<std::uint32_t>(contents.chunks));
    add("imatrix.chunk_size", static_cast<std::uint32_t>(contents.chunkSize));
    if (origin) {
        add(kOrigin, *origin);
    }
    return done;
}

std::unexpected<Error> damaged(std::string_view name, std::uint64_t sums, std::uint64_t counts) {
    return fail(ErrorCode::InvalidArgument, Place::tensor(std::string(name)),
                {Argument(Detail::ImatrixCountsUneven, {sums, counts})});
}

Result<ImatrixEntry> readEntry(const Model& model, const TensorInfo& exact) {
    ImatrixEntry entry{.name = std::string(exact.name.substr(0, exact.name.size() - kExact.size())),
                       .columns = exact.shape[0]};
    const auto index = model.findTensor(entry.name + std::string(kCounts));
    if (!index) {
        return fail(ErrorCode::InvalidArgument, Place::tensor(std::string(exact.name)),
                    {Argument(Detail::ImatrixCountsMissing, {entry.name + std::string(kCounts)})});
    }
    const TensorInfo& counted = model.tensor(*index);
    const auto sums = model.bytesOf(exact);
    const auto counts = model.bytesOf(counted);
    if (!sums || !counts) {
        return std::unexpected(sums ? counts.error() : sums.error());
    }
    const std::uint64_t matrices = counts->size() / sizeof(float);
    if (exact.typeId != kF64 || counted.typeId != kF32 || !exact.complete() || !counted.complete() || matrices == 0 ||
        checkedMultiply(matrices, entry.columns) != sums->size() / sizeof(double)) {
        return damaged(exact.name, sums->size() / sizeof(double), matrices);
    }
    for (std::size_t at = 0; at < sums->size(); at += sizeof(double)) {
        entry.sums.push_back(load<double>(sums->data() + at, model.byteOrder));
    }
    for (std::size_t at = 0; at < counts->size(); at += sizeof(float)) {
        const float count = load<float>(counts->data() + at, model.byteOrder);
        constexpr float kMaximum = 0x1p63F;
        if (!(count >= 0 && count < kMaximum)) {
            return fail(ErrorCode::InvalidArgument, Place::tensor(std::string(counted.name)),
                        {Detail::ImatrixBadCount});
        }
        entry.counts.push_back(static_cast<std::uint64_t>(count));
    }
    return entry;
}

} // namespace

Result<> writeImatrix(const ImatrixContents& contents, std::optional<std::uint64_t> origin,
                      const std::filesystem::path& path, const JobContext& job) {
    gguf::Writer writer;
    GUFO_TRY(addKeys(writer, contents, origin));
    std::vector<Part> parts;
    for (const ImatrixEntry& entry : contents.entries) {
        const std::uint64_t matrices = entry.counts.size();
        const auto add = [&](std::string_view suffix, std::uint32_t type, std::uint64_t columns, std::uint64_t bytes) {
            parts.push_back({.entry = &entry, .suffix = suffix});
            return writer.addTensor(entry.name + std::string(suffix), type, Shape(std::array{columns, matrices}),
                                    bytes);
        };
        GUFO_TRY(add(kSums, kF32, entry.columns, entry.sums.size() * sizeof(float)));
        GUFO_TRY(add(kCounts, kF32, 1, matrices * sizeof(float)));
        if (origin) {
            GUFO_TRY(add(kExact, kF64, entry.columns, entry.sums.size() * sizeof(double)));
        }
    }
    auto file = GUFO_TRY(OutputFile::create(path, OutputFile::OpenFiles::Replaced));
    auto written = writer.write([&](Bytes bytes) { return file.write(bytes); },
                                [&](std::size_t i, const gguf::Sink& out) { return writePart(parts[i], out); }, job);
    return written ? file.commit() : written;
}

Result<StoredImatrix> readStoredImatrix(const std::filesystem::path& path, const JobContext& job) {
    const auto known = GUFO_TRY(Imatrix::open(path, job)); // refuses files that are not importance matrices at all
    StoredImatrix stored;
    stored.contents.datasets = known->datasets();
    stored.contents.chunks = known->chunks().value_or(0);
    const auto source = MappedFile::open(path);
    const auto model = source ? gguf::read(*source, job) : std::unexpected(source.error());
    if (!model) { // the older form, which is never unfinished
        return stored;
    }
    stored.origin = (*model)->metadata.uint(kOrigin);
    stored.contents.chunkSize = (*model)->metadata.uint("imatrix.chunk_size").value_or(0);
    for (const TensorInfo& tensor : (*model)->tensors) {
        if (!stored.origin || !tensor.name.ends_with(kExact)) {
            continue;
        }
        auto entry = readEntry(**model, tensor);
        if (!entry) {
            return std::unexpected(std::move(entry.error()).in(path));
        }
        stored.contents.entries.push_back(std::move(*entry));
    }
    return stored;
}

} // namespace gufo
