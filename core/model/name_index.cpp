#include "model/name_index.h"

#include "base/quick_hash.h"

#include <bit>
#include <cstring>
#include <random>

namespace gufo {
namespace {

std::uint64_t loadUpTo8(const char* from, std::size_t bytes) {
    std::uint64_t word = 0;
    if (bytes != 0) { // an empty name may have no address
        std::memcpy(&word, from, bytes);
    }
    return word;
}

std::uint64_t randomWord() {
    std::random_device device;
    return std::uint64_t{device()} << 32U | device();
}

} // namespace

std::uint64_t NameIndex::hash(std::string_view name) {
    static const std::uint64_t seed = randomWord();
    static const std::uint64_t factor = randomWord() | 1U;
    std::uint64_t state = seed ^ name.size();
    for (; name.size() > 8; name.remove_prefix(8)) {
        state = foldedProduct(state ^ loadUpTo8(name.data(), 8), factor);
    }
    return foldedProduct(state ^ loadUpTo8(name.data(), name.size()), factor ^ seed);
}

} // namespace gufo
