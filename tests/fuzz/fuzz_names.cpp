// Parses arbitrary bytes as tensor names, file names, shard names, size labels and keys of the catalogue.
#include "formats/gguf/read/shards.h"
#include "model/file_naming.h"
#include "model/file_type.h"
#include "model/key_catalogue.h"
#include "model/tensor_role.h"
#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gufo;
    const std::string_view text(reinterpret_cast<const char*>(data), size);

    const TensorName name = parseTensorName(text);
    require(name.fact == nullptr || name.role == name.fact->name);
    require(name.fact == nullptr || name.fact->perBlock == name.block.has_value());
    require(text.ends_with(name.suffix) && text.find(name.prefix) != std::string_view::npos);

    const FileNaming naming = parseFileNaming(text);
    require(naming.shard.has_value() == naming.shardCount.has_value());
    require(!naming.conforms || (!naming.version.empty() && text.ends_with(".gguf")));
    require(naming.baseName.size() + naming.sizeLabel.size() + naming.fineTune.size() + naming.version.size() +
                naming.encoding.size() + naming.type.size() + naming.sidecar.size() <=
            text.size());
    if (const auto parameters = sizeLabelParameters(naming.sizeLabel)) {
        require(*parameters >= 0);
    }
    static_cast<void>(sizeLabelParameters(text));

    const std::string_view architecture = text.substr(0, text.find('.'));
    for (const std::string_view arch : {std::string_view(), std::string_view("llama"), architecture}) {
        const KeyFact* fact = describeKey(text, arch);
        require(fact == nullptr || text.find('{') == std::string_view::npos);
        static_cast<void>(keyGroup(text, arch));
        static_cast<void>(enumName(text, arch, static_cast<std::int64_t>(size)));
        static_cast<void>(keyChoices(text, arch));
    }
    static_cast<void>(findFileType(text));
    static_cast<void>(findTensorType(text));

    const auto shard = gguf::parseShardName(std::filesystem::path(std::string(text)));
    require(!shard || gguf::parseShardName(gguf::shardFileName(*shard)) == shard);
    return 0;
}
