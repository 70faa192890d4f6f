// Detects containers, and parses shard names made of the same bytes.
#include "formats/container/container.h"
#include "formats/gguf/read/shards.h"

#include <cstdlib>

using namespace gufo;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    (void)detectContainer(MemorySource(std::vector<std::byte>(bytes, bytes + size)));
    const std::string text(reinterpret_cast<const char*>(data), size);
    if (const auto name = gguf::parseShardName(text); name && gguf::shardFileName(*name).native() != text) {
        std::abort();
    }
    return 0;
}
