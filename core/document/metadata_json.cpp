#include "document/metadata_json.h"

#include "document/value_json.h"

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

// A text, or {"hex": "…"}.
Result<std::string> readText(JsonReader& json) {
    auto value = readBareValue(json, ValueType::String);
    return value ? Result<std::string>(std::string(*asString(value->value()))) : std::unexpected(value.error());
}

// A key of the list, behind its brace; the plain object gives its name.
Result<SetKey> readEntry(JsonReader& json, std::optional<std::string> key, const JobContext& job) {
    TypedValueReader typed;
    while (true) {
        const auto token = json.next();
        if (!token) {
            return std::unexpected(token.error());
        }
        if (*token == Token::ObjectEnd) {
            break;
        }
        const std::string name = json.text();
        const auto known = typed.member(json, name);
        if (!known) {
            return std::unexpected(known.error());
        }
        if (*known) {
            continue;
        }
        if (name != "key" || key) {
            return json.expected("key, type, element_type, length or value");
        }
        auto text = readText(json);
        if (!text) {
            return std::unexpected(std::move(text).error());
        }
        key = *std::move(text);
    }
    if (!key) {
        return json.expected("a key");
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
        if (auto start = m_json.expect(Token::ObjectStart, "an object of keys"); !start) {
            return std::unexpected(std::move(start).error());
        }
        while (true) {
            const auto token = m_json.next();
            if (!token) {
                return std::unexpected(token.error());
            }
            if (*token == Token::ObjectEnd) {
                break;
            }
            if (auto done = member(std::string(m_json.text())); !done) {
                return std::unexpected(std::move(done).error());
            }
        }
        if (auto end = m_json.expect(Token::End, "nothing more"); !end) {
            return std::unexpected(std::move(end).error());
        }
        return std::move(m_changes);
    }

private:
    Result<> member(const std::string& name) {
        const auto token = m_json.next();
        if (!token) {
            return std::unexpected(token.error());
        }
        if (*token == Token::ArrayStart && name == "metadata") {
            return list();
        }
        if (*token == Token::ObjectStart) {
            return add(readEntry(m_json, name, m_job));
        }
        // What an export says of the file.
        if (name != "file" && name != "version") {
            return m_json.expected(R"(an object with "type" and "value")");
        }
        return {};
    }

    Result<> list() {
        while (true) {
            const auto token = m_json.next();
            if (!token) {
                return std::unexpected(token.error());
            }
            if (*token == Token::ArrayEnd) {
                return {};
            }
            if (*token != Token::ObjectStart) {
                return m_json.expected("an object with key, type and value");
            }
            if (auto done = add(readEntry(m_json, {}, m_job)); !done) {
                return done;
            }
        }
    }

    Result<> add(Result<SetKey> entry) {
        if (!entry) {
            return std::unexpected(std::move(entry).error());
        }
        m_changes.emplace_back(*std::move(entry));
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
        if (!keys.empty() && wanted.erase(entry.key) == 0) {
            continue;
        }
        json.raw(first ? "\n  " : ",\n  ");
        first = false;
        writeKey(json, entry.key);
        if (auto written = writeTypedValue(json, entry.value, job); !written) {
            return written;
        }
        json.raw("}");
    }
    json.raw("\n ]}\n");
    return job.stopRequested() ? Result<>(fail(ErrorCode::Cancelled)) : json.finish();
}

Result<std::vector<Change>> readMetadataJson(std::string_view text, const JobContext& job) {
    return MetadataReader(text, job).read();
}

} // namespace gufo
