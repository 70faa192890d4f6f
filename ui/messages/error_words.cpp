#include "ui/messages/error_words.h"

#include "base/detail.h"
#include "ui/messages/error_text.h"

#include <QtGlobal>

#include <array>
#include <cerrno>

namespace gufo::ui {
namespace {

// In the order of ErrorCode.
constexpr auto kWords = std::to_array<ErrorWords>({
    {ErrorCode::FileNotFound, QT_TRANSLATE_NOOP("gufo::ErrorText", "there is no such file"),
     QT_TRANSLATE_NOOP("gufo::ErrorText",
                       "It may have been moved, renamed or deleted, or its drive is not connected.")},
    {ErrorCode::PermissionDenied, QT_TRANSLATE_NOOP("gufo::ErrorText", "you do not have permission to read this file"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Ask its owner for read permission, or copy it to a folder of your own.")},
    {ErrorCode::IsDirectory, QT_TRANSLATE_NOOP("gufo::ErrorText", "this is a folder, not a file"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Choose a model file inside it.")},
    {ErrorCode::NotRegularFile, QT_TRANSLATE_NOOP("gufo::ErrorText", "this is a pipe, socket or device, not a file"),
     QT_TRANSLATE_NOOP("gufo::ErrorText",
                       "Models are mapped into memory and need a regular file: save the stream to disk first.")},
    {ErrorCode::ReadFailed, QT_TRANSLATE_NOOP("gufo::ErrorText", "it could not be read"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Check the drive or the network connection.")},
    {ErrorCode::WriteFailed, QT_TRANSLATE_NOOP("gufo::ErrorText", "it could not be written"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Check the free space and the permissions of the folder.")},
    {ErrorCode::MapFailed, QT_TRANSLATE_NOOP("gufo::ErrorText", "it could not be mapped into memory"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "The file system may not support it: copy the file to a local disk.")},
    {ErrorCode::FileChangedWhileReading,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "another program shortened or removed it while it was being read"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Open it again when the other program has finished.")},
    {ErrorCode::EmptyFile, QT_TRANSLATE_NOOP("gufo::ErrorText", "it is empty"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "A download may have failed: fetch it again.")},
    {ErrorCode::NotAModel, QT_TRANSLATE_NOOP("gufo::ErrorText", "it is not a model file: it starts with the bytes %1"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "A GGUF file starts with 47 47 55 46. Check that this is the right file.")},
    {ErrorCode::OtherFormat, QT_TRANSLATE_NOOP("gufo::ErrorText", "this is %1, which cannot be opened"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Fetch the model as GGUF, or convert it.")},
    {ErrorCode::FormatReadOnly,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "this is %1, which can be read, but not changed or written"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Convert it to GGUF, and change that.")},
    {ErrorCode::LfsPointer,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "this is a Git LFS pointer, which stands for a file of %1 with the hash %2"),
     QT_TRANSLATE_NOOP("gufo::ErrorText",
                       "Run `git lfs pull` in its folder, or download the file from the page of the model.")},
    {ErrorCode::UnfinishedDownload, QT_TRANSLATE_NOOP("gufo::ErrorText", "this is the unfinished download of %1"),
     QT_TRANSLATE_NOOP("gufo::ErrorText",
                       "Let the program that downloads it finish, or start the download again, and open the result.")},
    {ErrorCode::ServerReply,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "this is not a model, but the reply of a server that did not send it: %1"),
     QT_TRANSLATE_NOOP("gufo::ErrorText",
                       "Check the address and whether the model needs a login, and download it again.")},
    {ErrorCode::PieceMissing,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "it is a piece of %2, of which the piece %1 is missing"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Put all pieces into one folder, and open any of them.")},
    {ErrorCode::SetIncomplete, QT_TRANSLATE_NOOP("gufo::ErrorText", "%1"),
     QT_TRANSLATE_NOOP("gufo::ErrorText",
                       "Put all parts of the same model into one folder, under the names that they were given.")},
    {ErrorCode::NotImatrix, QT_TRANSLATE_NOOP("gufo::ErrorText", "it is not an importance matrix"),
     QT_TRANSLATE_NOOP(
         "gufo::ErrorText",
         "Choose what llama-imatrix wrote for this model: a GGUF file with in_sum2 tensors, or a .dat file.")},
    {ErrorCode::UnsupportedVersion, QT_TRANSLATE_NOOP("gufo::ErrorText", "version %1 of its format is not known"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "The file may be damaged, or newer than this program.")},
    {ErrorCode::Truncated,
     QT_TRANSLATE_N_NOOP("gufo::ErrorText", "it ends before the end of %1: %2 bytes are needed, %3 are left"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "The download or copy is incomplete: fetch it again.")},
    {ErrorCode::CountTooLarge,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "it declares %2 %1, more than fit in the rest of the file (bytes left: %3)"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "The header is damaged: fetch the file again.")},
    {ErrorCode::StringTooLong,
     QT_TRANSLATE_N_NOOP(
         "gufo::ErrorText",
         "it claims a string of %2 bytes for %1, more than fit in the rest of the file (bytes left: %3)"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "The header is damaged: fetch the file again.")},
    {ErrorCode::UnknownValueType, QT_TRANSLATE_NOOP("gufo::ErrorText", "the value has the unknown type %1"),
     QT_TRANSLATE_NOOP("gufo::ErrorText",
                       "What follows it cannot be read. The file is damaged, or newer than this program.")},
    {ErrorCode::ArrayTooLong,
     QT_TRANSLATE_N_NOOP("gufo::ErrorText",
                         "it claims an array of %1 elements, more than fit in the rest of the file (bytes left: %2)"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "The header is damaged: fetch the file again.")},
    {ErrorCode::NestingTooDeep, QT_TRANSLATE_NOOP("gufo::ErrorText", "values are nested more than %1 deep"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "No known program writes this: the file is damaged or hostile.")},
    {ErrorCode::TooManyDimensions,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "a tensor declares %1 dimensions; the limit is %2"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "The tensor list is damaged: fetch the file again.")},
    {ErrorCode::LimitExceeded, QT_TRANSLATE_NOOP("gufo::ErrorText", "it has %2 %1; the limit is %3"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "No known program writes this: the file is damaged or hostile.")},
    {ErrorCode::Malformed, QT_TRANSLATE_NOOP("gufo::ErrorText", "it is damaged: %1"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Fetch or write the file again.")},
    {ErrorCode::RangeOutsideFile,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "%2 bytes are needed from byte %1 on, but the file ends at byte %3"), ""},
    {ErrorCode::NoSuchKey, QT_TRANSLATE_NOOP("gufo::ErrorText", "it has no key %1"), ""},
    {ErrorCode::NoSuchTensor, QT_TRANSLATE_NOOP("gufo::ErrorText", "it has no tensor %1"), ""},
    {ErrorCode::WrongShape, QT_TRANSLATE_NOOP("gufo::ErrorText", "its shape is %1, but the model needs %2"),
     QT_TRANSLATE_NOOP("gufo::ErrorText",
                       "The metadata and the tensors contradict each other: convert the model again.")},
    {ErrorCode::NoSuchToken, QT_TRANSLATE_N_NOOP("gufo::ErrorText", "the vocabulary has %1 tokens"), ""},
    {ErrorCode::NoSuchElement,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "it has no element %1: the number of its elements is %2"), ""},
    {ErrorCode::BadSyntax, QT_TRANSLATE_NOOP("gufo::ErrorText", "line %2, column %3: %1"), ""},
    {ErrorCode::WrongValueType, QT_TRANSLATE_NOOP("gufo::ErrorText", "the value should be %1, but is %2"), ""},
    {ErrorCode::UnequalArrays, QT_TRANSLATE_N_NOOP("gufo::ErrorText", "it has %1 elements, but %2 has %3"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "The vocabulary is damaged: convert or fetch the file again.")},
    {ErrorCode::NotDecodable, QT_TRANSLATE_NOOP("gufo::ErrorText", "values of the type %1 cannot be decoded"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Its bytes can be shown and exported as they are.")},
    {ErrorCode::NotEncodable, QT_TRANSLATE_NOOP("gufo::ErrorText", "weights cannot be written as %1"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Choose another type.")},
    {ErrorCode::WeightOutOfRange, QT_TRANSLATE_NOOP("gufo::ErrorText", "a weight is %2, which %1 cannot hold"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Keep this tensor as F32, or check whether the file is damaged.")},
    {ErrorCode::LossySource, QT_TRANSLATE_NOOP("gufo::ErrorText", "it is already quantised as %1"),
     QT_TRANSLATE_NOOP("gufo::ErrorText",
                       "Quantise the model in F32, F16 or BF16 instead, or allow requantising, which loses more.")},
    {ErrorCode::NotSupported, QT_TRANSLATE_NOOP("gufo::ErrorText", "not possible: %1"), ""},
    {ErrorCode::NotRunnable, QT_TRANSLATE_NOOP("gufo::ErrorText", "this engine cannot run it: %1"), ""},
    {ErrorCode::TensorsNotUsed,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "this engine does not support some tensors of the model: %1"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Without them, its answers would differ from the model's.")},
    {ErrorCode::NotEnoughMemory,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "running it needs %1 of memory besides the weights, but only %2 are free"),
     QT_TRANSLATE_NOOP("gufo::ErrorText",
                       "Choose a shorter context or a smaller KV cache type, or close other programs.")},
    {ErrorCode::SchemaNotUsable, QT_TRANSLATE_NOOP("gufo::ErrorText", "the JSON schema is not supported at %1: %2"),
     ""},
    {ErrorCode::InvalidArgument, QT_TRANSLATE_NOOP("gufo::ErrorText", "%1"), ""},
    {ErrorCode::Cancelled, QT_TRANSLATE_NOOP("gufo::ErrorText", "cancelled"), ""},
    {ErrorCode::FileChangedOnDisk,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "another program changed it since it was opened"),
     QT_TRANSLATE_NOOP("gufo::ErrorText",
                       "Open it again, and make the changes there; or save them under another name.")},
    {ErrorCode::SharedFile, QT_TRANSLATE_NOOP("gufo::ErrorText", "it should not be edited in place, because %1"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Save under another name, or ask explicitly for editing in place.")},
    {ErrorCode::FileNotWritable, QT_TRANSLATE_NOOP("gufo::ErrorText", "you do not have permission to write this file"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Change its permissions, or save under another name.")},
    {ErrorCode::ReadOnlyFolder,
     QT_TRANSLATE_NOOP("gufo::ErrorText",
                       "saving needs to create files in its folder, but you do not have permission to"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Save under another name in a folder of your own.")},
    {ErrorCode::AttributesNotKept,
     QT_TRANSLATE_NOOP("gufo::ErrorText",
                       "a new file in its place could not keep its owner, permissions and attributes"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Save under another name, or ask its owner to save it.")},
    {ErrorCode::FileBusy, QT_TRANSLATE_NOOP("gufo::ErrorText", "another process is saving it"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Try again when the other process has finished.")},
    {ErrorCode::NoSpace, QT_TRANSLATE_NOOP("gufo::ErrorText", "%1 are needed on the disk, but only %2 are free"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Free some space, or save on another disk.")},
    {ErrorCode::StrategyImpossible, QT_TRANSLATE_NOOP("gufo::ErrorText", "it cannot be saved by %1: %2"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Let the strategy be chosen automatically.")},
    {ErrorCode::TensorIncomplete,
     QT_TRANSLATE_N_NOOP("gufo::ErrorText", "%1 bytes of the tensor are missing in the file"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "The file is truncated: fetch it again.")},
    {ErrorCode::VerificationFailed,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "the tensor bytes differ after saving: their hash was %1 and is %2"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "The disk or the memory may be failing: restore the file from a copy.")},
    {ErrorCode::SaveInterrupted,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "a save was interrupted, and its journal %1 is missing from the folder"),
     QT_TRANSLATE_NOOP("gufo::ErrorText",
                       "Put the journal back beside the file, under that name, and open the file again.")},
    {ErrorCode::JournalDamaged,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "the journal %1 of an interrupted save is damaged; nothing was changed"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Restore the file from a copy, then delete the journal.")},
    {ErrorCode::JournalOfAnotherFile,
     QT_TRANSLATE_NOOP("gufo::ErrorText",
                       "the journal %1 beside it belongs to another file or an older state; nothing was changed"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "If the file was replaced by a complete one, delete the journal.")},
    {ErrorCode::AddressRefused, QT_TRANSLATE_NOOP("gufo::ErrorText", "this address is not used: %1"), ""},
    {ErrorCode::ConnectionFailed, QT_TRANSLATE_NOOP("gufo::ErrorText", "no connection with %1: %2"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Check the network connection and the address, and try again.")},
    {ErrorCode::TlsFailed,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "the identity of %1 could not be verified, so nothing was sent: %2"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Check the address and the clock and certificates of this computer.")},
    {ErrorCode::HttpStatus, QT_TRANSLATE_NOOP("gufo::ErrorText", "the server replied with status %1: %2"), ""},
    {ErrorCode::ReplyUnusable, QT_TRANSLATE_NOOP("gufo::ErrorText", "the reply of the server cannot be used: %1"), ""},
    {ErrorCode::RemoteFileChanged,
     QT_TRANSLATE_NOOP("gufo::ErrorText", "the file on the server has changed in the meantime"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Open or download it again.")},
    {ErrorCode::NoSuchRemoteFile, QT_TRANSLATE_NOOP("gufo::ErrorText", "the server has no file for %1"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Open the page of the model in a browser to see which files it has.")},
    {ErrorCode::DigestMismatch,
     QT_TRANSLATE_NOOP("gufo::ErrorText",
                       "its SHA-256 should be %1, but is %2, so it is not the file that the server describes"),
     QT_TRANSLATE_NOOP("gufo::ErrorText", "Download it again.")},
});

constexpr bool inOrder() {
    for (std::size_t i = 0; i < kWords.size(); ++i) {
        if (static_cast<std::size_t>(kWords[i].code) != i) {
            return false;
        }
    }
    return kWords.size() == static_cast<std::size_t>(ErrorCode::DigestMismatch) + 1;
}
static_assert(inOrder(), "kWords has one row for each ErrorCode, in order");

// FileChangedOnDisk, for files that are copied from.
constexpr ErrorWords kImportSourceChanged{
    ErrorCode::FileChangedOnDisk,
    QT_TRANSLATE_NOOP("gufo::ErrorText",
                      "another program changed it since tensors were imported from it; nothing was saved"),
    QT_TRANSLATE_NOOP("gufo::ErrorText",
                      "Import the tensors again from the file as it is now, or revert their import; then save.")};
constexpr ErrorWords kOpenedFileChanged{
    ErrorCode::FileChangedOnDisk,
    QT_TRANSLATE_NOOP("gufo::ErrorText",
                      "another program changed it since it was opened; its bytes cannot be copied any more"),
    QT_TRANSLATE_NOOP("gufo::ErrorText", "Open it again, and make the changes there.")};

// WriteFailed, for a file that is to be created in a folder that does not exist.
constexpr ErrorWords kFolderMissing{ErrorCode::WriteFailed,
                                    QT_TRANSLATE_NOOP("gufo::ErrorText", "the folder for it does not exist"),
                                    QT_TRANSLATE_NOOP("gufo::ErrorText", "Create the folder, or choose another one.")};

// JournalOfAnotherFile, for a file that was copied in the middle of a save.
constexpr ErrorWords kMovedCopy{
    ErrorCode::JournalOfAnotherFile,
    QT_TRANSLATE_NOOP("gufo::ErrorText",
                      "it was copied or moved in the middle of a save, together with its journal %1; nothing was "
                      "changed"),
    QT_TRANSLATE_NOOP("gufo::ErrorText",
                      "Keep the journal, the only way back to the old file, and have the copy recovered: in the "
                      "window, or by gufo-cli recover FILE --moved.")};

// FormatReadOnly, for models of a format that can be changed, which several files or several names share.
constexpr const char* kSaveAs =
    QT_TRANSLATE_NOOP("gufo::ErrorText", "Save it under another name, which creates a separate "
                                         "file; with gufo-cli set, use -o OUT.");
constexpr ErrorWords kStored{
    ErrorCode::FormatReadOnly,
    QT_TRANSLATE_NOOP("gufo::ErrorText",
                      "a model in the store of Ollama is never changed in place, because the name of "
                      "its file is the hash of its content, and other models may share it"),
    kSaveAs};
constexpr ErrorWords kInParts{
    ErrorCode::FormatReadOnly,
    QT_TRANSLATE_NOOP("gufo::ErrorText", "its files were opened as one model, which is not changed in place"), kSaveAs};

// The same for a key of a folder that is not one of the weights' own.
constexpr ErrorWords kKeyOfAnotherFile{
    ErrorCode::FormatReadOnly,
    QT_TRANSLATE_NOOP("gufo::ErrorText",
                      "it is stated by a file beside the weights, such as config.json, which Gufo does not change"),
    QT_TRANSLATE_NOOP("gufo::ErrorText",
                      "Change that file with a text editor, or convert the folder to GGUF, and change the key there.")};

// The same for the tensors of a format whose metadata can be changed.
constexpr ErrorWords kMetadataOnly{
    ErrorCode::FormatReadOnly,
    QT_TRANSLATE_NOOP("gufo::ErrorText", "this is %1, of which only the metadata can be changed"),
    QT_TRANSLATE_NOOP("gufo::ErrorText", "Convert it to GGUF, and change that.")};

} // namespace

bool isFolderMissing(const Error& error) { return error.code == ErrorCode::WriteFailed && error.systemError == ENOENT; }

const ErrorWords& wordsOf(const Error& error) {
    if (error.code == ErrorCode::FormatReadOnly && !error.args.empty()) {
        const std::string& id = error.args[0].text();
        if (id == "json" && error.place.kind == Place::Kind::Key) {
            return kKeyOfAnotherFile;
        }
        if (id == "safetensors") {
            return kMetadataOnly;
        }
        if (id == "ollama_manifest" || id == "gguf") {
            return id == "gguf" ? kInParts : kStored;
        }
    }
    if (isMovedCopy(error)) {
        return kMovedCopy;
    }
    if (isFolderMissing(error)) {
        return kFolderMissing;
    }
    if (error.code == ErrorCode::FileChangedOnDisk && !error.args.empty()) {
        return error.args[0].detail() == Detail::ImportSource ? kImportSourceChanged : kOpenedFileChanged;
    }
    return kWords[static_cast<std::size_t>(error.code)];
}

} // namespace gufo::ui
