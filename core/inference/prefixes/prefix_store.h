// Saved states of sessions, so that a prefix of a prompt that was evaluated before is not evaluated again: after
// another branch of a conversation, for another conversation with the same beginning, or after the model was loaded
// again.
//
// States are kept in memory up to a limit; the least recently used ones are dropped. With a folder (prefix_folder.h),
// they are also written to the disk by flush(), and found there later.
//
// States belong to a key, which stands for the model and every option that affects its state (prefixKey()).
//
// Threads: thread-safe. Functions copy, read and write whole states, so they must not be called on the UI thread,
// except setFolder().
#pragma once

#include "base/error.h"
#include "model/index.h"

#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

struct SavedPrefix {
    std::string key;
    std::string conversation{}; // the one that it is a part of, and is deleted with; empty: none
    std::vector<TokenId> tokens{};
    bool cutsAnywhere = false;      // Session::cutsAnywhere(): each beginning of the tokens can be used as well
    std::vector<std::byte> state{}; // Session::saveState()

    // The number of tokens of a prompt that need not be evaluated with it; at least the last must be. 0: it does not
    // fit.
    [[nodiscard]] std::size_t usableFor(std::span<const TokenId> prompt) const;
};

// States must not exhaust the memory, so they take at most an eighth of the memory that is free when a state is added.
struct PrefixLimits {
    std::uint64_t memoryBytes = std::uint64_t{1} << 30U;
    std::uint64_t diskBytes = std::uint64_t{4} << 30U;
    bool byFreeMemory = true; // also limit by the memory that is free
};

class PrefixStore {
public:
    explicit PrefixStore(PrefixLimits limits = {})
        : m_limits(limits) {}
    // The store of the process.
    [[nodiscard]] static const std::shared_ptr<PrefixStore>& shared();

    // From now on, states are also on the disk; an empty path: only in memory. Folders: see prefix_folder.h.
    void setFolder(std::filesystem::path folder);
    [[nodiscard]] std::filesystem::path folder() const;

    // Keeps a state. Drops states that the new one makes superfluous; the new one is dropped if it exceeds the limit.
    void add(SavedPrefix prefix);
    // Whether a state of exactly these tokens is kept, or one that can be cut to them.
    [[nodiscard]] bool has(std::string_view key, std::span<const TokenId> tokens) const;
    // The state that saves most of the prompt, if that is at least `minimum` tokens. Damaged and foreign files are
    // deleted or ignored, and added to `refused`.
    [[nodiscard]] std::shared_ptr<const SavedPrefix> find(std::string_view key, std::span<const TokenId> prompt,
                                                          std::size_t minimum, std::vector<Error>& refused);
    // Drops a state that a session has refused.
    void drop(const std::shared_ptr<const SavedPrefix>& prefix);
    // Writes the states of a key to the folder, if there is one. Errors: the errors of writePrefix().
    [[nodiscard]] Result<> flush(std::string_view key);
    // Drops all states that are in memory.
    void clear();
    // Deletes the states of a conversation, in memory and on the disk. Later ones are not kept either: a session may
    // still hold its tokens.
    void forget(std::string_view conversation);

    // The bytes that all states may take in memory now.
    [[nodiscard]] std::uint64_t limit() const;
    [[nodiscard]] std::uint64_t bytes() const; // that they take in memory
    [[nodiscard]] std::size_t count() const;

private:
    struct Entry {
        std::shared_ptr<const SavedPrefix> prefix;
        bool isOnDisk = false;
    };
    [[nodiscard]] static std::uint64_t sizeOf(const SavedPrefix& prefix);
    // m_mutex is locked:
    void insert(Entry entry);
    [[nodiscard]] std::uint64_t currentLimit() const;

    const PrefixLimits m_limits;
    mutable std::mutex m_mutex; // guards the members below
    std::list<Entry> m_entries; // the most recently used one first
    std::uint64_t m_bytes = 0;
    std::filesystem::path m_folder;
    std::set<std::string, std::less<>> m_forgotten; // conversations
};

} // namespace gufo::inference
