// The fields of files from before GGUF. Their layout depends on the family of the model, which the reader finds, so the
// sections come from what it read: without a model, only the magic number has a meaning.
#include "bytes/map_section.h"

#include <algorithm>

namespace gufo {
namespace {

constexpr std::uint64_t kMagicBytes = 4;

Result<> expandMagic(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(context.file.view(section.range));
    sink.add({.range = {0, kMagicBytes},
              .role = FieldRole::Magic,
              .type = "str",
              .value = shownText(bytes.first(kMagicBytes))});
    if (section.range.length > kMagicBytes) {
        sink.add({.range = {kMagicBytes, 4},
                  .role = FieldRole::Version,
                  .type = "u32",
                  .value = std::uint64_t{load<std::uint32_t>(bytes.data() + kMagicBytes)}});
    }
    return {};
}

Result<> expandNumber(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(context.file.view(section.range));
    ByteField field{.range = section.range, .role = FieldRole::Hyperparameter, .of = section.of, .type = section.type};
    if (section.range.length == 4) {
        if (section.type == "f32") {
            field.value = double{load<float>(bytes.data())};
        } else {
            field.value = std::uint64_t{load<std::uint32_t>(bytes.data())};
        }
    }
    sink.add(std::move(field));
    return {};
}

// u32 dimensions, u32 length of the name, u32 type, the dimensions, the name.
Result<> expandTensorRecord(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(context.file.view(section.range));
    std::uint64_t at = 0;
    const auto number = [&](FieldRole role, std::optional<std::uint64_t> element = {}) -> std::uint32_t {
        if (bytes.size() - at < 4) {
            return 0;
        }
        const auto value = load<std::uint32_t>(bytes.data() + at);
        sink.add({.range = {section.range.offset + at, 4},
                  .role = role,
                  .of = section.of,
                  .element = element,
                  .type = "u32",
                  .value = std::uint64_t{value}});
        at += 4;
        return value;
    };
    const std::uint32_t dimensions = number(FieldRole::DimensionCount);
    const std::uint64_t nameBytes = number(FieldRole::NameLength);
    number(FieldRole::TensorType);
    for (std::uint32_t i = 0; i < dimensions && bytes.size() - at >= 4; ++i) {
        number(FieldRole::Dimension, i);
    }
    const std::uint64_t name = std::min<std::uint64_t>(nameBytes, bytes.size() - at);
    sink.add({.range = {section.range.offset + at, name},
              .role = FieldRole::Name,
              .of = section.of,
              .type = "str",
              .value = shownText(bytes.subspan(at, name))});
    return {};
}

} // namespace

Sections ggmlSections(const MapInput& input) {
    Sections sections;
    if (input.model == nullptr || input.bytes.size() < kMagicBytes) {
        sections.damage = std::min<std::uint64_t>(kMagicBytes, input.bytes.size());
        return sections;
    }
    const Model& model = *input.model;
    const std::uint64_t afterMagic = model.version == 0 ? kMagicBytes : 2 * kMagicBytes;
    sections.list.push_back({.range = {0, std::min(afterMagic, input.bytes.size())}, .expand = expandMagic});
    std::uint64_t headerEnd = afterMagic;
    for (const KeyValue& entry : model.metadata) {
        // Keys that stand for no number of the file, such as the family, have no bytes.
        if (entry.file != input.index || entry.bytes != 4 || entry.offset < afterMagic) {
            continue;
        }
        const bool isFloat = std::holds_alternative<float>(entry.value);
        sections.list.push_back({.range = {entry.offset, entry.bytes},
                                 .expand = expandNumber,
                                 .role = FieldRole::Hyperparameter,
                                 .of = std::string(entry.key),
                                 .type = isFloat ? "f32" : "u32"});
        headerEnd = std::max(headerEnd, entry.offset + entry.bytes);
    }
    std::uint64_t firstRecord = input.bytes.size();
    for (const TensorInfo& tensor : model.tensors) {
        if (tensor.file == input.index && tensor.recordOffset != 0) {
            const std::uint64_t records = 12 + 4 * tensor.shape.count() + tensor.name.size();
            sections.list.push_back(
                {.range = {tensor.recordOffset, std::min(records, tensor.offset - tensor.recordOffset)},
                 .expand = expandTensorRecord,
                 .role = FieldRole::TensorRecord,
                 .of = std::string(tensor.name)});
            firstRecord = std::min(firstRecord, tensor.recordOffset);
        }
    }
    if (headerEnd < firstRecord) {
        sections.list.push_back({.range = {headerEnd, firstRecord - headerEnd}, .role = FieldRole::Vocabulary});
    }
    addTensorData(input, sections);
    return sections;
}

} // namespace gufo
