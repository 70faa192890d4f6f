// Opens a list of shards (model.safetensors.index.json). Input: the length of the list in two bytes (little-endian),
// the list, and the bytes of every shard that it names. Nothing outside of the list's folder may be opened.
#include "base/byte_order.h"
#include "formats/safetensors/header_text.h"
#include "formats/safetensors/reader.h"
#include "formats/safetensors/save.h"
#include "formats/sets/shard_index.h"
#include "require.h"

#include <algorithm>

using namespace gufo;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    const std::size_t length = std::min<std::size_t>(load<std::uint16_t>(bytes), size - 2);
    const auto source = [](const std::byte* from, std::size_t count, const std::filesystem::path& path) {
        return std::make_shared<MemorySource>(std::vector<std::byte>(from, from + count), path);
    };
    const SourceOpener open = [&](const std::filesystem::path& path,
                                  Links) -> Result<std::shared_ptr<const ByteSource>> {
        require(path.parent_path() == "folder" && path.filename() != ".." && path.filename() != ".");
        return source(bytes + 2 + length, size - 2 - length, path);
    };
    const auto model = shard_index::open(source(bytes + 2, length, "folder/model.safetensors.index.json"), {}, open);
    if (!model) {
        return 0;
    }
    for (const TensorInfo& tensor : (*model)->tensors) {
        require((*model)->findTensor(tensor.name).has_value());
        require(tensor.bytesPresent == 0 || (*model)->bytesOf(tensor).has_value());
    }
    (void)(*model)->totals();
    if (!safetensors::savesHeaders(**model)) {
        return 0;
    }
    // A key that is added to the set is added to each of its files.
    const std::string_view key = "an additional key";
    Model edited = **model;
    if (edited.metadata.find(key) != nullptr) {
        return 0;
    }
    edited.metadata.add({.key = key, .value = key});
    for (const ModelFile& file : (*model)->files) {
        const auto part = safetensors::read(file.source);
        require(part.has_value());
        const auto changed = safetensors::editedPart(**part, **model, edited);
        require(changed.has_value() && changed->metadata.size() == (*part)->metadata.size() + 1);
        require(safetensors::headerText(**part, *changed).has_value());
    }
    return 0;
}
