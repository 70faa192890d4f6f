// Opens two files as a shard set. Input: the length of the first file in two bytes (little-endian), then both files.
#include "formats/gguf/read/shards.h"

#include <algorithm>
#include <cstdlib>

using namespace gufo;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    const std::size_t first = std::min<std::size_t>(load<std::uint16_t>(bytes), size - 2);
    const auto source = [](const std::byte* from, std::size_t length, const std::filesystem::path& path) {
        return std::make_shared<MemorySource>(std::vector<std::byte>(from, from + length), path);
    };
    const auto openSibling = [&](const std::filesystem::path& path,
                                 Links) -> Result<std::shared_ptr<const ByteSource>> {
        if (path.filename() != "model-00002-of-00003.gguf") {
            return fail(ErrorCode::FileNotFound);
        }
        return source(bytes + 2 + first, size - 2 - first, path);
    };
    const auto model = gguf::open(source(bytes + 2, first, "model-00001-of-00003.gguf"), {}, openSibling);
    if (!model) {
        return 0;
    }
    if ((*model)->files.size() != 3 || (*model)->files[2].source != nullptr) {
        std::abort();
    }
    for (const TensorInfo& tensor : (*model)->tensors) {
        const auto present = (*model)->bytesOf(tensor);
        if (tensor.bytesPresent != 0 && (!present || present->size() != tensor.bytesPresent)) {
            std::abort();
        }
    }
    return 0;
}
