// Reads pickles, ZIP archives, streams of pickles and tar archives, and the values of every tensor. Input: byte 0
// selects what the rest is.
#include "formats/pytorch/pickle.h"
#include "formats/pytorch/reader.h"
#include "require.h"

using namespace gufo;

namespace {

void use(const Model& model) {
    for (const TensorInfo& tensor : model.tensors) {
        require(model.findTensor(tensor.name).has_value());
        require(tensor.bytes && (tensor.bytesPresent == 0 || tensor.bytesPresent == *tensor.bytes));
        if (tensor.bytesPresent == 0) {
            continue;
        }
        require(model.bytesOf(tensor).has_value());
        if (const auto rows = model.rowsOf(tensor)) {
            std::vector<float> last(1);
            require(decode(*rows, tensor.weights() - 1, last).has_value());
        }
    }
    (void)model.totals();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const auto* bytes = reinterpret_cast<const std::byte*>(data + 1);
    const std::vector<std::byte> rest(bytes, bytes + size - 1);
    if (data[0] % 4 == 0) {
        if (const auto pickle = pickle::read(rest, 0)) {
            require(pickle->end <= rest.size() && pickle->result < pickle->nodes.size());
        } else {
            require(pickle.error().place.offset.has_value());
        }
        return 0;
    }
    const auto source = std::make_shared<MemorySource>(rest);
    if (const auto model = data[0] % 4 == 1   ? pytorch::readZip(source)
                           : data[0] % 4 == 2 ? pytorch::readStream(source)
                                              : pytorch::readTar(source)) {
        use(**model);
    }
    return 0;
}
