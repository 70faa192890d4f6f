#include "formats/gguf/read/header_reader.h"

#include "base/checked.h"
#include "base/detail.h"
#include "formats/gguf/read/reader_limits.h"
#include "formats/gguf/read/string_walk.h"
#include "model/finding_code.h"

#include <algorithm>
#include <array>

namespace gufo::gguf {
namespace {

constexpr std::uint64_t kElementsPerStep = 524'288;              // between checks of the stop token
constexpr std::uint64_t kReleaseStep = std::uint64_t{64} << 20U; // bytes walked before their pages are released
constexpr std::uint64_t kCostOfNestedArray = 8;                  // counted in walked elements
constexpr std::uint64_t kFetched = std::uint64_t{64} << 10U;     // prefetched for records whose size is unknown
constexpr std::uint64_t kLongString = 16;                        // bytes; longer than most tokens and merges

// The expected size of the next string of an array in which `strings` strings have `bytes` bytes together. It is a
// little less than the average, because fetching too much costs more than another request.
std::uint64_t likelyBytes(std::uint64_t bytes, std::uint64_t strings, std::uint64_t minimum) {
    constexpr std::uint64_t kEnough = 256; // strings for an average
    return strings < kEnough ? minimum : std::max(minimum, bytes / strings * 9 / 10);
}

template<typename T>
Value numberOf(Cursor& cursor) {
    return Value(cursor.number<T>(Detail::Value));
}

constexpr std::uint64_t kAfterVersion = 8; // magic and version
constexpr std::uint32_t kUsualAlignment = 32;
constexpr std::uint32_t kDraftAlignment = 64;
constexpr std::uint64_t kTensorsPerStopCheck = 4096;
constexpr std::uint64_t kTensorsReserved = 8192; // upper bound, because a declared count proves nothing

struct DialectRow {
    Dialect dialect;
    std::uint64_t smallestKeyValue; // bytes of an empty key with a one-byte value
    std::uint64_t smallestTensor;   // bytes of a record without name and dimensions
};
constexpr auto kDialects = std::to_array<DialectRow>({
    {Dialect::Draft1, 4 + 4 + 4 + 1, 4 + 4 + 4 + 4 + 8},
    {Dialect::Version1, 4 + 4 + 1, 4 + 4 + 4 + 8},
    {Dialect::Version2, 8 + 4 + 1, 8 + 4 + 4 + 8},
});

} // namespace

// ---- values ---------------------------------------------------------------------------------------------------------

// Reads one value of the key-value section: numbers by value, strings and arrays as views. Arrays are checked to lie
// within the file, element by element if their elements vary in size.
class ValueReader {
public:
    ValueReader(Cursor& cursor, const ByteSource& source, FindingList& findings, const JobContext& job);

    // Reads the value of `key`, which has type `type` and starts at the cursor. If it cannot be read, the cursor has
    // failed and the value is meaningless.
    Value read(std::string_view key, ValueType type);

    // After a failure: a lower bound, or for an array of strings an estimate, of the length of the input that the value
    // would need. 0 if the cursor knows it.
    [[nodiscard]] std::uint64_t needed() const { return m_needed; }

    // Called before each record. Prefetches, without waiting, about as much as will be read. Otherwise the kernel would
    // read ahead around the first byte touched, which on some machines means megabytes of tensor data.
    void fetchMore();

private:
    void fetch(std::uint64_t bytes);
    ArrayView readArray(unsigned depth);
    void walkStrings(std::uint64_t count);
    void checkBooleans(const ArrayView& array);
    bool spend(std::uint64_t elements, std::uint64_t offset);

    Cursor& m_cursor;
    const ByteSource& m_source;
    FindingList& m_findings;
    const JobContext& m_job;
    std::string_view m_key;
    std::uint64_t m_walked = 0; // elements walked so far, limited to kMaxWalkedElements
    std::uint64_t m_releasedTo; // offset in the source
    std::uint64_t m_fetchedTo;  // offset in the source
    std::uint64_t m_needed = 0;
};

ValueReader::ValueReader(Cursor& cursor, const ByteSource& source, FindingList& findings, const JobContext& job)
    : m_cursor(cursor)
    , m_source(source)
    , m_findings(findings)
    , m_job(job)
    , m_releasedTo(cursor.position())
    , m_fetchedTo(cursor.position()) {}

void ValueReader::fetch(std::uint64_t bytes) {
    const std::uint64_t end = m_cursor.position() + std::min(bytes, m_cursor.left());
    if (end > m_fetchedTo) {
        const std::uint64_t begin = std::max(m_cursor.position(), m_fetchedTo);
        m_source.advise({begin, end - begin}, Access::WillNeed);
        m_fetchedTo = end;
    }
}

void ValueReader::fetchMore() {
    if (m_cursor.position() + kFetched / 2 > m_fetchedTo) {
        fetch(kFetched);
    }
}

Value ValueReader::read(std::string_view key, ValueType type) {
    m_key = key;
    switch (type) {
    case ValueType::UInt8:
        return numberOf<std::uint8_t>(m_cursor);
    case ValueType::Int8:
        return numberOf<std::int8_t>(m_cursor);
    case ValueType::UInt16:
        return numberOf<std::uint16_t>(m_cursor);
    case ValueType::Int16:
        return numberOf<std::int16_t>(m_cursor);
    case ValueType::UInt32:
        return numberOf<std::uint32_t>(m_cursor);
    case ValueType::Int32:
        return numberOf<std::int32_t>(m_cursor);
    case ValueType::Float32:
        return numberOf<float>(m_cursor);
    case ValueType::UInt64:
        return numberOf<std::uint64_t>(m_cursor);
    case ValueType::Int64:
        return numberOf<std::int64_t>(m_cursor);
    case ValueType::Float64:
        return numberOf<double>(m_cursor);
    case ValueType::String:
        return m_cursor.string(Detail::Value);
    case ValueType::Array:
        return readArray(1);
    case ValueType::Bool:
        break;
    }
    const BoolValue flag{m_cursor.number<std::uint8_t>(Detail::Value)};
    if (flag.raw > 1) {
        m_findings.add(FindingCode::BoolNotZeroOrOne, Place::key(std::string(key)), {flag.raw});
    }
    return flag;
}

ArrayView ValueReader::readArray(unsigned depth) {
    const std::uint64_t start = m_cursor.position();
    const ValueLayout layout = m_cursor.layout();
    if (m_cursor.failed()) {
        return {};
    }
    if (m_cursor.left() < layout.arrayHeadBytes()) {
        m_cursor.fail(ErrorCode::Truncated, start, {Detail::Array, layout.arrayHeadBytes(), m_cursor.left()});
        return {};
    }
    const std::byte* head = m_cursor.rest().data();
    const ValueTypeFact* element = findValueType(layout.loadElementType(head));
    if (element == nullptr) {
        m_cursor.fail(ErrorCode::UnknownValueType, start, {layout.loadElementType(head)});
        return {};
    }
    m_cursor.skip(layout.arrayHeadBytes());
    ArrayView array{.elementType = element->type,
                    .length = layout.loadArrayLength(head),
                    .bytes = m_cursor.rest(),
                    .layout = layout};
    const std::uint64_t smallest = element->bytes != 0                  ? element->bytes
                                   : element->type == ValueType::String ? layout.lengthBytes()
                                                                        : layout.arrayHeadBytes();
    if (array.length > m_cursor.left() / smallest) {
        const auto bytes = checkedMultiply(array.length, smallest);
        m_needed = bytes ? checkedAdd(m_cursor.position(), *bytes).value_or(UINT64_MAX) : UINT64_MAX;
        m_cursor.fail(ErrorCode::ArrayTooLong, start, {array.length, m_cursor.left()});
        return {};
    }
    const std::uint64_t likely = element->type == ValueType::String ? smallest + kLongString : smallest;
    fetch(array.length * likely); // at most five times the bytes left
    if (element->bytes != 0) {
        m_cursor.skip(array.length * element->bytes);
    } else if (spend(element->type == ValueType::Array ? array.length * kCostOfNestedArray : array.length, start)) {
        if (element->type == ValueType::String) {
            walkStrings(array.length);
        } else if (depth == kMaxArrayDepth) {
            m_cursor.fail(ErrorCode::NestingTooDeep, start, {kMaxArrayDepth});
        } else {
            for (std::uint64_t i = 0; i < array.length && !m_cursor.failed(); ++i) {
                readArray(depth + 1);
            }
        }
    }
    if (m_cursor.failed()) {
        return {};
    }
    array.bytes = array.bytes.first(m_cursor.position() - (start + layout.arrayHeadBytes()));
    if (element->type == ValueType::Bool && spend(array.length, start)) {
        checkBooleans(array);
    }
    return array;
}

void ValueReader::walkStrings(std::uint64_t count) {
    std::uint64_t done = 0;
    const std::uint64_t begin = m_cursor.position();
    while (done < count) {
        if (m_job.stopRequested()) {
            m_cursor.fail(ErrorCode::Cancelled, m_cursor.position(), {});
            return;
        }
        const ValueLayout layout = m_cursor.layout();
        const std::uint64_t step = std::min(kElementsPerStep, count - done);
        const StringWalk walk = gguf::walkStrings(m_cursor.rest(), step, layout);
        m_cursor.skip(walk.bytes);
        done += walk.strings;
        if (m_cursor.position() - m_releasedTo > kReleaseStep) {
            m_source.advise({m_releasedTo, m_cursor.position() - m_releasedTo}, Access::Release);
            m_releasedTo = m_cursor.position();
        }
        if (walk.strings != step) {
            const std::uint64_t bytesLeft = m_cursor.left();
            const std::uint64_t each = likelyBytes(m_cursor.position() - begin, done, layout.lengthBytes());
            const auto rest = checkedMultiply(count - done, each);
            m_needed = rest ? checkedAdd(m_cursor.position(), *rest).value_or(UINT64_MAX) : UINT64_MAX;
            if (bytesLeft < layout.lengthBytes()) {
                m_cursor.fail(ErrorCode::Truncated, m_cursor.position(),
                              {Detail::String, layout.lengthBytes(), bytesLeft}, done);
            } else {
                m_cursor.fail(
                    ErrorCode::StringTooLong, m_cursor.position(),
                    {Detail::Element, layout.loadLength(m_cursor.rest().data()), bytesLeft - layout.lengthBytes()},
                    done);
            }
            return;
        }
    }
}

void ValueReader::checkBooleans(const ArrayView& array) {
    const auto odd = std::ranges::find_if(array.bytes, [](std::byte flag) { return flag > std::byte{1}; });
    if (odd != array.bytes.end()) {
        m_findings.add(FindingCode::BoolNotZeroOrOne,
                       Place::key(std::string(m_key), static_cast<std::uint64_t>(odd - array.bytes.begin())),
                       {std::to_integer<unsigned>(*odd)});
    }
}

bool ValueReader::spend(std::uint64_t elements, std::uint64_t offset) {
    m_walked += elements; // both are below 2^62, so the sum cannot overflow
    if (m_walked > kMaxWalkedElements) {
        m_cursor.fail(ErrorCode::LimitExceeded, offset, {Detail::ArrayElements, m_walked, kMaxWalkedElements});
        return false;
    }
    return true;
}

// ---- the header -----------------------------------------------------------------------------------------------------

HeaderReader::HeaderReader(Model& model, FindingList& findings, const JobContext& job, Dialect dialect)
    : m_model(model)
    , m_findings(findings)
    , m_job(job)
    , m_dialect(dialect)
    , m_cursor({}, 0, model.layout) {}

Result<> HeaderReader::read(Bytes bytes) {
    m_cursor = Cursor(bytes, kAfterVersion, m_model.layout);
    const DialectRow& row = kDialects[static_cast<std::size_t>(m_dialect)];
    const std::uint64_t tensorCountOffset = m_cursor.position();
    const std::uint64_t tensors = m_cursor.length(Detail::Header);
    const std::uint64_t keyCountOffset = m_cursor.position();
    const std::uint64_t keys = m_cursor.length(Detail::Header);
    if (!checkCount(Detail::Tensors, tensors, row.smallestTensor, kMaxTensors, tensorCountOffset) ||
        !checkCount(Detail::KeyValues, keys, row.smallestKeyValue, kMaxKeyValues, keyCountOffset)) {
        return std::unexpected(m_cursor.takeError());
    }
    std::uint64_t keysLeft = keys;
    std::uint64_t tensorsLeft = tensors;
    ValueReader values(m_cursor, *m_model.files[0].source, m_findings, m_job);
    for (std::uint64_t i = 0; i < keys && !m_cursor.failed(); ++i) {
        values.fetchMore();
        readKeyValue(values);
        --keysLeft;
    }
    if (m_dialect == Dialect::Draft1) {
        skipDraftPadding();
    }
    m_model.tensors.reserve(std::min(tensors, kTensorsReserved));
    for (std::uint64_t i = 0; i < tensors && !m_cursor.failed(); ++i) {
        if (i % kTensorsPerStopCheck == 0 && m_job.stopRequested()) {
            m_cursor.fail(ErrorCode::Cancelled, m_cursor.position(), {});
        } else {
            values.fetchMore();
            readTensor();
            --tensorsLeft;
        }
    }
    if (m_cursor.failed()) {
        // The counts were checked against the input, so that the products cannot overflow.
        m_leastBytes = checkedAdd(std::max(values.needed(), m_cursor.needed()),
                                  keysLeft * row.smallestKeyValue + tensorsLeft * row.smallestTensor)
                           .value_or(UINT64_MAX);
        return std::unexpected(m_cursor.takeError());
    }
    m_model.files[0].headerBytes = m_cursor.position();
    readAlignment();
    return {};
}

bool HeaderReader::checkCount(Detail what, std::uint64_t count, std::uint64_t smallest, std::uint64_t limit,
                              std::uint64_t offset) {
    if (!m_cursor.failed() && count > m_cursor.left() / smallest) {
        m_leastBytes = checkedMultiply(count, smallest).value_or(UINT64_MAX);
        m_cursor.fail(ErrorCode::CountTooLarge, offset, {what, count, m_cursor.left()});
    }
    if (!m_cursor.failed() && count > limit) {
        m_cursor.fail(ErrorCode::LimitExceeded, offset, {what, count, limit});
    }
    return !m_cursor.failed();
}

void HeaderReader::readKeyValue(ValueReader& values) {
    const std::uint64_t start = m_cursor.position();
    m_cursor.enter(Place::Kind::File, {});
    const std::string_view key = m_cursor.string(Detail::Key);
    m_cursor.enter(Place::Kind::Key, key);
    const std::uint32_t declaredBytes =
        m_dialect == Dialect::Draft1 ? m_cursor.number<std::uint32_t>(Detail::Value) : 0;
    const std::uint64_t typeOffset = m_cursor.position();
    const auto typeId = m_cursor.number<std::uint32_t>(Detail::Value);
    if (m_cursor.failed()) {
        return;
    }
    const ValueTypeFact* type = findValueType(typeId);
    if (type == nullptr) {
        m_cursor.fail(ErrorCode::UnknownValueType, typeOffset, {typeId});
        return;
    }
    const std::uint64_t valueOffset = m_cursor.position();
    const Value value = values.read(key, type->type);
    if (m_cursor.failed()) {
        return;
    }
    if (m_dialect == Dialect::Draft1 && m_cursor.position() - valueOffset != declaredBytes) {
        m_cursor.fail(ErrorCode::Truncated, valueOffset,
                      {Detail::Value, declaredBytes, m_cursor.position() - valueOffset});
        return;
    }
    addKeyNameFindings(key, m_findings);
    if (type->sinceVersion > m_model.version) {
        m_findings.add(FindingCode::ValueTypeBeforeItsVersion, Place::key(std::string(key)),
                       {std::string(type->name), m_model.version});
    }
    const bool fresh = m_model.metadata.add(
        {.key = key, .value = value, .file = {}, .offset = start, .bytes = m_cursor.position() - start});
    if (!fresh) {
        m_findings.add(FindingCode::DuplicateKey, Place::key(std::string(key)), {std::string(key)});
    }
}

void HeaderReader::readAlignment() {
    std::uint32_t& alignment = m_model.files[0].alignment;
    alignment = m_dialect == Dialect::Draft1 ? kDraftAlignment : kUsualAlignment;
    const Value* value = m_model.metadata.find("general.alignment");
    if (value == nullptr || m_dialect == Dialect::Draft1) {
        return;
    }
    const Place place = Place::key("general.alignment");
    const auto* stored = std::get_if<std::uint32_t>(value);
    if (stored == nullptr) {
        m_findings.add(FindingCode::AlignmentWrongType, place, {std::string(valueTypeFact(typeOf(*value)).name)});
        return;
    }
    if (*stored == 0) {
        m_findings.add(FindingCode::AlignmentZero, place);
        return;
    }
    alignment = *stored;
    if ((alignment & (alignment - 1)) != 0) {
        m_findings.add(FindingCode::AlignmentNotPowerOfTwo, place, {alignment});
    }
    if (alignment % 8 != 0) {
        m_findings.add(FindingCode::AlignmentNotMultipleOf8, place, {alignment});
    }
    if (alignment > kLargestUsualAlignment) {
        m_findings.add(FindingCode::AlignmentHuge, place, {alignment});
    }
}

void HeaderReader::skipDraftPadding() {
    const std::uint64_t padding = kDraftAlignment - m_cursor.position() % kDraftAlignment;
    if (m_cursor.failed() || m_cursor.left() == 0) {
        return; // no tensors, and nothing after the key-values
    }
    const Bytes bytes = m_cursor.rest().first(std::min(padding, m_cursor.left()));
    if (bytes.size() < padding ||
        std::ranges::find_if(bytes, [](std::byte b) { return b != std::byte{0}; }) != bytes.end()) {
        m_cursor.fail(ErrorCode::Truncated, m_cursor.position(), {Detail::Padding, padding, m_cursor.left()});
        return;
    }
    m_cursor.skip(padding);
}

void HeaderReader::readTensor() {
    const std::uint64_t start = m_cursor.position();
    m_cursor.enter(Place::Kind::File, {});
    TensorInfo tensor{.name = m_cursor.string(Detail::TensorName), .recordOffset = start};
    m_cursor.enter(Place::Kind::Tensor, tensor.name);
    const std::uint64_t countOffset = m_cursor.position();
    const auto count = m_cursor.number<std::uint32_t>(Detail::Tensor);
    if (count > Shape::kMaxDimensions) {
        m_cursor.fail(ErrorCode::TooManyDimensions, countOffset, {count, Shape::kMaxDimensions});
        return;
    }
    std::array<std::uint64_t, Shape::kMaxDimensions> dims{};
    for (std::uint32_t i = 0; i < count; ++i) {
        dims[i] = m_cursor.length(Detail::Tensor);
    }
    tensor.shape = Shape(std::span(dims).first(count));
    if (m_dialect == Dialect::Draft1) {
        const std::uint64_t elementsOffset = m_cursor.position();
        const auto elements = m_cursor.number<std::uint32_t>(Detail::Tensor);
        const auto weights = tensor.shape.weights();
        if (weights && static_cast<std::uint32_t>(*weights) != elements) {
            m_cursor.fail(ErrorCode::CountTooLarge, elementsOffset, {Detail::Elements, elements, *weights});
        }
    }
    const std::uint64_t typeOffset = m_cursor.position();
    tensor.typeId = m_cursor.number<std::uint32_t>(Detail::Tensor);
    if (tensor.typeId >= kFirstContainerType && tensor.type() != nullptr) { // a number that no file may use
        m_cursor.fail(ErrorCode::NotSupported, typeOffset, {Argument(Detail::TensorTypeNumber, {tensor.typeId})});
    }
    tensor.declaredOffset = m_cursor.number<std::uint64_t>(Detail::Tensor);
    if (m_cursor.failed()) {
        return;
    }
    addTensorNameFindings(tensor.name, m_findings);
    if (count > kMaxRuntimeDimensions) {
        m_findings.add(FindingCode::TooManyDimensions, Place::tensor(std::string(tensor.name)), {count});
    }
    m_model.tensors.push_back(tensor);
}

} // namespace gufo::gguf
