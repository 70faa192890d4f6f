// Reads arbitrary bytes as a model card. The number of keys is bounded, and every text is UTF-8.
#include "base/utf8.h"
#include "formats/sets/front_matter.h"
#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gufo;
    Model model;
    model.files.push_back({});
    MetadataBuilder metadata(model);
    const FrontMatter card = addFrontMatter(metadata, {reinterpret_cast<const char*>(data), size}, "card");
    require(card.found || model.metadata.size() == 0);
    require(model.metadata.size() <= kMaxCardKeys);
    for (const KeyValue& entry : model.metadata) {
        require(isValidUtf8(entry.key));
        const auto text = asString(entry.value);
        require(!text || isValidUtf8(*text));
    }
    return 0;
}
