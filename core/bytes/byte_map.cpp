#include "bytes/byte_map.h"

#include "bytes/map_section.h"
#include "formats/container/container.h"

#include <algorithm>
#include <array>

namespace gufo {
namespace {

constexpr auto kRoleNames = std::to_array<std::string_view>({
#define GUFO_FIELD(role, name, words) name,
#include "bytes/field_roles.inc"
#undef GUFO_FIELD
});

constexpr std::uint64_t kLongestPadding = 1U << 16U; // a longer gap is not looked through

std::uint64_t endOf(const MapSection& section) { return section.range.offset + section.range.length; }

// Sorts the sections and cuts sections that overlap an earlier one or the end of the file.
void tidy(std::vector<MapSection>& sections, std::uint64_t size) {
    std::ranges::sort(sections, [](const MapSection& a, const MapSection& b) {
        return std::pair(a.range.offset, b.range.length) < std::pair(b.range.offset, a.range.length);
    });
    std::uint64_t end = 0;
    std::erase_if(sections, [&](MapSection& section) {
        if (section.range.offset < end || section.range.offset >= size || section.range.length == 0) {
            return true;
        }
        section.range.length = std::min(section.range.length, size - section.range.offset);
        end = endOf(section);
        return false;
    });
}

// Which function divides the files of a format (Container::format) into sections.
struct FormatRow {
    std::string_view format;
    Sections (*sections)(const MapInput& input);
};
constexpr auto kFormats = std::to_array<FormatRow>({
    {"GGUF", ggufSections},
    {"safetensors", safetensorsSections},
    {"pytorch", pytorchSections},
    {"onnx", onnxSections},
    {"ggml", ggmlSections},
    {"ggmf", ggmlSections},
    {"ggjt", ggmlSections},
    {"ggla", ggmlSections},
});

} // namespace

std::string_view fieldRoleName(FieldRole role) { return kRoleNames.at(static_cast<std::size_t>(role)); }

ByteMap::ByteMap(std::shared_ptr<const ByteSource> file, std::shared_ptr<const Model> model)
    : m_file(std::move(file))
    , m_model(std::move(model)) {}

ByteMap::~ByteMap() = default;

Result<std::shared_ptr<const ByteMap>> ByteMap::of(std::shared_ptr<const ByteSource> file,
                                                   std::shared_ptr<const Model> model, FileIndex index,
                                                   const JobContext& job) {
    const std::shared_ptr<ByteMap> map(new ByteMap(std::move(file), std::move(model)));
    const Bytes bytes = GUFO_TRY(map->m_file->view({0, map->size()}));
    const Container* container = detectContainer(*map->m_file);
    const auto* const row = std::ranges::find_if(
        kFormats, [&](const FormatRow& each) { return container != nullptr && container->format == each.format; });
    const MapInput input{.bytes = bytes, .model = map->m_model.get(), .index = index, .job = job};
    Sections sections = row != kFormats.end() ? row->sections(input) : Sections();
    if (job.stopRequested()) {
        return fail(ErrorCode::Cancelled);
    }
    if (sections.damage && *sections.damage < bytes.size()) {
        sections.list.push_back(
            {.range = {*sections.damage, bytes.size() - *sections.damage}, .role = FieldRole::Damage});
    }
    tidy(sections.list, bytes.size());
    map->m_sections = std::move(sections.list);
    map->m_layout = sections.layout;
    map->m_isDraft = sections.isDraft;
    if (auto damage = map->m_file->damage()) {
        return std::unexpected(*std::move(damage));
    }
    return map;
}

Result<> ByteMap::addGap(ByteRange gap, FieldSink& sink) const {
    if (!sink.wants(gap)) {
        return {};
    }
    const Bytes bytes = GUFO_TRY(m_file->view({gap.offset, std::min(gap.length, kLongestPadding)}));
    const bool isZero = std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
    sink.add({.range = gap, .role = isZero && gap.length <= kLongestPadding ? FieldRole::Padding : FieldRole::Unknown});
    return {};
}

Result<std::vector<ByteField>> ByteMap::fields(ByteRange range, std::size_t limit) const {
    if (range.offset >= size() || range.length == 0) {
        return std::vector<ByteField>();
    }
    range.length = std::min(range.length, size() - range.offset);
    FieldSink sink(range, limit);
    auto section = std::ranges::upper_bound(m_sections, range.offset, {}, endOf);
    std::uint64_t at = section == m_sections.begin() ? 0 : endOf(*std::prev(section));
    const MapContext context{.file = *m_file, .layout = m_layout, .isDraft = m_isDraft};
    for (; section != m_sections.end() && section->range.offset < range.offset + range.length; ++section) {
        GUFO_TRY(addGap({at, section->range.offset - at}, sink));
        at = endOf(*section);
        if (section->expand == nullptr) {
            sink.add({.range = section->range, .role = section->role, .of = section->of, .type = section->type});
            continue;
        }
        // What the section's function leaves out has no meaning that is known.
        FieldSink inner(range, limit);
        GUFO_TRY(section->expand(context, *section, inner));
        std::uint64_t from = std::max(section->range.offset, range.offset);
        const auto fillTo = [&](std::uint64_t to) {
            if (from < to) {
                sink.add({.range = {from, to - from}, .of = section->of});
            }
        };
        for (ByteField& field : inner.take()) {
            fillTo(field.range.offset);
            from = field.range.offset + field.range.length;
            sink.add(std::move(field));
        }
        if (!inner.full()) {
            fillTo(at);
        }
    }
    GUFO_TRY(addGap({at, (section == m_sections.end() ? size() : section->range.offset) - at}, sink));
    return sink.take();
}

std::optional<ByteRange> ByteMap::keyRange(std::string_view key) const {
    const auto found = std::ranges::find_if(m_sections, [&](const MapSection& section) {
        return section.of == key && (section.role == FieldRole::Key || section.role == FieldRole::Hyperparameter);
    });
    return found != m_sections.end() ? std::optional(found->range) : std::nullopt;
}

std::optional<ByteRange> ByteMap::tensorRecord(std::string_view name) const {
    const auto found = std::ranges::find_if(m_sections, [&](const MapSection& section) {
        return section.of == name && section.role == FieldRole::TensorRecord;
    });
    return found != m_sections.end() ? std::optional(found->range) : std::nullopt;
}

std::optional<ByteRange> ByteMap::tensorData(std::string_view name) const {
    const auto found = std::ranges::find_if(m_sections, [&](const MapSection& section) {
        return section.of == name && section.role == FieldRole::TensorData;
    });
    return found != m_sections.end() ? std::optional(found->range) : std::nullopt;
}

} // namespace gufo
