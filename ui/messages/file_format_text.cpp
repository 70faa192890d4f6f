#include "ui/messages/file_format_text.h"

#include "ui/messages/figure_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

struct FormatWords {
    std::string_view id;
    const char* text;
};
// One row for each of containers() (formats/format.cpp), worded to complete "this is %1".
constexpr auto kWords = std::to_array<FormatWords>({
    {"unfinished_download", QT_TRANSLATE_NOOP("Formats", "an unfinished download")},
    {"gguf", QT_TRANSLATE_NOOP("Formats", "GGUF")},
    {"gguf_unfinished", QT_TRANSLATE_NOOP("Formats", "a GGUF file whose saving was interrupted")},
    {"safetensors_unfinished", QT_TRANSLATE_NOOP("Formats", "a safetensors file whose saving was interrupted")},
    {"git_lfs",
     QT_TRANSLATE_NOOP("Formats", "a Git LFS pointer, which stands for the model until `git lfs pull` fetches it")},
    {"silero_vad",
     QT_TRANSLATE_NOOP("Formats", "a voice activity detector of whisper.cpp (Silero), not a language model")},
    {"ggml", QT_TRANSLATE_NOOP("Formats", "a GGML file, from before GGUF")},
    {"ggmf", QT_TRANSLATE_NOOP("Formats", "a GGMF file, from before GGUF")},
    {"ggjt", QT_TRANSLATE_NOOP("Formats", "a GGJT file, from before GGUF")},
    {"ggla", QT_TRANSLATE_NOOP("Formats", "a GGLA adapter, from before GGUF")},
    {"pytorch_zip", QT_TRANSLATE_NOOP("Formats", "a PyTorch checkpoint (ZIP)")},
    {"zip", QT_TRANSLATE_NOOP("Formats", "a ZIP archive, perhaps a PyTorch checkpoint or NumPy arrays")},
    {"hdf5", QT_TRANSLATE_NOOP("Formats", "an HDF5 file, perhaps a Keras model")},
    {"numpy", QT_TRANSLATE_NOOP("Formats", "a NumPy array")},
    {"tflite", QT_TRANSLATE_NOOP("Formats", "a TensorFlow Lite model")},
    {"pytorch_tar", QT_TRANSLATE_NOOP("Formats", "a PyTorch checkpoint (tar, from before version 0.1.10)")},
    {"tar", QT_TRANSLATE_NOOP("Formats", "a tar archive, perhaps an old PyTorch checkpoint")},
    {"gzip", QT_TRANSLATE_NOOP("Formats", "compressed with gzip")},
    {"zstd", QT_TRANSLATE_NOOP("Formats", "compressed with Zstandard")},
    {"xz", QT_TRANSLATE_NOOP("Formats", "compressed with xz")},
    {"bzip2", QT_TRANSLATE_NOOP("Formats", "compressed with bzip2")},
    {"lz4", QT_TRANSLATE_NOOP("Formats", "compressed with LZ4")},
    {"7z", QT_TRANSLATE_NOOP("Formats", "a 7-Zip archive")},
    {"safetensors", QT_TRANSLATE_NOOP("Formats", "safetensors")},
    {"pytorch_legacy", QT_TRANSLATE_NOOP("Formats", "a PyTorch checkpoint (from before version 1.6)")},
    {"pickle", QT_TRANSLATE_NOOP("Formats", "a Python pickle")},
    {"onnx", QT_TRANSLATE_NOOP("Formats", "an ONNX model")},
    {"html",
     QT_TRANSLATE_NOOP("Formats", "a web page: the download fetched a page about the file instead of the file")},
    {"xml", QT_TRANSLATE_NOOP("Formats", "an XML document: the download fetched a server's reply instead of the file")},
    {"shard_index", QT_TRANSLATE_NOOP("Formats", "a list of the files of a model")},
    {"ollama_manifest", QT_TRANSLATE_NOOP("Formats", "a manifest of Ollama")},
    {"json_error", QT_TRANSLATE_NOOP("Formats", "a server's error message")},
    {"json", QT_TRANSLATE_NOOP("Formats", "JSON text, perhaps a server's error message or a model's configuration")},
    {"text_error", QT_TRANSLATE_NOOP("Formats", "a server's error message")},
    {"text", QT_TRANSLATE_NOOP("Formats", "plain text")},
});

} // namespace

QString fileFormatText(std::string_view id) {
    const auto* row = std::ranges::find(kWords, id, &FormatWords::id);
    return row != kWords.end() ? QCoreApplication::translate("Formats", row->text) : displayText(id);
}

} // namespace gufo::ui
