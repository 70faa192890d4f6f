#include "bytes/block_bits.h"

#include "tensor/block_fields.h"
#include "tensor/tensor_type.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <random>

namespace gufo {
namespace {

// What one block decodes to.
struct Decoded {
    std::vector<std::uint16_t> codes;
    std::vector<float> scales;
    std::vector<float> minima;
};

bool decodeBlock(std::uint32_t typeId, Bytes block, Bytes header, Decoded& out) {
    out.codes.clear();
    out.scales.clear();
    out.minima.clear();
    const StoredBlock stored(block, header);
    return blockCodes(typeId, stored, out.codes) && blockScales(typeId, stored, out.scales, &out.minima);
}

// Each bit is flipped in several blocks, because a bit of a code book's index need not change every weight of its
// group.
constexpr int kBlocks = 6;

void addShare(std::vector<BitShare>& shares, std::uint8_t bit, BitShare::What what, std::size_t index) {
    const auto same = [&](const BitShare& each) { return each.what == what && each.index == index; };
    const auto found = std::ranges::find_if(shares, same);
    if (found != shares.end()) {
        found->mask |= bit;
    } else {
        shares.push_back({.mask = bit, .what = what, .index = static_cast<std::uint32_t>(index)});
    }
}

template<typename T>
void addChanges(const std::vector<T>& before, const std::vector<T>& after, std::uint8_t bit, BitShare::What what,
                std::vector<BitShare>& shares) {
    for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
        if (before[i] != after[i]) {
            addShare(shares, bit, what, i);
        }
    }
}

std::vector<std::vector<BitShare>> probed(const TensorTypeFact& type) {
    std::vector<std::vector<BitShare>> shares(type.blockBytes);
    std::mt19937 random(1);
    std::vector<std::byte> block(type.blockBytes);
    std::vector<std::byte> header(type.rowHeaderBytes);
    Decoded before;
    Decoded after;
    for (int round = 0; round < kBlocks; ++round) {
        std::ranges::generate(block, [&] { return static_cast<std::byte>(random()); });
        // Numbers of 16 and 32 bits that are finite and not small, so that every change of a scale can be seen.
        for (const auto& [fields, bytes] : {std::pair(blockFields(type.id), std::span(block)),
                                            std::pair(rowHeaderFields(type.id), std::span(header))}) {
            for (const BlockField& field : fields) {
                const bool isNumber = field.fieldSize == 2 || field.fieldSize == 4;
                for (std::uint32_t at = field.fieldSize; isNumber && at <= field.bytes; at += field.fieldSize) {
                    bytes[field.offset + at - 1] = static_cast<std::byte>(field.fieldSize == 2 ? 0x2C : 0x3F);
                }
            }
        }
        if (!decodeBlock(type.id, block, header, before)) {
            return {};
        }
        for (std::size_t bit = 0; bit < block.size() * 8; ++bit) {
            const auto mask = static_cast<std::uint8_t>(1U << (bit % 8));
            std::byte& byte = block[bit / 8];
            byte ^= std::byte{mask};
            if (decodeBlock(type.id, block, header, after)) {
                std::vector<BitShare>& all = shares[bit / 8];
                addChanges(before.codes, after.codes, mask, BitShare::What::Code, all);
                addChanges(before.scales, after.scales, mask, BitShare::What::Scale, all);
                addChanges(before.minima, after.minima, mask, BitShare::What::Minimum, all);
            }
            byte ^= std::byte{mask};
        }
    }
    return shares;
}

} // namespace

std::span<const std::vector<BitShare>> blockBits(std::uint32_t typeId) {
    static std::mutex mutex;
    static std::map<std::uint32_t, std::vector<std::vector<BitShare>>> maps; // entries never move
    const TensorTypeFact* type = findTensorType(typeId);
    if (type == nullptr || codeCount(typeId) == 0) {
        return {};
    }
    const std::scoped_lock lock(mutex);
    auto found = maps.find(typeId);
    if (found == maps.end()) {
        found = maps.emplace(typeId, probed(*type)).first;
    }
    return found->second;
}

} // namespace gufo
