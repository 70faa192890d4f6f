// Reads importance matrices in either format. Whatever can be read must answer queries for tensors of any shape.
//
// Input: two bytes with the columns and matrices of the queried tensor, then the file.
#include "formats/imatrix/imatrix.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <string>

using namespace gufo;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const std::array<std::uint64_t, 3> dims{data[0], 3, data[1]};
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    const auto imatrix = Imatrix::read(std::make_shared<MemorySource>(std::vector<std::byte>(bytes + 2, bytes + size)));
    if (!imatrix) {
        return 0;
    }
    for (const std::string name : {"a", "blk.0.attn_q.weight", ""}) {
        TensorInfo tensor;
        tensor.name = name;
        tensor.shape = Shape(dims);
        for (std::uint64_t matrix = 0; matrix < dims[2]; ++matrix) {
            const auto values = imatrix->importance(tensor, matrix);
            if (!values || values->empty()) {
                continue;
            }
            if (!imatrix->contains(name) || values->size() != dims[0]) {
                std::abort();
            }
            for (const float value : *values) {
                if (!std::isfinite(value) || value < 0) {
                    std::abort();
                }
            }
        }
    }
    return 0;
}
