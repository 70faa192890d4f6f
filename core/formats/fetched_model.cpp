#include "formats/fetched_model.h"

#include "base/detail.h"
#include "formats/container/container.h"
#include "formats/safetensors/reader.h"

namespace gufo {

Result<std::shared_ptr<const Model>> readFetchedModel(std::shared_ptr<const ByteSource> file, const JobContext& job,
                                                      const SourceOpener& openSibling,
                                                      const gguf::HeaderSoFar& headerSoFar) {
    GUFO_TRY(startOf(*file)); // reports errors of the network, which detectContainer() ignores
    const Container* container = detectContainer(*file);
    if (container == nullptr) {
        return std::unexpected(refusalOf(*file));
    }
    if (container->id == gguf::kContainer) {
        return gguf::openGrowing(std::move(file), job, openSibling, headerSoFar);
    }
    const bool viewsOnlyHeader = container->id == safetensors::kContainer;
    if (container->readable() && !viewsOnlyHeader && file->size() > kLargestFetchedWhole) {
        return std::unexpected(Error{ErrorCode::ReplyUnusable,
                                     file->path(),
                                     {},
                                     {{Detail::RemoteFileTooLarge, {file->size(), kLargestFetchedWhole}}},
                                     0});
    }
    return readModel(std::move(file), job);
}

} // namespace gufo
