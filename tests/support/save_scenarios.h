// The saves that tests interrupt at every point: the files beforehand, and the call.
#pragma once

#include "formats/container/model_saving.h"
#include "formats/gguf/read/shards.h"
#include "formats/gguf/write/save.h"
#include "gguf_builder.h"
#include "safetensors_builder.h"
#include "save_helpers.h"

#include <functional>
#include <map>
#include <vector>

namespace gufo::test {

using Folder = std::map<std::string, FileBytes>; // contents by file name

// `open` returns the source of a file of the folder.
struct Scenario {
    const char* name;
    Folder files;
    std::string first; // the file to open
    SaveOptions options;
    std::function<Model(const Model& base)> edit;
    SaveStrategy expected;
    bool recovers = false; // the recovery should be tested step by step
};

inline FileBytes asText(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline std::vector<std::byte> scenarioPattern(std::size_t count, unsigned seed) {
    std::vector<std::byte> bytes(count);
    for (std::size_t i = 0; i < count; ++i) {
        bytes[i] = static_cast<std::byte>(seed * 37 + i * 11 + i / 251);
    }
    return bytes;
}

inline GgufBuilder scenarioModel() {
    GgufBuilder file;
    file.key("general.architecture", "llama").key("general.name", "before");
    file.key("filling", std::string(7000, 'f')).key("tokenizer.chat_template", "{{ messages }}");
    file.tensor("a", 0, {100, 20}, scenarioPattern(8'000, 1));
    file.tensor("b", 0, {7, 143}, scenarioPattern(4'004, 2));
    return file;
}

constexpr int kTensorsInShard = 12;

// Headers span several sectors, so that part of a change can get lost.
inline Folder scenarioSet() {
    Folder files;
    for (std::uint16_t i = 0; i < 3; ++i) {
        GgufBuilder file;
        if (i == 0) {
            file.key("general.architecture", "llama").key("general.name", "before");
            file.key("filling", std::string(5000, 'f'));
        }
        file.key("split.no", i).key("split.count", std::uint16_t{3});
        file.key("split.tensors.count", std::int32_t{3 * kTensorsInShard});
        for (int j = 0; j < kTensorsInShard; ++j) {
            const std::string name = "tensor." + std::to_string(i) + "." + std::to_string(j) + std::string(40, '_');
            file.tensor(name, 0, {100}, scenarioPattern(400, static_cast<unsigned>(i * 20 + j)));
        }
        files[gguf::shardFileName({"set", i + 1U, 3}).native()] = asText(file.build());
    }
    return files;
}

// Changes the name, and the first and last tensor of each shard.
inline Model editAllShards(const Model& base, std::string_view name) {
    auto names = std::make_shared<std::deque<std::string>>();
    ModelEdit edit(base);
    edit.raw().owned.push_back(names);
    edit.set("general.name", name);
    for (std::size_t i = 0; i < edit.tensors().size(); ++i) {
        if (i % kTensorsInShard == 0 || (i + 1) % kTensorsInShard == 0) {
            std::string_view& tensor = edit.tensors()[i].name;
            names->emplace_back(tensor)[0] = 'T';
            tensor = names->back();
        }
    }
    return edit.model();
}

inline std::vector<Scenario> saveScenarios() {
    const auto named = [](std::string_view name) {
        // Changes two places that are far apart.
        return [name](const Model& base) {
            return ModelEdit(base).set("general.name", name).set("tokenizer.chat_template", "{{ MESSAGES }}").model();
        };
    };
    static const std::string longName(600, 'n');
    const FileBytes model = asText(scenarioModel().build());
    GgufBuilder wide = scenarioModel();
    wide.key("wide", std::string(600'000, 'w'));
    using enum SaveStrategy;
    std::vector<Scenario> all;
    all.push_back({"patch", {{"m.gguf", model}}, "m.gguf", {}, named("afteR!"), Patch});
    all.push_back({"shift, grows", {{"m.gguf", model}}, "m.gguf", {}, named(longName), Shift, true});
    all.push_back({"shift, shrinks",
                   {{"m.gguf", asText(wide.build())}},
                   "m.gguf",
                   {},
                   [](const Model& base) { return ModelEdit(base).set("wide", "narrow").model(); },
                   Shift});
    all.push_back({"copy", {{"m.gguf", model}}, "m.gguf", {.strategy = Copy}, named(longName), Copy});
    all.push_back({"set, patch",
                   scenarioSet(),
                   "set-00001-of-00003.gguf",
                   {},
                   [](const Model& base) { return editAllShards(base, "afteR!"); },
                   Patch});
    all.push_back({"set, patch and shift",
                   scenarioSet(),
                   "set-00002-of-00003.gguf",
                   {},
                   [](const Model& base) { return editAllShards(base, longName); },
                   Shift,
                   true});
    all.push_back({"set, copy",
                   scenarioSet(),
                   "set-00001-of-00003.gguf",
                   {.strategy = Copy},
                   [](const Model& base) { return editAllShards(base, longName); },
                   Copy,
                   true});
    const auto withoutTensors = [](std::size_t filling) {
        GgufBuilder file;
        file.key("general.architecture", "llama").key("general.name", "before");
        file.key("filling", std::string(filling, 'f')).key("tokenizer.chat_template", "{{ messages }}");
        return asText(file.build());
    };
    all.push_back(
        {"patch without tensors", {{"m.gguf", withoutTensors(20'000)}}, "m.gguf", {}, named("afteR!"), Patch, true});
    all.push_back(
        {"patch of all bytes", {{"m.gguf", withoutTensors(1500)}}, "m.gguf", {}, named("afteR!"), Patch, true});
    // The new header has the start of a model where the file begins after the inserted blocks are removed again.
    GgufBuilder narrow;
    narrow.key("general.architecture", "llama").key("general.name", "before").key("filling", std::string(3000, 'f'));
    narrow.tensor("a", 0, {100, 20}, scenarioPattern(8'000, 1));
    static const std::string manyMagics = [] {
        std::string text = "..."; // so that one of them begins at byte 4096
        while (text.size() < 6 + 4096) {
            text += "GGUF";
        }
        text.resize(6 + 4096); // one block more than "before"
        return text;
    }();
    all.push_back({"grows at the front",
                   {{"m.gguf", asText(narrow.build())}},
                   "m.gguf",
                   {.reserve = Reserve::None},
                   [](const Model& base) { return ModelEdit(base).set("general.name", manyMagics).model(); },
                   Shift,
                   true});
    for (Scenario& scenario : all) {
        scenario.options.reserveFrom = 0; // the files are small
    }
    return all;
}

// The same for safetensors, whose header has a length instead of a magic number.
inline std::vector<Scenario> safetensorsScenarios() {
    const auto file = [](const std::string& filling, std::size_t spaces) {
        SafetensorsBuilder builder;
        builder.metadata("name", "before");
        if (!filling.empty()) {
            builder.metadata("filling", filling);
        }
        builder.metadata("last", "{{ messages }}");
        builder.tensor("a", "F32", {20, 100}, scenarioPattern(8'000, 1));
        builder.tensor("b", "F32", {143, 7}, scenarioPattern(4'004, 2));
        const auto data = builder.build();
        const std::string header = builder.header();
        const auto begin = data.begin() + static_cast<std::ptrdiff_t>(8 + header.size());
        return asText(safetensorsBytes(header + std::string(spaces, ' '), {begin, data.end()}));
    };
    const auto named = [](std::string_view name) {
        return [name](const Model& base) {
            return ModelEdit(base).set("name", name).set("last", "{{ MESSAGES }}").model();
        };
    };
    static const std::string longName(600, 'n');
    const FileBytes model = file(std::string(7000, 'f'), 0);
    const std::string name = "m.safetensors";
    using enum SaveStrategy;
    std::vector<Scenario> all;
    all.push_back({"safetensors, patch", {{name, model}}, name, {}, named("afteR!"), Patch});
    all.push_back(
        {"safetensors, patch into spaces", {{name, file("", 20'000)}}, name, {}, named(longName), Patch, true});
    all.push_back({"safetensors, grows", {{name, model}}, name, {}, named(longName), Shift, true});
    all.push_back({"safetensors, grows at the front",
                   {{name, file(std::string(1500, 'f'), 0)}},
                   name,
                   {},
                   named(longName),
                   Shift,
                   true});
    all.push_back({"safetensors, shrinks",
                   {{name, file(std::string(1'500'000, 'w'), 0)}},
                   name,
                   {},
                   [](const Model& base) { return ModelEdit(base).set("filling", "narrow").model(); },
                   Shift});
    all.push_back({"safetensors, copy", {{name, model}}, name, {.strategy = Copy}, named(longName), Copy});
    // Shards that differ in a key, which only one of them has, and in the value of another.
    Folder set;
    for (int i = 1; i <= 2; ++i) {
        SafetensorsBuilder shard;
        shard.metadata("name", "before").metadata("own", std::to_string(i));
        shard.metadata(i == 1 ? "filling" : "other", std::string(7000, 'f')).metadata("last", "{{ messages }}");
        shard.tensor("tensor." + std::to_string(i), "F32", {20, 100}, scenarioPattern(8'000, static_cast<unsigned>(i)));
        set["s-0000" + std::to_string(i) + "-of-00002.safetensors"] = asText(shard.build());
    }
    const std::string first = set.begin()->first;
    const std::string second = set.rbegin()->first;
    all.push_back({"safetensors set, patch", set, first, {}, named("afteR!"), Patch});
    all.push_back({"safetensors set, grows", set, second, {}, named(longName), Shift, true});
    all.push_back({"safetensors set, copy", set, first, {.strategy = Copy}, named(longName), Copy, true});
    for (Scenario& scenario : all) {
        scenario.options.reserveFrom = 0;
    }
    return all;
}

// Those of all containers.
inline std::vector<Scenario> allScenarios() {
    std::vector<Scenario> all = saveScenarios();
    for (Scenario& scenario : safetensorsScenarios()) {
        all.push_back(std::move(scenario));
    }
    return all;
}

inline bool isModelName(std::string_view name) { return name.ends_with(".gguf") || name.ends_with(".safetensors"); }

// Saves a model of any container as it is.
inline Result<SaveReport> saveEdited(const Model& base, const Model& edited, const SaveOptions& options) {
    return saveModel(base, edited, {.version = base.version, .byteOrder = base.byteOrder}, options);
}

} // namespace gufo::test
