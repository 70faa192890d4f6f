// The fields of a safetensors file: the length of the header, the members of its JSON object, the tensors' data.
#include "bytes/map_section.h"

#include <algorithm>

namespace gufo {
namespace {

constexpr std::uint64_t kLengthBytes = 8;

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

// Finds the members of the outermost object, without judging their values: strings and the depth of brackets suffice.
class MemberScan {
public:
    MemberScan(Bytes header, Sections& sections)
        : m_text(reinterpret_cast<const char*>(header.data()), header.size())
        , m_sections(sections) {}

    void scan() {
        for (std::size_t at = 0; at < m_text.size(); ++at) {
            const char c = m_text[at];
            if (c == '"') {
                const std::size_t end = stringEnd(at);
                if (m_depth == 1 && m_begin == m_text.npos) {
                    m_begin = at;
                    m_name = m_text.substr(at + 1, end - at - 1);
                }
                at = end;
            } else if (c == '{' || c == '[') {
                ++m_depth;
            } else if (c == '}' || c == ']') {
                --m_depth;
                if (m_depth == 0) {
                    finish(at);
                }
            } else if (c == ',' && m_depth == 1) {
                finish(at);
            }
        }
    }

private:
    // The position of the quotation mark that ends a string, or the last one of the text.
    [[nodiscard]] std::size_t stringEnd(std::size_t at) const {
        for (++at; at < m_text.size() && m_text[at] != '"'; ++at) {
            at += m_text[at] == '\\' ? 1 : 0;
        }
        return std::min(at, m_text.size() - 1);
    }

    void finish(std::size_t end) {
        if (m_begin != m_text.npos) {
            m_sections.list.push_back({.range = {kLengthBytes + m_begin, end - m_begin},
                                       .expand = expandMember,
                                       .role = m_name == "__metadata__" ? FieldRole::Key : FieldRole::TensorRecord,
                                       .of = std::string(m_name.substr(0, ByteField::kShownText))});
            m_begin = m_text.npos;
        }
    }

    std::string_view m_text;
    Sections& m_sections;
    int m_depth = 0;
    std::size_t m_begin = std::string_view::npos; // of the member
    std::string_view m_name;                      // with its escapes
};

// The brackets and commas between the members.
void fillSyntax(std::uint64_t end, Sections& sections) {
    std::vector<MapSection> between;
    std::uint64_t at = 0;
    for (const MapSection& section : sections.list) {
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
        sections.damage = 0;
        return sections;
    }
    const auto length = load<std::uint64_t>(input.bytes.data(), ByteOrder::Little);
    sections.list.push_back({.range = {0, kLengthBytes}, .expand = expandLength});
    if (length > input.bytes.size() - kLengthBytes) {
        sections.damage = kLengthBytes;
        return sections;
    }
    MemberScan(input.bytes.subspan(kLengthBytes, length), sections).scan();
    fillSyntax(kLengthBytes + length, sections);
    addTensorData(input, sections);
    return sections;
}

} // namespace gufo
