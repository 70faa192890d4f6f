#include "formats/safetensors/save_set.h"

#include "base/detail.h"
#include "base/json_reader.h"
#include "base/json_text.h"
#include "formats/safetensors/reader.h"

#include <algorithm>

namespace gufo::safetensors {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWeightMap = "weight_map";

// The common beginning of the names of all files of the set.
std::string prefixOf(const fs::path& path) {
    std::string name = path.filename().native();
    if (const auto shard = parseShardName(path.filename(), kSuffix)) {
        return shard->prefix;
    }
    for (const std::string_view suffix : {kShardListSuffix, kSuffix}) {
        if (name.size() > suffix.size() && name.ends_with(suffix)) {
            name.resize(name.size() - suffix.size());
            break;
        }
    }
    return name;
}

Result<std::string> weightMap(const Model& model, const SetFiles& files) {
    std::vector<const TensorInfo*> tensors;
    for (const TensorInfo& tensor : model.tensors) {
        tensors.push_back(&tensor);
    }
    std::ranges::sort(tensors, {}, [](const TensorInfo* tensor) { return tensor->name; });
    std::string text;
    JsonText json([&](Bytes bytes) -> Result<> {
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return {};
    });
    json.raw("{");
    for (const TensorInfo* tensor : tensors) {
        json.raw(tensor == tensors.front() ? "\n    " : ",\n    ");
        json.text(tensor->name);
        json.raw(": ");
        json.text(files.shards[tensor->file.value].filename().native());
    }
    json.raw("\n  }");
    GUFO_TRY(json.finish());
    return text;
}

// The list by which the model was opened, or which its folder has; null if there is none.
const ByteSource* listOf(const Model& model) {
    const auto isList = [](const auto& file) { return file->path().filename().native().ends_with(kShardListSuffix); };
    const auto list = std::ranges::find_if(model.companions, isList);
    return list != model.companions.end() ? list->get() : nullptr;
}

// Puts the map into the place of the one in a list.
Result<std::string> replaceMap(const ByteSource& list, const std::string& map) {
    const auto bytes = GUFO_TRY(list.view({0, list.size()}));
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (const auto damage = list.damage()) {
        return std::unexpected(*damage);
    }
    std::size_t begin = 0;
    std::size_t end = 0;
    JsonReader json(text);
    GUFO_TRY(json.expect(JsonReader::Token::ObjectStart, Detail::KeyObject));
    const auto read = json.readMembers([&]() -> Result<> {
        if (end != 0 || json.text() != kWeightMap) {
            return json.skipValue();
        }
        JsonReader lookahead = json;
        const auto value = lookahead.next();
        auto skipped = json.skipValue();
        if (value) {
            begin = lookahead.tokenBegin();
            end = json.tokenEnd();
        }
        return skipped;
    });
    if (!read) {
        return std::unexpected(read.error());
    }
    return text.replace(begin, end - begin, map);
}

} // namespace

SetFiles setFiles(const fs::path& path, std::uint32_t count) {
    const std::string prefix = prefixOf(path);
    const fs::path folder = path.parent_path();
    SetFiles files{.shards = {}, .list = folder / (prefix + std::string(kShardListSuffix))};
    for (std::uint32_t number = 1; number <= count; ++number) {
        files.shards.push_back(folder / shardFileName({prefix, number, count}, kSuffix));
    }
    return files;
}

Result<std::string> listText(const Model& model, const SetFiles& files) {
    auto map = GUFO_TRY(weightMap(model, files));
    if (const ByteSource* list = listOf(model)) {
        return replaceMap(*list, map);
    }
    return "{\n  \"metadata\": {\n    \"total_size\": " + std::to_string(model.totals().tensorBytes) +
           "\n  },\n  \"weight_map\": " + map + "\n}\n";
}

} // namespace gufo::safetensors
