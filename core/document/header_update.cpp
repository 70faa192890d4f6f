#include "document/header_update.h"

#include "base/detail.h"
#include "base/try.h"
#include "base/wait_scope.h"
#include "formats/gguf/read/reader.h"
#include "formats/gguf/write/save.h"

#include <algorithm>
#include <random>
#include <set>

namespace gufo {
namespace {

std::unexpected<Error> refused(const Model& model, Argument why) {
    return std::unexpected(Error{ErrorCode::NotSupported, model.path(), {}, {std::move(why)}, 0});
}

bool sameRecord(const TensorInfo& a, const TensorInfo& b) {
    return a.name == b.name && a.typeId == b.typeId && a.shape == b.shape && a.file == b.file && a.bytes == b.bytes &&
           a.declaredOffset == b.declaredOffset;
}

Result<> checkTensors(const Model& model, const Model& newer) {
    if (model.container != newer.container || model.version != newer.version || model.byteOrder != newer.byteOrder) {
        return refused(model, Detail::RemoteLayoutDiffers);
    }
    if (model.files.size() != newer.files.size()) {
        return refused(model, {Detail::RemoteShardsDiffer, {model.files.size(), newer.files.size()}});
    }
    constexpr std::size_t kNamed = 3;
    std::size_t differing = 0;
    std::string names;
    const auto note = [&](const TensorInfo& tensor) {
        if (differing++ < kNamed) {
            names.append(names.empty() ? "" : ", ").append(tensor.name);
        }
    };
    const std::size_t both = std::min(model.tensors.size(), newer.tensors.size());
    for (std::size_t i = 0; i < both; ++i) {
        if (!sameRecord(model.tensors[i], newer.tensors[i])) {
            note(model.tensors[i]);
        }
    }
    for (std::size_t i = both; i < model.tensors.size(); ++i) {
        note(model.tensors[i]);
    }
    for (std::size_t i = both; i < newer.tensors.size(); ++i) {
        note(newer.tensors[i]);
    }
    return differing == 0
               ? Result<>()
               : refused(model, {Detail::RemoteTensorsDiffer, {differing, names + (differing > kNamed ? ", …" : "")}});
}

// Compares random parts of the weights.
Result<> compareParts(const Model& model, const Model& newer, std::uint64_t seed, const JobContext& job) {
    const WaitScope scope(job.stop);
    std::mt19937_64 random(seed);
    const std::size_t count = model.tensors.size();
    job.start(kComparedParts);
    for (unsigned i = 0; i < kComparedParts && count > 0; ++i, job.advance(1)) {
        GUFO_TRY(job.check());
        const std::size_t index = random() % count;
        const TensorInfo& present = model.tensors[index];
        const TensorInfo& offered = newer.tensors[index];
        const auto& source = model.files[present.file.value].source;
        const auto& newerSource = newer.files[offered.file.value].source;
        if (present.bytes.value_or(0) == 0 || source == nullptr || newerSource == nullptr) {
            continue; // an unknown type, or a shard that is missing here
        }
        const std::uint64_t parts = (*present.bytes - 1) / kComparedPartBytes + 1;
        const std::uint64_t from = random() % parts * kComparedPartBytes;
        const std::uint64_t length = std::min(kComparedPartBytes, *present.bytes - from);
        const auto bytes = source->view({present.offset + from, length});
        const auto newerBytes = GUFO_TRY(bytes ? newerSource->view({offered.offset + from, length}) : bytes);
        if (!std::ranges::equal(*bytes, newerBytes)) {
            return refused(model, {Detail::RemoteBytesDiffer, {present.name}});
        }
    }
    return {};
}

std::optional<std::string_view> repeatedKey(const Model& model) {
    std::set<std::string_view> seen;
    for (const KeyValue& entry : model.metadata) {
        if (!seen.insert(entry.key).second) {
            return entry.key;
        }
    }
    return std::nullopt;
}

// The keys of the model while the changes are made: space that the program reserved is not one of the file's own keys.
std::vector<std::string> keysOf(const Model& model) {
    std::vector<std::string> keys;
    for (const KeyValue& entry : model.metadata) {
        if (entry.key != gguf::kReservedKey) {
            keys.emplace_back(entry.key);
        }
    }
    return keys;
}

} // namespace

Result<std::vector<Change>> headerUpdate(const Model& model, const Model& newer, std::uint64_t seed,
                                         const JobContext& job) {
    GUFO_TRY(checkTensors(model, newer));
    if (repeatedKey(model) || repeatedKey(newer)) {
        return refused(model, Detail::DuplicateKeyName);
    }
    GUFO_TRY(compareParts(model, newer, seed, job));
    std::vector<Change> changes;
    std::vector<std::string> keys = keysOf(model);
    std::erase_if(keys, [&](const std::string& key) {
        const bool goes = newer.metadata.find(key) == nullptr;
        if (goes) {
            changes.emplace_back(DeleteKey{key});
        }
        return goes;
    });
    const auto reserved = model.metadata.indexOf(gguf::kReservedKey);
    std::size_t position = 0; // in `keys`
    for (const std::string& key : keysOf(newer)) {
        const Value& value = *newer.metadata.find(key);
        const Value* old = model.metadata.find(key);
        const auto at = std::find(keys.begin() + static_cast<std::ptrdiff_t>(position), keys.end(), key);
        const bool moves = at != keys.end() && at != keys.begin() + static_cast<std::ptrdiff_t>(position);
        // The filler counts as a key of the file, where it stands.
        const std::size_t place = position + (reserved && reserved->value <= position ? 1 : 0);
        if (moves) {
            changes.emplace_back(MoveKey{.key = key, .position = place});
            keys.erase(at);
        }
        if (at == keys.end() || moves) {
            keys.insert(keys.begin() + static_cast<std::ptrdiff_t>(position), key);
        }
        if (old == nullptr) {
            changes.emplace_back(SetKey{.key = key, .value = OwnedValue(value), .position = place});
        } else if (!OwnedValue::sameValue(*old, value)) {
            changes.emplace_back(SetKey{.key = key, .value = OwnedValue(value)});
        }
        ++position;
    }
    return changes;
}

} // namespace gufo
