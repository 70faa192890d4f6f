// Saving a model: what can be requested, how a save is planned and what it reports, for all containers. Pages and verbs
// call the functions of container/model_saving.h.
//
// A save is a function of two snapshots: `base`, the model as it was opened, and `edited`, which edits made from it.
// After any failure, kill or power loss the files are either entirely old or entirely new, immediately or as soon as
// they are opened again.
#pragma once

#include "base/file_operations.h"
#include "base/job_context.h"
#include "model/change.h"
#include "model/model.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gufo {

enum class SaveStrategy : std::uint8_t { Unchanged, Patch, Shift, Clone, Copy };
[[nodiscard]] std::string_view strategyName(SaveStrategy strategy); // "unchanged", "patch" …
[[nodiscard]] std::optional<SaveStrategy> findStrategy(std::string_view name);

// Why a strategy was chosen, or why not a cheaper one. The texts are in ui/messages/save_text.h.
enum class SaveReason : std::uint8_t { // each is a row of save_reasons.inc
#define GUFO_SAVE_REASON(code, name, args, words) code,
#include "formats/save/save_reasons.inc"
#undef GUFO_SAVE_REASON
};
[[nodiscard]] std::string_view reasonName(SaveReason reason); // "fits_reserved"

// Whether space is kept free in the header, so that later edits can be patches.
enum class Reserve : std::uint8_t {
    Automatic, // space is reserved when the header of a file that is not small grows, and dropped when the header has
               // its original size again
    None,      // nothing is reserved, and existing reserved space is dropped
};

struct FilePlan;

// Smaller files get no reserved space: it would make up much of them, and copying them takes no time.
inline constexpr std::uint64_t kReserveFrom = 16'000'000;

struct SaveOptions {
    std::optional<SaveStrategy> strategy{}; // if set, exactly this strategy or an error
    Reserve reserve = Reserve::Automatic;
    bool verify = false;                  // compute the hashes of the report
    bool allowSharedFile = false;         // save in place even against SavePlan::advice
    FileOperations* operations = nullptr; // null: realFileOperations()
    // Called by a save, on its thread, before it writes a file by a costlier strategy than was predicted, with the file
    // whose reason it is: another program may have opened it since.
    std::function<void(const FilePlan& file)> costsMore{};
    std::uint64_t reserveFrom = kReserveFrom; // the size of the smallest file in which space is reserved

    // Whether space may be reserved in a file that has none. A strategy that writes in place may need it.
    [[nodiscard]] bool mayReserveIn(std::uint64_t fileBytes) const {
        return reserve == Reserve::Automatic &&
               (fileBytes >= reserveFrom || strategy == SaveStrategy::Patch || strategy == SaveStrategy::Shift);
    }
};

struct FilePlan {
    FileIndex file{};
    std::filesystem::path path; // with symbolic links resolved
    SaveStrategy strategy = SaveStrategy::Copy;
    SaveReason reason = SaveReason::NewFile;
    Arguments args; // arguments of the reason
    std::uint64_t bytesToWrite = 0;
    std::uint64_t journalBytes = 0; // the part of bytesToWrite that goes to the journal, not to the file
    std::uint64_t bytesBefore = 0;  // size of the file
    std::uint64_t bytesAfter = 0;
    std::uint64_t reserved = 0;      // bytes that will be reserved
    bool addsReserved = false;       // and none were before
    std::uint64_t linksLeft = 0;     // other names of the old file (hard links), to which the new one will not belong
    std::optional<double> seconds{}; // how long writing is expected to take, if it is a long copy; only in a prediction
};

// Why a file should be saved under another name instead.
enum class SaveAsAdvice : std::uint8_t {
    None,
    ContentAddressed, // its name is the hash of its content (Hugging Face cache, Ollama store)
    HardLinks,        // it has other names, which would change too or refer to a different file afterwards
};

struct SavePlan {
    std::vector<FilePlan> files; // the files that change, in shard order; empty: nothing to do
    SaveAsAdvice advice = SaveAsAdvice::None;
    std::uint64_t links = 1;      // number of names of the file, for HardLinks
    std::optional<Error> refusal; // the error with which saving in place will fail
    [[nodiscard]] std::uint64_t bytesToWrite() const;
    [[nodiscard]] std::optional<double> seconds() const; // the sum of the files', if any has one
};

struct FileReport {
    FilePlan plan; // what was done; bytesToWrite is what was written, including the journal
    double milliseconds = 0;
};
struct SaveReport {
    std::vector<FileReport> files; // the files that changed
    double milliseconds = 0;       // total time without hashing
    // SHA-256 over the SHA-256 of each tensor's bytes in the order of `edited`, of the source and of the files after
    // the save. If they differ, the save fails.
    std::optional<std::string> hashBefore{};
    std::optional<std::string> hashAfter{};
    [[nodiscard]] std::uint64_t bytesWritten() const;
};

// The outcome of recovering an interrupted save.
enum class Recovery : std::uint8_t {
    NotNeeded,  // no save was interrupted
    RolledBack, // the file is the old one
    Completed,  // the file is the new one
};
[[nodiscard]] std::string_view recoveryName(Recovery recovery); // "not_needed", "rolled_back", "completed"

// Whether recovery accepts a file that was copied or moved together with its journal, such as a backup.
enum class MovedFile : std::uint8_t { Refuse, Accept };

} // namespace gufo
