// Sets of shards that are cut from a model, complete or with one thing wrong.
//
//     const auto model = gguf::open(path).value();
//     std::vector<Shard> set = threeShards(*model);   // complete
//     set[1].number = 2;                              // in the place of another
//     writeShards(set, folder);                       // m-00001-of-00003.gguf …
#pragma once

#include "formats/gguf/read/shards.h"
#include "formats/gguf/write/writer.h"

#include <QTest>

#include <fstream>

namespace gufo::test {

struct Shard {
    const Model* from = nullptr;
    std::size_t first = 0; // of the model's tensors
    std::size_t count = 0;
    bool metadata = false; // the keys of the model
    // The keys that number the shards; without a value, the key is left out.
    std::optional<std::uint16_t> number{};
    std::optional<std::uint16_t> shards = 3;
    std::optional<std::int32_t> total{};
    std::vector<std::pair<std::string, std::string>> keys{}; // further ones
    std::optional<std::size_t> again{};                      // another tensor of the model
    bool halved = false;                                     // the last dimension of each tensor
    std::string prefix{};                                    // of the names of tensors
    ByteOrder order = ByteOrder::Little;                     // of the header
};

inline std::vector<Shard> threeShards(const Model& model) {
    std::vector<Shard> set;
    const std::size_t third = model.tensors.size() / 3;
    for (std::uint16_t i = 0; i < 3; ++i) {
        set.push_back({.from = &model,
                       .first = i * third,
                       .count = i < 2 ? third : model.tensors.size() - 2 * third,
                       .metadata = i == 0,
                       .number = i,
                       .total = static_cast<std::int32_t>(model.tensors.size())});
    }
    return set;
}

inline std::filesystem::path shardPath(const std::filesystem::path& folder, std::uint32_t number) {
    return folder / gguf::shardFileName({"m", number, 3});
}

inline void writeShard(const Shard& shard, const std::filesystem::path& path) {
    gguf::Writer writer(shard.order);
    bool added = true;
    const auto add = [&](std::string_view key, const Value& value) { added = writer.add(key, value) && added; };
    for (const KeyValue& entry : shard.from->metadata) {
        if (shard.metadata) {
            add(entry.key, entry.value);
        }
    }
    if (shard.number) {
        add("split.no", *shard.number);
    }
    if (shard.shards) {
        add("split.count", *shard.shards);
    }
    if (shard.total) {
        add("split.tensors.count", *shard.total);
    }
    for (const auto& [key, value] : shard.keys) {
        add(key, std::string_view(value));
    }
    std::vector<Bytes> data;
    const auto addTensor = [&](const TensorInfo& tensor) {
        std::vector<std::uint64_t> dims(tensor.shape.dims().begin(), tensor.shape.dims().end());
        dims.back() /= shard.halved ? 2 : 1;
        Bytes bytes = shard.from->bytesOf(tensor).value();
        bytes = bytes.first(bytes.size() / (shard.halved ? 2 : 1));
        added = writer.addTensor(shard.prefix + std::string(tensor.name), tensor.typeId, Shape(dims), bytes.size()) &&
                added;
        data.push_back(bytes);
    };
    for (std::size_t i = shard.first; i < shard.first + shard.count; ++i) {
        addTensor(shard.from->tensors[i]);
    }
    if (shard.again) {
        addTensor(shard.from->tensors[*shard.again]);
    }
    std::ofstream file(path, std::ios::binary);
    const auto write = [&](Bytes bytes) -> Result<> {
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        return {};
    };
    const auto written = writer.write(write, [&](std::size_t i, const gguf::Sink& out) { return out(data[i]); });
    QVERIFY2(added && written && file.flush(), path.c_str());
}

inline void writeShards(const std::vector<Shard>& set, const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    for (std::size_t i = 0; i < set.size(); ++i) {
        writeShard(set[i], shardPath(folder, static_cast<std::uint32_t>(i + 1)));
    }
}

} // namespace gufo::test
