#include "formats/safetensors/reader.h"

#include "base/detail.h"
#include "base/json_reader.h"
#include "base/mapped_file.h"
#include "formats/detection/file_start.h"
#include "formats/sets/shard_index.h"
#include "model/finding_code.h"
#include "model/finding_list.h"
#include "model/metadata_builder.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace gufo::safetensors {
namespace {

using Token = JsonReader::Token;

constexpr std::string_view kMetadata = "__metadata__";
constexpr std::uint64_t kMaxTensors = 262'144;
constexpr std::uint64_t kMaxKeyValues = 65'536;
constexpr std::size_t kTensorsPerStopCheck = 1024;
constexpr std::size_t kBytesPerTensor = 96;     // roughly, in a header
constexpr std::size_t kTensorsReserved = 8'192; // at most, because a header may consist of other things
constexpr std::uint64_t kMaxSigned = std::numeric_limits<std::int64_t>::max();

class HeaderReader {
public:
    HeaderReader(Model& model, FindingList& findings, const JobContext& job, std::string_view header)
        : m_model(model)
        , m_findings(findings)
        , m_job(job)
        , m_header(header)
        , m_metadata(model)
        , m_json(header) {}

    Result<> read();

private:
    Result<> readMembers();
    Result<> readMetadata();
    Result<> readTensor(std::string_view name);
    [[nodiscard]] bool readUsualForm(TensorInfo& tensor);
    Result<> readType(TensorInfo& tensor);
    Result<> readShape(TensorInfo& tensor);
    Result<> readOffsets(TensorInfo& tensor);
    Result<> finishTensor(TensorInfo& tensor, bool hasType, bool hasShape, bool hasOffsets);
    Result<> checkLayout();
    Result<std::uint64_t> readNumber();
    [[nodiscard]] Result<std::uint64_t> numberIn(Token token) const;
    std::string_view keepText();

    [[nodiscard]] static std::unexpected<Error> malformed(std::string_view tensor, Argument why) {
        return fail(ErrorCode::Malformed, Place::tensor(std::string(tensor)), {std::move(why)});
    }
    [[nodiscard]] ModelFile& file() { return m_model.files[0]; }

    Model& m_model;
    FindingList& m_findings;
    const JobContext& m_job;
    std::string_view m_header;
    MetadataBuilder m_metadata;
    JsonReader m_json;
};

// The text of the string that was just read, which is viewed in the file if possible.
std::string_view HeaderReader::keepText() {
    const auto written = m_json.textInSource();
    return written ? *written : m_metadata.keep(m_json.text());
}

Result<> HeaderReader::read() {
    GUFO_TRY(readMembers());
    for (const TensorIndex duplicate : m_model.indexTensors()) {
        return malformed(m_model.tensor(duplicate).name, Detail::DuplicateTensorName);
    }
    return checkLayout();
}

Result<> HeaderReader::readMembers() {
    GUFO_TRY(m_json.expect(Token::ObjectStart, Detail::KeyObject));
    bool hasMetadata = false;
    const auto member = [&]() -> Result<> {
        if (m_model.tensors.size() % kTensorsPerStopCheck == 0 && m_job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const std::string_view name = keepText();
        if (name == kMetadata) {
            if (std::exchange(hasMetadata, true)) {
                return fail(ErrorCode::Malformed, Place::key(std::string(name)), {Detail::DuplicateKeyName});
            }
            return readMetadata();
        }
        if (m_model.tensors.size() == kMaxTensors) {
            return fail(ErrorCode::LimitExceeded, {}, {Detail::Tensors, kMaxTensors + 1, kMaxTensors});
        }
        const std::uint64_t record = kLengthBytes + m_json.tokenBegin();
        GUFO_TRY(readTensor(name));
        m_model.tensors.back().recordOffset = record;
        return {};
    };
    GUFO_TRY(m_json.readMembers(member));
    return m_json.expect(Token::End, Detail::EndOfText);
}

Result<> HeaderReader::readMetadata() {
    GUFO_TRY(m_json.expect(Token::ObjectStart, Detail::KeyObject));
    return m_json.readMembers([&]() -> Result<> {
        const std::size_t begin = m_json.tokenBegin();
        const std::string_view key = keepText();
        const auto value = GUFO_TRY(m_json.next());
        if (value != Token::String) {
            return fail(ErrorCode::Malformed, Place::key(std::string(key)), {Detail::MetadataNotText});
        }
        if (m_model.metadata.size() == kMaxKeyValues) {
            return fail(ErrorCode::LimitExceeded, {}, {Detail::KeyValues, kMaxKeyValues + 1, kMaxKeyValues});
        }
        const bool fresh = m_model.metadata.add({.key = key,
                                                 .value = keepText(),
                                                 .file = {},
                                                 .offset = kLengthBytes + begin,
                                                 .bytes = m_json.tokenEnd() - begin});
        if (!fresh) {
            return fail(ErrorCode::Malformed, Place::key(std::string(key)), {Detail::DuplicateKeyName});
        }
        if (key.empty()) {
            m_findings.add(FindingCode::EmptyKey, Place::atOffset(kLengthBytes + begin));
        }
        return {};
    });
}

// Reads numbers up to the closing bracket. Returns nothing if they are not written as usual: in digits, with commas and
// without spaces.
std::optional<std::size_t> takeNumbers(std::string_view& text, std::span<std::uint64_t> out) {
    std::size_t count = 0;
    while (!text.empty() && text.front() != ']') {
        if (count != 0) {
            if (text.front() != ',') {
                return std::nullopt;
            }
            text.remove_prefix(1);
        }
        if (count == out.size()) {
            return std::nullopt;
        }
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out[count]);
        const auto digits = static_cast<std::size_t>(end - text.data());
        if (error != std::errc() || (digits > 1 && text.front() == '0')) {
            return std::nullopt;
        }
        text.remove_prefix(digits);
        ++count;
    }
    return count;
}

// Reads a tensor that is written as all known writers do: {"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}. This
// takes a tenth of the time that tokens take. Returns false, and has read nothing, for every other form and for every
// mistake, which readTensor() then names.
bool HeaderReader::readUsualForm(TensorInfo& tensor) {
    std::string_view rest = m_header.substr(m_json.tokenEnd());
    const auto take = [&](std::string_view expected) {
        const bool is = rest.starts_with(expected);
        rest.remove_prefix(is ? expected.size() : 0);
        return is;
    };
    if (!take(R"({"dtype":")")) {
        return false;
    }
    const std::string_view name = rest.substr(0, rest.find('"'));
    const TensorTypeFact* type = findDataType(name);
    rest.remove_prefix(name.size());
    if (type == nullptr || !take(R"(","shape":[)")) {
        return false;
    }
    std::array<std::uint64_t, Shape::kMaxDimensions> dims{};
    const auto count = takeNumbers(rest, dims);
    std::array<std::uint64_t, 2> range{};
    if (!count || !take(R"(],"data_offsets":[)") || takeNumbers(rest, range) != range.size() || !take("]}") ||
        range[1] < range[0]) {
        return false;
    }
    const auto used = std::span(dims).first(*count);
    std::ranges::reverse(used);
    tensor.typeId = type->id;
    tensor.shape = Shape(used);
    tensor.declaredOffset = range[0];
    tensor.bytesPresent = range[1] - range[0];
    m_json.passValue(m_header.size() - rest.size());
    return true;
}

Result<> HeaderReader::readTensor(std::string_view name) {
    if (TensorInfo tensor{.name = name}; readUsualForm(tensor)) {
        return finishTensor(tensor, true, true, true);
    }
    GUFO_TRY(m_json.expect(Token::ObjectStart, Detail::KeyObject));
    TensorInfo tensor{.name = name};
    bool hasType = false;
    bool hasShape = false;
    bool hasOffsets = false;
    const auto member = [&]() -> Result<> {
        const std::string_view key = m_json.textView();
        if (key == "dtype") {
            return std::exchange(hasType, true) ? malformed(name, Detail::MemberTwice) : readType(tensor);
        }
        if (key == "shape") {
            return std::exchange(hasShape, true) ? malformed(name, Detail::MemberTwice) : readShape(tensor);
        }
        if (key == "data_offsets") {
            return std::exchange(hasOffsets, true) ? malformed(name, Detail::MemberTwice) : readOffsets(tensor);
        }
        return m_json.skipValue();
    };
    GUFO_TRY(m_json.readMembers(member));
    return finishTensor(tensor, hasType, hasShape, hasOffsets);
}

Result<> HeaderReader::readType(TensorInfo& tensor) {
    GUFO_TRY(m_json.expect(Token::String, Detail::TypeName));
    const TensorTypeFact* type = findDataType(m_json.textView());
    tensor.typeId = type != nullptr ? type->id : kUnknownDataType;
    tensor.ownType = type != nullptr ? std::string_view() : keepText();
    return {};
}

// The whole number that was just read.
Result<std::uint64_t> HeaderReader::numberIn(Token token) const {
    const std::string_view text = m_json.textView();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (token != Token::Number || error != std::errc() || end != text.data() + text.size()) {
        return m_json.expected(Detail::WholeNumber);
    }
    return value;
}

Result<std::uint64_t> HeaderReader::readNumber() {
    const auto token = GUFO_TRY(m_json.next());
    return numberIn(token);
}

// The file has the slowest dimension first.
Result<> HeaderReader::readShape(TensorInfo& tensor) {
    GUFO_TRY(m_json.expect(Token::ArrayStart, Detail::List));
    std::array<std::uint64_t, Shape::kMaxDimensions> dims{};
    std::size_t count = 0;
    const auto element = [&](Token token) -> Result<> {
        const auto dim = GUFO_TRY(numberIn(token));
        if (count == dims.size()) {
            return fail(ErrorCode::TooManyDimensions, Place::tensor(std::string(tensor.name)),
                        {count + 1, Shape::kMaxDimensions});
        }
        dims[count++] = dim;
        return {};
    };
    GUFO_TRY(m_json.readElements(element));
    const auto used = std::span(dims).first(count);
    std::ranges::reverse(used);
    tensor.shape = Shape(used);
    return {};
}

// Stores the range as offset and present bytes, which finishTensor() checks.
Result<> HeaderReader::readOffsets(TensorInfo& tensor) {
    GUFO_TRY(m_json.expect(Token::ArrayStart, Detail::List));
    const auto begin = readNumber();
    const auto end = GUFO_TRY(begin ? readNumber() : begin);
    if (end < *begin) {
        return malformed(tensor.name, Detail::RangeReversed);
    }
    tensor.declaredOffset = *begin;
    tensor.bytesPresent = end - *begin;
    return m_json.expect(Token::ArrayEnd, Detail::CommaOrBracket);
}

Result<> HeaderReader::finishTensor(TensorInfo& tensor, bool hasType, bool hasShape, bool hasOffsets) {
    if (!hasType || !hasShape || !hasOffsets) {
        return malformed(tensor.name, Detail::TensorMembersMissing);
    }
    if (tensor.name.empty()) {
        m_findings.add(FindingCode::TensorNameEmpty, Place::atOffset(kLengthBytes + m_json.tokenBegin()));
    }
    if (tensor.typeId == kUnknownDataType) { // a type that newer writers may have; its bytes are known all the same
        tensor.bytes = tensor.bytesPresent;
        tensor.bytesDerived = true;
        m_findings.add(FindingCode::UnknownTensorType, Place::tensor(std::string(tensor.name)), {tensor.ownType});
        m_model.tensors.push_back(tensor);
        return {};
    }
    const auto weights = tensor.shape.weights();
    const TensorTypeFact& type = *tensor.type();
    // Packed types follow each other over the ends of rows, so a tensor, but not each row, consists of whole bytes.
    const std::optional<std::uint64_t> bytes = weights && *weights <= kMaxSigned && *weights % type.blockSize == 0
                                                   ? checkedMultiply(*weights / type.blockSize, type.blockBytes)
                                                   : std::nullopt;
    if (!bytes) {
        return malformed(tensor.name, Detail::SizeNotWholeBytes);
    }
    if (*bytes != tensor.bytesPresent) {
        return malformed(tensor.name, Argument(Detail::SizeDiffers, {tensor.bytesPresent, *bytes}));
    }
    tensor.bytes = bytes;
    m_model.tensors.push_back(tensor);
    return {};
}

// The tensors must fill the data without gaps and overlaps.
Result<> HeaderReader::checkLayout() {
    std::vector<TensorInfo*> order;
    order.reserve(m_model.tensors.size());
    for (TensorInfo& tensor : m_model.tensors) {
        order.push_back(&tensor);
    }
    std::ranges::sort(order, {}, [](const TensorInfo* tensor) {
        return std::pair(tensor->declaredOffset, tensor->declaredOffset + tensor->bytesPresent);
    });
    const std::uint64_t there = file().source->size() - file().dataOffset;
    std::uint64_t end = 0;
    for (TensorInfo* tensor : order) {
        if (tensor->declaredOffset != end) {
            return malformed(tensor->name, tensor->declaredOffset < end ? Argument(Detail::TensorOverlaps)
                                                                        : Argument(Detail::GapBefore));
        }
        end = tensor->declaredOffset + tensor->bytesPresent; // readOffsets() has seen this sum
        if (end > there) {
            return fail(ErrorCode::Truncated, Place::tensor(std::string(tensor->name)),
                        {Detail::Tensor, tensor->bytesPresent, there - std::min(there, tensor->declaredOffset)});
        }
        tensor->offset = file().dataOffset + tensor->declaredOffset;
    }
    if (end != there) {
        return fail(ErrorCode::Malformed, Place::atOffset(file().dataOffset + end),
                    {Argument(Detail::BytesAfterTensors, {there - end})});
    }
    return {};
}

Result<std::shared_ptr<const Model>> readHeader(const std::shared_ptr<const ByteSource>& file, const JobContext& job) {
    const auto truncated = [&](Detail what, std::uint64_t needed, std::uint64_t left) {
        return fail(ErrorCode::Truncated, Place::atOffset(0), {what, needed, left});
    };
    if (file->size() < kLengthBytes) {
        return truncated(Detail::Header, kLengthBytes, file->size());
    }
    const auto lengthBytes = GUFO_TRY(file->view({0, kLengthBytes}));
    const auto length = load<std::uint64_t>(lengthBytes.data());
    if (length > kMaxHeader) {
        return fail(ErrorCode::LimitExceeded, Place::atOffset(0), {Detail::HeaderBytes, length, kMaxHeader});
    }
    if (length > file->size() - kLengthBytes) {
        return truncated(Detail::Header, length, file->size() - kLengthBytes);
    }
    if (kLengthBytes + length > MappedFile::kFetchedFirst) {
        file->advise({0, kLengthBytes + length}, Access::WillNeed);
    }
    const auto header = GUFO_TRY(file->view({kLengthBytes, length}));
    auto model = std::make_shared<Model>();
    model->container = kContainer;
    model->files.push_back({.source = file,
                            .path = file->path(),
                            .headerBytes = kLengthBytes + length,
                            .dataOffset = kLengthBytes + length,
                            .alignment = 0});
    FindingList findings;
    const std::string_view json(reinterpret_cast<const char*>(header.data()), header.size());
    model->tensors.reserve(std::min(header.size() / kBytesPerTensor, kTensorsReserved));
    GUFO_TRY(HeaderReader(*model, findings, job, json).read());
    model->findings = std::move(findings).take();
    return model;
}

} // namespace

Result<std::shared_ptr<const Model>> read(std::shared_ptr<const ByteSource> file, const JobContext& job) {
    auto model = readHeader(file, job);
    if (const auto damage = file->damage()) { // before any other error, because what was parsed may have been zeros
        return std::unexpected(*damage);
    }
    return model ? std::move(model) : std::unexpected(std::move(model).error().in(file->path()));
}

Result<std::shared_ptr<const Model>> open(std::shared_ptr<const ByteSource> file, const JobContext& job) {
    auto model = GUFO_TRY(read(std::move(file), job));
    const auto name = parseShardName(model->path().filename(), kSuffix);
    return name && name->count > 1 ? shard_index::openSet(std::move(model), *name, kSuffix, job) : model;
}

namespace {

// Dtype of the reference implementation (safetensors/src/tensor.rs), the most frequent first.
constexpr auto kNames = std::to_array<std::string_view>(
    {"BF16", "F16", "F32", "BOOL",    "U8",      "I8",      "I16", "U16",     "I32",     "U32",         "I64",
     "U64",  "F64", "C64", "F8_E4M3", "F8_E5M2", "F8_E8M0", "F4",  "F6_E2M3", "F6_E3M2", "F8_E4M3FNUZ", "F8_E5M2FNUZ"});

using Rows = std::array<const TensorTypeFact*, kNames.size()>;

Rows rowsOfNames() {
    Rows rows{};
    std::ranges::transform(kNames, rows.begin(), [](std::string_view name) -> const TensorTypeFact* {
        const auto row = std::ranges::find(tensorTypes(), name, &TensorTypeFact::name);
        return row != tensorTypes().end() ? &*row : nullptr;
    });
    return rows;
}

} // namespace

const TensorTypeFact* findDataType(std::string_view name) {
    static const Rows rows = rowsOfNames(); // a header names a type for each tensor
    const auto found = std::ranges::find(kNames, name);
    return found != kNames.end() ? rows[static_cast<std::size_t>(found - kNames.begin())] : nullptr;
}

} // namespace gufo::safetensors
