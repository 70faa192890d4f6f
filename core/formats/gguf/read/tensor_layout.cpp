#include "formats/gguf/read/tensor_layout.h"

#include "base/checked.h"
#include "formats/gguf/read/reader_limits.h"
#include "model/finding_code.h"

#include <algorithm>
#include <limits>

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
            m_findings.add(FindingCode::PaddingNotZero, Place::atOffset(m_file.headerBytes), {std::to_string(odd)});
        }
    }
}

void TensorLayout::size(TensorInfo& tensor) {
    const TensorTypeInfo* type = tensor.type();
    if (type == nullptr) {
        add(FindingCode::UnknownTensorType, tensor, {std::to_string(tensor.typeId)});
    } else if (type->origin == TensorTypeOrigin::Removed) {
        add(FindingCode::RemovedTensorType, tensor, {std::string(type->name)});
    } else if (type->origin == TensorTypeOrigin::IkLlama) {
        add(FindingCode::ForeignTensorType, tensor, {std::string(type->name), std::to_string(tensor.typeId)});
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
        add(FindingCode::RowNotWholeBlocks, tensor,
            {std::to_string(tensor.shape[0]), std::to_string(type->blockSize), std::string(type->name)});
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
        add(FindingCode::OffsetMisaligned, tensor,
            {std::to_string(tensor.declaredOffset), std::to_string(m_file.alignment)});
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
            add(FindingCode::TensorsNotPacked, tensor,
                {std::to_string(tensor.declaredOffset), std::to_string(*expected)});
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

// A tensor of unknown type extends to the next tensor or to the end of the file.
void TensorLayout::deriveSizes() {
    std::uint64_t next = m_fileBytes;
    for (std::size_t i = m_placed.size(); i-- > 0;) {
        TensorInfo& tensor = *m_placed[i];
        if (i + 1 < m_placed.size() && m_placed[i + 1]->offset > tensor.offset) {
            next = std::min(m_fileBytes, m_placed[i + 1]->offset);
        }
        if (tensor.type() == nullptr && tensor.offset < next) {
            tensor.bytes = next - tensor.offset;
            tensor.bytesPresent = *tensor.bytes;
            tensor.bytesDerived = true;
            add(FindingCode::SizeDerived, tensor, {std::to_string(*tensor.bytes)});
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
            add(FindingCode::TensorPastEnd, tensor, {std::to_string(lacking)});
            ++incomplete;
            missing += std::min(lacking, std::numeric_limits<std::uint64_t>::max() - missing);
        }
        end = std::max(end, tensor.offset < m_fileBytes ? tensor.offset + tensor.bytesPresent : 0);
    }
    if (incomplete != 0) {
        m_findings.add(FindingCode::TensorDataMissing, Place::atOffset(m_fileBytes),
                       {std::to_string(incomplete), std::to_string(missing)});
        return;
    }
    const std::uint64_t paddedEnd = checkedAlign(end, m_file.alignment).value_or(end);
    if (m_fileBytes > paddedEnd) {
        m_findings.add(FindingCode::TrailingBytes, Place::atOffset(paddedEnd),
                       {std::to_string(m_fileBytes - paddedEnd)});
    } else if (m_fileBytes < paddedEnd && !m_model.tensors.empty()) {
        m_findings.add(FindingCode::LastTensorNotPadded, Place::atOffset(m_fileBytes),
                       {std::to_string(paddedEnd - m_fileBytes)});
    }
}

} // namespace

void layOutTensors(Model& model, FindingList& findings, bool offsetsFromStart) {
    TensorLayout(model, findings, offsetsFromStart).run();
}

} // namespace gufo::gguf
