// Maps the bytes of files in every format, with and without the model that was read from them. Every byte of a window
// belongs to one field.
#include "bytes/byte_map.h"
#include "formats/container/container.h"
#include "require.h"

#include <algorithm>
#include <vector>

using namespace gufo;

namespace {

void use(const std::shared_ptr<const ByteSource>& source, const std::shared_ptr<const Model>& model) {
    const auto map = ByteMap::of(source, model);
    require(map.has_value());
    const std::uint64_t size = (*map)->size();
    constexpr std::uint64_t kWindow = 300;
    for (std::uint64_t offset = 0; offset < size; offset += size / 16 + kWindow) {
        const ByteRange range{offset, std::min(kWindow, size - offset)};
        const auto fields = (*map)->fields(range, kWindow);
        require(fields.has_value() && !fields->empty());
        std::uint64_t at = range.offset;
        for (const ByteField& field : *fields) {
            require(field.range.length != 0 && fits(field.range, size));
            require(at == range.offset ? field.range.offset <= at : field.range.offset == at);
            at = field.range.offset + field.range.length;
        }
        require(at >= range.offset + range.length);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    const auto source = std::make_shared<MemorySource>(std::vector<std::byte>(bytes, bytes + size));
    use(source, nullptr);
    const Container* container = detectContainer(*source);
    if (container != nullptr && container->readPart != nullptr) {
        if (const auto model = container->readPart(source, {})) {
            use(source, *model);
        }
    }
    return 0;
}
