#include "document/metadata_json.h"

#include "base/detail.h"
#include "document/value_json.h"
#include "formats/gguf/read/reader.h"

#include <algorithm>
#include <set>

namespace gufo {
namespace {

using Token = JsonReader::Token;

void writeKey(JsonText& json, std::string_view key) {
    json.raw("{\"key\": ");
    json.text(key);
    json.raw(", ");
}

// Reads a string, or {"hex": "…"}.
Result<std::string> readText(JsonReader& json) {
    auto value = GUFO_TRY(readBareValue(json, ValueType::String));
    return std::string(*asString(value.value()));
}

// Reads an entry of the list after its brace. In a plain object, `key` is the name that precedes it.
Result<SetKey> readEntry(JsonReader& json, std::optional<std::string> key, const JobContext& job) {
    TypedValueReader typed;
    const auto member = [&]() -> Result<> {
        const std::string name = json.text();
        const bool known = GUFO_TRY(typed.member(json, name));
        if (known) {
            return {};
        }
        if (name != "key" || key) {
            return json.expected(Detail::EntryMember);
        }
        key = GUFO_TRY(readText(json));
        return {};
    };
    GUFO_TRY(json.readMembers(member));
    if (!key) {
        return json.expected(Detail::Key);
    }
    auto value = typed.finish(json, job);
    if (!value) {
        Error error = std::move(value).error();
        error.place = Place::key(*key);
        return std::unexpected(std::move(error));
    }
    return SetKey{.key = *std::move(key), .value = *std::move(value)};
}

class MetadataReader {
public:
    MetadataReader(std::string_view text, const JobContext& job)
        : m_json(text)
        , m_job(job) {}

    Result<std::vector<Change>> read() {
        GUFO_TRY(m_json.expect(Token::ObjectStart, Detail::KeyObject));
        if (auto members = m_json.readMembers([&] { return member(std::string(m_json.text())); }); !members) {
            return std::unexpected(std::move(members).error());
        }
        GUFO_TRY(m_json.expect(Token::End, Detail::EndOfText));
        return std::move(m_changes);
    }

private:
    Result<> member(const std::string& name) {
        const auto token = GUFO_TRY(m_json.next());
        if (token == Token::ArrayStart && name == "metadata") {
            return list();
        }
        if (token == Token::ObjectStart) {
            return add(readEntry(m_json, name, m_job));
        }
        // Members in which an export describes its file.
        const bool isDescription = name == "file" || name == "version";
        return isDescription && token != Token::ArrayStart ? Result<>() : m_json.expected(Detail::TypedObject);
    }

    Result<> list() {
        return m_json.readElements([&](Token first) -> Result<> {
            if (first != Token::ObjectStart) {
                return m_json.expected(Detail::EntryObject);
            }
            return add(readEntry(m_json, {}, m_job));
        });
    }

    Result<> add(Result<SetKey> read) {
        SetKey entry = GUFO_TRY(std::move(read));
        if (entry.key != gguf::kReservedKey) { // as older versions exported it
            m_changes.emplace_back(std::move(entry));
        }
        return {};
    }

    JsonReader m_json;
    const JobContext& m_job;
    std::vector<Change> m_changes;
};

} // namespace

Result<> writeMetadataJson(const Model& model, std::span<const std::string> keys, const ByteSink& sink,
                           const JobContext& job) {
    std::set<std::string_view> wanted(keys.begin(), keys.end());
    std::uint64_t bytes = 0;
    for (const KeyValue& entry : model.metadata) {
        bytes += entry.bytes;
    }
    job.start(bytes);
    JsonText json(sink);
    json.raw("{\"file\": ");
    json.text(model.path().native());
    json.raw(", \"version\": " + std::to_string(model.version) + ",\n \"metadata\": [");
    bool first = true;
    for (const KeyValue& entry : model.metadata) {
        if (job.stopRequested() || json.failed()) {
            break;
        }
        job.advance(entry.bytes);
        if (entry.key == gguf::kReservedKey || (!keys.empty() && wanted.erase(entry.key) == 0)) {
            continue;
        }
        json.raw(first ? "\n  " : ",\n  ");
        first = false;
        writeKey(json, entry.key);
        GUFO_TRY(writeTypedValue(json, entry.value, job));
        json.raw("}");
    }
    json.raw("\n ]}\n");
    return job.stopRequested() ? Result<>(fail(ErrorCode::Cancelled)) : json.finish();
}

Result<std::vector<Change>> readMetadataJson(std::string_view text, const JobContext& job) {
    return MetadataReader(text, job).read();
}

} // namespace gufo
