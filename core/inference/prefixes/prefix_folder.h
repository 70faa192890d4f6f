// Saved states on the disk. Each is a file that only the user can read, in a folder for its key:
//
//   ROOT/SHA-256 of the key/SHA-256 of the conversation (16 digits)-SHA-256 of the tokens (32 digits).state
//
//   "GUFOPFX2", u64 length of the key, the key, u64 length of the conversation's name, the name, u64 whether it can be
//   cut anywhere, u64 number of tokens, the tokens (u32), u64 length of the state, the state, SHA-256 of everything
//   before
//
// Numbers are little-endian. A file whose name does not match its content, or whose SHA-256 is wrong, is refused.
//
// Threads: thread-safe; processes may share a folder, because a file appears under its name only when it is complete.
#pragma once

#include "inference/prefixes/prefix_store.h"

namespace gufo::inference {

// `$XDG_CACHE_HOME/gufo/prompts` or `~/.cache/gufo/prompts`; empty if neither is known.
[[nodiscard]] std::filesystem::path userPrefixFolder();

// Writes a state, unless it would take more than `limit` bytes by itself, and then deletes the least recently used
// files until all of them take at most `limit` bytes. Errors: PermissionDenied (the folder belongs to another user, or
// cannot be made private), WriteFailed, NoSpace.
[[nodiscard]] Result<> writePrefix(const std::filesystem::path& root, const SavedPrefix& prefix, std::uint64_t limit);

// Returns the state that saves the most tokens of the prompt, if it saves at least `minimum`. States of more than
// `limit` bytes are ignored. Damaged files are deleted, and states of other models are left in place; both are added to
// `refused`, as InvalidArgument (Detail::StateUnusable).
[[nodiscard]] std::optional<SavedPrefix> findPrefix(const std::filesystem::path& root, std::string_view key,
                                                    std::span<const TokenId> prompt, std::size_t minimum,
                                                    std::uint64_t limit, std::vector<Error>& refused);

void removePrefix(const std::filesystem::path& root, const SavedPrefix& prefix);
void removePrefixes(const std::filesystem::path& root, std::string_view conversation);
void removeAllPrefixes(const std::filesystem::path& root);

} // namespace gufo::inference
