// Lets a process survive that another one truncates a file that it has mapped. Touching a missing page raises SIGBUS; a
// signal handler, installed with the first guard, replaces such a page by zeros and marks the mapping as damaged.
//
// Threads: guards are created and destroyed by any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gufo {

struct MappingSlot; // what the SIGBUS handler knows about a mapping

class MappingGuard {
public:
    // The mapping must outlive the guard.
    MappingGuard(const std::byte* data, std::uint64_t bytes);
    ~MappingGuard();
    MappingGuard(const MappingGuard&) = delete;
    MappingGuard& operator=(const MappingGuard&) = delete;

    // Whether a page was missing.
    [[nodiscard]] bool damaged() const;

private:
    MappingSlot* m_slot;
};

[[nodiscard]] std::uint64_t pageSize();
[[nodiscard]] std::uint64_t pagesUp(std::uint64_t bytes); // a multiple of the page size

} // namespace gufo
