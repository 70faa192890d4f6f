#include "formats/gguf/read/value_reader.h"

#include "base/checked.h"
#include "base/detail.h"
#include "formats/gguf/read/reader_limits.h"
#include "formats/gguf/read/string_walk.h"
#include "model/finding_code.h"

#include <algorithm>

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

} // namespace

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

} // namespace gufo::gguf
