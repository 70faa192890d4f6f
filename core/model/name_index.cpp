#include "model/name_index.h"

#include "base/quick_hash.h"

#include <bit>
#include <cstring>
#include <random>

namespace gufo {
namespace {

template<typename Word>
std::uint64_t loadWord(const char* from) {
    Word loaded;
    std::memcpy(&loaded, from, sizeof loaded);
    return loaded;
}

struct Words {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
};
// The last bytes of a name, at most 16, in two words that may overlap. Copying a variable number of bytes would take
// longer than the rest of the hash.
Words tailWords(std::string_view name) {
    const std::size_t size = name.size();
    const char* const end = name.data() + size;
    if (size >= 8) {
        return {loadWord<std::uint64_t>(name.data()), loadWord<std::uint64_t>(end - 8)};
    }
    if (size >= 4) {
        return {loadWord<std::uint32_t>(name.data()), loadWord<std::uint32_t>(end - 4)};
    }
    if (size == 0) {
        return {};
    }
    return {loadWord<std::uint8_t>(name.data()) | loadWord<std::uint8_t>(name.data() + size / 2) << 8U,
            loadWord<std::uint8_t>(end - 1)};
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
    for (; name.size() > 16; name.remove_prefix(16)) {
        state = foldedProduct(loadWord<std::uint64_t>(name.data()) ^ factor,
                              loadWord<std::uint64_t>(name.data() + 8) ^ state);
    }
    const Words last = tailWords(name);
    return foldedProduct(foldedProduct(last.first ^ factor, last.second ^ state), factor ^ seed);
}

} // namespace gufo
