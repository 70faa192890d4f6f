// The fields of a safetensors file: the length of the header, the members of its JSON object, the tensors' data.
#include "base/checked.h"
#include "base/detail.h"
#include "base/json_reader.h"
#include "bytes/map_section.h"
#include "formats/safetensors/reader.h"

#include <algorithm>
#include <charconv>

namespace gufo {
namespace {

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::string_view kMetadata = "__metadata__";

Result<> expandLength(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(context.file.view(section.range));
    sink.add({.range = section.range,
              .role = FieldRole::HeaderLength,
              .type = "u64",
              .value = load<std::uint64_t>(bytes.data(), ByteOrder::Little)});
    return {};
}

Result<> expandMember(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(context.file.view(section.range));
    sink.add({.range = section.range,
              .role = FieldRole::JsonMember,
              .of = section.of,
              .type = "JSON",
              .value = shownText(bytes)});
    return {};
}

// What the member of a tensor states.
struct StatedTensor {
    const TensorTypeFact* type = nullptr;
    std::vector<std::uint64_t> shape{}; // the slowest dimension first
    std::optional<ByteRange> data{};    // from the end of the header on
};

// Finds the members of the outermost object and what they state.
class MemberWalk {
public:
    MemberWalk(const MapInput& input, std::string_view header, Sections& sections)
        : m_input(input)
        , m_dataBegin(kLengthBytes + header.size())
        , m_sections(sections)
        , m_json(header) {}

    void walk() {
        const bool isObject = m_json.next() == Token::ObjectStart;
        if (!isObject || !m_json.readMembers([this] { return readMember(); }) || m_json.next() != Token::End) {
            // Of a header that ends too early, the last byte.
            const std::uint64_t at = std::min(kLengthBytes + (isObject ? m_json.tokenEnd() : 0),
                                              std::max(m_dataBegin, kLengthBytes + 1) - 1);
            m_sections.damage = ByteRange{at, m_dataBegin - at};
        }
    }

private:
    using Token = JsonReader::Token;

    Result<> readMember() {
        if (m_sections.list.size() % 1024 == 0 && m_input.job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const std::uint64_t begin = m_json.tokenBegin();
        const std::string name = m_json.text().substr(0, ByteField::kShownText);
        const bool isMetadata = name == kMetadata;
        const auto add = [&](std::uint64_t end) {
            m_sections.list.push_back({.range = {kLengthBytes + begin, end - begin},
                                       .expand = expandMember,
                                       .role = isMetadata ? FieldRole::Key : FieldRole::TensorRecord,
                                       .of = name});
        };
        JsonReader value = m_json;
        if (auto skipped = m_json.skipValue(); !skipped) {
            add(m_json.tokenEnd()); // it is shown up to the damage
            return skipped;
        }
        add(m_json.tokenEnd());
        if (!isMetadata && m_input.model == nullptr) {
            addData(name, statedBy(value));
        }
        return {};
    }

    static StatedTensor statedBy(JsonReader& json) {
        StatedTensor stated;
        std::vector<std::uint64_t> range;
        const auto numbers = [&](std::vector<std::uint64_t>& out) -> Result<> {
            GUFO_TRY(json.expect(Token::ArrayStart, Detail::List));
            return json.readElements([&](Token token) -> Result<> {
                const std::string_view text = json.textView();
                std::uint64_t number = 0;
                const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
                if (token != Token::Number || error != std::errc() || end != text.data() + text.size() ||
                    out.size() == Shape::kMaxDimensions) {
                    return json.expected(Detail::WholeNumber);
                }
                out.push_back(number);
                return {};
            });
        };
        const auto member = [&]() -> Result<> {
            if (json.textView() == "dtype") {
                GUFO_TRY(json.expect(Token::String, Detail::TypeName));
                stated.type = safetensors::findDataType(json.textView());
                return {};
            }
            return json.textView() == "shape"          ? numbers(stated.shape)
                   : json.textView() == "data_offsets" ? numbers(range)
                                                       : json.skipValue();
        };
        const bool isRead = json.next() == Token::ObjectStart && json.readMembers(member);
        if (isRead && range.size() == 2 && range[0] <= range[1]) {
            stated.data = ByteRange{range[0], range[1] - range[0]};
        }
        std::ranges::reverse(stated.shape);
        return stated;
    }

    // A tensor, but not each of its rows, consists of whole blocks.
    static std::optional<std::uint64_t> bytesOf(const TensorTypeFact* type, const Shape& shape) {
        const auto weights = shape.weights();
        return type != nullptr && weights && *weights % type->blockSize == 0
                   ? checkedMultiply(*weights / type->blockSize, type->blockBytes)
                   : std::nullopt;
    }

    // Adds the data of a tensor of a file that cannot be read as a whole, if its member can be believed.
    void addData(const std::string& name, const StatedTensor& stated) {
        MapSection& record = m_sections.list.back();
        const Shape shape(stated.shape);
        const auto bytes = bytesOf(stated.type, shape);
        const auto begin = stated.data ? checkedAdd(m_dataBegin, stated.data->offset) : std::nullopt;
        if (!begin || (stated.type != nullptr && bytes != stated.data->length)) {
            record.isDoubtful = true;
            return;
        }
        const std::uint64_t there = m_input.bytes.size() - std::min<std::uint64_t>(*begin, m_input.bytes.size());
        const std::uint64_t length = std::min(stated.data->length, there);
        if (length < stated.data->length) {
            m_sections.cut.push_back({name, stated.data->length - length});
        }
        if (length == 0) {
            return;
        }
        if (stated.type != nullptr) {
            m_sections.list.push_back(
                tensorSection(name, stated.type->id, std::string(stated.type->name), shape, {*begin, length}));
        } else {
            m_sections.list.push_back({.range = {*begin, length}, .role = FieldRole::TensorData, .of = name});
        }
    }

    const MapInput& m_input;
    std::uint64_t m_dataBegin;
    Sections& m_sections;
    JsonReader m_json;
};

// The brackets and commas between the members.
void fillSyntax(std::uint64_t end, Sections& sections) {
    std::vector<MapSection> between;
    std::uint64_t at = 0;
    for (const MapSection& section : sections.list) {
        if (section.role == FieldRole::TensorData) {
            continue;
        }
        if (section.range.offset > at) {
            between.push_back({.range = {at, section.range.offset - at}, .role = FieldRole::JsonSyntax});
        }
        at = section.range.offset + section.range.length;
    }
    if (at < end) {
        between.push_back({.range = {at, end - at}, .role = FieldRole::JsonSyntax});
    }
    std::ranges::move(between, std::back_inserter(sections.list));
}

} // namespace

Sections safetensorsSections(const MapInput& input) {
    Sections sections;
    if (input.bytes.size() < kLengthBytes) {
        sections.damage = input.from(0);
        return sections;
    }
    const auto length = load<std::uint64_t>(input.bytes.data(), ByteOrder::Little);
    const std::uint64_t there = input.bytes.size() - kLengthBytes;
    sections.list.push_back({.range = {0, kLengthBytes}, .expand = expandLength});
    if (length > there && length > safetensors::kMaxHeader) { // the length itself is wrong
        sections.list.front().isDoubtful = true;
        sections.damage = input.from(kLengthBytes);
        return sections;
    }
    const Bytes header = input.bytes.subspan(kLengthBytes, std::min(length, there));
    MemberWalk(input, {reinterpret_cast<const char*>(header.data()), header.size()}, sections).walk();
    fillSyntax(kLengthBytes + header.size(), sections);
    addTensorData(input, sections);
    return sections;
}

} // namespace gufo
