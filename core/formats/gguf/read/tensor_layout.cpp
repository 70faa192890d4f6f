#include "formats/gguf/read/tensor_layout.h"

#include "base/checked.h"
#include "formats/gguf/read/reader_limits.h"
#include "model/finding_code.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace gufo::gguf {
namespace {

constexpr std::uint64_t kMaxSigned = std::numeric_limits<std::int64_t>::max();

std::string shapeText(const Shape& shape) {
    std::string text;
    for (const std::uint64_t dim : shape.dims()) {
        text += (text.empty() ? "" : " × ") + std::to_string(dim);
    }
    return text;
}

// "type 36". The texts live as long as the program.
std::string_view numberOf(std::uint32_t typeId) {
    static const auto texts = [] {
        std::map<std::uint32_t, std::string> made;
        for (const TensorTypeInfo& type : tensorTypes()) {
            made.emplace(type.id, "type " + std::to_string(type.id));
        }
        return made;
    }();
    return texts.at(typeId);
}

class TensorLayout {
public:
    TensorLayout(Model& model, FindingList& findings, bool offsetsFromStart)
        : m_model(model)
        , m_findings(findings)
        , m_file(model.files[0])
        , m_fileBytes(m_file.source->size())
        , m_offsetsFromStart(offsetsFromStart) {}

    void run() {
        findDataStart();
        findAmbiguousTypes();
        for (TensorInfo& tensor : m_model.tensors) {
            size(tensor);
            place(tensor);
        }
        checkPacking();
        sortByOffset();
        deriveSizes();
        checkOverlaps();
        checkEnd();
    }

private:
    void findDataStart();
    void findAmbiguousTypes();
    [[nodiscard]] std::optional<std::uint64_t> spaceOf(std::size_t tensor) const;
    [[nodiscard]] bool isAmbiguous(const TensorInfo& tensor) const { return m_ambiguous.contains(tensor.typeId); }
    void size(TensorInfo& tensor);
    void place(TensorInfo& tensor);
    void checkPacking();
    void sortByOffset();
    void deriveSizes();
    void checkOverlaps();
    void checkEnd();

    void add(FindingCode code, const TensorInfo& tensor, Arguments args) {
        m_findings.add(code, Place::tensor(std::string(tensor.name)), std::move(args));
    }
    [[nodiscard]] std::uint64_t presentOf(std::uint64_t offset, std::uint64_t bytes) const {
        return offset < m_fileBytes ? std::min(bytes, m_fileBytes - offset) : 0;
    }

    Model& m_model;
    FindingList& m_findings;
    ModelFile& m_file;
    std::uint64_t m_fileBytes;
    bool m_offsetsFromStart;
    std::set<std::uint32_t> m_ambiguous;
    std::vector<TensorInfo*> m_placed; // tensors whose offset is representable, sorted by offset
};

void TensorLayout::findDataStart() {
    // The header ends within the file, so adding a 32-bit alignment cannot overflow.
    const std::uint64_t aligned = *checkedAlign(m_file.headerBytes, m_file.alignment);
    m_file.dataOffset = m_model.tensors.empty() ? m_file.headerBytes : aligned;
    // Beyond this limit, "padding" is whatever a hostile or damaged alignment skips, which can be gigabytes.
    const std::uint64_t end = std::min({aligned, m_fileBytes, m_file.headerBytes + kLargestUsualAlignment});
    const auto padding = m_file.source->view({m_file.headerBytes, end - m_file.headerBytes});
    if (padding) {
        const auto odd = std::ranges::count_if(*padding, [](std::byte b) { return b != std::byte{0}; });
        if (odd != 0) {
            m_findings.add(FindingCode::PaddingNotZero, Place::atOffset(m_file.headerBytes), {odd});
        }
    }
}

// The bytes from a tensor to the next one in the list, or to the end of the file. Nothing if it is not followed by it.
std::optional<std::uint64_t> TensorLayout::spaceOf(std::size_t tensor) const {
    const std::uint64_t begin = m_model.tensors[tensor].declaredOffset;
    if (tensor + 1 < m_model.tensors.size()) {
        const std::uint64_t next = m_model.tensors[tensor + 1].declaredOffset;
        return next >= begin && next % m_file.alignment == 0 ? std::optional(next - begin) : std::nullopt;
    }
    const auto offset = checkedAdd(begin, m_offsetsFromStart ? 0 : m_file.dataOffset);
    return offset && *offset <= m_fileBytes ? std::optional(m_fileBytes - *offset) : std::nullopt;
}

// Forks of ggml use numbers for types of their own (36 is I2_S in one of them), which later or earlier versions of ggml
// use for others. Such a file is sound, so damage must be excluded: the tensors follow each other, those of all other
// types have exactly their space, and no tensor of the type has its own. A type that runtimes still read needs two
// tensors as evidence, because one may merely be followed by a gap.
void TensorLayout::findAmbiguousTypes() {
    struct Evidence {
        std::size_t fits = 0;
        std::size_t contradicts = 0;
        // Of the last tensor of the file, which may have been cut off:
        bool lastIsShort = false;
        bool lastIsLong = false;
        std::size_t first = 0;
        std::size_t tensors = 0;
    };
    std::map<std::uint32_t, Evidence> types;
    for (std::size_t i = 0; i < m_model.tensors.size(); ++i) {
        const TensorInfo& tensor = m_model.tensors[i];
        const bool isLast = i + 1 == m_model.tensors.size();
        const auto space = spaceOf(i);
        if (!space && !isLast) {
            return;
        }
        const TensorTypeInfo* type = tensor.type();
        if (type == nullptr || !tensor.shape.weights()) {
            continue;
        }
        Evidence& evidence = types.try_emplace(tensor.typeId, Evidence{.first = i}).first->second;
        ++evidence.tensors;
        const auto bytes = tensorBytes(*type, tensor.shape);
        const auto padded = bytes ? checkedAlign(*bytes, m_file.alignment) : std::nullopt;
        if (isLast) {
            evidence.lastIsShort = space && *space > 0 && bytes && *bytes > *space;
            evidence.lastIsLong = space && (!bytes || (*bytes <= *space && *space - *bytes >= m_file.alignment));
        } else {
            ++(padded == space ? evidence.fits : evidence.contradicts);
        }
    }
    const auto isForeign = [](std::uint32_t id, const Evidence& evidence) {
        const TensorTypeInfo& type = *findTensorType(id);
        const bool isOld = type.origin != TensorTypeOrigin::Ggml;
        const std::size_t needed = isOld ? 1 : 2;
        // A short last tensor of a type that can be decoded is a sign of a file that was cut off.
        const bool lastCounts =
            isOld && (evidence.lastIsLong || (evidence.lastIsShort && type.origin == TensorTypeOrigin::Removed));
        return type.kind == TensorTypeKind::Quantised && evidence.fits == 0 &&
               evidence.contradicts + (lastCounts ? 1 : 0) >= needed;
    };
    const bool isDamaged = std::ranges::any_of(
        types, [&](const auto& each) { return each.second.contradicts > 0 && !isForeign(each.first, each.second); });
    for (const auto& [id, evidence] : types) {
        if (isDamaged || !isForeign(id, evidence)) {
            continue;
        }
        m_ambiguous.insert(id);
        m_findings.add(FindingCode::AmbiguousTensorType, {},
                       {evidence.tensors, id, std::string(findTensorType(id)->name),
                        std::string(m_model.tensors[evidence.first].name)});
    }
}

void TensorLayout::size(TensorInfo& tensor) {
    const bool ambiguous = isAmbiguous(tensor);
    const TensorTypeInfo* type = ambiguous ? nullptr : tensor.type();
    if (ambiguous) {
        tensor.bytesDerived = true;
        tensor.ownType = numberOf(tensor.typeId);
    } else if (type == nullptr) {
        add(FindingCode::UnknownTensorType, tensor, {tensor.typeId});
    } else if (type->origin == TensorTypeOrigin::Removed) {
        add(FindingCode::RemovedTensorType, tensor, {std::string(type->name)});
    } else if (type->origin == TensorTypeOrigin::IkLlama) {
        add(FindingCode::ForeignTensorType, tensor, {std::string(type->name), tensor.typeId});
    }
    const auto dims = tensor.shape.dims();
    if (std::ranges::find_if(dims, [](std::uint64_t dim) { return dim > kMaxSigned; }) != dims.end()) {
        add(FindingCode::NegativeDimension, tensor, {shapeText(tensor.shape)});
        return;
    }
    const auto weights = tensor.shape.weights();
    if (!weights || *weights > kMaxSigned) {
        add(FindingCode::TensorSizeOverflow, tensor, {shapeText(tensor.shape)});
        return;
    }
    if (type == nullptr) {
        return;
    }
    if (tensor.shape[0] % type->blockSize != 0) {
        add(FindingCode::RowNotWholeBlocks, tensor, {tensor.shape[0], type->blockSize, std::string(type->name)});
        return;
    }
    tensor.bytes = tensorBytes(*type, tensor.shape);
    if (!tensor.bytes || *tensor.bytes > kMaxSigned) {
        tensor.bytes.reset();
        add(FindingCode::TensorSizeOverflow, tensor, {shapeText(tensor.shape)});
    }
}

void TensorLayout::place(TensorInfo& tensor) {
    if (tensor.declaredOffset % m_file.alignment != 0) {
        add(FindingCode::OffsetMisaligned, tensor, {tensor.declaredOffset, m_file.alignment});
    }
    const auto offset = checkedAdd(tensor.declaredOffset, m_offsetsFromStart ? 0 : m_file.dataOffset);
    // An offset that overflows lies beyond the end of any file, as does the largest number.
    tensor.offset = offset.value_or(std::numeric_limits<std::uint64_t>::max());
    tensor.bytesPresent = presentOf(tensor.offset, tensor.bytes.value_or(0));
}

// Each tensor should start where the previous one in the list ends, padding included. Only the tensor at which the
// chain breaks is reported; those after it are measured from there.
void TensorLayout::checkPacking() {
    std::optional<std::uint64_t> expected = m_offsetsFromStart ? m_file.dataOffset : 0;
    for (const TensorInfo& tensor : m_model.tensors) {
        if (expected && tensor.declaredOffset != *expected) {
            add(FindingCode::TensorsNotPacked, tensor, {tensor.declaredOffset, *expected});
        }
        const auto end = tensor.bytes ? checkedAdd(tensor.declaredOffset, *tensor.bytes) : std::nullopt;
        expected = end ? checkedAlign(*end, m_file.alignment) : std::nullopt;
    }
}

void TensorLayout::sortByOffset() {
    m_placed.reserve(m_model.tensors.size());
    for (TensorInfo& tensor : m_model.tensors) {
        m_placed.push_back(&tensor);
    }
    // The pointers point into one vector, so tensors with equal offsets stay in the order of their records.
    const auto before = [](const TensorInfo* a, const TensorInfo* b) {
        return a->offset != b->offset ? a->offset < b->offset : a < b;
    };
    if (!std::ranges::is_sorted(m_placed, before)) {
        std::ranges::sort(m_placed, before);
    }
}

// A tensor of unknown type extends to the next tensor or to the end of the file. The offsets of a file with ambiguous
// types were found to be in order, so a tensor that the end of the file cuts off is known to be incomplete.
void TensorLayout::deriveSizes() {
    std::uint64_t next = m_fileBytes;
    for (std::size_t i = m_placed.size(); i-- > 0;) {
        TensorInfo& tensor = *m_placed[i];
        if (i + 1 < m_placed.size() && m_placed[i + 1]->offset > tensor.offset) {
            next = m_placed[i + 1]->offset;
        }
        const bool ambiguous = isAmbiguous(tensor);
        const std::uint64_t end = ambiguous ? next : std::min(m_fileBytes, next);
        if ((tensor.type() != nullptr && !ambiguous) || tensor.offset >= end) {
            continue;
        }
        tensor.bytes = end - tensor.offset;
        tensor.bytesPresent = presentOf(tensor.offset, *tensor.bytes);
        tensor.bytesDerived = true;
        if (!ambiguous) { // which have one finding together
            add(FindingCode::SizeDerived, tensor, {*tensor.bytes});
        }
    }
}

void TensorLayout::checkOverlaps() {
    const TensorInfo* furthest = nullptr;
    std::uint64_t end = 0;
    for (const TensorInfo* tensor : m_placed) {
        const auto tensorEnd = checkedAdd(tensor->offset, tensor->bytes.value_or(0));
        if (tensor->bytes.value_or(0) == 0 || !tensorEnd) {
            continue;
        }
        if (furthest != nullptr && tensor->offset < end) {
            add(FindingCode::TensorsOverlap, *tensor, {std::string(furthest->name)});
        }
        if (furthest == nullptr || *tensorEnd > end) {
            furthest = tensor;
            end = *tensorEnd;
        }
    }
}

void TensorLayout::checkEnd() {
    std::uint64_t incomplete = 0;
    std::uint64_t missing = 0;
    std::uint64_t end = m_file.dataOffset;
    for (const TensorInfo& tensor : m_model.tensors) {
        const std::uint64_t lacking = tensor.bytes.value_or(0) - tensor.bytesPresent;
        if (lacking != 0) {
            add(FindingCode::TensorPastEnd, tensor, {lacking});
            ++incomplete;
            missing += std::min(lacking, std::numeric_limits<std::uint64_t>::max() - missing);
        }
        end = std::max(end, tensor.offset < m_fileBytes ? tensor.offset + tensor.bytesPresent : 0);
    }
    if (incomplete != 0) {
        m_findings.add(FindingCode::TensorDataMissing, Place::atOffset(m_fileBytes), {incomplete, missing});
        return;
    }
    const std::uint64_t paddedEnd = checkedAlign(end, m_file.alignment).value_or(end);
    if (m_fileBytes > paddedEnd) {
        m_findings.add(FindingCode::TrailingBytes, Place::atOffset(paddedEnd), {m_fileBytes - paddedEnd});
    } else if (m_fileBytes < paddedEnd && !m_model.tensors.empty()) {
        m_findings.add(FindingCode::LastTensorNotPadded, Place::atOffset(m_fileBytes), {paddedEnd - m_fileBytes});
    }
}

} // namespace

void layOutTensors(Model& model, FindingList& findings, bool offsetsFromStart) {
    TensorLayout(model, findings, offsetsFromStart).run();
}

} // namespace gufo::gguf
