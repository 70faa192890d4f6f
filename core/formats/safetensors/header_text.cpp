#include "formats/safetensors/header_text.h"

#include "base/detail.h"
#include "base/json_reader.h"
#include "base/json_text.h"
#include "base/utf8.h"
#include "formats/safetensors/reader.h"
#include "model/owned_value.h"

#include <algorithm>
#include <unordered_set>

namespace gufo::safetensors {
namespace {

using Token = JsonReader::Token;

constexpr std::string_view kMetadata = "__metadata__";

struct Members {
    std::size_t valueBegin = 0; // of __metadata__; 0: there is none
    std::size_t valueEnd = 0;
    std::size_t first = 0; // where the first member is or would be
    bool any = false;
};

Result<Members> findMembers(std::string_view header) {
    JsonReader json(header);
    GUFO_TRY(json.expect(Token::ObjectStart, Detail::KeyObject));
    Members members{.first = json.tokenEnd()};
    GUFO_TRY(json.readMembers([&]() -> Result<> {
        members.any = true;
        const bool isMetadata = json.text() == kMetadata;
        JsonReader lookahead = json;
        const auto value = lookahead.next();
        if (isMetadata && value) {
            members.valueBegin = lookahead.tokenBegin();
        }
        auto skipped = json.skipValue();
        if (isMetadata) {
            members.valueEnd = json.tokenEnd();
        }
        return skipped;
    }));
    return members;
}

bool sameMetadata(const Metadata& a, const Metadata& b) {
    return std::ranges::equal(a, b, [](const KeyValue& x, const KeyValue& y) {
        const auto* left = std::get_if<std::string_view>(&x.value);
        const auto* right = std::get_if<std::string_view>(&y.value);
        return x.key == y.key && left != nullptr && right != nullptr && *left == *right;
    });
}

Result<std::string> metadataText(const Metadata& metadata) {
    const auto invalid = [](std::string_view key, Detail why) {
        return fail(ErrorCode::InvalidArgument, Place::key(std::string(key)), {why});
    };
    std::string text;
    JsonText json([&](Bytes bytes) -> Result<> {
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return {};
    });
    std::unordered_set<std::string_view> keys;
    json.raw("{");
    for (const KeyValue& entry : metadata) {
        const auto* value = std::get_if<std::string_view>(&entry.value);
        if (value == nullptr) {
            return invalid(entry.key, Detail::MetadataNotText);
        }
        if (!isValidUtf8(entry.key) || !isValidUtf8(*value)) {
            return invalid(entry.key, Detail::Utf8String);
        }
        if (!keys.insert(entry.key).second) {
            return invalid(entry.key, Detail::DuplicateKeyName);
        }
        json.raw(keys.size() == 1 ? "" : ",");
        json.text(entry.key);
        json.raw(":");
        json.text(*value);
    }
    json.raw("}");
    GUFO_TRY(json.finish());
    return text;
}

} // namespace

Result<std::string> headerText(const Model& base, const Model& edited) {
    const ModelFile& file = base.files[0];
    const auto bytes = GUFO_TRY(file.source->view({kLengthBytes, file.headerBytes - kLengthBytes}));
    std::string header(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (const auto damage = file.source->damage()) {
        return std::unexpected(*damage);
    }
    header.resize(header.find_last_not_of(" \t\r\n") + 1);
    if (sameMetadata(base.metadata, edited.metadata)) {
        return header;
    }
    const auto members = GUFO_TRY(findMembers(header));
    auto metadata = GUFO_TRY(metadataText(edited.metadata));
    if (members.valueBegin != 0) {
        header.replace(members.valueBegin, members.valueEnd - members.valueBegin, metadata);
    } else {
        header.insert(members.first, '"' + std::string(kMetadata) + "\":" + metadata + (members.any ? "," : ""));
    }
    return header;
}

bool isOfHeader(const KeyValue& entry) { return entry.bytes != 0; }

Result<Model> editedPart(const Model& part, const Model& base, const Model& edited) {
    Model changed = part;
    if (base.files.size() == 1 && base.openedAs.empty()) { // also the order of the keys may change
        changed.metadata = edited.metadata;
        return changed;
    }
    changed.metadata = {};
    const auto differs = [](const Value* a, const Value* b) {
        return a == nullptr || b == nullptr || !OwnedValue::sameValue(*a, *b);
    };
    for (const KeyValue& entry : base.metadata) {
        if (!isOfHeader(entry) && differs(&entry.value, edited.metadata.find(entry.key))) {
            return fail(ErrorCode::FormatReadOnly, Place::key(std::string(entry.key)), {std::string_view("json")});
        }
    }
    for (KeyValue entry : part.metadata) {
        const Value* now = edited.metadata.find(entry.key);
        if (now == nullptr) {
            continue; // deleted
        }
        if (differs(base.metadata.find(entry.key), now)) {
            entry.value = *now;
        }
        changed.metadata.add(entry);
    }
    for (const KeyValue& entry : edited.metadata) {
        if (base.metadata.find(entry.key) == nullptr) {
            changed.metadata.add(entry);
        }
    }
    return changed;
}

} // namespace gufo::safetensors
