#include "formats/imatrix/imatrix.h"

#include "base/detail.h"
#include "base/mapped_file.h"
#include "base/try.h"
#include "formats/gguf/read/reader.h"
#include "model/array_index.h"
#include "model/file_kind.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace gufo {
namespace {

constexpr std::string_view kSums = ".in_sum2";
constexpr std::string_view kCounts = ".counts";
constexpr std::size_t kMinEntryBytes = 4 + 1 + 4 + 4 + 4; // in a .dat file: a name of one letter and one value
constexpr std::uint64_t kMaxDatasets = 1'000;             // number of data sets that are kept

std::unexpected<Error> invalid(std::string_view tensor, Argument why) {
    return fail(ErrorCode::InvalidArgument, Place::tensor(std::string(tensor)), {std::move(why)});
}

// Reads a .dat file sequentially.
class Walk {
public:
    explicit Walk(Bytes bytes)
        : m_bytes(bytes) {}

    [[nodiscard]] std::size_t left() const { return m_bytes.size() - m_at; }
    [[nodiscard]] Place place() const { return Place::atOffset(m_at); }

    Result<std::int32_t> number(Detail what) {
        const auto bytes = GUFO_TRY(take(4, what));
        return load<std::int32_t>(bytes.data());
    }
    Result<Bytes> take(std::uint64_t length, Detail what) {
        if (length > left()) {
            return fail(ErrorCode::Truncated, place(), {what, length, left()});
        }
        const Bytes bytes = m_bytes.subspan(m_at, length);
        m_at += length;
        return bytes;
    }
    // Reads a length and as many bytes of text.
    Result<std::string> text(Detail what) {
        const Place start = place();
        const auto length = GUFO_TRY(number(what));
        if (length < 0 || static_cast<std::uint64_t>(length) > left()) {
            return fail(ErrorCode::StringTooLong, start, {what, length, left()});
        }
        const Bytes bytes = *take(static_cast<std::uint64_t>(length), what);
        return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }

private:
    Bytes m_bytes;
    std::size_t m_at = 0;
};

std::uint64_t matricesOf(const TensorInfo& tensor) {
    const std::uint64_t rows = tensor.shape.rows().value_or(0);
    const std::uint64_t perMatrix = tensor.shape[1];
    return perMatrix == 0 ? 0 : rows / perMatrix;
}

// Matrices that are multiplied with the same inputs, so that what was collected for one applies to the other.
struct SameInputsRow {
    std::string_view wanted;
    std::string_view instead;
};
constexpr auto kSameInputs = std::to_array<SameInputsRow>({
    {".attn_q.", ".attn_qkv."},
    {".attn_k.", ".attn_qkv."},
    {".attn_v.", ".attn_qkv."},
    {".attn_qkv.", ".attn_q."},
    {".ffn_gate_exps.", ".ffn_gate_up_exps."},
    {".ffn_up_exps.", ".ffn_gate_up_exps."},
    {".ffn_gate_up_exps.", ".ffn_up_exps."},
});

} // namespace

Result<Imatrix> Imatrix::read(std::shared_ptr<const ByteSource> source, const JobContext& job) {
    Imatrix imatrix(std::move(source));
    const std::filesystem::path path = imatrix.path();
    const auto start = GUFO_TRY(imatrix.m_source->view({0, std::min<std::uint64_t>(imatrix.m_source->size(), 4)}));
    if (start.empty()) {
        return std::unexpected(Error{.code = ErrorCode::EmptyFile, .file = path});
    }
    imatrix.m_legacy = !gguf::hasMagic(start);
    auto done = imatrix.m_legacy ? imatrix.readLegacy(job) : imatrix.readGguf(job);
    if (!done) {
        return std::unexpected(std::move(done.error()).in(path));
    }
    if (auto damage = imatrix.m_source->damage()) {
        return std::unexpected(*damage);
    }
    if (imatrix.m_entries.empty()) {
        return std::unexpected(Error{.code = ErrorCode::NotImatrix, .file = path});
    }
    return imatrix;
}

Result<std::shared_ptr<const Imatrix>> Imatrix::open(const std::filesystem::path& path, const JobContext& job) {
    auto file = GUFO_TRY(MappedFile::open(path));
    auto imatrix = GUFO_TRY(read(file, job));
    return std::make_shared<const Imatrix>(std::move(imatrix));
}

Result<> Imatrix::add(std::string name, Entry entry) {
    const auto [place, fresh] = m_entries.emplace(std::move(name), entry);
    return fresh ? Result<>() : invalid(place->first, Detail::DuplicateImatrixEntry);
}

Result<> Imatrix::readGguf(const JobContext& job) {
    const auto model = GUFO_TRY(gguf::read(m_source, job));
    m_owner = model;
    m_order = model->byteOrder;
    const auto floats = [&](const TensorInfo& tensor) -> Result<Bytes> {
        const auto bytes = GUFO_TRY(model->bytesOf(tensor));
        if (tensor.typeId != static_cast<std::uint32_t>(TensorType::F32)) {
            return invalid(tensor.name, Detail::ImatrixNotF32);
        }
        if (!tensor.complete()) {
            return fail(ErrorCode::Truncated, Place::tensor(std::string(tensor.name)),
                        {std::string(tensor.name), *tensor.bytes, tensor.bytesPresent});
        }
        return bytes;
    };
    for (const TensorInfo& tensor : model->tensors) {
        if (!tensor.name.ends_with(kSums)) {
            continue;
        }
        const std::string name(tensor.name.substr(0, tensor.name.size() - kSums.size()));
        const auto counts = model->findTensor(name + std::string(kCounts));
        if (!counts) {
            return invalid(tensor.name, {Detail::ImatrixCountsMissing, {name + std::string(kCounts)}});
        }
        const auto sumBytes = floats(tensor);
        const auto countBytes = floats(model->tensor(*counts));
        if (!sumBytes || !countBytes) {
            return std::unexpected(sumBytes ? countBytes.error() : sumBytes.error());
        }
        if (sumBytes->empty() || countBytes->empty() || sumBytes->size() % countBytes->size() != 0) {
            return invalid(tensor.name, {Detail::ImatrixCountsUneven, {sumBytes->size() / 4, countBytes->size() / 4}});
        }
        GUFO_TRY(add(name, {.sums = *sumBytes, .counts = *countBytes}));
    }
    const Metadata& metadata = model->metadata;
    m_chunks = metadata.uint("imatrix.chunk_count");
    if (const ArrayView* names = metadata.array("imatrix.datasets")) {
        Bytes rest = names->bytes;
        for (std::uint64_t i = 0; i < std::min(names->length, kMaxDatasets); ++i) {
            const auto element = valueAt(names->elementType, rest, names->layout);
            const auto text = element ? asString(element->value) : std::nullopt;
            if (!text) {
                break;
            }
            m_datasets.emplace_back(*text);
            rest = rest.subspan(element->bytes);
        }
    }
    return {};
}

Result<> Imatrix::readLegacy(const JobContext& job) {
    const auto bytes = GUFO_TRY(m_source->view({0, m_source->size()}));
    Walk walk(bytes);
    const auto entries = GUFO_TRY(walk.number(Detail::EntryCount));
    if (entries <= 0) {
        return fail(ErrorCode::NotImatrix);
    }
    if (static_cast<std::uint64_t>(entries) > walk.left() / kMinEntryBytes) {
        return fail(ErrorCode::CountTooLarge, Place::atOffset(0), {Detail::Entries, entries, walk.left()});
    }
    for (std::int32_t i = 0; i < entries; ++i) {
        GUFO_TRY(job.check());
        auto name = GUFO_TRY(walk.text(Detail::EntryName));
        const auto counts = walk.take(4, Detail::EntryCalls);
        const Place place = walk.place();
        const auto values = walk.number(Detail::EntrySize);
        if (!counts || !values) {
            return std::unexpected(counts ? values.error() : counts.error());
        }
        if (*values <= 0 || static_cast<std::uint64_t>(*values) > walk.left() / 4) {
            return fail(ErrorCode::CountTooLarge, place, {Detail::Values, *values, walk.left()});
        }
        const Bytes sums = *walk.take(4ULL * static_cast<std::uint64_t>(*values), Detail::EntryValues);
        GUFO_TRY(add(std::move(name), {.sums = sums, .counts = *counts}));
    }
    // The oldest files end here, and nothing depends on what follows.
    if (const auto chunks = walk.number(Detail::ChunkCount); chunks && *chunks > 0) {
        m_chunks = static_cast<std::uint64_t>(*chunks);
    }
    if (auto dataset = walk.text(Detail::DatasetName); dataset && !dataset->empty()) {
        m_datasets.push_back(std::move(*dataset));
    }
    return {};
}

std::vector<std::string_view> Imatrix::names() const {
    std::vector<std::string_view> names;
    for (const auto& [name, entry] : m_entries) {
        names.emplace_back(name);
    }
    return names;
}

double Imatrix::countAt(const Entry& entry, std::uint64_t i) const {
    const std::byte* at = entry.counts.data() + 4 * i;
    return m_legacy ? static_cast<double>(load<std::int32_t>(at, m_order))
                    : static_cast<double>(load<float>(at, m_order));
}

Result<std::optional<Imatrix::Values>> Imatrix::values(std::string_view tensor) const {
    const auto found = m_entries.find(tensor);
    if (found == m_entries.end()) {
        return std::nullopt;
    }
    const auto isValid = [](double value) { return std::isfinite(value) && value >= 0; };
    Values values;
    for (std::uint64_t i = 0; i < found->second.counts.size() / 4; ++i) {
        values.counts.push_back(countAt(found->second, i));
    }
    for (std::uint64_t i = 0; i < found->second.sums.size() / 4; ++i) {
        values.sums.push_back(static_cast<double>(load<float>(found->second.sums.data() + 4 * i, m_order)));
    }
    if (!std::ranges::all_of(values.counts, isValid)) {
        return invalid(tensor, Detail::ImatrixBadCount);
    }
    if (!std::ranges::all_of(values.sums, isValid)) {
        return invalid(tensor, Detail::ImatrixBadValue);
    }
    return values;
}

std::string_view Imatrix::entryFor(std::string_view tensor) const {
    if (const auto own = m_entries.find(tensor); own != m_entries.end()) {
        return own->first;
    }
    for (const SameInputsRow& row : kSameInputs) {
        const std::size_t at = tensor.find(row.wanted);
        if (at == std::string_view::npos) {
            continue;
        }
        std::string name(tensor);
        name.replace(at, row.wanted.size(), row.instead);
        if (const auto other = m_entries.find(name); other != m_entries.end()) {
            return other->first;
        }
    }
    return {};
}

const Imatrix::Entry* Imatrix::find(std::string_view tensor) const {
    const std::string_view name = entryFor(tensor);
    return name.empty() ? nullptr : &m_entries.find(name)->second;
}

Result<> Imatrix::check(const TensorInfo& tensor) const {
    const Entry* const entry = find(tensor.name);
    if (entry == nullptr) {
        return {};
    }
    const std::uint64_t values = entry->sums.size() / 4;
    const std::uint64_t columns = tensor.shape[0];
    const std::uint64_t all = columns * matricesOf(tensor); // at most the number of its weights
    if (columns == 0 || (values != columns && values != all)) {
        return invalid(tensor.name, {Detail::ImatrixOtherModel, {values, columns}});
    }
    return {};
}

Result<std::vector<float>> Imatrix::importance(const TensorInfo& tensor, std::uint64_t matrix) const {
    const Entry* const found = find(tensor.name);
    if (found == nullptr) {
        return std::vector<float>();
    }
    GUFO_TRY(check(tensor));
    const Entry& entry = *found;
    const std::uint64_t columns = tensor.shape[0];
    const bool shared = entry.sums.size() / 4 == columns;
    const std::uint64_t first = shared ? 0 : matrix * columns;
    // There is one count for all sums or one for each part of them.
    const std::uint64_t perCount = entry.sums.size() / entry.counts.size();
    const double count = countAt(entry, first / perCount);
    if (!std::isfinite(count) || count < 0) {
        return invalid(tensor.name, Detail::ImatrixBadCount);
    }
    std::vector<float> values(columns);
    for (std::uint64_t i = 0; i < columns; ++i) {
        const double sum = load<float>(entry.sums.data() + (first + i) * 4, m_order);
        values[i] = static_cast<float>(count > 0 ? sum / count : sum);
        if (!std::isfinite(values[i]) || values[i] < 0) {
            return invalid(tensor.name, Detail::ImatrixBadValue);
        }
    }
    const bool unused = count == 0 && !m_legacy; // no token was ever routed to this matrix
    if (unused || std::ranges::all_of(values, [](float value) { return value == 0; })) {
        values.clear();
    }
    return values;
}

Result<Imatrix::MatrixCounts> Imatrix::countMatrices(const TensorInfo& tensor) const {
    MatrixCounts counts{.all = matricesOf(tensor)};
    const Entry* const found = find(tensor.name);
    if (found == nullptr) {
        return counts;
    }
    GUFO_TRY(check(tensor));
    const bool shared = found->sums.size() / 4 == tensor.shape[0];
    for (std::uint64_t matrix = 0; matrix < (shared ? std::min<std::uint64_t>(1, counts.all) : counts.all); ++matrix) {
        const auto values = GUFO_TRY(importance(tensor, matrix));
        counts.given += values.empty() ? 0 : shared ? counts.all : 1;
    }
    return counts;
}

} // namespace gufo
