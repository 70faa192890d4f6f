// The fields of an ONNX file: the protocol buffer messages of the model, its graph and its initialisers.
//
// Numbers and names of fields: onnx.proto.
#include "bytes/map_section.h"

#include <algorithm>
#include <array>

namespace gufo {
namespace {

enum class Kind : std::uint8_t { Other, Model, Graph, Tensor };

struct FieldRow {
    Kind message;
    std::uint32_t number;
    std::string_view name;
    Kind inner = Kind::Other; // the message in it, if its fields are shown too
};
constexpr auto kFields = std::to_array<FieldRow>({
    {Kind::Model, 1, "ir_version"},
    {Kind::Model, 2, "producer_name"},
    {Kind::Model, 3, "producer_version"},
    {Kind::Model, 4, "domain"},
    {Kind::Model, 5, "model_version"},
    {Kind::Model, 6, "doc_string"},
    {Kind::Model, 7, "graph", Kind::Graph},
    {Kind::Model, 8, "opset_import"},
    {Kind::Model, 14, "metadata_props"},
    {Kind::Model, 20, "training_info"},
    {Kind::Model, 25, "functions"},
    {Kind::Graph, 1, "node"},
    {Kind::Graph, 2, "name"},
    {Kind::Graph, 5, "initializer", Kind::Tensor},
    {Kind::Graph, 10, "doc_string"},
    {Kind::Graph, 11, "input"},
    {Kind::Graph, 12, "output"},
    {Kind::Graph, 13, "value_info"},
    {Kind::Graph, 14, "quantization_annotation"},
    {Kind::Graph, 15, "sparse_initializer"},
    {Kind::Tensor, 1, "dims"},
    {Kind::Tensor, 2, "data_type"},
    {Kind::Tensor, 3, "segment"},
    {Kind::Tensor, 4, "float_data"},
    {Kind::Tensor, 5, "int32_data"},
    {Kind::Tensor, 6, "string_data"},
    {Kind::Tensor, 7, "int64_data"},
    {Kind::Tensor, 8, "name"},
    {Kind::Tensor, 9, "raw_data"},
    {Kind::Tensor, 10, "double_data"},
    {Kind::Tensor, 11, "uint64_data"},
    {Kind::Tensor, 12, "doc_string"},
    {Kind::Tensor, 13, "external_data"},
    {Kind::Tensor, 14, "data_location"},
});

constexpr std::size_t kMaxSections = 1U << 20U;

// A tag and the content behind it.
struct WireField {
    std::uint32_t number = 0;
    std::uint32_t wire = 0;
    std::uint64_t value = 0;
    ByteRange content; // of a text or a message, as far as it is there
    std::uint64_t end = 0;
    bool isCut = false; // the content is longer than what holds it
};

std::optional<std::uint64_t> varintAt(Bytes bytes, std::uint64_t& at, std::uint64_t end) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && at < end; shift += 7) {
        const auto byte = std::to_integer<std::uint64_t>(bytes[at++]);
        value |= (byte & 0x7FU) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
    return std::nullopt;
}

std::optional<WireField> fieldAt(Bytes bytes, std::uint64_t at, std::uint64_t end) {
    const auto tag = varintAt(bytes, at, end);
    if (!tag) {
        return std::nullopt;
    }
    WireField field{.number = static_cast<std::uint32_t>(*tag >> 3U), .wire = static_cast<std::uint32_t>(*tag & 7U)};
    std::uint64_t length = 0;
    if (field.wire == 0 || field.wire == 2) {
        const auto value = varintAt(bytes, at, end);
        if (!value) {
            return std::nullopt;
        }
        field.value = *value;
        length = field.wire == 2 ? *value : 0;
    } else if (field.wire == 1 || field.wire == 5) {
        length = field.wire == 1 ? 8 : 4;
    } else {
        return std::nullopt;
    }
    field.isCut = length > end - at;
    field.content = {at, std::min(length, end - at)};
    field.end = at + field.content.length;
    return field;
}

Result<> expandField(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(context.file.view(section.range));
    ByteField shown{.range = section.range, .role = FieldRole::Message, .of = section.of, .type = section.type};
    if (const auto field = fieldAt(bytes, 0, bytes.size())) {
        if (field->wire == 0) {
            shown.value = field->value;
        } else if (field->wire == 2 && !field->isCut) { // messages are shown apart from their tags
            shown.value = shownText(bytes.subspan(field->content.offset, field->content.length));
        }
    }
    sink.add(std::move(shown));
    return {};
}

class MessageWalk {
public:
    MessageWalk(const MapInput& input, Sections& sections)
        : m_input(input)
        , m_sections(sections) {}

    void walk(Kind message, ByteRange range, const std::string& path) {
        const std::uint64_t end = range.offset + range.length;
        std::uint64_t initialisers = 0;
        for (std::uint64_t at = range.offset; at < end;) {
            const auto field = fieldAt(m_input.bytes, at, end);
            if (!field || m_sections.list.size() > kMaxSections || m_input.job.stopRequested()) {
                return markDamage(at);
            }
            const auto* const row = std::ranges::find_if(
                kFields, [&](const FieldRow& each) { return each.message == message && each.number == field->number; });
            std::string name = row != kFields.end() ? std::string(row->name) : std::to_string(field->number);
            if (message == Kind::Graph && field->number == 5) {
                name += '[' + std::to_string(initialisers++) + ']';
            }
            const std::string full = path.empty() ? name : path + '.' + name;
            const bool isMessage = row != kFields.end() && row->inner != Kind::Other && field->wire == 2;
            if (field->isCut && !isMessage) {
                return markDamage(at);
            }
            const bool isData = message == Kind::Tensor && field->number == 9 && field->content.length != 0;
            // A message and the data of a tensor are shown apart from the tag and the length before them.
            const std::uint64_t shown = isMessage || isData ? field->content.offset : field->end;
            m_sections.list.push_back({.range = {at, shown - at},
                                       .expand = expandField,
                                       .role = FieldRole::Message,
                                       .of = full,
                                       .type = kWires.at(field->wire)});
            if (isMessage) {
                walk(row->inner, field->content, full); // of a message that is cut off, up to its end
            }
            if (field->isCut) {
                return markDamage(field->end);
            }
            at = field->end;
        }
    }

private:
    void markDamage(std::uint64_t at) { m_sections.damage = m_sections.damage ? m_sections.damage : m_input.from(at); }

    static constexpr std::array<const char*, 6> kWires{"varint", "fixed64", "delimited", "", "", "fixed32"};
    const MapInput& m_input;
    Sections& m_sections;
};

} // namespace

Sections onnxSections(const MapInput& input) {
    Sections sections;
    MessageWalk(input, sections).walk(Kind::Model, {0, input.bytes.size()}, {});
    addTensorData(input, sections);
    return sections;
}

} // namespace gufo
