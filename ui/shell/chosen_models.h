// Finds the model files among dropped or chosen files and folders.
#pragma once

#include "base/byte_source.h"
#include "base/job_context.h"
#include "formats/save/saving.h"
#include "hub/remote_model.h"
#include "model/model.h"
#include "ui/shell/places.h"

#include <QString>

#include <filesystem>
#include <optional>
#include <vector>

namespace gufo::ui {

// For file dialogs: the patterns "*.gguf *.GGUF" of all readable containers, and the filters for opening models and for
// saving this model under another name.
[[nodiscard]] QString modelPatterns();
[[nodiscard]] QString openModelFilter();
[[nodiscard]] QString saveModelFilter(const Model& model);
[[nodiscard]] QString saveModelSuffix(const Model& model); // "gguf"

// Files and models on servers are taken as they are. A folder stands for the model files in it and its subfolders, with
// each shard set once, sorted by name, unless the folder itself is a model; links to folders are not followed. Stops at
// kMaxModelFiles. Error: Cancelled. Not for the UI thread.
inline constexpr std::size_t kMaxModelFiles = 500;
[[nodiscard]] Result<Places> collectModelFiles(const Places& chosen, const JobContext& job);

// Distinguishes a file from its changed version. Empty if the file system cannot be queried. Not for the UI thread.
using FileStamp = ByteSource::Identity;
[[nodiscard]] std::optional<FileStamp> stampOf(const std::filesystem::path& path);

struct WatchedFile {
    std::filesystem::path path;
    std::optional<FileStamp> stamp; // when the file was read; empty if it did not exist
};

// A model, and the stamps of its files taken before it was read, so that a change in the meantime is reported; a model
// on a server has none. Errors: see openModel() and keepDescription().
struct OpenedModel {
    std::shared_ptr<const Model> model;
    std::vector<WatchedFile> files;
    Recovery recovery = Recovery::NotNeeded; // whether an interrupted save was undone or completed first
    // Whether its keys and the names of its tensors stay as they were read if another program writes into the files.
    bool keepsDescription = true;
};
[[nodiscard]] Result<OpenedModel> openWithStamps(const hub::ModelPlace& place, const JobContext& job,
                                                 MovedFile moved = MovedFile::Refuse,
                                                 const hub::OpeningWatch& watch = {});

} // namespace gufo::ui
