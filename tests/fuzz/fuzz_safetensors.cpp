// Reads a safetensors file, and encodes its header with an additional key. The file with that header must be readable
// and have the same keys and tensors, and this key. Nothing is saved.
#include "base/byte_order.h"
#include "formats/safetensors/header_text.h"
#include "formats/safetensors/reader.h"
#include "require.h"

using namespace gufo;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    const std::vector<std::byte> input(bytes, bytes + size);
    const auto model = safetensors::read(std::make_shared<MemorySource>(input));
    if (!model) {
        return 0;
    }
    for (const TensorInfo& tensor : (*model)->tensors) {
        require(tensor.complete() && (*model)->bytesOf(tensor).has_value());
    }
    const std::string_view key = "an additional key";
    if ((*model)->metadata.find(key) != nullptr) {
        return 0;
    }
    Model edited = **model;
    edited.metadata.add({.key = key, .value = key});
    const auto text = safetensors::headerText(**model, edited);
    require(text.has_value()); // what was read is valid
    std::vector<std::byte> written(safetensors::kLengthBytes);
    store<std::uint64_t>(written.data(), text->size());
    const auto* from = reinterpret_cast<const std::byte*>(text->data());
    written.insert(written.end(), from, from + text->size());
    const auto dataBegin = input.begin() + static_cast<std::ptrdiff_t>((*model)->files[0].dataOffset);
    written.insert(written.end(), dataBegin, input.end());
    const auto again = safetensors::read(std::make_shared<MemorySource>(written));
    require(again.has_value() && (*again)->tensors.size() == (*model)->tensors.size());
    require((*again)->metadata.size() == (*model)->metadata.size() + 1);
    require((*again)->metadata.string(key) == key);
    return 0;
}
