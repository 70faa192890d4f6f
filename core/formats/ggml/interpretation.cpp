#include "formats/ggml/interpretation.h"

#include "base/checked.h"
#include "base/detail.h"
#include "formats/ggml/families.h"
#include "formats/gguf/read/cursor.h"

#include <bit>
#include <cmath>
#include <limits>

namespace gufo::ggml {
namespace {

using Kind = HyperParameter::Kind;

constexpr std::uint64_t kMaxSigned = std::numeric_limits<std::int32_t>::max();
constexpr std::uint32_t kMaxDimensions = 4;
constexpr std::size_t kMaxTensors = 262'144;
constexpr std::size_t kMaxTokens = std::size_t{1} << 24U;
constexpr std::size_t kTensorsPerStopCheck = 1024;
constexpr std::size_t kTokensPerStopCheck = 65'536;
constexpr std::uint32_t kLayoutFactor = 1000;

class Interpreter {
public:
    Interpreter(Bytes file, std::uint64_t start, const Version& version, const Family& family, const JobContext& job)
        : m_fileBytes(file.size())
        , m_version(version)
        , m_family(family)
        , m_job(job)
        , m_cursor(file, start, {.lengths = ValueLayout::Lengths::U32}) {
        m_result.family = &family;
    }

    Result<Interpretation> read() {
        readHyperParameters();
        chooseLayout();
        if (m_family.melFilters) {
            readFilters();
        }
        if (m_family.vocabulary != VocabularyForm::None) {
            readVocabulary();
        }
        if (m_cursor.failed()) {
            return std::unexpected(m_cursor.takeError());
        }
        m_result.headerBytes = m_cursor.position();
        m_result.end = m_cursor.position();
        readTensors();
        if (m_result.broken && (m_result.tensors.empty() || m_result.broken->code == ErrorCode::Cancelled)) {
            return std::unexpected(*std::move(m_result.broken));
        }
        return std::move(m_result);
    }

private:
    void readHyperParameters();
    void chooseLayout();
    void readFilters();
    void readVocabulary();
    void readTensors();
    std::optional<TensorInfo> readTensor();
    std::optional<std::uint64_t> sizeOf(const TensorInfo& tensor, const TensorTypeFact& type, std::uint64_t record);

    void malformed(std::uint64_t offset, Argument why) {
        m_cursor.fail(ErrorCode::Malformed, offset, {std::move(why)});
    }
    void checkCount(std::string_view name, std::uint64_t value, std::uint64_t smallest, std::uint64_t offset) {
        if (!m_cursor.failed() && (value < smallest || value > kMaxSigned)) {
            const auto shown = static_cast<std::int32_t>(value);
            malformed(offset, Argument(Detail::HyperParameterUnusable, {name, shown}));
        }
    }

    std::uint64_t m_fileBytes;
    const Version& m_version;
    const Family& m_family;
    const JobContext& m_job;
    gguf::Cursor m_cursor;
    DataLayout m_layout = DataLayout::V1;
    Interpretation m_result;
};

void Interpreter::readHyperParameters() {
    for (const HyperParameter& parameter : m_family.hyperParameters) {
        const std::uint64_t offset = m_cursor.position();
        const auto bits = m_cursor.number<std::uint32_t>(Detail::Header);
        if (parameter.kind != Kind::Float) {
            checkCount(parameter.name, bits, parameter.kind == Kind::Count ? 1 : 0, offset);
        } else if (!std::isfinite(std::bit_cast<float>(bits))) {
            malformed(offset, Argument(Detail::HyperParameterUnusable, {parameter.name, bits}));
        }
        m_result.hyperParameters.push_back({bits, offset});
    }
    const std::uint32_t rotated = m_result.number("n_rot");
    if (m_family.rotatesWholeHeads && !m_cursor.failed() &&
        std::uint64_t{rotated} * m_result.number("n_head") != m_result.number("n_embd")) {
        malformed(m_cursor.position(), Argument(Detail::HyperParameterUnusable, {std::string_view("n_rot"), rotated}));
    }
}

void Interpreter::chooseLayout() {
    m_layout = m_version.layout;
    if (!m_version.layoutInFileType) {
        return;
    }
    const std::uint32_t fileType = m_result.number("ftype");
    const std::uint32_t layout = fileType / kLayoutFactor;
    if (layout > static_cast<std::uint32_t>(DataLayout::V3)) {
        malformed(m_result.hyperParameters.back().offset,
                  Argument(Detail::HyperParameterUnusable, {std::string_view("ftype"), fileType}));
        return;
    }
    m_layout = static_cast<DataLayout>(layout);
}

void Interpreter::readFilters() {
    auto& filters = m_result.filters;
    const std::uint64_t start = m_cursor.position();
    filters.mels = m_cursor.number<std::uint32_t>(Detail::Header);
    checkCount("n_mel", filters.mels, 1, start);
    filters.frequencies = m_cursor.number<std::uint32_t>(Detail::Header);
    checkCount("n_fft", filters.frequencies, 1, start + sizeof(std::uint32_t));
    if (m_cursor.failed()) {
        return;
    }
    // Both factors are below 2^31.
    const std::uint64_t values = std::uint64_t{filters.mels} * filters.frequencies;
    if (values > m_cursor.left() / sizeof(float)) {
        m_cursor.fail(ErrorCode::CountTooLarge, start, {Detail::Values, values, m_cursor.left()});
        return;
    }
    filters.offset = m_cursor.position();
    filters.values = m_cursor.rest().first(values * sizeof(float));
    m_cursor.skip(values * sizeof(float));
}

void Interpreter::readVocabulary() {
    std::uint64_t count = m_result.number("n_vocab");
    std::uint64_t offset = m_cursor.position();
    if (m_family.repeatsCount) {
        const std::uint64_t again = m_cursor.number<std::uint32_t>(Detail::Token);
        checkCount("n_vocab", again, 1, offset);
        // Whisper's vocabulary lacks the tokens that are not text.
        if (again != count && !(m_family.melFilters && again < count)) {
            malformed(offset, Argument(Detail::HyperParameterUnusable, {std::string_view("n_vocab"), again}));
        }
        count = again;
        offset = m_cursor.position();
    }
    const std::uint64_t smallest = sizeof(std::uint32_t) + (m_family.scores ? sizeof(float) : 0);
    if (!m_cursor.failed() && (count > m_cursor.left() / smallest || count > kMaxTokens)) {
        m_cursor.fail(ErrorCode::CountTooLarge, offset, {Detail::Tokens, count, m_cursor.left()});
    }
    for (std::uint64_t i = 0; i < count && !m_cursor.failed(); ++i) {
        Interpretation::Token token{.text = m_cursor.string(Detail::Token)};
        if (m_family.scores) {
            token.score = m_cursor.number<float>(Detail::Token);
        }
        m_result.tokens.push_back(token);
        if (i % kTokensPerStopCheck == 0 && m_job.stopRequested()) {
            m_cursor.fail(ErrorCode::Cancelled, m_cursor.position(), {});
        }
    }
}

void Interpreter::readTensors() {
    while (m_cursor.left() != 0) {
        if (m_result.tensors.size() == kMaxTensors) {
            m_cursor.fail(ErrorCode::LimitExceeded, m_cursor.position(),
                          {Detail::Tensors, kMaxTensors + 1, kMaxTensors});
        } else if (m_result.tensors.size() % kTensorsPerStopCheck == 0 && m_job.stopRequested()) {
            m_cursor.fail(ErrorCode::Cancelled, m_cursor.position(), {});
        }
        const auto tensor = readTensor();
        if (!tensor) {
            m_result.broken = m_cursor.takeError();
            return;
        }
        m_result.tensors.push_back(*tensor);
        // The padding before an empty tensor at the end of the file may be missing.
        m_result.end = std::min(tensor->offset + tensor->bytesPresent, m_fileBytes);
        if (!tensor->complete()) {
            return;
        }
        m_cursor.skip(m_result.end - m_cursor.position());
    }
}

// Leaves the cursor before the padding that may precede the data.
std::optional<TensorInfo> Interpreter::readTensor() {
    TensorInfo tensor;
    tensor.recordOffset = m_cursor.position();
    const auto dimensions = m_cursor.number<std::uint32_t>(Detail::Tensor);
    const auto nameBytes = m_cursor.number<std::uint32_t>(Detail::Tensor);
    const std::uint64_t typeOffset = m_cursor.position();
    const auto typeNumber = m_cursor.number<std::uint32_t>(Detail::Tensor);
    if (dimensions > kMaxDimensions) {
        m_cursor.fail(ErrorCode::TooManyDimensions, tensor.recordOffset, {dimensions, kMaxDimensions});
    }
    std::vector<std::uint64_t> dims;
    while (!m_cursor.failed() && dims.size() < dimensions) {
        const std::uint64_t offset = m_cursor.position();
        const auto dim = m_cursor.number<std::int32_t>(Detail::Tensor);
        if (dim < 0) {
            malformed(offset, Argument(Detail::DimensionNegative, {dim}));
        }
        dims.push_back(static_cast<std::uint64_t>(std::max(dim, 0)));
    }
    if (nameBytes > m_cursor.left()) {
        m_cursor.fail(ErrorCode::StringTooLong, tensor.recordOffset, {Detail::TensorName, nameBytes, m_cursor.left()});
    }
    if (m_cursor.failed()) {
        return std::nullopt;
    }
    const Bytes name = m_cursor.rest().first(nameBytes);
    m_cursor.skip(nameBytes);
    tensor.name = {reinterpret_cast<const char*>(name.data()), name.size()};
    tensor.shape = Shape(dims);
    m_cursor.enter(Place::Kind::Tensor, tensor.name);
    const StoredType type = storedType(typeNumber, m_layout, m_family.rwkvTypeNumbers);
    if (type.info == nullptr) {
        malformed(typeOffset, Argument(Detail::UnknownDataType,
                                       {type.name.empty() ? std::to_string(typeNumber) : std::string(type.name)}));
        return std::nullopt;
    }
    tensor.typeId = type.info->id;
    tensor.ownType = type.name;
    tensor.bytes = sizeOf(tensor, *type.info, tensor.recordOffset);
    if (!tensor.bytes) {
        return std::nullopt;
    }
    // The cursor is inside of the file, so adding a few bytes cannot overflow.
    tensor.offset = *checkedAlign(m_cursor.position(), std::max(m_family.padding, 1U));
    tensor.declaredOffset = tensor.offset - m_result.headerBytes;
    tensor.bytesPresent = std::min(*tensor.bytes, m_fileBytes - std::min(tensor.offset, m_fileBytes));
    return tensor;
}

std::optional<std::uint64_t> Interpreter::sizeOf(const TensorInfo& tensor, const TensorTypeFact& type,
                                                 std::uint64_t record) {
    if (tensor.shape[0] % type.blockSize != 0) {
        malformed(record, Argument(Detail::RowNotWholeBlocks, {tensor.shape[0], tensor.ownType, type.blockSize}));
        return std::nullopt;
    }
    const auto bytes = tensorBytes(type, tensor.shape);
    if (!bytes || *bytes > std::numeric_limits<std::int64_t>::max()) {
        malformed(record, Detail::SizeNotWholeBytes);
        return std::nullopt;
    }
    return bytes;
}

} // namespace

std::uint32_t Interpretation::number(std::string_view name) const {
    for (std::size_t i = 0; i < hyperParameters.size(); ++i) {
        if (family->hyperParameters[i].name == name) {
            return hyperParameters[i].bits;
        }
    }
    return 0;
}

Result<Interpretation> interpret(Bytes file, std::uint64_t start, const Version& version, const Family& family,
                                 const JobContext& job) {
    return Interpreter(file, start, version, family, job).read();
}

} // namespace gufo::ggml
