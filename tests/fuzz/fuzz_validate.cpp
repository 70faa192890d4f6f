// Validates arbitrary files and estimates their memory. No model that the reader accepts may cause a fault.
#include "formats/gguf/read/reader.h"
#include "model/memory_estimate.h"
#include "validate/validate.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gufo;
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    const auto model = gguf::read(
        std::make_shared<MemorySource>(std::vector<std::byte>(bytes, bytes + size), "Fuzz-1K-v1.0-F32.gguf"));
    if (!model) {
        return 0;
    }
    // Many tensors may claim the same bytes; weights are read only if the claims are not much larger than the file.
    std::uint64_t claimed = 0;
    for (const TensorInfo& tensor : (*model)->tensors) {
        claimed += tensor.bytesPresent;
    }
    const auto validation = validate(**model, {.deep = claimed <= 4 * size}, {.threads = 1});
    if (!validation) {
        std::abort(); // the job is never cancelled and memory never changes
    }
    for (const std::uint64_t context : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
        const auto estimate = estimateMemory(**model, {.context = context, .batch = context});
        if (estimate && (estimate->total() < estimate->kvCache || estimate->total() < estimate->weights)) {
            std::abort(); // a sum has overflowed
        }
    }
    static_cast<void>(largestContext(**model, {}, std::uint64_t{1} << 33U));
    return 0;
}
