#include "model/kept_description.h"

#include "base/kept_pages.h"
#include "base/quick_hash.h"
#include "base/try.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

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

bool sameStored(const Value& a, const Value& b) {
    return a.index() == b.index() && std::visit(
                                         [&](const auto& x) {
                                             using T = std::remove_cvref_t<decltype(x)>;
                                             const T& y = *std::get_if<T>(&b);
                                             if constexpr (std::is_same_v<T, ArrayView>) {
                                                 return x.elementType == y.elementType && x.length == y.length &&
                                                        x.layout == y.layout && std::ranges::equal(x.bytes, y.bytes);
                                             } else if constexpr (std::is_same_v<T, std::string_view>) {
                                                 return x == y;
                                             } else { // numbers, bit by bit: a NaN is equal to itself
                                                 return std::memcmp(&x, &y, sizeof x) == 0;
                                             }
                                         },
                                         a);
}

} // namespace

bool sameDescription(const Model& a, const Model& b) {
    return a.container == b.container && a.version == b.version && a.byteOrder == b.byteOrder &&
           a.companions.size() == b.companions.size() &&
           std::ranges::equal(a.files, b.files,
                              [](const ModelFile& x, const ModelFile& y) {
                                  return x.path == y.path && x.dataOffset == y.dataOffset &&
                                         (x.source == nullptr) == (y.source == nullptr) &&
                                         (x.source == nullptr || x.source->size() == y.source->size());
                              }) &&
           std::ranges::equal(
               a.metadata, b.metadata,
               [](const KeyValue& x, const KeyValue& y) { return x.key == y.key && sameStored(x.value, y.value); }) &&
           std::ranges::equal(a.tensors, b.tensors, [](const TensorInfo& x, const TensorInfo& y) {
               return x.name == y.name && x.typeId == y.typeId && x.ownType == y.ownType && x.shape == y.shape &&
                      x.file == y.file && x.offset == y.offset && x.bytes == y.bytes;
           });
}

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

Result<std::uint64_t> importHash(const Model& model, const TensorInfo& tensor, const JobContext& job) {
    const auto bytes = GUFO_TRY(model.bytesOf(tensor));
    PieceHash hash;
    for (std::uint64_t at = 0; at < bytes.size(); at += kHashPiece) {
        GUFO_TRY(job.check());
        const Bytes piece = bytes.subspan(at, std::min<std::uint64_t>(kHashPiece, bytes.size() - at));
        hash.add(piece);
        job.advance(piece.size());
    }
    if (const auto damage = model.sourceOf(tensor)->damage()) {
        return std::unexpected(*damage);
    }
    return hash.value();
}

} // namespace gufo
