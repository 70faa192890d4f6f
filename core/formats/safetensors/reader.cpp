#include "formats/safetensors/reader.h"

#include "base/detail.h"
#include "base/json_reader.h"
#include "formats/file_start.h"
#include "formats/safetensors/data_types.h"
#include "formats/shard_index.h"
#include "model/finding_code.h"
#include "model/finding_list.h"
#include "model/metadata_builder.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace gufo::safetensors {
namespace {

using Token = JsonReader::Token;

constexpr std::string_view kMetadata = "__metadata__";
constexpr std::uint64_t kMaxTensors = 262'144;
constexpr std::uint64_t kMaxKeyValues = 65'536;
constexpr std::size_t kTensorsPerStopCheck = 1024;
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
    Result<> readType(TensorInfo& tensor);
    Result<> readShape(TensorInfo& tensor);
    Result<> readOffsets(TensorInfo& tensor);
    Result<> finishTensor(TensorInfo& tensor, bool hasType, bool hasShape, bool hasOffsets);
    Result<> checkLayout();
    Result<std::uint64_t> readNumber();
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

// The text of the string that was just read. A string without escapes is viewed in the file.
std::string_view HeaderReader::keepText() {
    const std::string& text = m_json.text();
    const std::string_view written = m_header.substr(m_json.tokenBegin() + 1, text.size());
    return written == text ? written : m_metadata.keep(text);
}

Result<> HeaderReader::read() {
    if (auto members = readMembers(); !members) {
        return members;
    }
    for (const TensorIndex duplicate : m_model.indexTensors()) {
        return malformed(m_model.tensor(duplicate).name, Detail::DuplicateTensorName);
    }
    return checkLayout();
}

Result<> HeaderReader::readMembers() {
    if (auto start = m_json.expect(Token::ObjectStart, Detail::SchemaObjectExpected); !start) {
        return start;
    }
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
        if (auto tensor = readTensor(name); !tensor) {
            return tensor;
        }
        m_model.tensors.back().recordOffset = record;
        return {};
    };
    if (auto members = m_json.readMembers(member); !members) {
        return members;
    }
    return m_json.expect(Token::End, Detail::EndOfText);
}

Result<> HeaderReader::readMetadata() {
    if (auto start = m_json.expect(Token::ObjectStart, Detail::SchemaObjectExpected); !start) {
        return start;
    }
    return m_json.readMembers([&]() -> Result<> {
        const std::size_t begin = m_json.tokenBegin();
        const std::string_view key = keepText();
        const auto value = m_json.next();
        if (!value) {
            return std::unexpected(value.error());
        }
        if (*value != Token::String) {
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

Result<> HeaderReader::readTensor(std::string_view name) {
    if (auto start = m_json.expect(Token::ObjectStart, Detail::SchemaObjectExpected); !start) {
        return start;
    }
    TensorInfo tensor{.name = name};
    bool hasType = false;
    bool hasShape = false;
    bool hasOffsets = false;
    const auto member = [&]() -> Result<> {
        const std::string& key = m_json.text();
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
    if (auto members = m_json.readMembers(member); !members) {
        return members;
    }
    return finishTensor(tensor, hasType, hasShape, hasOffsets);
}

Result<> HeaderReader::readType(TensorInfo& tensor) {
    if (auto text = m_json.expect(Token::String, Detail::TypeName); !text) {
        return text;
    }
    const TensorTypeInfo* type = findDataType(m_json.text());
    if (type == nullptr) {
        return malformed(tensor.name, Argument(Detail::UnknownDataType, {m_json.text()}));
    }
    tensor.typeId = type->id;
    return {};
}

Result<std::uint64_t> HeaderReader::readNumber() {
    if (auto number = m_json.expect(Token::Number, Detail::WholeNumber); !number) {
        return std::unexpected(number.error());
    }
    std::uint64_t value = 0;
    const std::string& text = m_json.text();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
        return m_json.expected(Detail::WholeNumber);
    }
    return value;
}

// The file has the slowest dimension first.
Result<> HeaderReader::readShape(TensorInfo& tensor) {
    if (auto start = m_json.expect(Token::ArrayStart, Detail::List); !start) {
        return start;
    }
    std::vector<std::uint64_t> dims;
    while (true) {
        JsonReader ahead = m_json;
        const auto token = ahead.next();
        if (!token) {
            return std::unexpected(token.error());
        }
        if (*token == Token::ArrayEnd) {
            m_json = std::move(ahead);
            std::ranges::reverse(dims);
            tensor.shape = Shape(dims);
            return {};
        }
        const auto dim = readNumber();
        if (!dim) {
            return std::unexpected(dim.error());
        }
        dims.push_back(*dim);
        if (dims.size() > Shape::kMaxDimensions) {
            return fail(ErrorCode::TooManyDimensions, Place::tensor(std::string(tensor.name)),
                        {dims.size(), Shape::kMaxDimensions});
        }
    }
}

// Stores the range as offset and present bytes, which finishTensor() checks.
Result<> HeaderReader::readOffsets(TensorInfo& tensor) {
    if (auto start = m_json.expect(Token::ArrayStart, Detail::List); !start) {
        return start;
    }
    const auto begin = readNumber();
    const auto end = begin ? readNumber() : begin;
    if (!end) {
        return std::unexpected(end.error());
    }
    if (*end < *begin) {
        return malformed(tensor.name, Detail::RangeReversed);
    }
    tensor.declaredOffset = *begin;
    tensor.bytesPresent = *end - *begin;
    return m_json.expect(Token::ArrayEnd, Detail::CommaOrBracket);
}

Result<> HeaderReader::finishTensor(TensorInfo& tensor, bool hasType, bool hasShape, bool hasOffsets) {
    if (!hasType || !hasShape || !hasOffsets) {
        return malformed(tensor.name, Detail::TensorMembersMissing);
    }
    const auto weights = tensor.shape.weights();
    const TensorTypeInfo& type = *tensor.type();
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
    if (tensor.name.empty()) {
        m_findings.add(FindingCode::TensorNameEmpty, Place::atOffset(kLengthBytes + m_json.tokenBegin()));
    }
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
    const auto lengthBytes = file->view({0, kLengthBytes});
    if (!lengthBytes) {
        return std::unexpected(lengthBytes.error());
    }
    const auto length = load<std::uint64_t>(lengthBytes->data());
    if (length > kMaxHeader) {
        return fail(ErrorCode::LimitExceeded, Place::atOffset(0), {Detail::HeaderBytes, length, kMaxHeader});
    }
    if (length > file->size() - kLengthBytes) {
        return truncated(Detail::Header, length, file->size() - kLengthBytes);
    }
    file->advise({0, kLengthBytes + length}, Access::WillNeed);
    const auto header = file->view({kLengthBytes, length});
    if (!header) {
        return std::unexpected(header.error());
    }
    auto model = std::make_shared<Model>();
    model->container = kContainer;
    model->files.push_back({.source = file,
                            .path = file->path(),
                            .headerBytes = kLengthBytes + length,
                            .dataOffset = kLengthBytes + length,
                            .alignment = 0});
    FindingList findings;
    const std::string_view json(reinterpret_cast<const char*>(header->data()), header->size());
    if (auto read = HeaderReader(*model, findings, job, json).read(); !read) {
        return std::unexpected(std::move(read).error());
    }
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
    auto model = read(std::move(file), job);
    if (!model) {
        return model;
    }
    const auto name = parseShardName((*model)->path().filename(), kSuffix);
    return name && name->count > 1 ? shard_index::openSet(*std::move(model), *name, kSuffix, job) : model;
}

} // namespace gufo::safetensors
