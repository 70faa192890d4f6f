// Reads GGUF files, indexes every array and reads the bytes of every tensor.
#include "formats/gguf/read/reader.h"
#include "model/array_index.h"
#include "require.h"

using namespace gufo;

namespace {

void useArray(const ArrayView& array, unsigned depth) {
    const auto index = ArrayIndex::build(array);
    require(index.has_value()); // the reader has validated it
    constexpr std::uint64_t kLooked = 200;
    const std::uint64_t step = index->size() / kLooked + 1;
    for (std::uint64_t i = 0; i < index->size(); i += step) {
        const Value element = index->at(i);
        require(typeOf(element) == array.elementType);
        if (const auto text = asString(element)) {
            require(text->data() >= reinterpret_cast<const char*>(array.bytes.data()) &&
                    text->data() + text->size() <=
                        reinterpret_cast<const char*>(array.bytes.data()) + array.bytes.size());
        }
        if (const ArrayView* nested = asArray(element); nested != nullptr && depth < 2) {
            useArray(*nested, depth + 1);
        }
    }
    require(arrayHead(array, 10).size() == std::min<std::uint64_t>(10, array.length));
}

void use(const Model& model) {
    for (const KeyValue& entry : model.metadata) {
        require(model.metadata.find(entry.key) != nullptr);
        require(fits({entry.offset, entry.bytes}, model.files[0].source->size()));
        if (const ArrayView* array = asArray(entry.value)) {
            useArray(*array, 0);
        }
    }
    std::byte sum{};
    for (const TensorInfo& tensor : model.tensors) {
        require(model.findTensor(tensor.name).has_value());
        require(tensor.bytesPresent <= tensor.bytes.value_or(0));
        const auto bytes = model.bytesOf(tensor);
        if (tensor.bytesPresent != 0) {
            require(bytes && bytes->size() == tensor.bytesPresent);
            sum ^= bytes->front() ^ bytes->back();
        }
    }
    __asm__ volatile("" : : "r"(&sum) : "memory"); // keeps the compiler from removing the loop
    (void)model.totals();
    (void)model.typeShares();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    const auto source = std::make_shared<MemorySource>(std::vector<std::byte>(bytes, bytes + size));
    if (const auto model = gguf::read(source)) {
        use(**model);
    } else {
        require(model.error().place.offset.has_value());
    }
    return 0;
}
