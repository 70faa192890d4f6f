// Compares walking strings in lanes with walking them one by one. The input is repeated until it fills the lanes.
#include "formats/gguf/read/string_walk.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace gufo;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kBytes = 400'000;
    if (size < 3) {
        return 0;
    }
    const ValueLayout layout{.order = (data[0] & 1U) != 0 ? ByteOrder::Big : ByteOrder::Little,
                             .lengths = (data[0] & 2U) != 0 ? ValueLayout::Lengths::U32 : ValueLayout::Lengths::U64};
    const std::uint64_t count = (data[0] & 4U) != 0 ? ~std::uint64_t{0} : data[1] * 400U;
    static std::vector<std::byte> bytes(
        kBytes); // one buffer for all runs, because the sanitizer keeps freed memory for long
    const std::size_t pattern = size - 2;
    std::memcpy(bytes.data(), data + 2, std::min(pattern, kBytes));
    for (std::size_t filled = pattern; filled < kBytes; filled *= 2) {
        std::memcpy(bytes.data() + filled, bytes.data(), std::min(filled, kBytes - filled));
    }
    const gguf::StringWalk found = gguf::walkStrings(bytes, count, layout);
    gguf::StringWalk expected;
    while (expected.strings < count) {
        const std::uint64_t left = kBytes - expected.bytes;
        if (left < layout.lengthBytes()) {
            break;
        }
        const std::uint64_t length = layout.loadLength(bytes.data() + expected.bytes);
        if (length > left - layout.lengthBytes()) {
            break;
        }
        expected.bytes += layout.lengthBytes() + length;
        ++expected.strings;
    }
    if (found.bytes != expected.bytes || found.strings != expected.strings) {
        std::abort();
    }
    return 0;
}
