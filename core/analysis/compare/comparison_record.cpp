#include "analysis/compare/comparison_record.h"

#include <type_traits>

namespace gufo {
namespace {

constexpr std::uint64_t kMagic = 0x31504D434F465547; // "GUFOCMP1"
// 2: views whose weights have the same bytes are identical.
constexpr std::uint64_t kVersion = 2;
constexpr std::size_t kMinRecord = 100; // lower bound in bytes, which limits the counts that a file can claim

// FNV-1a over bytes. It detects damage, not forgery.
std::uint64_t checkSum(Bytes bytes) {
    std::uint64_t sum = 0xCBF2'9CE4'8422'2325;
    for (const std::byte byte : bytes) {
        sum = (sum ^ static_cast<std::uint64_t>(byte)) * 0x100'0000'01B3;
    }
    return sum;
}

// Lists the fields of a record once, for both reading and writing.
template<typename Stream>
void fields(Stream& stream, ComparisonKey& key) {
    stream(key.offsetA, key.firstA, key.offsetB, key.firstB, key.weights, key.typeA, key.typeB);
}
template<typename Stream>
void fields(Stream& stream, PairSums& sums) {
    stream(sums.pairs, sums.excluded, sums.equal, sums.aa, sums.bb, sums.ab, sums.ee, sums.absolute, sums.bias,
           sums.maximum, sums.maximumIndex);
}
template<typename Stream>
void fields(Stream& stream, ErrorProfile::Octave& octave) {
    stream(octave.exponent, octave.pairs, octave.squares, octave.errorSquares);
}
template<typename Stream>
void fields(Stream& stream, ErrorProfile::ErrorBin& bin) {
    stream(bin.lower, bin.upper, bin.pairs);
}
template<typename Stream>
void fields(Stream& stream, TensorComparison& comparison) {
    stream(comparison.identical, comparison.truncated);
    fields(stream, comparison.sums);
    stream.list(comparison.profile.octaves);
    stream.list(comparison.profile.errors);
}

class Writer {
public:
    template<typename... T>
    void operator()(T... values) {
        (put(values), ...);
    }
    template<typename T>
    void list(std::vector<T>& items) {
        put(std::uint64_t{items.size()});
        for (T& item : items) {
            fields(*this, item);
        }
    }
    std::vector<std::byte> bytes;

private:
    template<typename T>
    void put(T value) {
        bytes.resize(bytes.size() + sizeof value);
        store(bytes.data() + bytes.size() - sizeof value, value);
    }
};

class Reader {
public:
    explicit Reader(Bytes bytes)
        : m_bytes(bytes) {}

    template<typename... T>
    void operator()(T&... values) {
        (take(values), ...);
    }
    template<typename T>
    void list(std::vector<T>& items) {
        std::uint64_t count = 0;
        take(count);
        if (count > m_bytes.size()) { // each item takes more than one byte
            m_good = false;
            return;
        }
        items.resize(m_good ? count : 0);
        for (T& item : items) {
            fields(*this, item);
        }
    }
    [[nodiscard]] bool good() const { return m_good; }
    [[nodiscard]] std::size_t left() const { return m_bytes.size(); }

private:
    template<typename T>
    void take(T& value) {
        if (m_bytes.size() < sizeof value) {
            m_good = false;
            return;
        }
        if constexpr (std::is_same_v<T, bool>) {
            value = m_bytes[0] != std::byte{0};
        } else {
            value = load<T>(m_bytes.data());
        }
        m_bytes = m_bytes.subspan(sizeof value);
    }

    Bytes m_bytes;
    bool m_good = true;
};

} // namespace

ComparisonKey keyOf(const PartOf& a, const PartOf& b) {
    const TensorInfo& from = a.model->tensor(a.part.tensor);
    const TensorInfo& to = b.model->tensor(b.part.tensor);
    return {.offsetA = from.offset,
            .firstA = a.part.firstWeight,
            .offsetB = to.offset,
            .firstB = b.part.firstWeight,
            .weights = a.part.weights(),
            .typeA = from.typeId,
            .typeB = to.typeId};
}

std::vector<std::byte> writeRecords(const ComparisonRecords& records, const FileNumbers& files) {
    Writer writer;
    writer(kMagic, kVersion);
    for (const std::uint64_t number : files) {
        writer(number);
    }
    writer(std::uint64_t{records.size()});
    for (const auto& [key, comparison] : records) {
        ComparisonKey storedKey = key;
        TensorComparison copy = comparison;
        fields(writer, storedKey);
        fields(writer, copy);
    }
    writer(checkSum(writer.bytes));
    return std::move(writer.bytes);
}

ComparisonRecords readRecords(Bytes bytes, const FileNumbers& files) {
    constexpr std::size_t kSum = sizeof(std::uint64_t);
    if (bytes.size() < kSum ||
        load<std::uint64_t>(bytes.data() + bytes.size() - kSum) != checkSum(bytes.first(bytes.size() - kSum))) {
        return {};
    }
    Reader reader(bytes.first(bytes.size() - kSum));
    std::uint64_t magic = 0;
    std::uint64_t version = 0;
    FileNumbers found{};
    reader(magic, version);
    for (std::uint64_t& number : found) {
        reader(number);
    }
    std::uint64_t count = 0;
    reader(count);
    if (!reader.good() || magic != kMagic || version != kVersion || found != files ||
        count > reader.left() / kMinRecord) {
        return {};
    }
    ComparisonRecords records;
    for (std::uint64_t i = 0; i < count && reader.good(); ++i) {
        ComparisonKey key;
        TensorComparison comparison;
        fields(reader, key);
        fields(reader, comparison);
        records.emplace_hint(records.end(), key, std::move(comparison));
    }
    return reader.good() && reader.left() == 0 ? records : ComparisonRecords();
}

} // namespace gufo
