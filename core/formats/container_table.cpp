#include "formats/container/container.h"
#include "formats/detection/failed_downloads.h"
#include "formats/detection/signatures.h"
#include "formats/ggml/reader.h"
#include "formats/gguf/read/shards.h"
#include "formats/gguf/write/save.h"
#include "formats/ollama/store.h"
#include "formats/onnx/reader.h"
#include "formats/pytorch/reader.h"
#include "formats/safetensors/reader.h"
#include "formats/safetensors/save.h"
#include "formats/save/journal.h"
#include "formats/save/recover.h"
#include "formats/sets/shard_index.h"

#include <array>

namespace gufo {
namespace {

using std::string_view_literals::operator""sv;

constexpr auto kStrategies =
    std::to_array({SaveStrategy::Patch, SaveStrategy::Shift, SaveStrategy::Clone, SaveStrategy::Copy});

Result<std::shared_ptr<const Model>> readGguf(std::shared_ptr<const ByteSource> file, const JobContext& job) {
    return gguf::open(std::move(file), job);
}

Result<std::shared_ptr<const Model>> readGgml(std::shared_ptr<const ByteSource> file, const JobContext& job) {
    return ggml::open(std::move(file), job);
}

constexpr auto kGgmlSuffixes = std::to_array({".bin"sv});
constexpr auto kGgufSuffixes = std::to_array({".gguf"sv});
constexpr auto kOnnxSuffixes = std::to_array({".onnx"sv});
constexpr auto kPytorchSuffixes = std::to_array({".pt"sv, ".pth"sv, ".ckpt"sv, ".bin"sv});
constexpr auto kPytorchFolderFiles =
    std::to_array({"pytorch_model.bin"sv, "pytorch_model.bin.index.json"sv, "adapter_model.bin"sv});
constexpr auto kSafetensorsSuffixes = std::to_array({".safetensors"sv});
constexpr auto kSafetensorsFolderFiles =
    std::to_array({"model.safetensors"sv, "model.safetensors.index.json"sv, "adapter_model.safetensors"sv,
                   "diffusion_pytorch_model.safetensors"sv, "diffusion_pytorch_model.safetensors.index.json"sv,
                   "consolidated.safetensors"sv, "consolidated.safetensors.index.json"sv});

std::optional<std::string> safetensorsSetOf(const std::filesystem::path& fileName) {
    const auto name = parseShardName(fileName, kSafetensorsSuffixes.front());
    return name ? std::optional(shardSetName(*name)) : std::nullopt;
}

Capabilities ofGgufSet(const Model& model, Capabilities all) {
    return model.openedAs.empty() ? all : all.without(Capability::SaveInPlace);
}

Capabilities ofSafetensorsSet(const Model& model, Capabilities all) {
    return safetensors::savesHeaders(model) ? all : all.readOnly();
}

Result<std::shared_ptr<const Model>> readOnnx(std::shared_ptr<const ByteSource> file, const JobContext& job) {
    return onnx::read(std::move(file), job);
}

Result<std::shared_ptr<const Model>> readManifest(std::shared_ptr<const ByteSource> file, const JobContext& job) {
    return ollama::open(std::move(file), job);
}

Result<std::shared_ptr<const Model>> readShardIndex(std::shared_ptr<const ByteSource> file, const JobContext& job) {
    return shard_index::open(std::move(file), job);
}

Error refuseUnfinished(const FileStart& start) { return saving::interruptedSave(start.path); }

bool isUnfinishedSafetensors(const FileStart& start) {
    const Bytes length = saving::unfinishedStart(saving::StartMark::Length);
    return start.hasAt(0, {reinterpret_cast<const char*>(length.data()), length.size()}) &&
           start.hasAt(length.size(), "{"sv);
}

bool isUnfinishedGguf(const FileStart& start) {
    const Bytes magic = saving::unfinishedStart(saving::StartMark::Magic);
    return start.hasAt(0, {reinterpret_cast<const char*>(magic.data()), magic.size()});
}

// Reliable detections come before heuristic ones.
constexpr auto kContainers = std::to_array<Container>({
    // By its name, because it begins like the file that it will be.
    {.id = "unfinished_download", .matches = downloads::isUnfinished, .refuse = downloads::unfinished},
    {.id = gguf::kContainer,
     .name = "GGUF",
     .format = "GGUF",
     .magic = "GGUF"sv,
     .read = readGguf,
     .capabilities = {Capability::EditMetadata, Capability::TypedValues, Capability::EditVersion,
                      Capability::EditTensors, Capability::SaveInPlace, Capability::SaveAs, Capability::Split,
                      Capability::Convert, Capability::Run},
     .saving = {.strategies = kStrategies, .plan = gguf::planSave, .save = gguf::save, .saveAs = gguf::saveAs},
     .ofSet = ofGgufSet,
     .suffixes = kGgufSuffixes,
     .folderRank = 0,
     .setOf = gguf::shardSetOf},
    {.id = "gguf_unfinished", .matches = isUnfinishedGguf, .refuse = refuseUnfinished},
    {.id = "safetensors_unfinished", .matches = isUnfinishedSafetensors, .refuse = refuseUnfinished},
    {.id = "git_lfs", .magic = "version https://git-lfs.github.com/spec/"sv, .refuse = downloads::lfsPointer},
    {.id = "silero_vad", .matches = signature::isSilero},
    // The formats before GGUF have a little-endian u32 as their magic number: 0x67676d6c for GGML.
    {.id = "ggml", .name = "GGML", .format = "ggml", .magic = "lmgg"sv, .read = readGgml, .suffixes = kGgmlSuffixes},
    {.id = "ggmf", .name = "GGMF", .format = "ggmf", .magic = "fmgg"sv, .read = readGgml, .suffixes = kGgmlSuffixes},
    {.id = "ggjt", .name = "GGJT", .format = "ggjt", .magic = "tjgg"sv, .read = readGgml, .suffixes = kGgmlSuffixes},
    {.id = "ggla", .name = "GGLA", .format = "ggla", .magic = "algg"sv, .read = readGgml, .suffixes = kGgmlSuffixes},
    {.id = pytorch::kZipContainer,
     .name = "PyTorch",
     .format = "pytorch",
     .matches = signature::isPyTorchZip,
     .read = pytorch::readZip,
     .readPart = pytorch::readZip,
     .suffixes = kPytorchSuffixes,
     .folderFiles = kPytorchFolderFiles},
    {.id = "zip", .matches = signature::isZip},
    {.id = "hdf5", .magic = "\x89HDF\r\n\x1A\n"sv},
    {.id = "numpy", .magic = "\x93NUMPY"sv},
    {.id = "tflite", .magic = "TFL3"sv, .magicOffset = 4},
    {.id = pytorch::kTarContainer,
     .name = "PyTorch",
     .format = "pytorch",
     .matches = signature::isPyTorchTar,
     .read = pytorch::readTar,
     .readPart = pytorch::readTar},
    {.id = "tar", .magic = "ustar"sv, .magicOffset = 257},
    {.id = "gzip", .magic = "\x1F\x8B"sv},
    {.id = "zstd", .magic = "\x28\xB5\x2F\xFD"sv},
    {.id = "xz", .magic = "\xFD\x37zXZ\x00"sv},
    {.id = "bzip2", .magic = "BZh"sv},
    {.id = "lz4", .magic = "\x04\x22\x4D\x18"sv},
    {.id = "7z", .magic = "7z\xBC\xAF\x27\x1C"sv},
    {.id = safetensors::kContainer,
     .name = "safetensors",
     .format = "safetensors",
     .matches = signature::isSafetensors,
     .read = safetensors::open,
     .readPart = safetensors::read,
     .capabilities = {Capability::EditMetadata, Capability::SaveInPlace, Capability::SaveAs},
     .saving = {.strategies = kStrategies,
                .plan = safetensors::planSave,
                .save = safetensors::save,
                .saveAs = safetensors::saveAs},
     .ofSet = ofSafetensorsSet,
     .suffixes = kSafetensorsSuffixes,
     .folderFiles = kSafetensorsFolderFiles,
     .folderRank = 1,
     .setOf = safetensorsSetOf},
    {.id = pytorch::kStreamContainer,
     .name = "PyTorch",
     .format = "pytorch",
     .matches = signature::isLegacyPyTorch,
     .read = pytorch::readStream,
     .readPart = pytorch::readStream},
    {.id = pytorch::kBareContainer,
     .name = "PyTorch",
     .format = "pytorch",
     .matches = signature::isPickle,
     .read = pytorch::readBare},
    {.id = onnx::kContainer,
     .name = "ONNX",
     .format = "onnx",
     .matches = signature::isOnnx,
     .read = readOnnx,
     .suffixes = kOnnxSuffixes},
    {.id = "html", .matches = signature::isHtml, .refuse = downloads::htmlReply},
    {.id = "xml", .matches = signature::isXml, .refuse = downloads::xmlReply},
    {.id = "shard_index",
     .name = "index.json",
     .format = "shard_index",
     .matches = signature::isShardIndex,
     .read = readShardIndex},
    {.id = "ollama_manifest",
     .name = "Ollama",
     .format = "ollama",
     .matches = signature::isOllamaManifest,
     .read = readManifest},
    {.id = "json_error", .matches = downloads::isJsonError, .refuse = downloads::jsonReply},
    {.id = "json", .matches = signature::isJson},
    {.id = "text_error", .matches = downloads::isTextError, .refuse = downloads::textReply},
    {.id = "text", .matches = signature::isText},
});

} // namespace

std::span<const Container> containers() { return kContainers; }

} // namespace gufo
