#include "convert/repacked_values.h"

#include "tensor/decode.h"

#include <algorithm>

namespace gufo::convert {

Result<> RepackedValues::values(std::uint64_t first, std::span<float> out) const {
    const std::uint64_t size = m_type.blockSize;
    const std::uint64_t begin = first - first % size;
    const std::uint64_t end = (first + out.size() + size - 1) / size * size;
    std::vector<std::byte> blocks(blocksBytes(m_type, end - begin));
    std::vector<float> decoded(end - begin);
    GUFO_TRY(encoded(begin, end - begin, blocks));
    GUFO_TRY(decode(m_type.id, blocks, decoded));
    std::ranges::copy(std::span(decoded).subspan(first - begin, out.size()), out.begin());
    return {};
}

void RepackedValues::release() const {
    m_model.sourceOf(m_source)->advise({m_source.offset, m_source.bytes.value_or(0)}, Access::Release);
}

void splitPairs(const std::byte* pairs, std::size_t bytes, std::byte* out) {
    const auto code = [&](std::size_t i) { return i % 2 == 0 ? pairs[i / 2] & std::byte{15} : pairs[i / 2] >> 4U; };
    for (std::size_t i = 0; i < bytes; ++i) {
        out[i] = code(i) | code(i + bytes) << 4U;
    }
}

} // namespace gufo::convert
