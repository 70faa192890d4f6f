#include "ui/document/fetching.h"

#include "net/remote_source.h"
#include "ui/shell/places.h"

#include <algorithm>

namespace gufo::ui {
namespace {

const net::RemoteSource* remoteSource(const ByteSource* source) {
    return dynamic_cast<const net::RemoteSource*>(source);
}

} // namespace

bool isOnServer(const Model& model) {
    return std::ranges::any_of(model.files,
                               [](const ModelFile& file) { return remoteSource(file.source.get()) != nullptr; });
}

QString serverOf(const Model& model) {
    return isOnServer(model) ? hostOf(hub::ModelPlace::parse(model.path().native())) : QString();
}

std::uint64_t bytesToFetch(const Model& model, const TensorInfo& tensor) {
    const net::RemoteSource* source = remoteSource(model.sourceOf(tensor));
    return source != nullptr ? source->missingBytes({tensor.offset, tensor.bytesPresent}) : 0;
}

// Tensors share pages at their borders, so the parts with weights are asked for as a whole.
std::uint64_t bytesToFetch(const Model& model) {
    std::uint64_t bytes = 0;
    for (const ModelFile& file : model.files) {
        if (const net::RemoteSource* source = remoteSource(file.source.get())) {
            const std::uint64_t header = std::min(file.headerBytes, source->size());
            bytes += source->missingBytes({header, source->size() - header});
        }
    }
    return bytes;
}

std::uint64_t bytesFetched(const Model& model) {
    std::uint64_t bytes = 0;
    for (const ModelFile& file : model.files) {
        if (const net::RemoteSource* source = remoteSource(file.source.get())) {
            bytes += source->fetchedBytes();
        }
    }
    return bytes;
}

QString redirectedHostOf(const Model& model) {
    for (const ModelFile& file : model.files) {
        if (const net::RemoteSource* source = remoteSource(file.source.get())) {
            if (const std::string host = source->redirectedHost(); !host.empty()) {
                return QString::fromStdString(host);
            }
        }
    }
    return {};
}

} // namespace gufo::ui
