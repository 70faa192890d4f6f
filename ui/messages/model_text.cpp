#include "ui/messages/model_text.h"

#include "base/detail.h"
#include "formats/container/container.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace gufo::ui {

// ---- the status line -----------------------------------------------------------------------------------------------

namespace {

class StatusWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::ModelStatus)
};

} // namespace

std::uint64_t presentFiles(const Model& model) {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(model.files, [](const ModelFile& file) { return file.source != nullptr; }));
}

std::map<std::string, std::uint64_t> presentBytes(const Model& model) {
    std::map<std::string, std::uint64_t> bytes;
    for (const TensorInfo& tensor : model.tensors) {
        bytes[tensor.typeName()] += tensor.bytesPresent;
    }
    return bytes;
}

QString shareSizeText(const Model::TypeShare& share, const std::map<std::string, std::uint64_t>& present) {
    const std::uint64_t bytes = present.at(share.name);
    return bytes == share.bytes ? formatBytes(bytes)
                                : StatusWords::tr("%1 of %2").arg(formatBytes(bytes), formatBytes(share.bytes));
}

QStringList modelStatus(const Model& model) {
    const std::string_view name = containerName(model);
    const QString container = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    QStringList parts{
        StatusWords::tr("%1, %2").arg(
            model.version != 0 ? StatusWords::tr("%1 v%2").arg(container).arg(model.version) : container,
            model.byteOrder == ByteOrder::Little ? StatusWords::tr("little-endian") : StatusWords::tr("big-endian")),
        StatusWords::tr("%n tensors", nullptr, numerus(model.tensors.size())) + QStringLiteral(", ") +
            StatusWords::tr("%n keys", nullptr, numerus(model.metadata.size()))};
    if (const std::uint32_t alignment = model.files.front().alignment; alignment != 0) {
        parts << StatusWords::tr("Alignment %1").arg(alignment);
    }
    if (const std::uint64_t there = presentFiles(model); there != model.files.size()) {
        parts.prepend(StatusWords::tr("%1 of %n shards", nullptr, numerus(model.files.size())).arg(formatCount(there)));
    } else if (there > 1) {
        parts.prepend(StatusWords::tr("%n shards", nullptr, numerus(there)));
    }
    return parts;
}

// ---- file formats --------------------------------------------------------------------------------------------------

namespace {

struct FormatWords {
    std::string_view id;
    const char* text;
};
// One row for each of containers() (formats/container_table.cpp), worded to complete "this is %1".
constexpr auto kFormatWords = std::to_array<FormatWords>({
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
    const auto* row = std::ranges::find(kFormatWords, id, &FormatWords::id);
    return row != kFormatWords.end() ? QCoreApplication::translate("Formats", row->text) : displayText(id);
}

// ---- roles of tensors ----------------------------------------------------------------------------------------------

namespace {

constexpr auto kRoleWords = std::to_array<const char*>({
#define GUFO_ROLE(name, group, perBlock, experts, order, aliases, words) words,
#include "model/tensor_roles.inc"
#undef GUFO_ROLE
});

} // namespace

QString roleMeaning(const RoleFact& role) {
    const auto index = static_cast<std::size_t>(&role - roleFacts().data());
    return QCoreApplication::translate("Roles", kRoleWords[index]);
}

// ---- vocabularies --------------------------------------------------------------------------------------------------

namespace {

class VocabularyWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::Vocabulary)
};

} // namespace

QString vocabularyDifferenceText(const text::VocabularyDifference& difference) {
    const QString sizes = difference.size == difference.otherSize
                              ? QString()
                              : VocabularyWords::tr("its vocabulary has %n tokens, that of the reference %1", nullptr,
                                                    numerus(difference.otherSize))
                                    .arg(formatCount(difference.size));
    if (!difference.token) {
        return sizes;
    }
    const QString token = VocabularyWords::tr("its token %1 is \"%2\", that of the reference \"%3\"")
                              .arg(QString::number(difference.token->value), displayText(difference.otherText),
                                   displayText(difference.text));
    return sizes.isEmpty() ? token : sizes + QStringLiteral("; ") + token;
}

Argument vocabularyDifferenceDetail(const text::VocabularyDifference& difference) {
    Arguments args{difference.otherSize, difference.size};
    if (difference.token) {
        args.insert(args.end(), {difference.token->value, difference.otherText, difference.text});
    }
    return {Detail::OtherVocabulary, std::move(args)};
}

} // namespace gufo::ui
