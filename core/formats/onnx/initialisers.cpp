#include "formats/onnx/initialisers.h"

#include "base/checked.h"
#include "base/detail.h"
#include "base/protobuf_reader.h"
#include "model/finding_code.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace gufo::onnx {
namespace {

constexpr std::size_t kMaxTensors = 262'144;
constexpr std::size_t kMaxDataFiles = 1'000;
constexpr std::uint64_t kMaxSigned = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kMaxDecodedBytes = 64U << 20U; // of all lists of varints: these are for small tensors

// TensorProto.DataType.
struct DataTypeRow {
    std::string_view name;       // ONNX's
    std::string_view row;        // name in the table of tensor types; empty: there is none
    std::uint32_t listField = 0; // the list of numbers that may hold such values; 0: none
};
constexpr auto kTypes = std::to_array<DataTypeRow>({
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

const TensorTypeFact* tableType(const DataTypeRow& type) {
    const auto types = tensorTypes();
    const auto info = std::ranges::find(types, type.row, &TensorTypeFact::name);
    return !type.row.empty() && info != types.end() ? &*info : nullptr;
}

// The numbers of float_data (4) and double_data (10) are as in memory; the numbers of int32_data, int64_data and
// uint64_data are varints.
constexpr bool listsVarints(std::uint32_t field) { return field == 5 || field == 7 || field == 11; }

} // namespace

void Initialisers::missing(const TensorInfo& tensor, std::string_view where) {
    m_findings.add(FindingCode::StorageMissing, Place::tensor(std::string(tensor.name)), {where});
}

Result<> Initialisers::add(const Initialiser& initialiser) {
    if (m_model.tensors.size() == kMaxTensors) {
        return fail(ErrorCode::LimitExceeded, Place::atOffset(initialiser.record),
                    {Detail::Tensors, kMaxTensors + 1, kMaxTensors});
    }
    std::vector<std::uint64_t> dims(initialiser.dims.rbegin(), initialiser.dims.rend());
    const Shape shape(dims);
    const auto weights = shape.weights();
    const DataTypeRow* type = initialiser.type < kTypes.size() ? &kTypes[initialiser.type] : nullptr;
    const TensorTypeFact* info = type != nullptr ? tableType(*type) : nullptr;
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
    GUFO_TRY(findData(initialiser, type->listField, tensor));
    tensor.declaredOffset = tensor.offset;
    m_model.tensors.push_back(tensor);
    return {};
}

// The data are bytes in the file, a packed list of numbers (the same bytes), or a list of varints.
Result<> Initialisers::findData(const Initialiser& initialiser, std::uint32_t listField, TensorInfo& tensor) {
    if (initialiser.external) {
        findExternal(initialiser, tensor);
        return {};
    }
    const auto list = listField != 0 ? initialiser.lists.find(listField) : initialiser.lists.end();
    const bool isListed = !initialiser.raw && list != initialiser.lists.end();
    if (isListed && listsVarints(listField) && *tensor.bytes != 0) {
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

// Appends the decoded numbers to m_decoded, from which finish() makes a file. Each takes at least one byte of the
// list.
Result<> Initialisers::findVarints(ByteRange list, TensorInfo& tensor) {
    const std::uint64_t width = tensor.type()->blockBytes;
    const std::uint64_t start = m_decoded.size();
    if (*tensor.bytes > kMaxDecodedBytes - start) {
        missing(tensor, "raw_data");
        return {};
    }
    ProtobufReader packed(m_bytes, list);
    while (m_decoded.size() - start < *tensor.bytes) {
        const auto number = GUFO_TRY(packed.nextPacked());
        if (!number) { // there are too few
            m_findings.add(FindingCode::TensorOutsideStorage, Place::tensor(std::string(tensor.name)),
                           {*tensor.bytes, m_decoded.size() - start});
            m_decoded.resize(start);
            return {};
        }
        for (std::uint64_t i = 0; i < width; ++i) {
            m_decoded.push_back(static_cast<std::byte>(*number >> (8 * i)));
        }
    }
    tensor.offset = start;
    tensor.bytesPresent = *tensor.bytes;
    m_decodedTensors.push_back(m_model.tensors.size()); // where it will be
    return {};
}

// The decoded numbers become a further file of the model, in memory.
void Initialisers::finish() {
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

void Initialisers::findExternal(const Initialiser& initialiser, TensorInfo& tensor) {
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

std::optional<FileIndex> Initialisers::externalFile(std::string_view location) {
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

} // namespace gufo::onnx
