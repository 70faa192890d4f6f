// Which model files are meant when files and folders are dropped or chosen.
#pragma once

#include "base/error.h"
#include "base/job_context.h"
#include "formats/gguf/recover/recover.h"
#include "model/model.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace gufo::ui {

// Files are taken as they are; folders give the *.gguf files in them and below, a shard set once. Sorted by name within
// a folder. Links to folders are not followed. Stops at kMostModelFiles. Error: Cancelled. Not for the UI thread.
inline constexpr std::size_t kMostModelFiles = 500;
[[nodiscard]] Result<std::vector<std::filesystem::path>>
collectModelFiles(const std::vector<std::filesystem::path>& chosen, const JobContext& job);

// What tells a file from itself after a change; nothing if it cannot be asked for. Not for the UI thread.
struct FileStamp {
    std::uint64_t size = 0;
    std::filesystem::file_time_type modified;
    bool operator==(const FileStamp&) const = default;
};
[[nodiscard]] std::optional<FileStamp> stampOf(const std::filesystem::path& path);

struct WatchedFile {
    std::filesystem::path path;
    std::optional<FileStamp> stamp; // when it was read; nothing: it was not there
};

// A model, and the stamps of its files from before they were read: a change meanwhile is one to be told. Errors: those
// of openModel.
struct OpenedModel {
    std::shared_ptr<const Model> model;
    std::vector<WatchedFile> files;
    gguf::Recovery recovery = gguf::Recovery::NotNeeded; // an interrupted save was undone or completed first
};
[[nodiscard]] Result<OpenedModel> openWithStamps(const std::filesystem::path& path, const JobContext& job);

} // namespace gufo::ui
