// Unsaved changes of a model, kept in a file so that a crash loses nothing: one draft for each model file, in a folder
// of the program's state, written atomically.
//
// Nothing is overwritten silently: a draft that is found must be restored or discarded before another is kept. While a
// window has a model's draft open, nobody else gets it.
//
// Threads: one at a time; may be another one each time.
#pragma once

#include "document/change_json.h"
#include "model/model.h"

#include <chrono>

namespace gufo {

class Draft {
public:
    // `folder` is made if it is not there. `base`: the model as it is in its file. Errors: FileBusy (another window or
    // program has it open), PermissionDenied, WriteFailed.
    [[nodiscard]] static Result<Draft> open(const std::filesystem::path& folder, const Model& base);

    Draft(Draft&& other) noexcept;
    Draft& operator=(Draft&& other) noexcept;
    ~Draft(); // lets others have it; what is kept stays

    enum class Found : std::uint8_t {
        Nothing,
        Fitting,     // made of the file as it is
        FileChanged, // the file had another header then
        Damaged,     // it cannot be read
    };
    [[nodiscard]] Found found() const { return m_found; }
    // When the draft that was found was written.
    [[nodiscard]] std::chrono::system_clock::time_point foundTime() const { return m_foundTime; }

    // The changes of the draft that was found, to be applied as one step. Errors: BadSyntax and others, where it is
    // damaged.
    [[nodiscard]] Result<ReadChanges> restore(const ModelOpener& open, const JobContext& job = {});
    // Deletes it.
    Result<> discard();

    // Replaces the draft by one of these changes of the base (Document::changes()); none: deletes it. Errors:
    // InvalidArgument (one was found that is neither restored nor discarded), WriteFailed, PermissionDenied, Cancelled.
    Result<> keep(const std::vector<Change>& changes, const JobContext& job = {});

    // The file was saved or read again: what is kept from now on is of this one.
    void rebase(const Model& base);

private:
    Draft() = default;
    void look(); // for what is there
    void release();

    std::filesystem::path m_path;
    std::filesystem::path m_lockPath;
    int m_lock = -1;
    std::string m_modelPath;
    std::string m_fingerprint;
    Found m_found = Found::Nothing;
    bool m_decided = true;
    std::chrono::system_clock::time_point m_foundTime;
};

} // namespace gufo
