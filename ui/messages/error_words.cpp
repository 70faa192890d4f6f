#include "ui/messages/error_words.h"

#include "base/detail.h"
#include "ui/messages/error_text.h"

#include <QtGlobal>

#include <array>
#include <cerrno>

namespace gufo::ui {
namespace {

constexpr auto kWords = std::to_array<ErrorWords>({
#define GUFO_ERROR(code, name, args, reason, hint) {ErrorCode::code, reason, hint},
#include "base/error_codes.inc"
#undef GUFO_ERROR
});

// FileChangedOnDisk, for files that are read or copied from.
constexpr ErrorWords kImportSourceChanged{
    ErrorCode::FileChangedOnDisk,
    QT_TRANSLATE_NOOP("gufo::ErrorText",
                      "another program changed it since tensors were imported from it; nothing was saved"),
    QT_TRANSLATE_NOOP("gufo::ErrorText",
                      "Import the tensors again from the file as it is now, or revert their import; then save.")};
constexpr ErrorWords kOpenedFileChanged{
    ErrorCode::FileChangedOnDisk,
    QT_TRANSLATE_NOOP("gufo::ErrorText",
                      "another program changed it since it was opened; its weights can no longer be read"),
    QT_TRANSLATE_NOOP("gufo::ErrorText", "Open it again when the other program has finished.")};

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
