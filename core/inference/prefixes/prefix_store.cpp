#include "inference/prefixes/prefix_store.h"

#include "inference/interface/memory_needs.h"
#include "inference/prefixes/prefix_folder.h"

#include <algorithm>

namespace gufo::inference {
namespace {

bool beginsWith(std::span<const TokenId> tokens, std::span<const TokenId> beginning) {
    return beginning.size() <= tokens.size() && std::ranges::equal(tokens.first(beginning.size()), beginning);
}

} // namespace

std::size_t SavedPrefix::usableFor(std::span<const TokenId> prompt) const {
    if (prompt.empty()) {
        return 0;
    }
    const std::size_t maximum = prompt.size() - 1;
    if (!cutsAnywhere) {
        return tokens.size() <= maximum && beginsWith(prompt, tokens) ? tokens.size() : 0;
    }
    const auto differs = std::ranges::mismatch(prompt, tokens).in1;
    return std::min(maximum, static_cast<std::size_t>(differs - prompt.begin()));
}

void PrefixStore::setFolder(std::filesystem::path folder) {
    const std::scoped_lock lock(m_mutex);
    m_folder = std::move(folder);
    for (Entry& entry : m_entries) {
        entry.isOnDisk = false;
    }
}

std::filesystem::path PrefixStore::folder() const {
    const std::scoped_lock lock(m_mutex);
    return m_folder;
}

std::uint64_t PrefixStore::sizeOf(const SavedPrefix& prefix) {
    return prefix.state.size() + prefix.tokens.size() * sizeof(TokenId);
}

const std::shared_ptr<PrefixStore>& PrefixStore::shared() {
    static const auto store = std::make_shared<PrefixStore>();
    return store;
}

std::uint64_t PrefixStore::currentLimit() const {
    const MachineMemory machine = m_limits.byFreeMemory ? machineMemory() : MachineMemory();
    return machine.total != 0 ? std::min(m_limits.memoryBytes, (machine.available + m_bytes) / 8)
                              : m_limits.memoryBytes;
}

std::uint64_t PrefixStore::limit() const {
    const std::scoped_lock lock(m_mutex);
    return currentLimit();
}

void PrefixStore::insert(Entry entry) {
    const SavedPrefix& added = *entry.prefix;
    std::erase_if(m_entries, [&](const Entry& each) {
        const SavedPrefix& old = *each.prefix;
        const bool isCovered = old.key == added.key && beginsWith(added.tokens, old.tokens) &&
                               (added.cutsAnywhere || added.tokens.size() == old.tokens.size());
        m_bytes -= isCovered ? sizeOf(old) : 0;
        return isCovered;
    });
    const std::uint64_t limit = currentLimit();
    const std::uint64_t bytes = sizeOf(added);
    if (bytes > limit) {
        return;
    }
    while (m_bytes + bytes > limit) {
        m_bytes -= sizeOf(*m_entries.back().prefix);
        m_entries.pop_back();
    }
    m_bytes += bytes;
    m_entries.push_front(std::move(entry));
}

void PrefixStore::add(SavedPrefix prefix) {
    if (prefix.tokens.empty()) {
        return;
    }
    const std::scoped_lock lock(m_mutex);
    if (!m_forgotten.contains(prefix.conversation)) {
        insert({std::make_shared<const SavedPrefix>(std::move(prefix))});
    }
}

bool PrefixStore::has(std::string_view key, std::span<const TokenId> tokens) const {
    const std::scoped_lock lock(m_mutex);
    return std::ranges::any_of(m_entries, [&](const Entry& entry) {
        const SavedPrefix& prefix = *entry.prefix;
        return prefix.key == key && beginsWith(prefix.tokens, tokens) &&
               (prefix.cutsAnywhere || prefix.tokens.size() == tokens.size());
    });
}

std::shared_ptr<const SavedPrefix> PrefixStore::find(std::string_view key, std::span<const TokenId> prompt,
                                                     std::size_t minimum, std::vector<Error>& refused) {
    std::filesystem::path folder;
    std::size_t maximum = std::max<std::size_t>(minimum, 1) - 1;
    {
        const std::scoped_lock lock(m_mutex);
        auto best = m_entries.end();
        for (auto entry = m_entries.begin(); entry != m_entries.end(); ++entry) {
            const std::size_t usable = entry->prefix->key == key ? entry->prefix->usableFor(prompt) : 0;
            if (usable > maximum) {
                maximum = usable;
                best = entry;
            }
        }
        if (best != m_entries.end()) {
            m_entries.splice(m_entries.begin(), m_entries, best); // now the most recently used one
        }
        folder = m_folder;
        if (folder.empty()) {
            return best != m_entries.end() ? best->prefix : nullptr;
        }
    }
    // The disk is only read for a longer prefix.
    const MachineMemory machine = machineMemory();
    const std::uint64_t limit =
        machine.total != 0 ? std::min(m_limits.diskBytes, machine.available / 2) : m_limits.diskBytes;
    if (auto read = findPrefix(folder, key, prompt, maximum + 1, limit, refused)) {
        auto found = std::make_shared<const SavedPrefix>(std::move(*read));
        const std::scoped_lock lock(m_mutex);
        insert({.prefix = found, .isOnDisk = true});
        return found;
    }
    const std::scoped_lock lock(m_mutex);
    const auto best = std::ranges::find_if(m_entries, [&](const Entry& entry) {
        return entry.prefix->key == key && entry.prefix->usableFor(prompt) == maximum && maximum >= minimum &&
               maximum != 0;
    });
    return best != m_entries.end() ? best->prefix : nullptr;
}

void PrefixStore::drop(const std::shared_ptr<const SavedPrefix>& prefix) {
    std::filesystem::path folder;
    {
        const std::scoped_lock lock(m_mutex);
        std::erase_if(m_entries, [&](const Entry& entry) {
            m_bytes -= entry.prefix == prefix ? sizeOf(*prefix) : 0;
            return entry.prefix == prefix;
        });
        folder = m_folder;
    }
    if (!folder.empty()) {
        removePrefix(folder, *prefix);
    }
}

Result<> PrefixStore::flush(std::string_view key) {
    std::vector<std::shared_ptr<const SavedPrefix>> unwritten;
    std::filesystem::path folder;
    {
        const std::scoped_lock lock(m_mutex);
        folder = m_folder;
        for (Entry& entry : m_entries) {
            if (!folder.empty() && entry.prefix->key == key && !entry.isOnDisk) {
                unwritten.push_back(entry.prefix);
                entry.isOnDisk = true;
            }
        }
    }
    for (auto prefix = unwritten.rbegin(); prefix != unwritten.rend(); ++prefix) { // the latest used one last
        GUFO_TRY(writePrefix(folder, **prefix, m_limits.diskBytes));
    }
    return {};
}

void PrefixStore::forget(std::string_view conversation) {
    if (conversation.empty()) {
        return;
    }
    std::filesystem::path folder;
    {
        const std::scoped_lock lock(m_mutex);
        m_forgotten.emplace(conversation);
        std::erase_if(m_entries, [&](const Entry& entry) {
            const bool isOf = entry.prefix->conversation == conversation;
            m_bytes -= isOf ? sizeOf(*entry.prefix) : 0;
            return isOf;
        });
        folder = m_folder;
    }
    if (!folder.empty()) {
        removePrefixes(folder, conversation);
    }
}

void PrefixStore::clear() {
    const std::scoped_lock lock(m_mutex);
    m_entries.clear();
    m_bytes = 0;
}

std::uint64_t PrefixStore::bytes() const {
    const std::scoped_lock lock(m_mutex);
    return m_bytes;
}

std::size_t PrefixStore::count() const {
    const std::scoped_lock lock(m_mutex);
    return m_entries.size();
}

} // namespace gufo::inference
