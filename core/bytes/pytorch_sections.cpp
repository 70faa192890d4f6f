// The fields of PyTorch's files: an archive (ZIP, or tar before version 0.1.10), or the pickles of the format between
// the two, with the storages after them.
#include "bytes/map_section.h"
#include "formats/pytorch/pickle.h"

#include <algorithm>

namespace gufo {
namespace {

constexpr int kMostPickles = 8; // before the storages; PyTorch writes five
constexpr std::uint64_t kCountBytes = 8;

bool isZipArchive(Bytes bytes) { return bytes.size() >= 4 && bytes[0] == std::byte{'P'} && bytes[1] == std::byte{'K'}; }

bool isTarArchive(Bytes bytes) {
    constexpr std::size_t kMagic = 257;
    constexpr std::string_view kText = "ustar";
    return bytes.size() >= kMagic + kText.size() && shownText(bytes.subspan(kMagic, kText.size())) == kText;
}

std::vector<std::uint64_t> tensorOffsets(const Sections& sections) {
    std::vector<std::uint64_t> offsets;
    for (const MapSection& section : sections.list) {
        if (section.role == FieldRole::TensorData) {
            offsets.push_back(section.range.offset);
        }
    }
    std::ranges::sort(offsets);
    return offsets;
}

// Pickles one after another, then the storages, each after its number of elements.
void addPickles(const MapInput& input, Sections& sections) {
    addTensorData(input, sections);
    const std::vector<std::uint64_t> tensors = tensorOffsets(sections);
    const std::uint64_t end = tensors.empty() ? input.bytes.size() : tensors.front();
    std::uint64_t at = 0;
    for (int i = 0; i < kMostPickles && at < end; ++i) {
        const auto pickle = pickle::read(input.bytes, at, input.job);
        if (!pickle) {
            // After the first pickle, bytes that are no pickle may be a storage that no tensor uses.
            const auto damage = damageInPickle(input.bytes.subspan(at, end - at));
            if (i == 0 || (input.model == nullptr && damage != 0)) {
                sections.list.push_back({.range = {at, end - at}, .expand = expandPickle, .role = FieldRole::Opcode});
                if (damage) {
                    sections.damage = ByteRange{at + *damage, end - at - *damage};
                }
            }
            break;
        }
        sections.list.push_back({.range = {at, pickle->end - at}, .expand = expandPickle, .role = FieldRole::Opcode});
        at = pickle->end;
    }
    for (const std::uint64_t tensor : tensors) {
        if (tensor >= at + kCountBytes) {
            sections.list.push_back({.range = {tensor - kCountBytes, kCountBytes},
                                     .expand = expandElementCount,
                                     .role = FieldRole::ElementCount});
        }
    }
}

} // namespace

EntryList::EntryList(Sections& sections)
    : m_sections(sections)
    , m_tensors(tensorOffsets(sections)) {}

void EntryList::add(ByteRange range, const std::string& name) {
    const auto tensor = std::ranges::lower_bound(m_tensors, range.offset);
    if (tensor == m_tensors.end() || *tensor >= range.offset + range.length) {
        m_sections.list.push_back({.range = range,
                                   .expand = name.ends_with(".pkl") ? expandPickle : nullptr,
                                   .role = FieldRole::ArchiveEntry,
                                   .of = name});
    }
}

Result<> expandElementCount(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(context.file.view(section.range));
    if (bytes.size() == kCountBytes) {
        sink.add({.range = section.range,
                  .role = FieldRole::ElementCount,
                  .of = section.of,
                  .type = "u64",
                  .value = load<std::uint64_t>(bytes.data(), context.layout.order)});
    }
    return {};
}

Sections pytorchSections(const MapInput& input) {
    Sections sections;
    if (input.model != nullptr) {
        sections.layout.order = input.model->byteOrder;
    }
    if (isZipArchive(input.bytes)) {
        addZip(input, sections);
    } else if (isTarArchive(input.bytes)) {
        addTar(input, sections);
    } else {
        addPickles(input, sections);
    }
    return sections;
}

} // namespace gufo
