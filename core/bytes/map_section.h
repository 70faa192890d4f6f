// A section of a file, and the functions that divide files into sections and sections into fields. Each container has
// one function that lists its sections.
#pragma once

#include "base/job_context.h"
#include "bytes/byte_field.h"
#include "model/model.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace gufo {

struct MapSection;

// What a section needs to be divided into fields.
struct MapContext {
    const ByteSource& file;
    ValueLayout layout;
    bool isDraft = false; // of version 1 of GGUF
};

using ExpandSection = Result<> (*)(const MapContext& context, const MapSection& section, FieldSink& sink);

struct MapSection {
    ByteRange range;
    ExpandSection expand = nullptr; // null: the section is one field, `role` of `of`
    FieldRole role = FieldRole::Unknown;
    std::string of{};
    // Of tensor data.
    std::uint32_t typeId = 0;
    Shape shape{};
    std::string type{}; // the name of the type
};

struct Sections {
    std::vector<MapSection> list; // in any order
    ValueLayout layout{};
    bool isDraft = false;
    std::optional<std::uint64_t> damage{}; // where reading ended
};

struct MapInput {
    Bytes bytes;        // the whole file
    const Model* model; // null: it could not be read
    FileIndex index;    // of the file in the model
    const JobContext& job;
};

[[nodiscard]] Sections ggufSections(const MapInput& input);
[[nodiscard]] Sections safetensorsSections(const MapInput& input);
[[nodiscard]] Sections pytorchSections(const MapInput& input);
[[nodiscard]] Sections ggmlSections(const MapInput& input); // and its followers
[[nodiscard]] Sections onnxSections(const MapInput& input);

// The data of a tensor that is stored in order.
[[nodiscard]] MapSection tensorSection(std::string name, std::uint32_t typeId, std::string typeName, const Shape& shape,
                                       ByteRange range);
// Adds the data of the model's tensors in the file.
void addTensorData(const MapInput& input, Sections& sections);

// Divides a pickle into its opcodes.
[[nodiscard]] Result<> expandPickle(const MapContext& context, const MapSection& section, FieldSink& sink);

[[nodiscard]] inline std::string shownText(Bytes bytes) {
    const Bytes start = bytes.first(std::min(bytes.size(), ByteField::kShownText));
    return {reinterpret_cast<const char*>(start.data()), start.size()};
}

} // namespace gufo
