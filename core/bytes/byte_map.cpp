#include "bytes/byte_map.h"

#include "base/try.h"
#include "bytes/map_section.h"
#include "formats/container/container.h"
#include "model/finding_code.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace gufo {
namespace {

constexpr auto kRoleNames = std::to_array<std::string_view>({
#define GUFO_FIELD(role, name, words) name,
#include "bytes/field_roles.inc"
#undef GUFO_FIELD
});

constexpr std::uint64_t kLongestPadding = 1U << 16U; // a longer gap is not looked through

std::uint64_t endOf(const MapSection& section) { return section.range.offset + section.range.length; }

constexpr std::size_t kMostDamages = 1'000;

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

// Takes a range away from the sections, which are sorted.
void cutOut(std::vector<MapSection>& sections, ByteRange range) {
    const std::uint64_t end = range.offset + range.length;
    std::erase_if(sections, [&](MapSection& section) {
        if (section.range.offset >= end || endOf(section) <= range.offset) {
            return false;
        }
        section.range.length = range.offset - std::min(range.offset, section.range.offset);
        return section.range.length == 0;
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

// Guesses the format of a file that no reader detects, from its first bytes or from its name.
const FormatRow* formatByLooks(const ByteSource& file, Bytes bytes) {
    const auto named = [](std::string_view format) { return std::ranges::find(kFormats, format, &FormatRow::format); };
    const auto hasAt = [&](std::size_t at, std::string_view text) {
        return bytes.size() >= at + text.size() && shownText(bytes.subspan(at, text.size())) == text;
    };
    const Container* container = containerByName(file.path().filename());
    const bool isArchive = hasAt(0, "PK\x03\x04") || hasAt(257, "ustar") || hasAt(0, "\x80\x02");
    if (isArchive && container != nullptr) { // .bin may be GGML, too
        return named("pytorch");
    }
    if (container == nullptr && hasAt(8, "{\"")) {
        return named("safetensors");
    }
    // The suffix .bin says little, and a GGML file would have been detected by its magic number.
    const bool isSure = container != nullptr && suffixIn(file.path().filename(), *container) != ".bin";
    const auto* const row = isSure ? named(container->format) : kFormats.end();
    return row != kFormats.end() && !bytes.empty() ? row : nullptr;
}

const FormatRow* formatOf(const ByteSource& file, Bytes bytes) {
    const Container* container = detectContainer(file);
    const auto* const row =
        container != nullptr ? std::ranges::find(kFormats, container->format, &FormatRow::format) : kFormats.end();
    return row != kFormats.end() ? row : formatByLooks(file, bytes);
}

// Whether an error is about the bytes of the file, and not about other files or the system.
bool tellsDamage(ErrorCode code) {
    switch (code) {
    case ErrorCode::NotAModel: // the magic number is damaged, or the file ends before it can be recognised
    case ErrorCode::OtherFormat:
    case ErrorCode::UnsupportedVersion:
    case ErrorCode::Truncated:
    case ErrorCode::CountTooLarge:
    case ErrorCode::StringTooLong:
    case ErrorCode::UnknownValueType:
    case ErrorCode::ArrayTooLong:
    case ErrorCode::NestingTooDeep:
    case ErrorCode::TooManyDimensions:
    case ErrorCode::LimitExceeded:
    case ErrorCode::Malformed:
    case ErrorCode::BadSyntax:
        return true;
    default:
        return false;
    }
}

// What the reader of the format says about the file. A file is read as what its sections are of, also if it is not
// recognised by its beginning.
Result<std::shared_ptr<const Model>> readAs(const FormatRow& row, const std::shared_ptr<const ByteSource>& file,
                                            const JobContext& job) {
    const Container* container = detectContainer(*file);
    if (container == nullptr || container->format != row.format) {
        const auto found = std::ranges::find_if(
            containers(), [&](const Container& each) { return each.format == row.format && each.readable(); });
        container = found != containers().end() ? &*found : nullptr;
    }
    if (container == nullptr || !container->readable()) {
        return std::unexpected(refusalOf(*file));
    }
    return container->readPart != nullptr ? container->readPart(file, job) : container->read(file, job);
}

// Whether a finding of a reader is about bytes that are missing or cannot be told.
bool tellsDamage(const Finding& finding) {
    switch (finding.code) {
    case FindingCode::TensorRecordBroken:
    case FindingCode::StorageMissing:
    case FindingCode::TensorOutsideStorage:
    case FindingCode::PickleCut:
        return true;
    default:
        return false;
    }
}

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
    const FormatRow* row = formatOf(*map->m_file, bytes);
    std::optional<Error> refusal;
    if (row != nullptr && map->m_model == nullptr) {
        auto read = readAs(*row, map->m_file, job);
        if (read) {
            map->m_model = *std::move(read);
        } else if (read.error().code == ErrorCode::Cancelled) {
            return std::unexpected(std::move(read).error());
        } else if (tellsDamage(read.error().code)) {
            refusal = std::move(read).error();
        }
    }
    const MapInput input{.bytes = bytes, .model = map->m_model.get(), .index = index, .job = job};
    Sections sections = row != nullptr ? row->sections(input) : Sections();
    GUFO_TRY(job.check());
    map->m_layout = sections.layout;
    map->m_isDraft = sections.isDraft;
    map->take(std::move(sections), std::move(refusal), index);
    if (auto damage = map->m_file->damage()) {
        return std::unexpected(*std::move(damage));
    }
    return map;
}

void ByteMap::take(Sections sections, std::optional<Error> refusal, FileIndex index) {
    m_sections = std::move(sections.list);
    tidy(m_sections, size());
    const auto reasonOf = [](auto&& why) {
        return std::make_shared<const DamageReason>(std::forward<decltype(why)>(why));
    };
    const std::shared_ptr<const DamageReason> refused = refusal ? reasonOf(*refusal) : nullptr;
    const auto add = [this](ByteRange range, std::string of, std::shared_ptr<const DamageReason> reason) {
        if (m_damages.size() < kMostDamages) {
            m_damages.push_back({range, std::move(of), std::move(reason)});
        }
    };
    const auto addRest = [&](ByteRange range, const std::shared_ptr<const DamageReason>& reason) {
        cutOut(m_sections, range);
        m_sections.push_back({.range = range, .role = FieldRole::Damage, .damage = reason});
        add(range, {}, reason);
    };
    if (refusal && refusal->code == ErrorCode::UnsupportedVersion && refusal->place.offset) {
        // How the rest is laid out is not known, whatever it looks like.
        const std::uint64_t at = std::min(*refusal->place.offset, size());
        sections.damage = ByteRange{at, size() - at};
        sections.cut.clear();
    }
    // What the reader refuses is where the sections end or contradict the file, or else the place that it names.
    if (sections.damage) {
        const ByteRange rest = *sections.damage;
        addRest(rest,
                refused != nullptr
                    ? refused
                    : reasonOf(Finding{FindingCode::TensorRecordBroken, Place::atOffset(rest.offset), {rest.length}}));
    }
    if (refused != nullptr) {
        const Place& place = refusal->place;
        const bool isNamed = place.kind == Place::Kind::Tensor || place.kind == Place::Kind::Key;
        // A record in which the sections end has been told, and a tensor that is cut off is told below.
        const bool isTold =
            sections.damage || std::ranges::find(sections.cut, place.name, &CutTensor::name) != sections.cut.end();
        for (MapSection& section : m_sections) {
            const bool isRecord =
                section.role == (place.kind == Place::Kind::Key ? FieldRole::Key : FieldRole::TensorRecord);
            const bool isNamedRecord = isNamed && isRecord && section.of == place.name;
            if (section.isDoubtful || (isNamedRecord && !isTold)) {
                section.damage = refused;
                add(section.range, section.of, refused);
            }
        }
        if (m_damages.empty() && sections.cut.empty()) {
            const std::uint64_t at = std::min(place.kind == Place::Kind::File ? place.offset.value_or(0) : 0, size());
            const auto holder = std::ranges::find_if(m_sections, [&](const MapSection& section) {
                return section.range.offset <= at && at < endOf(section);
            });
            addRest({at, (holder != m_sections.end() ? endOf(*holder) : size()) - at}, refused);
        }
    }
    if (m_model != nullptr) {
        for (const Finding& finding : m_model->findings) {
            if (tellsDamage(finding) && finding.place.part.value_or(index.value) == index.value) {
                const std::uint64_t at = std::min(finding.place.offset.value_or(size()), size());
                at < size() ? addRest({at, size() - at}, reasonOf(finding))
                            : add({at, 0}, finding.place.name, reasonOf(finding));
            }
        }
    }
    markCut(sections.cut);
    tidy(m_sections, size());
    std::ranges::sort(m_damages, {}, [](const Damage& damage) { return damage.range.offset; });
}

// Says of the records and the data of tensors that their ends are missing.
void ByteMap::markCut(const std::vector<CutTensor>& cut) {
    std::unordered_map<std::string_view, std::shared_ptr<const DamageReason>> reasons;
    for (const CutTensor& tensor : cut) {
        const auto reason = std::make_shared<const DamageReason>(
            Finding{FindingCode::TensorPastEnd, Place::tensor(tensor.name), {tensor.missing}});
        reasons.emplace(tensor.name, reason);
        if (m_damages.size() < kMostDamages) {
            m_damages.push_back({{size(), 0}, tensor.name, reason});
        }
    }
    for (MapSection& section : m_sections) {
        const auto reason = reasons.empty() ? reasons.end() : reasons.find(section.of);
        if (reason != reasons.end() && section.damage == nullptr) {
            section.damage = reason->second;
        }
    }
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
            sink.add({.range = section->range,
                      .role = section->role,
                      .of = section->of,
                      .type = section->type,
                      .damage = section->damage});
            continue;
        }
        // What the section's function leaves out has no meaning that is known.
        FieldSink inner(range, limit);
        GUFO_TRY(section->expand(context, *section, inner));
        std::uint64_t from = std::max(section->range.offset, range.offset);
        const auto fillTo = [&](std::uint64_t to) {
            if (from < to) {
                sink.add({.range = {from, to - from}, .of = section->of, .damage = section->damage});
            }
        };
        for (ByteField& field : inner.take()) {
            if (field.range.offset >= at) { // damage cut the section short
                break;
            }
            field.range.length = std::min(field.range.length, at - field.range.offset);
            fillTo(field.range.offset);
            from = field.range.offset + field.range.length;
            field.damage = section->damage;
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
