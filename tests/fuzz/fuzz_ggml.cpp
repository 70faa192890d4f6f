// Reads files from before GGUF, and the bytes of every tensor. Every input is read as one part of a model whose other
// parts have the same bytes.
#include "formats/ggml/reader.h"
#include "require.h"

using namespace gufo;

namespace {

void use(const Model& model) {
    for (const KeyValue& entry : model.metadata) {
        require(model.metadata.find(entry.key) != nullptr);
    }
    std::byte sum{};
    for (const TensorInfo& tensor : model.tensors) {
        require(model.findTensor(tensor.name).has_value());
        require(tensor.bytes && tensor.bytesPresent <= *tensor.bytes);
        const auto bytes = model.bytesOf(tensor);
        if (tensor.bytesPresent != 0) {
            require(bytes && bytes->size() == tensor.bytesPresent);
            sum ^= bytes->front() ^ bytes->back();
        }
        if (const auto rows = model.rowsOf(tensor)) {
            float first = 0;
            (void)decode(*rows, 0, std::span(&first, rows->weights() != 0 && tensor.type()->blockSize == 1 ? 1U : 0U));
        }
    }
    __asm__ volatile("" : : "r"(&sum) : "memory"); // keeps the compiler from removing the loop
    (void)model.totals();
    (void)model.typeShares();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    const auto source = [&](const std::filesystem::path& path, Links) -> Result<std::shared_ptr<const ByteSource>> {
        return std::make_shared<MemorySource>(std::vector<std::byte>(bytes, bytes + size), path);
    };
    if (const auto model = ggml::open(*source("model.bin", Links::Follow), {}, source)) {
        use(**model);
    } else {
        require(model.error().place.offset.has_value());
    }
    return 0;
}
