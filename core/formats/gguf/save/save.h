// Saves an edited model over the file or files that it was opened from, or to another place (DESIGN.md §5).
//
// A save is a function of two snapshots: `base`, the model as it was opened, and `edited`, made from it by edits. Both
// list the same files; `edited` may have sources of imported tensors behind them. What is written is packed, aligned
// and padded with zeros, as strict runtimes ask.
//
//   patch   the header that has changed, where the tensor data stays in its place
//   shift   the same, after whole blocks were inserted before the tensor data or taken out
//   clone   a new file that shares the tensor data's blocks with the old one, renamed over it
//   copy    a new file, streamed, renamed over the old one
//
// After any failure, kill or power loss each file, and a set of shards as a whole, is entirely the old or entirely the
// new one: at once for clone and copy of one file, else as soon as a journal that is left beside it is recovered
// (recover.h; opening does it).
//
// After a successful save the caller opens the model again. Views of the old snapshots stay valid, with the bytes that
// they had. Who reads tensor data at the moment of a patch or shift reads zeros and finds it in ByteSource::damage()
// (mapped_file.h), so jobs are to be stopped before; a session that runs holds its mapping (MappedFile::hold), and the
// save copies instead.
//
// Threads: planSave() and save() may run on any thread; two saves of the same file at once refuse each other.
#pragma once

#include "base/file_operations.h"
#include "base/job_context.h"
#include "model/model.h"
#include "model/save_target.h"

#include <array>
#include <chrono>
#include <optional>

namespace gufo::gguf {

enum class SaveStrategy : std::uint8_t { Unchanged, Patch, Shift, Clone, Copy };
[[nodiscard]] std::string_view strategyName(SaveStrategy strategy); // "unchanged", "patch" …
[[nodiscard]] std::optional<SaveStrategy> findStrategy(std::string_view name);

// Why that strategy, or why none that costs less. The words stand in ui/messages/save_text.h.
enum class SaveReason : std::uint8_t {
    NothingChanged,
    SameSize,         // the header is as long as before
    FitsReserved,     // the reserved space took up the difference: args: bytes that remain reserved
    Grew,             // args: bytes by which the header grew
    Shrank,           // args: bytes by which it shrank
    Asked,            // the caller forced the strategy
    NewFile,          // Save as
    TensorsMove,      // tensors were deleted, reordered or imported, so the data moves
    AlignmentChanges, // args: alignment before, after
    ByteOrderChanges, //
    WasNotPacked,     // there were gaps between the tensors, or their order differed
    TailTooLong,      // args: bytes behind the last tensor that go
    ReservedOff,      // the header changed by no multiple of a block, and reserved space is switched off
    CannotShift,      // the file system cannot insert blocks
    CannotClone,      // the file system cannot share blocks between files
    TooManyExtents,   // args: extents, limit
    TooSmall,         // there is no block of data to insert before
    OpenElsewhere,    // another process has the file open or mapped
    OpenHere,         // a session of this process uses it
    NotOwner,         // only the owner of the file may make sure that nobody has it open
    NoLease,          // the file system cannot tell who has the file open
    NoJournal,        // the file's name is too long for a journal beside it
    HeaderTooLong,    // to be changed in place, or the headers of all shards are: args: bytes, limit
    SeveralFiles,     // another shard has to be copied, and all change together or none
};
[[nodiscard]] std::string_view reasonName(SaveReason reason); // "fits_reserved"

// Space that is kept free in the header by the key gufo.reserved, an array of bytes, so that later edits are patches.
enum class Reserve : std::uint8_t {
    Automatic, // 256 KiB where a header grows; it goes when the header is what it was before
    None,      // none, and what there is goes
};
inline constexpr std::string_view kReservedKey = "gufo.reserved";
inline constexpr std::uint64_t kReservedBytes = 256 * 1024;

struct SaveOptions {
    std::optional<SaveStrategy> strategy{}; // forced: this one or an error
    Reserve reserve = Reserve::Automatic;
    bool verify = false;                  // compute the hashes of the report
    bool evenIfShared = false;            // in place, although SavePlan::advice says otherwise
    FileOperations* operations = nullptr; // null: the real ones
};

struct FilePlan {
    FileIndex file{};
    std::filesystem::path path; // where symbolic links end
    SaveStrategy strategy = SaveStrategy::Copy;
    SaveReason reason = SaveReason::NewFile;
    std::vector<std::string> args; // of the reason
    std::uint64_t bytesToWrite = 0;
    std::uint64_t bytesBefore = 0; // of the file
    std::uint64_t bytesAfter = 0;
    std::uint64_t reserved = 0; // bytes that will be kept free
};

// Why a file should rather be saved under another name.
enum class SaveAsAdvice : std::uint8_t {
    None,
    ContentAddressed, // its name is the hash of its content (Hugging Face cache, Ollama store)
    HardLinks,        // it has other names, which would change too or come apart
};

struct SavePlan {
    std::vector<FilePlan> files; // those that change, in shard order; none: nothing to do
    SaveAsAdvice advice = SaveAsAdvice::None;
    std::uint64_t links = 1;      // names of the file, where HardLinks
    std::optional<Error> refusal; // saving in place will fail with this
    [[nodiscard]] std::uint64_t bytesToWrite() const;
};

// What a save would do as far as can be told without touching anything: that another process has the file open shows
// only when saving, which then clones or copies. Costs the time to encode the headers (milliseconds). Errors: those of
// encoding: InvalidArgument, NotSupported (what cannot be written in that version or byte order), with the place.
[[nodiscard]] Result<SavePlan> planSave(const Model& base, const Model& edited, const SaveTarget& target,
                                        const SaveOptions& options = {});

struct FileReport {
    FilePlan plan; // what was done; bytesToWrite were written (journal included)
    double milliseconds = 0;
};
struct SaveReport {
    std::vector<FileReport> files; // those that changed
    double milliseconds = 0;       // in all, hashing aside
    // SHA-256 over the SHA-256 of each tensor's bytes, in the order of `edited`: of the source, and of what is in the
    // files after the save. Equal, or the save has failed.
    std::optional<std::string> hashBefore{};
    std::optional<std::string> hashAfter{};
    [[nodiscard]] std::uint64_t bytesWritten() const;
};

// In place. Progress in bytes. Errors: those of planSave; FileChangedOnDisk (since base was opened), SharedFile (see
// SavePlan::advice), ReadOnlyFolder, FileNotWritable, FileBusy (another process saves it), NoSpace, WriteFailed,
// StrategyImpossible, TensorIncomplete, VerificationFailed, Cancelled (until the moment when the file would change).
// After any error but VerificationFailed the files are the old ones; where even undoing failed (WriteFailed on the
// medium), a journal remains and SaveInterrupted is the error.
[[nodiscard]] Result<SaveReport> save(const Model& base, const Model& edited, const SaveTarget& target,
                                      const SaveOptions& options = {}, const JobContext& job = {});

// Under another name; a file that is there is replaced when the new one is whole. Without reserved space. A set of
// shards is written as one file, or, where the name is that of a first shard of as many ("x-00001-of-00003.gguf"), as
// a set. Errors: as save(); InvalidArgument where the name is that of a shard of the set or of a file that tensors are
// imported from.
[[nodiscard]] Result<SaveReport> saveAs(const Model& edited, const SaveTarget& target,
                                        const std::filesystem::path& path, const SaveOptions& options = {},
                                        const JobContext& job = {});

} // namespace gufo::gguf
