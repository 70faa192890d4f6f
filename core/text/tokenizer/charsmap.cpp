#include "text/tokenizer/charsmap.h"

#include "base/byte_order.h"
#include "base/detail.h"
#include "model/value_text.h"

namespace gufo::text {
namespace {

// Fields of a unit of Darts-clone's double array.
bool hasLeaf(std::uint32_t unit) { return ((unit >> 8U) & 1U) != 0; }
std::uint32_t valueOf(std::uint32_t unit) { return unit & 0x7FFF'FFFFU; }
std::uint32_t labelOf(std::uint32_t unit) { return unit & 0x8000'00FFU; }
std::uint32_t offsetOf(std::uint32_t unit) { return (unit >> 10U) << ((unit & (1U << 9U)) >> 6U); }

} // namespace

Result<Charsmap> Charsmap::read(const Metadata& metadata) {
    const std::string key = "tokenizer.ggml.precompiled_charsmap";
    const Value* value = metadata.find(key);
    Charsmap map;
    if (value == nullptr) {
        return map;
    }
    const ArrayView* array = asArray(*value);
    const ValueType found = array != nullptr ? array->elementType : typeOf(*value);
    if (array == nullptr || (found != ValueType::UInt8 && found != ValueType::Int8)) {
        return fail(ErrorCode::WrongValueType, Place::key(key),
                    {arrayTypeArgument(ValueType::UInt8), typeArgument(*value)});
    }
    const Bytes bytes = array->bytes;
    if (bytes.empty()) {
        return map;
    }
    const auto truncated = [&](std::uint64_t needed) {
        return fail(ErrorCode::Truncated, Place::key(key), {Detail::NormalisationTable, needed, bytes.size()});
    };
    if (bytes.size() < 4) {
        return truncated(4);
    }
    const std::uint64_t trieBytes = load<std::uint32_t>(bytes.data(), ByteOrder::Little);
    if (trieBytes > bytes.size() - 4) {
        return truncated(trieBytes + 4);
    }
    for (std::uint64_t i = 0; i + 4 <= trieBytes; i += 4) {
        map.m_trie.push_back(load<std::uint32_t>(bytes.data() + 4 + i, ByteOrder::Little));
    }
    const Bytes rest = bytes.subspan(4 + trieBytes);
    map.m_replacements.assign(reinterpret_cast<const char*>(rest.data()), rest.size());
    return map;
}

std::optional<Charsmap::Replacement> Charsmap::longest(std::string_view text) const {
    if (m_trie.empty()) {
        return std::nullopt;
    }
    std::optional<Replacement> best;
    std::uint32_t node = offsetOf(m_trie[0]);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        node ^= byte;
        if (node >= m_trie.size() || labelOf(m_trie[node]) != byte) {
            break;
        }
        const std::uint32_t unit = m_trie[node];
        node ^= offsetOf(unit);
        if (hasLeaf(unit)) {
            if (node >= m_trie.size()) {
                break;
            }
            const std::size_t begin = valueOf(m_trie[node]);
            if (begin < m_replacements.size()) {
                const std::size_t end = m_replacements.find('\0', begin);
                best = {i + 1, std::string_view(m_replacements).substr(begin, end - begin)};
            }
        }
    }
    return best;
}

} // namespace gufo::text
