// The fields of GGUF's header in all its layouts (formats/gguf/read/header_reader.h lists them). The walk does not use
// the reader, because it must also say where a header that cannot be read is damaged.
#include "base/checked.h"
#include "bytes/map_section.h"

#include <algorithm>

namespace gufo {
namespace {

constexpr std::uint64_t kMagicAndVersion = 8;
constexpr std::uint64_t kDraftAlignment = 64;
constexpr std::uint64_t kUsualAlignment = 32;
constexpr std::uint64_t kMaxRecords = 1U << 20U; // more than any reader accepts
constexpr unsigned kMaxNesting = 8;
constexpr std::uint64_t kUnknownSize = ~std::uint64_t{0}; // of tensors of an unknown type

// Reads numbers in the byte order and width of a file. After a read beyond the end, all reads give 0.
class Reader {
public:
    Reader(Bytes bytes, std::uint64_t position, ValueLayout layout)
        : m_bytes(bytes)
        , m_position(position)
        , m_layout(layout) {}

    [[nodiscard]] bool failed() const { return m_failed; }
    [[nodiscard]] std::uint64_t position() const { return m_position; }
    // Where the last number begins. After a failure, this is what cannot be right: a number that is cut off, or the
    // length or the type that what follows does not fit.
    [[nodiscard]] std::uint64_t lastNumber() const { return m_lastNumber; }
    [[nodiscard]] std::uint64_t left() const { return m_bytes.size() - m_position; }
    void fail() { m_failed = true; }

    template<typename T>
    T number() {
        const std::uint64_t at = m_position;
        m_lastNumber = m_failed ? m_lastNumber : at;
        return skip(sizeof(T)) ? load<T>(m_bytes.data() + at, m_layout.order) : T{};
    }
    std::uint64_t length() {
        return m_layout.lengths == ValueLayout::Lengths::U32 ? number<std::uint32_t>() : number<std::uint64_t>();
    }
    bool skip(std::uint64_t bytes) {
        m_failed = m_failed || bytes > left();
        m_position += m_failed ? 0 : bytes;
        return !m_failed;
    }
    Bytes take(std::uint64_t bytes) {
        const std::uint64_t at = m_position;
        return skip(bytes) ? m_bytes.subspan(at, bytes) : Bytes();
    }

private:
    Bytes m_bytes;
    std::uint64_t m_position;
    ValueLayout m_layout;
    std::uint64_t m_lastNumber = 0;
    bool m_failed = false;
};

// ---- the fields of a record -----------------------------------------------------------------------------------------

// Walks through a record and adds its fields.
class FieldWalk {
public:
    FieldWalk(Bytes bytes, std::uint64_t position, const MapContext& context, FieldSink& sink, std::string of)
        : m_reader(bytes, position, context.layout)
        , m_layout(context.layout)
        , m_isDraft(context.isDraft)
        , m_sink(sink)
        , m_of(std::move(of)) {}

    void key() {
        text(FieldRole::KeyLength, FieldRole::Key);
        if (m_isDraft) {
            number<std::uint32_t>(FieldRole::ValueLength);
        }
        value(valueType(FieldRole::ValueType), 0);
    }

    void tensor() {
        text(FieldRole::NameLength, FieldRole::Name);
        const auto count = number<std::uint32_t>(FieldRole::DimensionCount);
        for (std::uint64_t i = 0; i < count && !m_reader.failed(); ++i) {
            length(FieldRole::Dimension, i);
        }
        if (m_isDraft) {
            number<std::uint32_t>(FieldRole::WeightCount);
        }
        const std::uint64_t at = m_reader.position();
        const auto id = m_reader.number<std::uint32_t>();
        const TensorTypeFact* type = findTensorType(id);
        add(at, FieldRole::TensorType, "u32",
            type != nullptr ? std::string(type->name) + " (" + std::to_string(id) + ")" : std::to_string(id));
        number<std::uint64_t>(FieldRole::TensorOffset);
    }

private:
    template<typename Content>
    void add(std::uint64_t from, FieldRole role, std::string_view type, Content content,
             std::optional<std::uint64_t> element = {}) {
        const ByteRange range{from, m_reader.position() - from};
        if (m_sink.wants(range) && !m_reader.failed()) {
            m_sink.add({range, role, m_of, element, std::string(type), std::move(content), {}});
        }
    }

    template<typename T>
    T number(FieldRole role, std::optional<std::uint64_t> element = {}) {
        const std::uint64_t at = m_reader.position();
        const T read = m_reader.number<T>();
        add(at, role, valueTypeFact(static_cast<ValueType>(Value(read).index())).name, std::uint64_t{read}, element);
        return read;
    }

    std::uint64_t length(FieldRole role, std::optional<std::uint64_t> element = {}) {
        return m_layout.lengths == ValueLayout::Lengths::U32 ? number<std::uint32_t>(role, element)
                                                             : number<std::uint64_t>(role, element);
    }

    void text(FieldRole lengthRole, FieldRole role, std::optional<std::uint64_t> element = {}) {
        const std::uint64_t bytes = length(lengthRole, element);
        const std::uint64_t at = m_reader.position();
        const Bytes content = m_reader.take(bytes);
        if (m_sink.wants({at, content.size()})) {
            add(at, role, "str", shownText(content), element);
        }
    }

    const ValueTypeFact* valueType(FieldRole role) {
        const std::uint64_t at = m_reader.position();
        const auto id = m_reader.number<std::uint32_t>();
        const ValueTypeFact* type = findValueType(id);
        const std::string name =
            type != nullptr ? std::string(type->name) + " (" + std::to_string(id) + ")" : std::to_string(id);
        add(at, role, "u32", name);
        if (type == nullptr) {
            m_reader.fail();
        }
        return type;
    }

    void value(const ValueTypeFact* type, unsigned depth) {
        if (type == nullptr || m_reader.failed()) {
            return;
        }
        if (type->type == ValueType::String) {
            text(FieldRole::ElementLength, FieldRole::StoredValue);
        } else if (type->type == ValueType::Array) {
            array(depth);
        } else {
            scalar(*type, FieldRole::StoredValue, {});
        }
    }

    void scalar(const ValueTypeFact& type, FieldRole role, std::optional<std::uint64_t> element) {
        const std::uint64_t at = m_reader.position();
        const auto keep = [&](auto read) {
            using T = decltype(read);
            if constexpr (std::is_floating_point_v<T>) {
                add(at, role, type.name, double{read}, element);
            } else if constexpr (std::is_signed_v<T>) {
                add(at, role, type.name, std::int64_t{read}, element);
            } else {
                add(at, role, type.name, std::uint64_t{read}, element);
            }
        };
        switch (type.type) {
        case ValueType::UInt8:
        case ValueType::Bool:
            return keep(m_reader.number<std::uint8_t>());
        case ValueType::Int8:
            return keep(m_reader.number<std::int8_t>());
        case ValueType::UInt16:
            return keep(m_reader.number<std::uint16_t>());
        case ValueType::Int16:
            return keep(m_reader.number<std::int16_t>());
        case ValueType::UInt32:
            return keep(m_reader.number<std::uint32_t>());
        case ValueType::Int32:
            return keep(m_reader.number<std::int32_t>());
        case ValueType::Float32:
            return keep(m_reader.number<float>());
        case ValueType::UInt64:
            return keep(m_reader.number<std::uint64_t>());
        case ValueType::Int64:
            return keep(m_reader.number<std::int64_t>());
        case ValueType::Float64:
            return keep(m_reader.number<double>());
        case ValueType::String:
        case ValueType::Array:
            break;
        }
    }

    void array(unsigned depth) {
        const bool lengthFirst = m_layout.arrayHead == ValueLayout::ArrayHead::LengthFirst;
        std::uint64_t count = lengthFirst ? length(FieldRole::ElementCount) : 0;
        const ValueTypeFact* type = valueType(FieldRole::ElementType);
        count = lengthFirst ? count : length(FieldRole::ElementCount);
        if (type == nullptr || m_reader.failed() || depth == kMaxNesting) {
            return m_reader.fail();
        }
        if (type->bytes == 0) {
            for (std::uint64_t i = 0; i < count && !m_reader.failed() && !isBehindWindow(); ++i) {
                type->type == ValueType::String ? text(FieldRole::ElementLength, FieldRole::Element, i)
                                                : array(depth + 1);
            }
            return;
        }
        // The elements before the window are skipped at once.
        const std::uint64_t start = m_reader.position();
        const std::uint64_t wanted = m_sink.window().offset;
        const std::uint64_t before = wanted > start ? std::min((wanted - start) / type->bytes, count) : 0;
        m_reader.skip(before * type->bytes); // it ends within the record, or the read fails
        for (std::uint64_t i = before; i < count && !m_reader.failed() && !isBehindWindow(); ++i) {
            scalar(*type, FieldRole::Element, i);
        }
    }

    // Nested arrays end here too: the rest of the record is not shown.
    [[nodiscard]] bool isBehindWindow() const {
        const ByteRange window = m_sink.window();
        return m_reader.position() >= window.offset + window.length || m_sink.full();
    }

    Reader m_reader;
    ValueLayout m_layout;
    bool m_isDraft;
    FieldSink& m_sink;
    std::string m_of;
};

Result<Bytes> bytesOf(const MapContext& context, const MapSection& section) {
    return context.file.view({0, section.range.offset + section.range.length});
}

Result<> expandKey(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(bytesOf(context, section));
    FieldWalk(bytes, section.range.offset, context, sink, section.of).key();
    return {};
}

Result<> expandRecord(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(bytesOf(context, section));
    FieldWalk(bytes, section.range.offset, context, sink, section.of).tensor();
    return {};
}

Result<> expandCounts(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(bytesOf(context, section));
    Reader reader(bytes, 4, context.layout);
    sink.add({{0, 4}, FieldRole::Magic, {}, {}, "str", shownText(bytes.first(4)), {}});
    sink.add({{4, 4}, FieldRole::Version, {}, {}, "u32", std::uint64_t{reader.number<std::uint32_t>()}, {}});
    for (const FieldRole role : {FieldRole::TensorCount, FieldRole::KeyCount}) {
        const std::uint64_t at = reader.position();
        const std::uint64_t count = reader.length();
        const char* type = context.layout.lengths == ValueLayout::Lengths::U32 ? "u32" : "u64";
        sink.add({{at, reader.position() - at}, role, {}, {}, type, count, {}});
    }
    return {};
}

// ---- the records of a file ------------------------------------------------------------------------------------------

// Skips a value and returns whether it was one.
bool skipValue(Reader& reader, const ValueTypeFact* type, const ValueLayout& layout, unsigned depth) {
    if (type == nullptr || reader.failed() || depth > kMaxNesting) {
        return false;
    }
    if (type->type == ValueType::String) {
        return reader.skip(reader.length());
    }
    if (type->type != ValueType::Array) {
        return reader.skip(type->bytes);
    }
    const bool lengthFirst = layout.arrayHead == ValueLayout::ArrayHead::LengthFirst;
    std::uint64_t count = lengthFirst ? reader.length() : 0;
    const ValueTypeFact* element = findValueType(reader.number<std::uint32_t>());
    count = lengthFirst ? count : reader.length();
    if (element == nullptr || reader.failed()) {
        return false;
    }
    if (element->bytes != 0) {
        const auto bytes = checkedMultiply(count, element->bytes);
        return bytes && reader.skip(*bytes);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
        if (!skipValue(reader, element, layout, depth + 1)) {
            return false;
        }
    }
    return true;
}

struct FoundTensor {
    std::string name;
    Shape shape;
    std::uint32_t typeId;
    std::uint64_t offset;
};

class HeaderWalk {
public:
    HeaderWalk(Bytes bytes, const JobContext& job)
        : m_bytes(bytes)
        , m_job(job) {}

    Sections sections(ValueLayout layout, bool isDraft) {
        m_result = {};
        m_result.layout = layout;
        m_result.isDraft = isDraft;
        m_tensors.clear();
        Reader reader(m_bytes, kMagicAndVersion, layout);
        const std::uint64_t tensors = reader.length();
        const std::uint64_t keys = reader.length();
        if (reader.failed()) {
            m_result.list.push_back({.range = {0, reader.lastNumber()}, .expand = expandCounts});
            m_result.damage = from(reader.lastNumber());
            return std::move(m_result);
        }
        m_result.list.push_back({.range = {0, reader.position()}, .expand = expandCounts});
        readKeys(reader, keys);
        if (isDraft && !m_result.damage) {
            reader.skip(std::min(kDraftAlignment - reader.position() % kDraftAlignment, reader.left()));
        }
        readTensors(reader, tensors);
        if (!m_result.damage) {
            addData(reader.position());
        }
        return std::move(m_result);
    }

private:
    void readKeys(Reader& reader, std::uint64_t count) {
        for (std::uint64_t i = 0; i < std::min(count, kMaxRecords); ++i) {
            const std::uint64_t start = reader.position();
            const Bytes name = reader.take(reader.length());
            if (m_result.isDraft) {
                reader.skip(sizeof(std::uint32_t));
            }
            const ValueTypeFact* type = findValueType(reader.number<std::uint32_t>());
            const std::uint64_t at = reader.position();
            const bool isWhole = skipValue(reader, type, m_result.layout, 0) && !m_job.stopRequested();
            addRecord(start, isWhole ? reader.position() : reader.lastNumber(), expandKey, FieldRole::Key,
                      shownText(name));
            if (!isWhole) {
                m_result.damage = from(reader.lastNumber());
                return;
            }
            keepAlignment(shownText(name), type, at);
        }
    }

    // A damaged record is shown up to the damage.
    void addRecord(std::uint64_t start, std::uint64_t end, ExpandSection expand, FieldRole role, std::string name) {
        m_result.list.push_back({.range = {start, end - start}, .expand = expand, .role = role, .of = std::move(name)});
    }

    [[nodiscard]] ByteRange from(std::uint64_t offset) const { return {offset, m_bytes.size() - offset}; }

    void keepAlignment(const std::string& name, const ValueTypeFact* type, std::uint64_t at) {
        if (name == "general.alignment" && type->type == ValueType::UInt32 && !m_result.isDraft) {
            const auto stated = load<std::uint32_t>(m_bytes.data() + at, m_result.layout.order);
            m_alignment = stated != 0 ? stated : m_alignment;
        }
    }

    void readTensors(Reader& reader, std::uint64_t count) {
        for (std::uint64_t i = 0; i < std::min(count, kMaxRecords) && !m_result.damage; ++i) {
            const std::uint64_t start = reader.position();
            FoundTensor tensor{.name = shownText(reader.take(reader.length()))};
            const auto dimensions = reader.number<std::uint32_t>();
            const std::uint64_t dimensionCount = reader.lastNumber();
            std::array<std::uint64_t, Shape::kMaxDimensions> dims{};
            for (std::uint32_t dim = 0; dim < std::min<std::uint32_t>(dimensions, dims.size()); ++dim) {
                dims[dim] = reader.length();
            }
            if (m_result.isDraft) {
                reader.skip(sizeof(std::uint32_t));
            }
            tensor.typeId = reader.number<std::uint32_t>();
            tensor.offset = reader.number<std::uint64_t>();
            const bool tooMany = dimensions > dims.size();
            if (reader.failed() || tooMany || m_job.stopRequested()) {
                const std::uint64_t damage = tooMany ? dimensionCount : reader.lastNumber();
                addRecord(start, damage, expandRecord, FieldRole::TensorRecord, tensor.name);
                m_result.damage = from(damage);
                return;
            }
            tensor.shape = Shape(std::span(dims).first(dimensions));
            addRecord(start, reader.position(), expandRecord, FieldRole::TensorRecord, tensor.name);
            m_tensors.push_back(std::move(tensor));
        }
    }

    void addData(std::uint64_t headerEnd) {
        const std::uint64_t alignment = m_result.isDraft ? kDraftAlignment : m_alignment;
        const std::uint64_t start = m_result.isDraft ? 0 : checkedAlign(headerEnd, alignment).value_or(m_bytes.size());
        std::ranges::sort(m_tensors, {}, &FoundTensor::offset);
        for (std::size_t i = 0; i < m_tensors.size(); ++i) {
            FoundTensor& tensor = m_tensors[i];
            const auto begin = checkedAdd(start, tensor.offset);
            const TensorTypeFact* type = findTensorType(tensor.typeId);
            const std::uint64_t needed =
                type != nullptr ? tensorBytes(*type, tensor.shape).value_or(kUnknownSize) : kUnknownSize;
            const std::uint64_t there = begin ? m_bytes.size() - std::min<std::uint64_t>(*begin, m_bytes.size()) : 0;
            if (needed != kUnknownSize && needed > there) {
                m_result.cut.push_back({tensor.name, needed - there});
            }
            if (there == 0) {
                continue;
            }
            // Data of an unknown type ends where the next data begin.
            const auto next = i + 1 < m_tensors.size() ? checkedAdd(start, m_tensors[i + 1].offset) : std::nullopt;
            const std::uint64_t end = std::min(next.value_or(m_bytes.size()), m_bytes.size());
            const std::uint64_t length = std::min(needed != kUnknownSize ? needed : end - std::min(end, *begin), there);
            const std::string typeName = type != nullptr ? std::string(type->name) : std::to_string(tensor.typeId);
            m_result.list.push_back(
                tensorSection(std::move(tensor.name), tensor.typeId, typeName, tensor.shape, {*begin, length}));
        }
    }

    Bytes m_bytes;
    const JobContext& m_job;
    Sections m_result;
    std::vector<FoundTensor> m_tensors;
    std::uint64_t m_alignment = kUsualAlignment;
};

} // namespace

Sections ggufSections(const MapInput& input) {
    const Bytes bytes = input.bytes;
    if (bytes.size() < kMagicAndVersion) {
        return {.list = {}, .layout = {}, .damage = input.from(0)};
    }
    // A version below 2^16 in one byte order is above it in the other.
    const auto stored = load<std::uint32_t>(bytes.data() + 4, ByteOrder::Little);
    const bool isBig = (stored & 0xFFFFU) == 0;
    const std::uint32_t version = isBig ? load<std::uint32_t>(bytes.data() + 4, ByteOrder::Big) : stored;
    ValueLayout layout{.order = isBig ? ByteOrder::Big : ByteOrder::Little,
                       .lengths = version == 1 ? ValueLayout::Lengths::U32 : ValueLayout::Lengths::U64};
    HeaderWalk walk(bytes, input.job);
    Sections result = walk.sections(layout, false);
    if (version == 1 && result.damage) {
        // The published draft has the same magic number and version.
        layout.arrayHead = ValueLayout::ArrayHead::LengthFirst;
        Sections draft = walk.sections(layout, true);
        if (!draft.damage) {
            return draft;
        }
    }
    return result;
}

} // namespace gufo
