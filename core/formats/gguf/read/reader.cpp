#include "formats/gguf/read/reader.h"

#include "base/checked.h"
#include "base/detail.h"
#include "base/try.h"
#include "formats/detection/file_start.h"
#include "formats/gguf/read/growing.h"
#include "formats/gguf/read/header_reader.h"
#include "formats/gguf/read/reader_limits.h"
#include "model/finding_code.h"
#include "model/finding_list.h"
#include "model/model.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

namespace gufo::gguf {
namespace {

// Determines where the tensors of a file are: their sizes and offsets, with a finding for everything that is wrong.
// Takes O(n log n) for n tensors.
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
        for (const TensorTypeFact& type : tensorTypes()) {
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
// use for others. Such a file is sound, so damage must be excluded: the tensors follow each other, tensors of all other
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
        const TensorTypeFact* type = tensor.type();
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
        const TensorTypeFact& type = *findTensorType(id);
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
    const TensorTypeFact* type = ambiguous ? nullptr : tensor.type();
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

// Completes a model of one file whose header was read: files[0].dataOffset, and the offset, bytes and bytesPresent of
// each tensor. A type whose size contradicts the offsets in a file that is otherwise in order is ambiguous: another
// program uses its number for a type of its own. Tensors of such a type are treated as if their type were unknown. It
// accesses only the padding after the header. `offsetsFromStart` is true for the draft of v1, which counts offsets from
// the start of the file instead of the start of the tensor data.
void layOutTensors(Model& model, FindingList& findings, bool offsetsFromStart) {
    TensorLayout(model, findings, offsetsFromStart).run();
}

constexpr auto kMagic = std::to_array({std::byte{'G'}, std::byte{'G'}, std::byte{'U'}, std::byte{'F'}});
constexpr std::uint64_t kVersionOffset = 4;

struct Attempt {
    std::shared_ptr<Model> model;
    FindingList findings;
};

// Whether the header may continue after the part of the file whose reading failed with this error.
bool endsTooEarly(ErrorCode code) {
    return code == ErrorCode::Truncated || code == ErrorCode::CountTooLarge || code == ErrorCode::StringTooLong ||
           code == ErrorCode::ArrayTooLong;
}

// Receives the state of reading when a part of a file turns out not to contain the whole header.
struct Unfinished {
    const HeaderSoFar& headerSoFar;
    std::uint64_t leastBytes = 0; // HeaderReader::leastBytes()
};

Result<Attempt> readAs(Dialect dialect, const Model& start, Bytes bytes, const JobContext& job,
                       Unfinished& unfinished) {
    Attempt attempt{.model = std::make_shared<Model>(start), .findings = {}};
    Model& model = *attempt.model;
    const bool wide = dialect == Dialect::Version2;
    model.layout = {.order = model.byteOrder,
                    .lengths = wide ? ValueLayout::Lengths::U64 : ValueLayout::Lengths::U32,
                    .arrayHead = dialect == Dialect::Draft1 ? ValueLayout::ArrayHead::LengthFirst
                                                            : ValueLayout::ArrayHead::TypeFirst};
    if (dialect == Dialect::Draft1) {
        attempt.findings.add(FindingCode::DraftVersion1);
    }
    if (model.byteOrder == ByteOrder::Big && model.version < 3) {
        attempt.findings.add(FindingCode::BigEndianBeforeV3, Place::atOffset(kVersionOffset), {model.version});
    }
    HeaderReader reader(model, attempt.findings, job, dialect);
    if (auto read = reader.read(bytes); !read) {
        unfinished.leastBytes = reader.leastBytes();
        if (unfinished.headerSoFar && endsTooEarly(read.error().code) && model.metadata.size() > 0) {
            unfinished.headerSoFar(model);
        }
        return std::unexpected(std::move(read).error());
    }
    layOutTensors(model, attempt.findings, dialect == Dialect::Draft1);
    return attempt;
}

// Whether the file was interpreted correctly: a file that was read in its own layout has none of these findings.
bool parsedToTheEnd(const FindingList& findings) {
    return std::ranges::none_of(
        std::to_array({FindingCode::TrailingBytes, FindingCode::PaddingNotZero, FindingCode::EmptyKey,
                       FindingCode::TensorNameEmpty, FindingCode::TensorDataMissing, FindingCode::TensorsOverlap}),
        [&](FindingCode code) { return findings.count(code) != 0; });
}

// Reads version 1 as it was released, or as its draft if only the draft makes sense of the file.
Result<Attempt> readVersion1(const Model& start, Bytes bytes, const JobContext& job, Unfinished& unfinished) {
    auto shipped = readAs(Dialect::Version1, start, bytes, job, unfinished);
    const bool settled = shipped ? parsedToTheEnd(shipped->findings) : shipped.error().code == ErrorCode::Cancelled;
    if (settled) {
        return shipped;
    }
    const std::uint64_t least = unfinished.leastBytes;
    auto draft = readAs(Dialect::Draft1, start, bytes, job, unfinished);
    unfinished.leastBytes = std::min(least, unfinished.leastBytes); // one of the layouts is wrong
    return draft ? std::move(draft) : std::move(shipped);
}

} // namespace

bool hasMagic(Bytes start) {
    return start.size() >= kMagic.size() && std::ranges::equal(start.first(kMagic.size()), kMagic);
}

namespace {

// Reads the header from the first `length` bytes of a file.
Result<std::shared_ptr<const Model>> readPart(const std::shared_ptr<const ByteSource>& source, std::uint64_t length,
                                              const JobContext& job, Unfinished& unfinished) {
    const std::filesystem::path& path = source->path();
    const auto view = GUFO_TRY(source->view({0, length}));
    const Bytes bytes = view;
    if (!hasMagic(bytes)) {
        return std::unexpected(notAModel(bytes, path));
    }
    const auto refuse = [&](ErrorCode code, Arguments args) {
        return std::unexpected(
            Error{.code = code, .file = path, .place = Place::atOffset(kVersionOffset), .args = std::move(args)});
    };
    if (bytes.size() < kVersionOffset + sizeof(std::uint32_t)) {
        return refuse(ErrorCode::Truncated, {Detail::Header, sizeof(std::uint32_t), bytes.size() - kVersionOffset});
    }
    Model start;
    start.container = kContainer;
    start.files.push_back({.source = source, .path = path});
    start.version = load<std::uint32_t>(bytes.data() + kVersionOffset);
    if ((start.version & 0xFFFFU) == 0) {
        start.byteOrder = ByteOrder::Big;
        start.version = byteSwapped(start.version);
    }
    if (start.version == 0 || start.version > kMaxVersion) {
        return refuse(ErrorCode::UnsupportedVersion, {start.version});
    }
    auto attempt = start.version == 1 ? readVersion1(start, bytes, job, unfinished)
                                      : readAs(Dialect::Version2, start, bytes, job, unfinished);
    if (const auto damage = source->damage()) {
        return std::unexpected(*damage); // before any other error, because the bytes that were parsed may have been
                                         // zeros
    }
    if (!attempt) {
        return std::unexpected(std::move(attempt).error().in(path));
    }
    Model& model = *attempt->model;
    for (const TensorIndex duplicate : model.indexTensors()) {
        const std::string name(model.tensor(duplicate).name);
        attempt->findings.add(FindingCode::DuplicateTensorName, Place::tensor(name), {name});
    }
    model.findings = std::move(attempt->findings).take();
    return attempt->model;
}

} // namespace

Result<std::shared_ptr<const Model>> read(std::shared_ptr<const ByteSource> source, const JobContext& job) {
    const HeaderSoFar ignored;
    Unfinished unfinished{.headerSoFar = ignored};
    return readPart(source, source->size(), job, unfinished);
}

Result<std::shared_ptr<const Model>> readGrowing(std::shared_ptr<const ByteSource> source, const JobContext& job,
                                                 const HeaderSoFar& headerSoFar) {
    const std::uint64_t most = std::min(source->size(), kLargestPart);
    std::uint64_t length = std::min(most, kPartStep);
    while (true) {
        GUFO_TRY(job.check());
        Unfinished unfinished{.headerSoFar = headerSoFar};
        auto model = readPart(source, length, job, unfinished);
        if (model && headerSoFar) {
            headerSoFar(**model);
        }
        if (model || length == most || !endsTooEarly(model.error().code)) {
            return model;
        }
        // The counts in a file are not trusted for more than a few times the length that was read.
        const std::uint64_t trusted = std::max(length * kPartGrowth, kTrustedPart);
        const std::uint64_t wanted = std::clamp(unfinished.leastBytes, length + 1, trusted);
        length = std::min(most, (wanted + kPartStep - 1) / kPartStep * kPartStep);
    }
}

} // namespace gufo::gguf
