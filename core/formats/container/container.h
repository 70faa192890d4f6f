// A row of the table of containers: how a format is detected, who reads it, and what can be done with the result. Code
// outside this layer never decides by a container's name: opening uses the rows of the table, and pages and verbs query
// capabilities. The rows are in container_table.cpp, above all folders of formats.
//
// A row without a reader is a format that is only recognised, so that the error can name it.
//
// Threads: all functions are thread-safe. Readers and detectContainer() read the file.
#pragma once

#include "formats/container/capabilities.h"
#include "formats/detection/file_start.h"
#include "formats/save/saving.h"

namespace gufo {

// The saving functions of a container, part of its row of the table. `saveAs` is set if the container has
// Capability::SaveAs, the others if it has SaveInPlace; otherwise they are null.
struct Saving {
    // The strategies that can be requested for a save in place. At least one of them is always possible.
    std::span<const SaveStrategy> strategies{};
    Result<SavePlan> (*plan)(const Model& base, const Model& edited, const SaveTarget& target,
                             const SaveOptions& options) = nullptr;
    Result<SaveReport> (*save)(const Model& base, const Model& edited, const SaveTarget& target,
                               const SaveOptions& options, const JobContext& job) = nullptr;
    Result<SaveReport> (*saveAs)(const Model& edited, const SaveTarget& target, const std::filesystem::path& path,
                                 const SaveOptions& options, const JobContext& job) = nullptr;
};

struct Container {
    std::string_view id;       // stable name, stored in Model::container; "safetensors"; worded in
                               // ui/messages/model_text.cpp
    std::string_view name{};   // proper name of a format that can be read: "PyTorch"
    std::string_view format{}; // how JSON names it: "pytorch"; several rows may have the same two names

    // Detection: fixed bytes at an offset, or a function if the format has no fixed bytes.
    std::string_view magic{};
    std::size_t magicOffset = 0;
    bool (*matches)(const FileStart& start) = nullptr;

    // The reader, which sets Model::container to the id, or, if the file is a list of files, to the id of their format;
    // null if the format is only recognised. Errors name the file and the place.
    Result<std::shared_ptr<const Model>> (*read)(std::shared_ptr<const ByteSource> file,
                                                 const JobContext& job) = nullptr;
    // Reads one file of a set by itself; null if sets are not joined by a list of files or by numbers in their names.
    Result<std::shared_ptr<const Model>> (*readPart)(std::shared_ptr<const ByteSource> file,
                                                     const JobContext& job) = nullptr;
    // The error for a format that is only recognised; null means OtherFormat with the id.
    Error (*refuse)(const FileStart& start) = nullptr;

    Capabilities capabilities{};
    Saving saving{};

    // The capabilities of a model that has several files, or that was opened through a folder or a list. Null: it is
    // read-only.
    Capabilities (*ofSet)(const Model& model, Capabilities all) = nullptr;

    // The suffixes of file names in lower case, the suffix of new files first: ".gguf". They filter files to choose
    // from, and select the reader that names the error in a file that no row recognises.
    std::span<const std::string_view> suffixes{};
    // The files by which a folder is opened as one model, the best first.
    std::span<const std::string_view> folderFiles{};
    // Decides between the containers of files in one folder: the lowest rank is opened. Safetensors precede pickles, as
    // in the official converters.
    std::uint8_t folderRank = 2;
    // A text that the names of all files of a set have in common and that no other file has; nothing if the file is not
    // part of a set.
    std::optional<std::string> (*setOf)(const std::filesystem::path& fileName) = nullptr;

    [[nodiscard]] bool readable() const { return read != nullptr; }
    [[nodiscard]] bool recognises(const FileStart& start) const;
};

// The rows in the order in which they are tried; the first one that recognises a file wins.
[[nodiscard]] std::span<const Container> containers();
[[nodiscard]] const Container* findContainer(std::string_view id); // null if unknown
[[nodiscard]] const Container* detectContainer(const ByteSource& file);
// Finds a readable container by the suffix of a file name; if several have the suffix, the first one.
[[nodiscard]] const Container* containerByName(const std::filesystem::path& fileName);
// The suffix of the container that a file name ends with; empty if there is none.
[[nodiscard]] std::string_view suffixIn(const std::filesystem::path& fileName, const Container& container);

// The container that a model was read from; null if no reader made it.
[[nodiscard]] const Container* containerOf(const Model& model);
[[nodiscard]] std::string_view containerName(const Model& model);   // empty if no reader made the model
[[nodiscard]] std::string_view containerFormat(const Model& model); // Container::format; also empty
// None if no reader created the model. A model that was opened through something other than its file (a folder, a list,
// one of several pieces) is not saved in place.
[[nodiscard]] Capabilities capabilitiesOf(const Model& model);
// Errors: FormatReadOnly for the model's file if its container lacks the capability; SetIncomplete if it is missing
// only because parts of the model are.
[[nodiscard]] Result<> requireCapability(const Model& model, Capability capability);

// Why a file cannot be read: the row's own error or OtherFormat for a format that is only recognised; NotAModel; those
// of ByteSource::damage().
[[nodiscard]] Error refusalOf(const ByteSource& file);

// Reads a file of any container. Errors: the errors of the reader; OtherFormat or the row's own error for a format that
// is only recognised; NotAModel; FileChangedWhileReading.
[[nodiscard]] Result<std::shared_ptr<const Model>> readModel(std::shared_ptr<const ByteSource> file,
                                                             const JobContext& job = {});

} // namespace gufo
