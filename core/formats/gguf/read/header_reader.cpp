#include "formats/gguf/read/header_reader.h"

#include "base/checked.h"
#include "base/detail.h"
#include "formats/gguf/read/reader_limits.h"
#include "model/finding_code.h"

#include <algorithm>
#include <array>

namespace gufo::gguf {
namespace {

constexpr std::uint64_t kAfterVersion = 8; // magic and version
constexpr std::uint32_t kUsualAlignment = 32;
constexpr std::uint32_t kDraftAlignment = 64;
constexpr std::uint64_t kTensorsPerStopCheck = 4096;
constexpr std::uint64_t kTensorsReserved = 8192; // upper bound, because a declared count proves nothing

struct DialectFact {
    Dialect dialect;
    std::uint64_t smallestKeyValue; // bytes of an empty key with a one-byte value
    std::uint64_t smallestTensor;   // bytes of a record without name and dimensions
};
constexpr auto kDialects = std::to_array<DialectFact>({
    {Dialect::Draft1, 4 + 4 + 4 + 1, 4 + 4 + 4 + 4 + 8},
    {Dialect::Version1, 4 + 4 + 1, 4 + 4 + 4 + 8},
    {Dialect::Version2, 8 + 4 + 1, 8 + 4 + 4 + 8},
});

} // namespace

HeaderReader::HeaderReader(Model& model, FindingList& findings, const JobContext& job, Dialect dialect)
    : m_model(model)
    , m_findings(findings)
    , m_job(job)
    , m_dialect(dialect)
    , m_cursor({}, 0, model.layout) {}

Result<> HeaderReader::read(Bytes bytes) {
    m_cursor = Cursor(bytes, kAfterVersion, m_model.layout);
    const DialectFact& fact = kDialects[static_cast<std::size_t>(m_dialect)];
    const std::uint64_t tensorCountOffset = m_cursor.position();
    const std::uint64_t tensors = m_cursor.length(Detail::Header);
    const std::uint64_t keyCountOffset = m_cursor.position();
    const std::uint64_t keys = m_cursor.length(Detail::Header);
    if (!checkCount(Detail::Tensors, tensors, fact.smallestTensor, kMaxTensors, tensorCountOffset) ||
        !checkCount(Detail::KeyValues, keys, fact.smallestKeyValue, kMaxKeyValues, keyCountOffset)) {
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
                                  keysLeft * fact.smallestKeyValue + tensorsLeft * fact.smallestTensor)
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
