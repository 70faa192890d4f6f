#include "inference/kv_cache.h"

#include "base/checked.h"
#include "tensor/decode.h"
#include "tensor/encode.h"

#include <cstring>
#include <new>

namespace gufo::inference {
namespace {

std::uint32_t tensorTypeOf(KvCacheType type) {
    switch (type) {
    case KvCacheType::F32:
        return static_cast<std::uint32_t>(TensorType::F32);
    case KvCacheType::F16:
        return static_cast<std::uint32_t>(TensorType::F16);
    case KvCacheType::BF16:
        return static_cast<std::uint32_t>(TensorType::BF16);
    case KvCacheType::Q8_0:
        return static_cast<std::uint32_t>(TensorType::Q8_0);
    }
    return static_cast<std::uint32_t>(TensorType::F32);
}

} // namespace

Result<KvRows> KvRows::make(KvCacheType type, std::uint32_t heads, std::uint32_t length, std::uint32_t context) {
    const auto bytesOfRow = gufo::rowBytes(*findTensorType(tensorTypeOf(type)), length);
    if (!bytesOfRow) {
        return fail(ErrorCode::InvalidArgument, {},
                    {std::string(kvCacheTypeName(type)) + ": " + std::to_string(length)});
    }
    const auto total = checkedMultiply(checkedMultiply(heads, context).value_or(0), *bytesOfRow);
    KvRows rows;
    rows.m_type = type;
    rows.m_heads = heads;
    rows.m_length = length;
    rows.m_context = context;
    rows.m_rowBytes = *bytesOfRow;
    if (total) {
        rows.m_bytes.reset(new (std::nothrow) std::byte[*total]); // not touched: pages come as rows are written
    }
    if (rows.m_bytes == nullptr) {
        return fail(ErrorCode::NotEnoughMemory, {}, {std::to_string(total.value_or(0)), "0"});
    }
    return rows;
}

void KvRows::write(std::uint32_t head, std::uint32_t position, const float* row) {
    // Sizes are right by construction. What no block can hold, NaN or infinity, comes of weights that are no use; it
    // is kept as it is in float and as zeros in blocks.
    if (!encode({.typeId = tensorTypeOf(m_type), .columns = m_length, .importance = {}}, {row, m_length},
                {at(head, position), m_rowBytes})) {
        std::memset(at(head, position), 0, m_rowBytes);
    }
}

const float* KvRows::read(std::uint32_t head, std::uint32_t position, float* scratch) const {
    const std::byte* row = at(head, position);
    if (m_type == KvCacheType::F32) {
        return reinterpret_cast<const float*>(row);
    }
    // Type and sizes are right by construction.
    (void)decode(tensorTypeOf(m_type), {row, m_rowBytes}, {scratch, m_length});
    return scratch;
}

void KvRows::move(std::uint32_t from, std::uint32_t to, std::uint32_t count) {
    for (std::uint32_t head = 0; head < m_heads; ++head) {
        std::memmove(at(head, to), at(head, from), count * m_rowBytes);
    }
}

} // namespace gufo::inference
