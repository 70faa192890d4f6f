// Saves an edited model over the file or files that it was opened from, or to another place.
//
// A save is a function of two snapshots: `base`, the model as it was opened, and `edited`, which edits made from it.
// Both list the same files; in `edited`, sources of imported tensors may follow them. The files written are packed,
// aligned and padded with zeros, as strict runtimes require.
//
//   patch   rewrites the parts of the header that changed; the tensor data stays in its place
//   shift   the same after inserting or removing whole blocks before the tensor data
//   clone   writes a new file that shares the tensor data's blocks with the old one, and renames it over the old one
//   copy    streams a new file and renames it over the old one
//
// After any failure, kill or power loss, each file, and a set of shards as a whole, is either entirely old or entirely
// new. For clone and copy of one file this holds immediately; otherwise it holds once the journal next to the file has
// been recovered (recover.h), which opening the file does.
//
// After a successful save the caller opens the model again. Views of the old snapshots stay valid and keep their bytes.
// A thread that reads tensor data during a patch or shift reads zeros and learns of it from ByteSource::damage()
// (mapped_file.h), so jobs must be stopped before a save. A running session holds its mapping (MappedFile::hold), and
// the save writes a copy instead.
//
// Threads: planSave() and save() are thread-safe. Of two simultaneous saves of the same file, one fails.
#pragma once

#include "formats/save/saving.h"

namespace gufo::gguf {

// The space that is reserved when a header grows.
inline constexpr std::uint64_t kReservedBytes = 256 * 1024;

// Predicts what a save would do without touching anything. Whether blocks can be shared and who has the file open is
// tried out (probe.h); a process of another user may still keep the save from changing the file in place, which the
// save reports by SaveOptions::costsMore. The call takes as long as encoding the headers and looking through the
// processes (tens of milliseconds), and once for each device as long as writing 16 MiB, if a long copy is due. Errors:
// the errors of encoding, with the place: InvalidArgument, NotSupported (a value that the version or byte order cannot
// represent).
[[nodiscard]] Result<SavePlan> planSave(const Model& base, const Model& edited, const SaveTarget& target,
                                        const SaveOptions& options = {});

// Saves in place. Progress is in bytes. Errors: the errors of planSave(); FileChangedOnDisk (since base was opened;
// with Detail::ImportSource, a file since tensors were imported from it; with Detail::OpenedFile, a file of the model
// that is saved under another name), SharedFile (see SavePlan::advice), ReadOnlyFolder, FileNotWritable, FileBusy
// (another process is saving it), NoSpace, WriteFailed, StrategyImpossible, TensorIncomplete, VerificationFailed,
// Cancelled (only until the file starts to change). After any error except VerificationFailed the files are the old
// ones. If even undoing fails (WriteFailed on the medium), the journal remains and the error is SaveInterrupted.
[[nodiscard]] Result<SaveReport> save(const Model& base, const Model& edited, const SaveTarget& target,
                                      const SaveOptions& options = {}, const JobContext& job = {});

// Saves under another name, without reserved space. An existing file is replaced when the new one is complete. A set of
// shards is written as one file, or as a set if the name is a name for the first of as many shards
// ("x-00001-of-00003.gguf"). Errors: as for save(); InvalidArgument if the name belongs to a file of the model or to
// one from which tensors are imported, or if it leads to a file that is named by its hash; SetIncomplete;
// StrategyImpossible if a strategy other than copy is requested.
[[nodiscard]] Result<SaveReport> saveAs(const Model& edited, const SaveTarget& target,
                                        const std::filesystem::path& path, const SaveOptions& options = {},
                                        const JobContext& job = {});

} // namespace gufo::gguf
