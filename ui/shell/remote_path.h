// Models on servers, whose "paths" are addresses ("https://example.org/m.gguf") or names on hubs
// ("hf.co/owner/repo:Q8_0", see hub/model_name.h). Tabs, recent files and sessions keep them like paths of files.
//
// Threads: all functions are thread-safe as long as no thread changes the environment.
#pragma once

#include <QString>
#include <QStringList>

#include <filesystem>

namespace gufo::ui {

[[nodiscard]] bool isRemotePath(const std::filesystem::path& path);
// Whether the name means a repository as a whole rather than one model in it.
[[nodiscard]] bool isRepositoryPath(const std::filesystem::path& path);

// The address or name that the user typed or dropped, without blanks; "owner/repo" becomes "hf.co/owner/repo". Empty if
// the text is neither.
[[nodiscard]] std::filesystem::path remotePathOf(const QString& text);

// The host that is contacted first, with its port if that is not the usual one.
[[nodiscard]] QString hostOf(const std::filesystem::path& path);

// As it is kept on disk and shown: without a query, which can contain a signature.
[[nodiscard]] std::filesystem::path keptPath(const std::filesystem::path& path);

// The address that is contacted first: the hub's, or the path itself.
[[nodiscard]] std::string contactedAddress(const std::filesystem::path& path);

// The hosts that the user allowed to be contacted by plain http, as kept in the settings. UI thread only.
[[nodiscard]] QStringList allowedPlainHosts();
void setPlainHostAllowed(const QString& host, bool allowed);
void applyAllowedPlainHosts(); // at the start of the program

// What the last part of the address names: "model.gguf", "repo:Q8_0".
[[nodiscard]] QString remoteName(const std::filesystem::path& path);

} // namespace gufo::ui
