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
    // The file contradicts it, for the reason for which the file cannot be read.
    bool isDoubtful = false;
    std::shared_ptr<const DamageReason> damage{}; // of all its fields
};

// A tensor whose last bytes are beyond the end of the file.
struct CutTensor {
    std::string name;
    std::uint64_t missing = 0;
};

struct Sections {
    std::vector<MapSection> list; // in any order
    ValueLayout layout{};
    bool isDraft = false;
    std::optional<ByteRange> damage{}; // from where on the bytes cannot be told
    std::vector<CutTensor> cut{};
};

struct MapInput {
    Bytes bytes;        // the whole file
    const Model* model; // null: it could not be read
    FileIndex index;    // of the file in the model
    const JobContext& job;

    [[nodiscard]] ByteRange from(std::uint64_t offset) const { return {offset, bytes.size() - offset}; }
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

// The sections of an archive: its headers, its entries and its directory.
void addZip(const MapInput& input, Sections& sections);
void addTar(const MapInput& input, Sections& sections);
// Adds the bytes of entries. The entry of a storage that holds tensors is shown as these, so they come first.
class EntryList {
public:
    explicit EntryList(Sections& sections);
    void add(ByteRange range, const std::string& name);

private:
    Sections& m_sections;
    std::vector<std::uint64_t> m_tensors; // their offsets, sorted
};

// Divides a pickle into its opcodes.
[[nodiscard]] Result<> expandPickle(const MapContext& context, const MapSection& section, FieldSink& sink);
// The offset of the first byte of a pickle that is no opcode, or that is cut off.
[[nodiscard]] std::optional<std::uint64_t> damageInPickle(Bytes pickle);
// The number of elements before a storage (u64).
[[nodiscard]] Result<> expandElementCount(const MapContext& context, const MapSection& section, FieldSink& sink);

[[nodiscard]] inline std::string shownText(Bytes bytes) {
    const Bytes start = bytes.first(std::min(bytes.size(), ByteField::kShownText));
    return {reinterpret_cast<const char*>(start.data()), start.size()};
}

} // namespace gufo
