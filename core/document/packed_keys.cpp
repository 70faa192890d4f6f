#include "document/packed_keys.h"

#include "formats/gguf/read/reader.h"
#include "formats/gguf/write/writer.h"

namespace gufo {

std::optional<std::vector<std::byte>> packKeys(const Model& model, std::span<const KvIndex> keys) {
    gguf::Writer writer;
    for (const KvIndex kv : keys) {
        const KeyValue& entry = model.metadata[kv];
        if (!writer.add(entry.key, entry.value)) {
            return std::nullopt;
        }
    }
    return writer.header();
}

Result<std::shared_ptr<const Model>> unpackKeys(Bytes bytes) {
    return gguf::read(std::make_shared<MemorySource>(std::vector<std::byte>(bytes.begin(), bytes.end())));
}

} // namespace gufo
