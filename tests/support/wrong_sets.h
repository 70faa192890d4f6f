// Every kind of wrong set, for the tests of whatever writes or runs a model.
#pragma once

#include "shard_sets.h"

#include <functional>

namespace gufo::test {

struct WrongSet {
    const char* name;
    // Writes the set into the folder and returns the file that is opened. The second model is another quantisation of
    // the first.
    std::function<std::filesystem::path(const Model& model, const Model& other, const std::filesystem::path& folder)>
        write;
    const char* message; // what every refusal says, beginning with the part
};

namespace wrong_sets {

namespace fs = std::filesystem;

// A complete set, changed before it is written.
inline auto changed(const std::function<void(std::vector<Shard>&)>& change) {
    return [change](const Model& model, const Model& /*other*/, const fs::path& folder) {
        std::vector<Shard> set = threeShards(model);
        change(set);
        writeShards(set, folder);
        return shardPath(folder, 1);
    };
}

// A complete set whose files are changed.
inline auto disturbed(const std::function<void(const fs::path&)>& disturb) {
    return [disturb](const Model& model, const Model& /*other*/, const fs::path& folder) {
        writeShards(threeShards(model), folder);
        disturb(folder);
        return shardPath(folder, 1);
    };
}

} // namespace wrong_sets

inline std::vector<WrongSet> wrongSets() {
    using namespace wrong_sets;
    return {
        {"missing part", disturbed([](const fs::path& f) { fs::remove(shardPath(f, 2)); }),
         "part 2 of 3 is missing (m-00002-of-00003.gguf)"},
        {"missing last part", disturbed([](const fs::path& f) { fs::remove(shardPath(f, 3)); }),
         "part 3 of 3 is missing (m-00003-of-00003.gguf)"},
        {"missing first part, opened by the second",
         [](const Model& model, const Model& /*other*/, const fs::path& folder) {
             writeShards(threeShards(model), folder);
             fs::remove(shardPath(folder, 1));
             return shardPath(folder, 2);
         },
         "part 1 of 3 is missing (m-00001-of-00003.gguf)"},
        {"empty part", disturbed([](const fs::path& f) { fs::resize_file(shardPath(f, 2), 0); }),
         "part 2 of 3 is empty (m-00002-of-00003.gguf)"},
        {"part that is no model", disturbed([](const fs::path& f) { std::ofstream(shardPath(f, 2)) << "<html>"; }),
         "part 2 of 3 cannot be read (m-00002-of-00003.gguf)"},
        {"renamed part", disturbed([](const fs::path& f) { fs::rename(shardPath(f, 2), f / "other.gguf"); }),
         "part 2 of 3 is missing (m-00002-of-00003.gguf)"},
        {"renamed parts, opened by one of them",
         [](const Model& model, const Model& /*other*/, const fs::path& folder) {
             writeShards(threeShards(model), folder);
             for (std::uint32_t i = 1; i <= 3; ++i) {
                 fs::rename(shardPath(folder, i), folder / ("part" + std::to_string(i) + ".gguf"));
             }
             return folder / "part2.gguf";
         },
         "this is part 2 of 3, but its name does not say so"},
        {"swapped parts", disturbed([](const fs::path& f) {
             fs::rename(shardPath(f, 2), f / "aside");
             fs::rename(shardPath(f, 3), shardPath(f, 2));
             fs::rename(f / "aside", shardPath(f, 3));
         }),
         "part 2 of 3 does not belong to the others (m-00002-of-00003.gguf): split.no is 2 and should be 1"},
        {"part in the place of another", disturbed([](const fs::path& f) {
             fs::copy_file(shardPath(f, 3), shardPath(f, 2), fs::copy_options::overwrite_existing);
         }),
         "part 2 of 3 does not belong to the others (m-00002-of-00003.gguf): split.no is 2 and should be 1"},
        {"part of a set of another size", changed([](auto& set) { set[1].shards = std::uint16_t{4}; }),
         "part 2 of 3 does not belong to the others (m-00002-of-00003.gguf): split.count is 4 and should be 3"},
        {"parts counted from 1", changed([](auto& set) {
             for (Shard& shard : set) {
                 ++*shard.number;
             }
         }),
         "part 1 of 3 does not belong to the others (m-00001-of-00003.gguf): split.no is 1 and should be 0"},
        {"parts without numbers", changed([](auto& set) {
             for (Shard& shard : set) {
                 shard.number = shard.shards = {};
                 shard.total = {};
             }
         }),
         "part 1 of 3 does not belong to the others (m-00001-of-00003.gguf): split.count is"},
        {"total that is not there", changed([](auto& set) {
             for (Shard& shard : set) {
                 *shard.total += 5;
             }
         }),
         "its parts contain 29 tensors, but 34 are announced"},
        {"negative total", changed([](auto& set) {
             for (Shard& shard : set) {
                 shard.total = -1;
             }
         }),
         "its parts contain 29 tensors, but -1 are announced"},
        {"part with another total", changed([](auto& set) { *set[1].total += 5; }),
         "part 2 of 3 does not belong to the others (m-00002-of-00003.gguf): split.tensors.count is 34 and should be "
         "29"},
        {"doubled tensor", changed([](auto& set) {
             set[1].again = 3;
             for (Shard& shard : set) {
                 ++*shard.total;
             }
         }),
         "parts 1 and 2 of 3 both contain the tensor "},
        {"part of another architecture", changed([](auto& set) { set[1].keys = {{"general.architecture", "qwen2"}}; }),
         "part 2 of 3 does not belong to the others (m-00002-of-00003.gguf): general.architecture is"},
        {"part of another quantisation",
         [](const Model& model, const Model& other, const fs::path& folder) {
             std::vector<Shard> set = threeShards(model);
             set[1].from = &other;
             writeShards(set, folder);
             return shardPath(folder, 1);
         },
         "part 2 of 3 does not belong to the others (m-00002-of-00003.gguf): "},
        {"part of a model of another size", changed([](auto& set) { set[1].halved = true; }),
         "part 2 of 3 does not belong to the others (m-00002-of-00003.gguf): "},
        {"part of a model with other names", changed([](auto& set) { set[1].prefix = "blk.0.x."; }),
         "part 2 of 3 does not belong to the others (m-00002-of-00003.gguf): its tensors, such as"},
        {"part of another byte order", changed([](auto& set) { set[1].order = ByteOrder::Big; }),
         "part 2 of 3 does not belong to the others (m-00002-of-00003.gguf): "},
    };
}

} // namespace gufo::test
