#include "formats/ollama/store.h"

#include "base/detail.h"
#include "base/json_reader.h"
#include "base/mapped_file.h"
#include "base/try.h"
#include "formats/container/container.h"

#include <algorithm>
#include <charconv>

namespace gufo::ollama {
namespace {

namespace fs = std::filesystem;
using Token = JsonReader::Token;

constexpr std::string_view kManifests = "manifests";
constexpr std::string_view kBlobs = "blobs";
constexpr std::string_view kUsualHost = "registry.ollama.ai";
constexpr std::string_view kUsualNamespace = "library";
constexpr std::string_view kModelLayer = "application/vnd.ollama.image.model";
constexpr std::uint64_t kMaxManifest = 1U << 20U;
constexpr std::size_t kMaxModels = 10'000;
constexpr int kDepth = 3; // of the folders of tags below "manifests"

struct Layer {
    std::string mediaType;
    std::string digest;
    std::uint64_t bytes = 0;
};

Result<Layer> readLayer(JsonReader& json) {
    Layer layer;
    GUFO_TRY(json.readMembers([&]() -> Result<> {
        const std::string key = json.text();
        JsonReader lookahead = json;
        const auto value = lookahead.next();
        if (value && *value == Token::String && key == "mediaType") {
            layer.mediaType = lookahead.text();
        } else if (value && *value == Token::String && key == "digest") {
            layer.digest = lookahead.text();
        } else if (value && *value == Token::Number && key == "size") {
            const std::string& text = lookahead.text();
            std::from_chars(text.data(), text.data() + text.size(), layer.bytes);
        }
        return json.skipValue();
    }));
    return layer;
}

// The layer with the weights.
Result<Layer> modelLayer(std::string_view manifest) {
    JsonReader json(manifest);
    std::optional<Layer> found;
    const auto takeLayer = [&](Token first) -> Result<> {
        if (first != Token::ObjectStart) {
            return json.expected(Detail::EntryObject);
        }
        auto layer = GUFO_TRY(readLayer(json));
        if (layer.mediaType == kModelLayer && !found) {
            found = std::move(layer);
        }
        return {};
    };
    const auto takeMember = [&]() -> Result<> {
        if (json.text() != "layers") {
            return json.skipValue();
        }
        GUFO_TRY(json.expect(Token::ArrayStart, Detail::List));
        return json.readElements(takeLayer);
    };
    GUFO_TRY(json.expect(Token::ObjectStart, Detail::KeyObject));
    GUFO_TRY(json.readMembers(takeMember));
    return found ? Result<Layer>(*std::move(found)) : fail(ErrorCode::Malformed, {}, {Detail::NoModelLayer});
}

// "sha256:HEX" as the name of its blob; empty if it is not a digest.
std::string blobName(std::string_view digest) {
    constexpr std::string_view kPrefix = "sha256:";
    constexpr std::size_t kDigits = 64;
    const std::string_view hex = digest.substr(std::min(kPrefix.size(), digest.size()));
    const bool isDigest = digest.starts_with(kPrefix) && hex.size() == kDigits &&
                          hex.find_first_not_of("0123456789abcdefABCDEF") == hex.npos;
    return isDigest ? "sha256-" + std::string(hex) : std::string();
}

bool isFolder(const fs::path& path) {
    std::error_code error;
    return fs::is_directory(path, error);
}

// The store to which a manifest belongs by its path.
std::optional<fs::path> storeAbove(const fs::path& manifest) {
    fs::path folder = manifest.parent_path();
    for (int i = 0; i <= kDepth + 1 && folder.has_relative_path(); ++i, folder = folder.parent_path()) {
        if (folder.filename() == kManifests) {
            return folder.parent_path();
        }
    }
    return std::nullopt;
}

std::string nameOf(const fs::path& host, const fs::path& space, const fs::path& name, const fs::path& tag) {
    std::string text = name.native() + ':' + tag.native();
    const bool usualHost = host == kUsualHost;
    if (!usualHost || space != kUsualNamespace) {
        text = space.native() + '/' + text;
    }
    return usualHost ? text : host.native() + '/' + text;
}

} // namespace

std::optional<std::string> nameOfManifest(const fs::path& path) {
    const fs::path name = path.parent_path();
    const fs::path space = name.parent_path();
    const fs::path host = space.parent_path();
    if (!path.has_filename() || host.filename().empty() || host.parent_path().filename() != kManifests) {
        return std::nullopt;
    }
    return nameOf(host.filename(), space.filename(), name.filename(), path.filename());
}

std::optional<fs::path> storeOf(const fs::path& folder) {
    const fs::path plain = folder.has_filename() ? folder : folder.parent_path();
    for (const fs::path& store : {plain, plain.parent_path()}) {
        const bool below = store != plain && plain.filename() != kManifests && plain.filename() != kBlobs;
        if (!below && isFolder(store / kManifests) && isFolder(store / kBlobs)) {
            return store;
        }
    }
    return std::nullopt;
}

Result<std::vector<StoredModel>> modelsIn(const fs::path& store, const JobContext& job) {
    std::vector<StoredModel> models;
    std::error_code error;
    const fs::path root = store / kManifests;
    for (fs::recursive_directory_iterator it(root, fs::directory_options::skip_permission_denied, error), end;
         !error && it != end && models.size() < kMaxModels; it.increment(error)) {
        GUFO_TRY(job.check());
        std::error_code unreadable;
        if (it.depth() > kDepth) {
            it.disable_recursion_pending();
        }
        if (it.depth() != kDepth || !it->is_regular_file(unreadable)) {
            continue;
        }
        const fs::path path = it->path();
        const auto file = MappedFile::open(path);
        const auto bytes =
            file && (*file)->size() <= kMaxManifest ? (*file)->view({0, (*file)->size()}) : fail(ErrorCode::ReadFailed);
        const auto layer = bytes ? modelLayer({reinterpret_cast<const char*>(bytes->data()), bytes->size()})
                                 : std::unexpected(bytes.error());
        if (layer) {
            const fs::path name = path.parent_path();
            const fs::path space = name.parent_path();
            models.push_back(
                {.name = nameOf(space.parent_path().filename(), space.filename(), name.filename(), path.filename()),
                 .manifest = path,
                 .bytes = layer->bytes});
        }
    }
    std::ranges::sort(models, {}, &StoredModel::name);
    return models;
}

std::optional<fs::path> manifestNamed(const fs::path& path) {
    // The store may be one, two or three folders above, because of the namespace and the host.
    fs::path name = path.filename();
    fs::path folder = path.parent_path();
    for (int i = 0; i < kDepth; ++i) {
        if (isFolder(folder / kManifests) && isFolder(folder / kBlobs)) {
            const std::string text = path.filename().native();
            const std::size_t colon = text.rfind(':');
            const std::string tag = colon != text.npos ? text.substr(colon + 1) : "latest";
            fs::path whole = folder / kManifests;
            if (i < 2) {
                whole /= kUsualHost;
            }
            if (i < 1) {
                whole /= kUsualNamespace;
            }
            whole /= name.parent_path() / text.substr(0, colon) / tag;
            std::error_code error;
            return !tag.empty() && fs::is_regular_file(whole, error) ? std::optional(whole) : std::nullopt;
        }
        if (!folder.has_relative_path()) {
            break;
        }
        name = folder.filename() / name;
        folder = folder.parent_path();
    }
    return std::nullopt;
}

Result<std::shared_ptr<const Model>> open(std::shared_ptr<const ByteSource> manifest, const JobContext& job,
                                          const SourceOpener& openFile) {
    const fs::path path = manifest->path();
    const auto refuse = [&](Error error) { return std::unexpected(std::move(error).in(path)); };
    if (manifest->size() > kMaxManifest) {
        return refuse(fail(ErrorCode::LimitExceeded, {}, {Detail::Bytes, manifest->size(), kMaxManifest}).error());
    }
    const auto bytes = GUFO_TRY(manifest->view({0, manifest->size()}));
    auto layer = modelLayer({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (const auto damage = manifest->damage()) {
        return std::unexpected(*damage);
    }
    if (!layer) {
        return refuse(std::move(layer).error());
    }
    const std::string blob = blobName(layer->digest);
    const auto store = storeAbove(path);
    if (blob.empty() || !store) {
        return refuse(fail(ErrorCode::Malformed, {}, {Detail::NoModelLayer}).error());
    }
    auto file = GUFO_TRY(openInFolder(*store / kBlobs, blob, openFile));
    const auto weights = GUFO_TRY(readModel(std::move(file), job));
    auto model = std::make_shared<Model>(*weights);
    model->companions.push_back(std::move(manifest));
    model->openedAs = path;
    return model;
}

} // namespace gufo::ollama
