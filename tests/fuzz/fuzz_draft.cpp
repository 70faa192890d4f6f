// Reads the changes of a draft, applies, writes and reads them again, and finally undoes everything.
#include "document/change_json.h"
#include "document/document.h"
#include "require.h"

#include <cstring>

using namespace gufo;

namespace {

// A model with the keys and tensors that changes can refer to.
std::shared_ptr<const Model> sample() {
    static const std::shared_ptr<const Model> model = [] {
        static const OwnedValue words = OwnedValue::strings(std::vector<std::string>{"a", "bb", "ccc"});
        auto made = std::make_shared<Model>();
        made->container = "gguf";
        made->version = 3;
        made->files.push_back({.source = std::make_shared<MemorySource>(std::vector<std::byte>(64)), .path = "x.gguf"});
        made->metadata.add({.key = "a", .value = std::uint32_t{1}});
        made->metadata.add({.key = "b", .value = words.value()});
        made->metadata.add({.key = "a", .value = std::string_view("again")});
        for (const char* name : {"t", "u", "v"}) {
            TensorInfo tensor{.name = name};
            const std::uint64_t dims[] = {2};
            tensor.shape = Shape(dims);
            tensor.bytes = tensor.bytesPresent = 8;
            tensor.offset = tensor.declaredOffset = made->tensors.size() * 16;
            made->tensors.push_back(tensor);
        }
        made->indexTensors();
        return made;
    }();
    return model;
}

Result<ReadChanges> read(std::string_view text) {
    JsonReader json(text);
    const auto import = [](const std::filesystem::path& path) -> Result<std::shared_ptr<const Model>> {
        return std::unexpected(Error{ErrorCode::FileNotFound, path, {}, {}, 0});
    };
    return readChanges(json, import);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto changes = read({reinterpret_cast<const char*>(data), size});
    if (!changes) {
        return 0;
    }
    Document document(sample());
    for (const Change& change : changes->changes) {
        static_cast<void>(document.apply({change}, "one"));
    }
    // The net changes, written and read again, have the same effect.
    std::string written;
    JsonText json([&](Bytes bytes) -> Result<> {
        written.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return {};
    });
    auto net = document.changes();
    // A tensor that was replaced by itself comes from the sample, which has no file.
    std::erase_if(net, [](const Change& change) { return std::holds_alternative<ImportTensor>(change); });
    require(writeChanges(json, net).has_value() && json.finish().has_value());
    const auto again = read(written);
    require(again && again->changes.size() == net.size());
    Document other(sample());
    require(other.apply(document.changes(), "net").has_value());
    require(other.differences().size() == document.differences().size());
    while (document.canUndo()) {
        document.undo();
    }
    require(!document.isModified());
    return 0;
}
