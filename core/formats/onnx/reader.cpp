#include "formats/onnx/reader.h"

#include "base/checked.h"
#include "base/detail.h"
#include "base/protobuf_reader.h"
#include "formats/file_start.h"
#include "formats/signatures.h"
#include "model/finding_code.h"
#include "model/finding_list.h"
#include "model/metadata_builder.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>

namespace gufo::onnx {
namespace {

using Field = ProtobufReader::Field;
using Wire = ProtobufReader::Wire;

constexpr std::size_t kMaxTensors = 262'144;
constexpr std::size_t kMaxKeys = 16'384;
constexpr std::size_t kMaxListed = 10'000; // names of inputs and outputs
constexpr std::size_t kMaxDataFiles = 1'000;
constexpr std::size_t kFieldsPerStopCheck = 4'096;
constexpr std::uint64_t kMaxSigned = std::numeric_limits<std::int64_t>::max();

constexpr std::uint64_t kMaxDecodedBytes = 64U << 20U; // of all lists of varints: these are for small tensors

// TensorProto.DataType, and the list of numbers that may hold such values: 4 and 10 (float_data, double_data) as they
// are in memory, 5, 7 and 11 (int32_data, int64_data, uint64_data) as varints.
struct DataType {
    std::string_view name; // ONNX's
    std::string_view row;  // name in the table of tensor types; empty: there is none
    std::uint32_t listField = 0;
    [[nodiscard]] bool listsVarints() const { return listField == 5 || listField == 7 || listField == 11; }
};
constexpr auto kTypes = std::to_array<DataType>({
    {"UNDEFINED", ""},
    {"FLOAT", "F32", 4},
    {"UINT8", "U8", 5},
    {"INT8", "I8", 5},
    {"UINT16", "U16", 5},
    {"INT16", "I16", 5},
    {"INT32", "I32", 5},
    {"INT64", "I64", 7},
    {"STRING", ""},
    {"BOOL", "BOOL", 5},
    {"FLOAT16", "F16", 5},
    {"DOUBLE", "F64", 10},
    {"UINT32", "U32", 11},
    {"UINT64", "U64", 11},
    {"COMPLEX64", "C64", 4},
    {"COMPLEX128", "C128", 10},
    {"BFLOAT16", "BF16", 5},
    {"FLOAT8E4M3FN", "F8_E4M3", 5},
    {"FLOAT8E4M3FNUZ", "F8_E4M3FNUZ", 5},
    {"FLOAT8E5M2", "F8_E5M2", 5},
    {"FLOAT8E5M2FNUZ", "F8_E5M2FNUZ", 5},
    {"UINT4", ""},
    {"INT4", ""},
    {"FLOAT4E2M1", "F4"},
    {"FLOAT8E8M0", "F8_E8M0", 5},
});

const TensorTypeInfo* tableType(const DataType& type) {
    const auto types = tensorTypes();
    const auto info = std::ranges::find(types, type.row, &TensorTypeInfo::name);
    return !type.row.empty() && info != types.end() ? &*info : nullptr;
}

std::optional<std::uint64_t> numberOf(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// A TensorProto as it is written.
struct Initialiser {
    std::string_view name;
    std::uint64_t type = 0;
    std::vector<std::uint64_t> dims; // the slowest first
    std::optional<ByteRange> raw;
    std::map<std::uint32_t, ByteRange> lists; // by field; only those written as one packed list
    bool external = false;
    std::string_view location;
    std::uint64_t offset = 0;
    std::optional<std::uint64_t> length;
    std::uint64_t record = 0;
};

class Reader {
public:
    Reader(Model& model, FindingList& findings, Bytes bytes, const JobContext& job, const SourceOpener& openFile)
        : m_model(model)
        , m_findings(findings)
        , m_bytes(bytes)
        , m_job(job)
        , m_openFile(openFile)
        , m_metadata(model) {}

    Result<> read();

private:
    // Calls `use` for each field of a message, which returns Result<>.
    template<typename Use>
    Result<> eachField(ByteRange message, Use&& use);
    Result<> readModelField(const Field& field);
    Result<> readOperatorSet(ByteRange message);
    Result<> readGraph(ByteRange message);
    Result<> readInitialiser(ByteRange message);
    Result<> readExternal(ByteRange message, Initialiser& initialiser);
    Result<std::pair<std::string_view, std::string_view>> readPair(ByteRange message);
    Result<std::string_view> nameIn(ByteRange message);
    Result<> addTensor(const Initialiser& initialiser);
    Result<> findData(const Initialiser& initialiser, const DataType& type, TensorInfo& tensor);
    void findExternal(const Initialiser& initialiser, TensorInfo& tensor);
    Result<> findVarints(ByteRange list, TensorInfo& tensor);
    void addDecoded();
    std::optional<FileIndex> externalFile(std::string_view location);

    [[nodiscard]] std::string_view textOf(ByteRange range) const {
        return {reinterpret_cast<const char*>(m_bytes.data() + range.offset), range.length};
    }
    void addText(const std::string& key, ByteRange text) {
        if (text.length != 0 && m_model.metadata.size() < kMaxKeys) {
            m_metadata.addView(key, textOf(text));
        }
    }
    void addNumber(const std::string& key, std::uint64_t value) {
        if (m_model.metadata.size() < kMaxKeys) {
            m_metadata.add(key, OwnedValue(static_cast<std::int64_t>(value)));
        }
    }
    void missing(const TensorInfo& tensor, std::string_view where) {
        m_findings.add(FindingCode::StorageMissing, Place::tensor(std::string(tensor.name)), {where});
    }

    Model& m_model;
    FindingList& m_findings;
    Bytes m_bytes;
    const JobContext& m_job;
    const SourceOpener& m_openFile;
    MetadataBuilder m_metadata;
    std::size_t m_fields = 0;
    bool m_hasGraph = false;
    std::vector<std::byte> m_decoded;          // numbers of lists of varints
    std::vector<std::size_t> m_decodedTensors; // that are in it
    std::map<std::string_view, std::optional<FileIndex>> m_external;
};

template<typename Use>
Result<> Reader::eachField(ByteRange message, Use&& use) {
    ProtobufReader reader(m_bytes, message);
    while (true) {
        if (++m_fields % kFieldsPerStopCheck == 0 && m_job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const auto field = reader.next();
        if (!field) {
            return std::unexpected(field.error());
        }
        if (!*field) {
            return {};
        }
        if (Result<> used = use(**field); !used) {
            return used;
        }
    }
}

Result<> Reader::read() {
    const auto fields = eachField({0, m_bytes.size()}, [&](const Field& field) { return readModelField(field); });
    if (fields && !m_hasGraph) {
        return fail(ErrorCode::Malformed, Place::atOffset(0), {Detail::NoGraph});
    }
    addDecoded();
    return fields;
}

Result<> Reader::readModelField(const Field& field) {
    if (field.is(1, Wire::Varint)) {
        addNumber("ir_version", field.value);
    } else if (field.is(2, Wire::Delimited)) {
        addText("producer_name", field.bytes);
    } else if (field.is(3, Wire::Delimited)) {
        addText("producer_version", field.bytes);
    } else if (field.is(4, Wire::Delimited)) {
        addText("domain", field.bytes);
    } else if (field.is(5, Wire::Varint)) {
        addNumber("model_version", field.value);
    } else if (field.is(6, Wire::Delimited)) {
        addText("doc_string", field.bytes);
    } else if (field.is(7, Wire::Delimited)) {
        m_hasGraph = true;
        return readGraph(field.bytes);
    } else if (field.is(8, Wire::Delimited)) {
        return readOperatorSet(field.bytes);
    } else if (field.is(14, Wire::Delimited)) {
        const auto pair = readPair(field.bytes);
        if (!pair) {
            return std::unexpected(pair.error());
        }
        if (m_model.metadata.size() < kMaxKeys) {
            m_metadata.addView("metadata_props." + std::string(pair->first), pair->second);
        }
    }
    return {};
}

Result<> Reader::readOperatorSet(ByteRange message) {
    std::string_view domain;
    std::uint64_t version = 0;
    auto read = eachField(message, [&](const Field& field) -> Result<> {
        if (field.is(1, Wire::Delimited)) {
            domain = textOf(field.bytes);
        } else if (field.is(2, Wire::Varint)) {
            version = field.value;
        }
        return {};
    });
    if (read) {
        addNumber("opset_import." + std::string(domain.empty() ? "ai.onnx" : domain), version);
    }
    return read;
}

Result<std::pair<std::string_view, std::string_view>> Reader::readPair(ByteRange message) {
    std::pair<std::string_view, std::string_view> pair;
    const auto read = eachField(message, [&](const Field& field) -> Result<> {
        if (field.is(1, Wire::Delimited)) {
            pair.first = textOf(field.bytes);
        } else if (field.is(2, Wire::Delimited)) {
            pair.second = textOf(field.bytes);
        }
        return {};
    });
    return read ? Result<std::pair<std::string_view, std::string_view>>(pair) : std::unexpected(read.error());
}

// The name of an input or output, the first field of a ValueInfoProto.
Result<std::string_view> Reader::nameIn(ByteRange message) {
    const auto pair = readPair(message); // its second field is the type, a message that is skipped
    return pair ? Result<std::string_view>(pair->first) : std::unexpected(pair.error());
}

Result<> Reader::readGraph(ByteRange message) {
    std::uint64_t nodes = 0;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    const auto read = eachField(message, [&](const Field& field) -> Result<> {
        if (field.wire != Wire::Delimited) {
            return {};
        }
        switch (field.number) {
        case 1:
            ++nodes;
            return {};
        case 2:
            addText("graph.name", field.bytes);
            return {};
        case 5:
            return readInitialiser(field.bytes);
        case 10:
            addText("graph.doc_string", field.bytes);
            return {};
        case 11:
        case 12: {
            const auto name = nameIn(field.bytes);
            std::vector<std::string>& names = field.number == 11 ? inputs : outputs;
            if (name && names.size() < kMaxListed) {
                names.emplace_back(*name);
            }
            return name ? Result<>() : std::unexpected(name.error());
        }
        default:
            return {};
        }
    });
    addNumber("graph.nodes", nodes);
    for (const auto& [key, names] : {std::pair("graph.inputs", &inputs), std::pair("graph.outputs", &outputs)}) {
        if (!names->empty() && m_model.metadata.size() < kMaxKeys) {
            m_metadata.add(key, OwnedValue::strings(*names));
        }
    }
    return read;
}

Result<> Reader::readInitialiser(ByteRange message) {
    Initialiser initialiser{.record = message.offset};
    const auto addDim = [&](std::uint64_t dim) -> Result<> {
        initialiser.dims.push_back(dim);
        return initialiser.dims.size() <= Shape::kMaxDimensions
                   ? Result<>()
                   : fail(ErrorCode::TooManyDimensions, Place::atOffset(message.offset),
                          {initialiser.dims.size(), Shape::kMaxDimensions});
    };
    const auto read = eachField(message, [&](const Field& field) -> Result<> {
        if (field.is(1, Wire::Varint)) {
            return addDim(field.value);
        }
        if (field.is(1, Wire::Delimited)) {
            ProtobufReader packed(m_bytes, field.bytes);
            while (true) {
                const auto dim = packed.nextPacked();
                if (!dim || !*dim) {
                    return dim ? Result<>() : std::unexpected(dim.error());
                }
                if (auto added = addDim(**dim); !added) {
                    return added;
                }
            }
        }
        if (field.is(2, Wire::Varint)) {
            initialiser.type = field.value;
        } else if (field.is(8, Wire::Delimited)) {
            initialiser.name = textOf(field.bytes);
        } else if (field.is(9, Wire::Delimited)) {
            initialiser.raw = field.bytes;
        } else if (field.is(13, Wire::Delimited)) {
            return readExternal(field.bytes, initialiser);
        } else if (field.is(14, Wire::Varint)) {
            initialiser.external = field.value == 1;
        } else if (field.wire == Wire::Delimited) {
            initialiser.lists[field.number] = field.bytes;
        }
        return {};
    });
    return read ? addTensor(initialiser) : read;
}

Result<> Reader::readExternal(ByteRange message, Initialiser& initialiser) {
    const auto pair = readPair(message);
    if (!pair) {
        return std::unexpected(pair.error());
    }
    if (pair->first == "location") {
        initialiser.location = pair->second;
    } else if (pair->first == "offset") {
        initialiser.offset = numberOf(pair->second).value_or(std::numeric_limits<std::uint64_t>::max());
    } else if (pair->first == "length") {
        initialiser.length = numberOf(pair->second);
    }
    return {};
}

Result<> Reader::addTensor(const Initialiser& initialiser) {
    if (m_model.tensors.size() == kMaxTensors) {
        return fail(ErrorCode::LimitExceeded, Place::atOffset(initialiser.record),
                    {Detail::Tensors, kMaxTensors + 1, kMaxTensors});
    }
    std::vector<std::uint64_t> dims(initialiser.dims.rbegin(), initialiser.dims.rend());
    const Shape shape(dims);
    const auto weights = shape.weights();
    const DataType* type = initialiser.type < kTypes.size() ? &kTypes[initialiser.type] : nullptr;
    const TensorTypeInfo* info = type != nullptr ? tableType(*type) : nullptr;
    const auto bytes = info != nullptr && weights && *weights <= kMaxSigned
                           ? checkedMultiply((*weights + info->blockSize - 1) / info->blockSize, info->blockBytes)
                           : std::nullopt;
    if (!bytes || *bytes > kMaxSigned) {
        const std::string name(initialiser.name);
        m_findings.add(FindingCode::TensorNotUnderstood, Place::tensor(name), {name});
        return {};
    }
    TensorInfo tensor{.name = initialiser.name, .typeId = info->id, .ownType = type->name};
    tensor.shape = shape;
    tensor.bytes = bytes;
    tensor.recordOffset = initialiser.record;
    if (auto found = findData(initialiser, *type, tensor); !found) {
        return found;
    }
    tensor.declaredOffset = tensor.offset;
    m_model.tensors.push_back(tensor);
    return {};
}

// The data are bytes in the file, a packed list of numbers (the same bytes), or a list of varints.
Result<> Reader::findData(const Initialiser& initialiser, const DataType& type, TensorInfo& tensor) {
    if (initialiser.external) {
        findExternal(initialiser, tensor);
        return {};
    }
    const auto list = type.listField != 0 ? initialiser.lists.find(type.listField) : initialiser.lists.end();
    const bool isListed = !initialiser.raw && list != initialiser.lists.end();
    if (isListed && type.listsVarints() && *tensor.bytes != 0) {
        return findVarints(list->second, tensor);
    }
    const std::optional<ByteRange> data = isListed ? std::optional(list->second) : initialiser.raw;
    if (!data && *tensor.bytes != 0) {
        missing(tensor, "raw_data");
    } else if (data && data->length < *tensor.bytes) {
        m_findings.add(FindingCode::TensorOutsideStorage, Place::tensor(std::string(tensor.name)),
                       {*tensor.bytes, data->length});
    } else {
        tensor.offset = data ? data->offset : 0;
        tensor.bytesPresent = *tensor.bytes;
    }
    return {};
}

// Appends the decoded numbers to m_decoded, from which addDecoded() makes a file. Each takes at least one byte of the
// list.
Result<> Reader::findVarints(ByteRange list, TensorInfo& tensor) {
    const std::uint64_t width = tensor.type()->blockBytes;
    const std::uint64_t start = m_decoded.size();
    if (*tensor.bytes > kMaxDecodedBytes - start) {
        missing(tensor, "raw_data");
        return {};
    }
    ProtobufReader packed(m_bytes, list);
    while (m_decoded.size() - start < *tensor.bytes) {
        const auto number = packed.nextPacked();
        if (!number) {
            return std::unexpected(number.error());
        }
        if (!*number) { // there are too few
            m_findings.add(FindingCode::TensorOutsideStorage, Place::tensor(std::string(tensor.name)),
                           {*tensor.bytes, m_decoded.size() - start});
            m_decoded.resize(start);
            return {};
        }
        for (std::uint64_t i = 0; i < width; ++i) {
            m_decoded.push_back(static_cast<std::byte>(**number >> (8 * i)));
        }
    }
    tensor.offset = start;
    tensor.bytesPresent = *tensor.bytes;
    m_decodedTensors.push_back(m_model.tensors.size()); // where it will be
    return {};
}

// The decoded numbers become a further file of the model, in memory.
void Reader::addDecoded() {
    if (m_decoded.empty()) {
        return;
    }
    const std::filesystem::path& path = m_model.files[0].path;
    const FileIndex index(m_model.files.size());
    m_model.files.push_back(
        {.source = std::make_shared<MemorySource>(std::move(m_decoded), path), .path = path, .alignment = 0});
    for (const std::size_t tensor : m_decodedTensors) {
        m_model.tensors[tensor].file = index;
    }
}

void Reader::findExternal(const Initialiser& initialiser, TensorInfo& tensor) {
    const auto file = externalFile(initialiser.location);
    if (!file) {
        missing(tensor, initialiser.location);
        return;
    }
    const std::uint64_t size = m_model.files[file->value].source->size();
    const std::uint64_t length = initialiser.length.value_or(*tensor.bytes);
    if (length < *tensor.bytes || !fits({initialiser.offset, *tensor.bytes}, size)) {
        m_findings.add(FindingCode::TensorOutsideStorage, Place::tensor(std::string(tensor.name)),
                       {checkedAdd(initialiser.offset, *tensor.bytes).value_or(*tensor.bytes), size});
        return;
    }
    tensor.file = *file;
    tensor.offset = initialiser.offset;
    tensor.bytesPresent = *tensor.bytes;
}

std::optional<FileIndex> Reader::externalFile(std::string_view location) {
    const auto known = m_external.find(location);
    if (known != m_external.end()) {
        return known->second;
    }
    std::optional<FileIndex> index;
    if (m_external.size() < kMaxDataFiles) {
        const std::filesystem::path folder = m_model.files[0].path.parent_path();
        auto source = openInFolder(folder, location, m_openFile);
        if (source) {
            index = FileIndex(m_model.files.size());
            m_model.files.push_back({.source = *std::move(source), .path = folder / location, .alignment = 0});
        } else if (source.error().code == ErrorCode::InvalidArgument) {
            m_findings.add(FindingCode::IndexLeadsOutside, Place::fileName(std::string(location)), {location});
        }
    }
    m_external.emplace(location, index);
    return index;
}

} // namespace

Result<std::shared_ptr<const Model>> read(std::shared_ptr<const ByteSource> file, const JobContext& job,
                                          const SourceOpener& openFile) {
    const auto start = startOf(*file);
    if (!start) {
        return std::unexpected(start.error());
    }
    if (!signature::isOnnx(*start)) { // a file of another format that is named like a model
        return std::unexpected(notAModel(std::as_bytes(std::span(start->bytes)), file->path()));
    }
    const auto bytes = file->view({0, file->size()});
    if (!bytes) {
        return std::unexpected(bytes.error());
    }
    auto model = std::make_shared<Model>();
    model->container = kContainer;
    model->files.push_back({.source = file, .path = file->path(), .alignment = 0});
    FindingList findings;
    auto read = Reader(*model, findings, *bytes, job, openFile).read();
    if (const auto damage = file->damage()) { // before any other error, because what was parsed may have been zeros
        return std::unexpected(*damage);
    }
    if (!read) {
        return std::unexpected(std::move(read).error().in(file->path()));
    }
    for (const TensorIndex duplicate : model->indexTensors()) {
        const std::string name(model->tensor(duplicate).name);
        findings.add(FindingCode::DuplicateTensorName, Place::tensor(name), {name});
    }
    model->findings = std::move(findings).take();
    return model;
}

} // namespace gufo::onnx
