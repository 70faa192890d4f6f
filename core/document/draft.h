// Unsaved changes of a model, stored in a file so that a crash loses nothing. Each model file has drafts of its own in
// a folder of the program's state, which are written atomically: one of the running program, and the drafts of earlier
// runs that the user has neither restored nor discarded.
//
// A later run never overwrites a draft: it sets the draft aside under a numbered name. While one window has the drafts
// of a model open, no other window or program can open them.
//
// Thread contract: one thread at a time, not necessarily the same one.
#pragma once

#include "document/change_json.h"
#include "model/model.h"

#include <chrono>
#include <filesystem>
#include <vector>

namespace gufo {

class Draft {
public:
    // Creates `folder` if necessary. `base` is the model in its file. Errors: FileBusy (another window or program has
    // the drafts open), PermissionDenied, WriteFailed.
    [[nodiscard]] static Result<Draft> open(const std::filesystem::path& folder, const Model& base);

    // Whether the folder has a draft of a model, this run's or an earlier one's. Reads no draft.
    [[nodiscard]] static bool existsFor(const std::filesystem::path& folder, const std::filesystem::path& model);

    enum class Found : std::uint8_t {
        Nothing,
        Fitting,     // made from the file as it is now
        FileChanged, // the file's header was different then
        Damaged,     // unreadable
    };
    // The newest draft of an earlier run that has been neither restored nor discarded.
    [[nodiscard]] Found found() const { return m_found; }
    // When it was written.
    [[nodiscard]] std::chrono::system_clock::time_point foundTime() const { return m_foundTime; }

    // Returns the changes of the found draft, to be applied as one step; if there is none, those last kept. Errors:
    // BadSyntax and others if it is damaged.
    [[nodiscard]] Result<ReadChanges> restore(const ModelOpener& open, const JobContext& job = {}) const;
    // To be called when the found draft has been applied: the next keep() deletes its file. Looks for the next one.
    void setRestored();
    // Deletes the found draft, and looks for the next one.
    Result<> discard();

    // Replaces the draft of this run with these changes of the base (Document::changes()); an empty list deletes it. An
    // undecided draft in its place is set aside. Errors: WriteFailed, PermissionDenied, Cancelled.
    Result<> keep(const std::vector<Change>& changes, const JobContext& job = {});

    // To be called after the file was saved or reloaded: later drafts refer to this base.
    void rebase(const Model& base);

private:
    Draft() = default;
    // Released with its file when destroyed.
    class Lock {
    public:
        [[nodiscard]] static Result<Lock> take(std::filesystem::path path);
        Lock() = default;
        Lock(Lock&& other) noexcept { *this = std::move(other); }
        Lock& operator=(Lock&& other) noexcept;
        ~Lock() { release(); }

    private:
        void release();
        std::filesystem::path m_path;
        int m_file = -1;
    };

    // The drafts that were set aside beside the one at `path`, the newest first.
    [[nodiscard]] static std::vector<std::filesystem::path> setAsideDrafts(const std::filesystem::path& path);
    void look(const std::filesystem::path& path);
    void lookForNext();
    [[nodiscard]] bool isOfThisRun() const {
        return m_foundPath != m_path;
    } // whether the file at m_path is of this run
    Result<> setAside();
    Result<> removeRestored();

    std::filesystem::path m_path; // of the draft of this run
    Lock m_lock;
    std::string m_modelPath;
    std::string m_fingerprint;
    Found m_found = Found::Nothing;
    std::filesystem::path m_foundPath;             // empty if nothing was found
    std::vector<std::filesystem::path> m_restored; // to be removed when the changes are kept again
    std::chrono::system_clock::time_point m_foundTime;
};

} // namespace gufo
