// Parses arbitrary text as the name or address of a model on a server, and as the HTTP headers Content-Range,
// Content-Length and ETag.
#include "hub/model_place.h"
#include "net/content_range.h"
#include "require.h"

using namespace gufo;

namespace {

void checkPlace(const hub::ModelPlace& place) {
    const std::string kept = place.keptText();
    require(hub::ModelPlace::parse(kept).keptText() == kept);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    checkPlace(hub::ModelPlace::parse(text));
    for (const auto& place : {hub::ModelPlace::parseTyped(text), hub::ModelPlace::parseLink(text)}) {
        if (place) {
            require(!place->isLocal());
            checkPlace(*place);
        }
    }
    if (const auto name = hub::parseShortName(text)) {
        require(!name->repository.empty());
        const auto again = hub::parseShortName(hub::shownName(*name));
        require(again && again->hub == name->hub && again->repository == name->repository);
    }
    require(hub::decodedPath(hub::encodedPath(text)) == text);
    (void)hub::isSafePath(hub::decodedPath(text));

    if (const auto range = net::parseContentRange(text)) {
        require(range->range.length > 0);
        require(!range->fileBytes || (range->range.offset < *range->fileBytes &&
                                      range->range.length <= *range->fileBytes - range->range.offset));
    }
    (void)net::parseContentLength(text);
    (void)net::isStrongTag(text);
    return 0;
}
