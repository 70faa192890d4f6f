#include "analysis/npy.h"

namespace gufo {

std::string npyHeader(std::string_view scalar, std::span<const std::uint64_t> shape) {
    std::string dims;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        dims += std::to_string(shape[i]) + (i + 1 < shape.size() ? ", " : shape.size() == 1 ? "," : "");
    }
    std::string dictionary =
        "{'descr': '" + std::string(scalar) + "', 'fortran_order': False, 'shape': (" + dims + "), }";
    constexpr std::size_t kPreamble = 10;
    constexpr std::size_t kAlignment = 64;
    const std::size_t used = kPreamble + dictionary.size() + 1;
    dictionary.append((kAlignment - used % kAlignment) % kAlignment, ' ');
    dictionary += '\n';
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>(dictionary.size() & 0xFFU);
    header += static_cast<char>(dictionary.size() >> 8U);
    return header + dictionary;
}

} // namespace gufo
