// Reads arbitrary text as a manifest of digests, writes it and reads it again, which must give the same.
#include "analysis/digest_manifest.h"
#include "require.h"

using namespace gufo;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto lines = readManifest(text);
    if (!lines) {
        require(lines.error() > 0);
        return 0;
    }
    const auto again = readManifest(manifestText(*lines));
    require(again && *again == *lines);
    require(compareManifests(*lines, *again).empty());
    return 0;
}
