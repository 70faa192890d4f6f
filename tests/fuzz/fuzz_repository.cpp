// Reads bytes as every kind of reply of a hub, and as the header Link. Every file that is listed has a path that stays
// in its folder, an address on the hub and a digest of 64 digits or none. The models of the list have each of its GGUF
// files once.
#include "base/ascii.h"
#include "base/json_value.h"
#include "hub/repository_models.h"
#include "hub/repository_replies.h"
#include "require.h"

#include <algorithm>

using namespace gufo;
using namespace gufo::hub;

namespace {

constexpr std::string_view kEndpoint = "https://hub.example";

void check(Repository repository) {
    for (const RepositoryFile& file : repository.files) {
        require(isSafePath(file.path));
        require(file.url.starts_with(kEndpoint));
        require(file.sha256.empty() || file.sha256.size() == 64);
    }
    std::ranges::sort(repository.files, {}, &RepositoryFile::path);
    std::size_t files = 0;
    for (const ModelFiles& model : modelsIn(repository)) {
        require(!model.files.empty());
        files += model.files.size();
    }
    const auto isModel = [](const RepositoryFile& file) { return asciiLowerText(file.path).ends_with(".gguf"); };
    require(files == static_cast<std::size_t>(std::ranges::count_if(repository.files, isModel)));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::string next = nextPage(text, kEndpoint);
    require(next.size() <= kEndpoint.size() + size);
    const auto reply = readJson(text);
    if (!reply) {
        return 0;
    }
    const Repository empty{.name = {.repository = "owner/model"}};
    Repository huggingFace = empty;
    if (readHuggingFaceFacts(*reply, huggingFace)) {
        require(!huggingFace.commit.empty());
    }
    if (readHuggingFaceFiles(*reply, kEndpoint, huggingFace)) {
        check(huggingFace);
    }
    Repository modelScope = empty;
    if (readModelScopeFiles(*reply, kEndpoint, "master", modelScope)) {
        check(modelScope);
    }
    Repository ollama = empty;
    if (readOllamaManifest(*reply, kEndpoint, "latest", ollama)) {
        check(ollama);
    }
    (void)defaultTemplate(*reply);
    return 0;
}
