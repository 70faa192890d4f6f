// Reads an ONNX model and the values of every tensor. External data are bytes of the input.
#include "formats/onnx/reader.h"
#include "require.h"

using namespace gufo;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    const auto source = std::make_shared<MemorySource>(std::vector<std::byte>(bytes, bytes + size), "folder/m.onnx");
    const SourceOpener open = [&](const std::filesystem::path& path,
                                  Links) -> Result<std::shared_ptr<const ByteSource>> {
        require(path.parent_path() == "folder");
        return std::make_shared<MemorySource>(std::vector<std::byte>(bytes, bytes + size), path);
    };
    const auto model = onnx::read(source, {}, open);
    if (!model) {
        require(model.error().file == "folder/m.onnx");
        return 0;
    }
    for (const TensorInfo& tensor : (*model)->tensors) {
        require((*model)->findTensor(tensor.name).has_value());
        require(tensor.bytes && (tensor.bytesPresent == 0 || tensor.bytesPresent == *tensor.bytes));
        if (tensor.bytesPresent == 0) {
            continue;
        }
        require((*model)->bytesOf(tensor).has_value());
        if (const auto rows = (*model)->rowsOf(tensor); rows && rows->weights() >= tensor.weights()) {
            std::vector<float> last(1);
            require(decode(*rows, tensor.weights() - 1, last).has_value());
        }
    }
    (void)(*model)->totals();
    return 0;
}
