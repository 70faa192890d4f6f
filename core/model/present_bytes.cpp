#include "model/present_bytes.h"

namespace gufo {

std::map<std::string, std::uint64_t> presentBytes(const Model& model) {
    std::map<std::string, std::uint64_t> bytes;
    for (const TensorInfo& tensor : model.tensors) {
        bytes[tensor.typeName()] += tensor.bytesPresent;
    }
    return bytes;
}

} // namespace gufo
