#include "base/mapping_guard.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <memory>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace gufo {

// A mapping that the SIGBUS handler knows of. The handler may only touch lock-free atomics.
struct MappingSlot {
    std::atomic<bool> used = false;
    std::atomic<std::uintptr_t> begin = 0;
    std::atomic<std::uintptr_t> end = 0; // 0: unused
    std::atomic<bool> damaged = false;

    [[nodiscard]] bool covers(std::uintptr_t address) const {
        return address >= begin.load(std::memory_order_acquire) && address < end.load(std::memory_order_acquire);
    }
};

namespace {

// The slots are in a linked list of tables. Tables are added but never removed, because the handler may walk the list
// at any moment.
struct MappingTable {
    std::array<MappingSlot, 1024> slots;
    // The slot at which the search for a free one begins; a hint, which keeps the search short if a thousand files are
    // mapped.
    std::atomic<std::size_t> likelyFree = 0;
    std::atomic<MappingTable*> next = nullptr;
};
MappingTable g_mappings;

struct sigaction g_previousAction;
std::atomic<std::uintptr_t> g_pageSize = 4096;

// Replaces the page at `address` by zeros if it belongs to the mapping.
bool replacePage(MappingSlot& slot, std::uintptr_t address) {
    if (!slot.covers(address)) {
        return false;
    }
    const int savedErrno = errno;
    void* page = reinterpret_cast<void*>(address & ~(g_pageSize - 1));
    void* mapped = mmap(page, g_pageSize, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    errno = savedErrno;
    if (mapped == MAP_FAILED) {
        return false;
    }
    slot.damaged.store(true, std::memory_order_release);
    return true;
}

void onBusError(int signal, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (MappingTable* table = &g_mappings; table != nullptr; table = table->next.load(std::memory_order_acquire)) {
        for (MappingSlot& slot : table->slots) {
            if (replacePage(slot, address)) {
                return;
            }
        }
    }
    // The fault is not in a mapping of ours: behave as if this handler were not installed.
    if ((g_previousAction.sa_flags & SA_SIGINFO) != 0 && g_previousAction.sa_sigaction != nullptr) {
        g_previousAction.sa_sigaction(signal, info, context);
    } else {
        sigaction(signal, &g_previousAction, nullptr);
        raise(signal);
    }
}

void installBusErrorHandler() {
    static std::once_flag once;
    std::call_once(once, [] {
        g_pageSize = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
        struct sigaction action{};
        action.sa_sigaction = onBusError;
        action.sa_flags = SA_SIGINFO | SA_NODEFER;
        sigemptyset(&action.sa_mask);
        sigaction(SIGBUS, &action, &g_previousAction);
    });
}

MappingTable& tableAfter(MappingTable& table) {
    MappingTable* next = table.next.load(std::memory_order_acquire);
    if (next != nullptr) {
        return *next;
    }
    auto added = std::make_unique<MappingTable>();
    // If another thread was faster, `next` now points to its table.
    return table.next.compare_exchange_strong(next, added.get()) ? *added.release() : *next;
}

MappingSlot& claimSlot(const std::byte* data, std::uint64_t size) {
    for (MappingTable* table = &g_mappings;; table = &tableAfter(*table)) {
        const std::size_t first = table->likelyFree.load(std::memory_order_relaxed);
        for (std::size_t i = 0; i < table->slots.size(); ++i) {
            const std::size_t index = (first + i) % table->slots.size();
            MappingSlot& slot = table->slots[index];
            bool expected = slot.used.load(std::memory_order_relaxed);
            if (!expected && slot.used.compare_exchange_strong(expected, true)) {
                table->likelyFree.store(index + 1, std::memory_order_relaxed);
                const auto begin = reinterpret_cast<std::uintptr_t>(data);
                slot.damaged.store(false);
                slot.begin.store(begin, std::memory_order_release);
                slot.end.store(begin + size, std::memory_order_release); // last, because it makes the slot valid
                return slot;
            }
        }
    }
}

void freeSlot(MappingSlot& slot) {
    slot.end.store(0, std::memory_order_release);
    slot.used.store(false, std::memory_order_release);
}

} // namespace

std::uint64_t pageSize() {
    static const auto size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return size;
}

std::uint64_t pagesUp(std::uint64_t bytes) { return (bytes + pageSize() - 1) / pageSize() * pageSize(); }

MappingGuard::MappingGuard(const std::byte* data, std::uint64_t bytes) {
    installBusErrorHandler();
    m_slot = &claimSlot(data, bytes);
}

MappingGuard::~MappingGuard() { freeSlot(*m_slot); }

bool MappingGuard::damaged() const { return m_slot->damaged.load(std::memory_order_acquire); }

} // namespace gufo
