#include "model/kept_description.h"

#include "base/kept_pages.h"

#include <algorithm>

namespace gufo {
namespace {

Bytes bytesOf(std::string_view text) { return std::as_bytes(std::span(text)); }

std::vector<Bytes> viewsOf(const Model& model) {
    std::vector<Bytes> views;
    views.reserve(2 * model.metadata.size() + model.tensors.size());
    for (const KeyValue& entry : model.metadata) {
        views.push_back(bytesOf(entry.key));
        if (const auto text = asString(entry.value)) {
            views.push_back(bytesOf(*text));
        } else if (const ArrayView* array = asArray(entry.value)) {
            views.push_back(array->bytes);
        }
    }
    for (const TensorInfo& tensor : model.tensors) {
        views.push_back(bytesOf(tensor.name));
        if (!tensor.ownType.empty()) {
            views.push_back(bytesOf(tensor.ownType));
        }
    }
    return views;
}

} // namespace

Result<bool> keepDescription(const Model& model, std::uint64_t maxBytes) {
    std::vector<const ByteSource*> sources;
    for (const ModelFile& file : model.files) {
        sources.push_back(file.source.get());
    }
    for (const auto& companion : model.companions) {
        sources.push_back(companion.get());
    }
    std::erase(sources, nullptr);
    const std::vector<Bytes> views = viewsOf(model);
    bool all = true;
    for (const ByteSource* source : sources) {
        if (const auto* keeper = dynamic_cast<const PageKeeper*>(source)) {
            const auto bytes = keeper->keep(views, maxBytes);
            maxBytes -= bytes.value_or(0);
            all = all && bytes.has_value();
        }
        if (const auto damage = source->damage()) {
            return std::unexpected(*damage);
        }
    }
    return all;
}

} // namespace gufo
