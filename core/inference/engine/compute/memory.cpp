#include "inference/engine/compute/memory.h"

#include "inference/interface/memory_needs.h"

#include <cerrno>
#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#endif
#include <sys/mman.h>
#include <unistd.h>

namespace gufo::inference {
namespace {

constexpr std::uint64_t kBorder = 64; // a cache line

#if defined(__SANITIZE_ADDRESS__)
#define GUFO_MEMORY_GUARDED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GUFO_MEMORY_GUARDED 1
#endif
#endif

#ifdef GUFO_MEMORY_GUARDED
constexpr std::uint64_t kGap = kBorder; // between pieces
void forbid(std::byte* begin, std::uint64_t size) { __asan_poison_memory_region(begin, size); }
void permit(std::byte* begin, std::uint64_t size) { __asan_unpoison_memory_region(begin, size); }
#else
constexpr std::uint64_t kGap = 0;
void forbid(std::byte* /*begin*/, std::uint64_t /*size*/) {}
void permit(std::byte* /*begin*/, std::uint64_t /*size*/) {}
#endif

// Makes the system allocate every page, so that none can be missing later. Returns false if there is no memory left.
bool touch(std::byte* begin, std::uint64_t size) {
#if defined(MADV_HUGEPAGE)
    // Huge pages are an optimisation; a system without them is not an error.
    (void)madvise(begin, size, MADV_HUGEPAGE);
#endif
#if defined(MADV_POPULATE_WRITE)
    if (madvise(begin, size, MADV_POPULATE_WRITE) == 0) {
        return true;
    }
    if (errno != EINVAL && errno != ENOSYS) { // Linux before 5.14 does not know MADV_POPULATE_WRITE
        return false;
    }
#endif
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    for (std::uint64_t at = 0; at < size; at += page) {
        *static_cast<volatile std::byte*>(begin + at) = std::byte{0};
    }
    return true;
}

} // namespace

Result<Memory> Memory::reserve(const Memory& counted) {
    Memory memory;
    const std::uint64_t size = counted.m_end;
    if (size == 0) {
        return memory;
    }
    const auto refuse = [&] { return fail(ErrorCode::NotEnoughMemory, {}, {size, machineMemory().available}); };
    void* const base = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) {
        return refuse();
    }
    memory.m_base = static_cast<std::byte*>(base);
    memory.m_size = size;
    if (!touch(memory.m_base, size)) {
        return refuse();
    }
    forbid(memory.m_base, size);
    return memory;
}

Memory::~Memory() {
    if (m_base != nullptr) {
        permit(m_base, m_size);
        munmap(m_base, m_size);
    }
}

void* Memory::takeBytes(std::uint64_t bytes, Part part) {
    constexpr std::uint64_t kMaximum = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t begin = m_end;
    const std::uint64_t whole = checkedAlign(bytes, kBorder).value_or(bytes);
    std::uint64_t& of = m_taken[static_cast<std::size_t>(part)];
    of = checkedAdd(of, whole).value_or(kMaximum);
    m_end = checkedAdd(m_end, checkedAdd(whole, kGap).value_or(kMaximum)).value_or(kMaximum);
    if (m_base == nullptr || m_end > m_size) {
        return nullptr;
    }
    permit(m_base + begin, bytes);
    return m_base + begin;
}

} // namespace gufo::inference
