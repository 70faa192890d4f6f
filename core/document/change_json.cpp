#include "document/change_json.h"

#include "base/detail.h"
#include "base/quick_hash.h"
#include "document/value_json.h"
#include "model/model.h"
#include "model/value_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <span>

namespace gufo {
namespace {

using Token = JsonReader::Token;

// -- writing

class ChangeWriter {
public:
    ChangeWriter(JsonText& json, const JobContext& job)
        : m_json(json)
        , m_job(job) {}

    Result<> operator()(const SetKey& c) {
        begin("set");
        text("key", c.key);
        optional("position", c.position);
        occurrence(c.occurrence);
        return value(c.value);
    }
    Result<> operator()(const DeleteKey& c) {
        begin("delete");
        text("key", c.key);
        return end(c.occurrence);
    }
    Result<> operator()(const RenameKey& c) {
        begin("rename");
        text("key", c.key);
        text("new", c.newKey);
        return end(c.occurrence);
    }
    Result<> operator()(const MoveKey& c) {
        begin("move");
        text("key", c.key);
        number("position", c.position);
        return end(c.occurrence);
    }
    Result<> operator()(const SetElement& c) {
        begin("set_element");
        array(c.array);
        number("index", c.index);
        return value(c.value);
    }
    Result<> operator()(const InsertElements& c) {
        begin("insert_elements");
        array(c.array);
        number("index", c.index);
        return value(c.elements);
    }
    Result<> operator()(const RemoveElements& c) {
        begin("remove_elements");
        array(c.array);
        number("index", c.index);
        number("count", c.count);
        return end();
    }
    Result<> operator()(const RenameTensor& c) {
        begin("rename_tensor");
        text("key", c.name);
        text("new", c.newName);
        return end();
    }
    Result<> operator()(const DeleteTensor& c) {
        begin("delete_tensor");
        text("key", c.name);
        return end();
    }
    Result<> operator()(const MoveTensor& c) {
        begin("move_tensor");
        text("key", c.name);
        number("position", c.position);
        return end();
    }
    Result<> operator()(const ImportTensor& c) {
        begin("import_tensor");
        std::error_code none;
        const auto path = std::filesystem::absolute(c.from->path(), none);
        text("file", none ? c.from->path().native() : path.native());
        text("header", headerFingerprint(*c.from));
        text("key", c.name);
        text("new", c.newName);
        optional("position", c.position);
        if (c.replace) {
            m_json.raw(", \"replace\": true");
        }
        optional("hash", c.hash);
        return end();
    }
    Result<> operator()(const SetTarget& c) {
        begin("target");
        optional("version", c.version);
        if (c.byteOrder) {
            text("byte_order", *c.byteOrder == ByteOrder::Big ? "big" : "little");
        }
        return end();
    }
    Result<> operator()(const DropTrailingBytes& c) {
        begin("trailing_bytes");
        m_json.raw(c.drop ? ", \"drop\": true" : ", \"drop\": false");
        return end();
    }

private:
    void begin(std::string_view op) { m_json.raw("{\"op\": \"" + std::string(op) + '"'); }
    Result<> end(std::size_t which = 0) {
        occurrence(which);
        m_json.raw("}");
        return {};
    }
    void text(std::string_view name, std::string_view content) {
        m_json.raw(", \"" + std::string(name) + "\": ");
        m_json.text(content);
    }
    void number(std::string_view name, std::uint64_t n) {
        m_json.raw(", \"" + std::string(name) + "\": " + std::to_string(n));
    }
    template<typename T>
    void optional(std::string_view name, const std::optional<T>& n) {
        if (n) {
            number(name, *n);
        }
    }
    void occurrence(std::size_t which) {
        if (which != 0) {
            number("occurrence", which);
        }
    }
    void array(const ArrayPath& path) {
        text("key", path.key);
        if (path.indices.empty()) {
            return;
        }
        m_json.raw(", \"path\": [");
        for (std::size_t i = 0; i < path.indices.size(); ++i) {
            m_json.raw((i == 0 ? "" : ", ") + std::to_string(path.indices[i]));
        }
        m_json.raw("]");
    }
    Result<> value(const OwnedValue& owned) {
        m_json.raw(", ");
        auto written = writeTypedValue(m_json, owned.value(), m_job);
        m_json.raw("}");
        return written;
    }

    JsonText& m_json;
    const JobContext& m_job;
};

// -- reading

struct Fields {
    std::map<std::string, std::string, std::less<>> texts;     // key, new, file, header, byte_order, op
    std::map<std::string, std::uint64_t, std::less<>> numbers; // position, occurrence, index, count, version, hash
    std::map<std::string, bool, std::less<>> flags;            // replace, drop
    std::vector<std::uint64_t> path;
    TypedValueReader value;

    [[nodiscard]] std::string text(std::string_view name) const {
        const auto found = texts.find(name);
        return found != texts.end() ? found->second : std::string();
    }
    [[nodiscard]] std::optional<std::size_t> number(std::string_view name) const {
        const auto found = numbers.find(name);
        return found != numbers.end() ? std::optional(static_cast<std::size_t>(found->second)) : std::nullopt;
    }
    [[nodiscard]] bool flag(std::string_view name) const {
        const auto found = flags.find(name);
        return found != flags.end() && found->second;
    }
    [[nodiscard]] std::size_t occurrence() const { return number("occurrence").value_or(0); }
    [[nodiscard]] ArrayPath array() const { return {text("key"), path}; }
};

Result<std::uint64_t> readNumber(JsonReader& json, Token token) {
    const auto parsed = token == Token::Number ? parseValue(ValueType::UInt64, json.text())
                                               : std::unexpected(ValueProblem::NotAnInteger);
    return parsed ? Result<std::uint64_t>(std::get<std::uint64_t>(*parsed)) : json.expected(Detail::WholeNumber);
}

class ChangeReader {
public:
    ChangeReader(JsonReader& json, const ModelOpener& open, const JobContext& job)
        : m_json(json)
        , m_open(open)
        , m_job(job) {}

    Result<ReadChanges> read() {
        if (auto start = m_json.expect(Token::ArrayStart, Detail::ChangeList); !start) {
            return std::unexpected(std::move(start).error());
        }
        const auto change = [&](Token first) -> Result<> {
            if (first != Token::ObjectStart) {
                return m_json.expected(Detail::Change);
            }
            Fields fields;
            if (auto done = readFields(fields); !done) {
                return done;
            }
            return add(fields);
        };
        if (auto changes = m_json.readElements(change); !changes) {
            return std::unexpected(std::move(changes).error());
        }
        return std::move(m_result);
    }

private:
    Result<> readFields(Fields& fields) {
        return m_json.readMembers([&]() -> Result<> {
            const std::string name = m_json.text();
            const auto known = fields.value.member(m_json, name);
            if (!known) {
                return std::unexpected(known.error());
            }
            return *known ? Result<>() : readField(fields, name);
        });
    }

    Result<> readField(Fields& fields, const std::string& name) {
        constexpr auto kTexts = std::to_array<std::string_view>({"op", "key", "new", "file", "header", "byte_order"});
        if (std::ranges::find(kTexts, name) != kTexts.end()) {
            auto value = readBareValue(m_json, ValueType::String);
            if (!value) {
                return std::unexpected(std::move(value).error());
            }
            fields.texts[name] = *asString(value->value());
            return {};
        }
        const auto token = m_json.next();
        if (!token) {
            return std::unexpected(token.error());
        }
        if (*token == Token::True || *token == Token::False) {
            fields.flags[name] = *token == Token::True;
            return {};
        }
        if (*token == Token::ArrayStart && name == "path") {
            return readPath(fields.path);
        }
        const auto number = readNumber(m_json, *token);
        if (!number) {
            return std::unexpected(number.error());
        }
        fields.numbers[name] = *number;
        return {};
    }

    Result<> readPath(std::vector<std::uint64_t>& path) {
        path.clear();
        return m_json.readElements([&](Token first) -> Result<> {
            const auto index = readNumber(m_json, first);
            if (!index) {
                return std::unexpected(index.error());
            }
            path.push_back(*index);
            return {};
        });
    }

    Result<> add(Fields& fields) {
        for (const Row& row : rows()) {
            if (fields.text("op") != row.op) {
                continue;
            }
            OwnedValue value;
            if (row.hasValue) {
                auto read = fields.value.finish(m_json, m_job);
                if (!read) {
                    return std::unexpected(std::move(read).error());
                }
                value = *std::move(read);
            }
            if (!std::ranges::all_of(row.numbers, [&](std::string_view name) {
                    return name.empty() || fields.number(name).has_value();
                })) {
                return m_json.expected(Detail::ChangeNumbers);
            }
            if (auto change = row.make(*this, fields, std::move(value))) {
                m_result.changes.push_back(*std::move(change));
            }
            return {};
        }
        return m_json.expected(Detail::KnownChange);
    }

    std::optional<Change> import(const Fields& f) {
        const std::filesystem::path file = f.text("file");
        const auto [entry, fresh] = m_models.try_emplace(file.native());
        if (fresh) {
            entry->second = m_open(file);
        }
        const auto refuse = [&](Error error) {
            error.file = file;
            error.place = Place::tensor(f.text("new"));
            m_result.missing.push_back(std::move(error));
            return std::nullopt;
        };
        if (!entry->second) {
            return refuse(entry->second.error());
        }
        const std::shared_ptr<const Model>& model = *entry->second;
        if (headerFingerprint(*model) != f.text("header")) {
            return refuse({ErrorCode::FileChangedOnDisk, {}, {}, {}, 0});
        }
        if (!model->findTensor(f.text("key"))) {
            return refuse({ErrorCode::NoSuchTensor, {}, {}, {f.text("key")}, 0});
        }
        return ImportTensor{.from = model,
                            .name = f.text("key"),
                            .newName = f.text("new"),
                            .position = f.number("position"),
                            .replace = f.flag("replace"),
                            .hash = f.number("hash")};
    }

    static std::optional<Change> target(const Fields& f) {
        SetTarget target;
        if (const auto version = f.number("version")) {
            // A number that is too large stays an invalid version.
            target.version = static_cast<std::uint32_t>(std::min<std::size_t>(*version, 0xFFFF));
        }
        if (const std::string order = f.text("byte_order"); !order.empty()) {
            target.byteOrder = order == "big" ? ByteOrder::Big : ByteOrder::Little;
        }
        return target;
    }

    struct Row {
        std::string_view op;
        bool hasValue;
        std::array<std::string_view, 2> numbers; // required members
        std::optional<Change> (*make)(ChangeReader&, const Fields&, OwnedValue);
    };
    using Made = std::optional<Change>;
    // In a function, because the class must be complete.
    static std::span<const Row> rows() {
        static constexpr auto kRows = std::to_array<Row>({
            {"set",
             true,
             {},
             [](ChangeReader&, const Fields& f, OwnedValue v) -> Made {
                 return SetKey{f.text("key"), std::move(v), f.number("position"), f.occurrence()};
             }},
            {"delete",
             false,
             {},
             [](ChangeReader&, const Fields& f, OwnedValue) -> Made {
                 return DeleteKey{f.text("key"), f.occurrence()};
             }},
            {"rename",
             false,
             {},
             [](ChangeReader&, const Fields& f, OwnedValue) -> Made {
                 return RenameKey{f.text("key"), f.text("new"), f.occurrence()};
             }},
            {"move",
             false,
             {"position"},
             [](ChangeReader&, const Fields& f, OwnedValue) -> Made {
                 return MoveKey{f.text("key"), *f.number("position"), f.occurrence()};
             }},
            {"set_element",
             true,
             {"index"},
             [](ChangeReader&, const Fields& f, OwnedValue v) -> Made {
                 return SetElement{f.array(), *f.number("index"), std::move(v)};
             }},
            {"insert_elements",
             true,
             {"index"},
             [](ChangeReader&, const Fields& f, OwnedValue v) -> Made {
                 return InsertElements{f.array(), *f.number("index"), std::move(v)};
             }},
            {"remove_elements",
             false,
             {"index", "count"},
             [](ChangeReader&, const Fields& f, OwnedValue) -> Made {
                 return RemoveElements{f.array(), *f.number("index"), *f.number("count")};
             }},
            {"rename_tensor",
             false,
             {},
             [](ChangeReader&, const Fields& f, OwnedValue) -> Made {
                 return RenameTensor{f.text("key"), f.text("new")};
             }},
            {"delete_tensor",
             false,
             {},
             [](ChangeReader&, const Fields& f, OwnedValue) -> Made { return DeleteTensor{f.text("key")}; }},
            {"move_tensor",
             false,
             {"position"},
             [](ChangeReader&, const Fields& f, OwnedValue) -> Made {
                 return MoveTensor{f.text("key"), *f.number("position")};
             }},
            {"import_tensor",
             false,
             {},
             [](ChangeReader& reader, const Fields& f, OwnedValue) -> Made { return reader.import(f); }},
            {"target", false, {}, [](ChangeReader&, const Fields& f, OwnedValue) -> Made { return target(f); }},
            {"trailing_bytes",
             false,
             {},
             [](ChangeReader&, const Fields& f, OwnedValue) -> Made { return DropTrailingBytes{f.flag("drop")}; }},
        });
        return kRows;
    }

    JsonReader& m_json;
    const ModelOpener& m_open;
    const JobContext& m_job;
    std::map<std::string, Result<std::shared_ptr<const Model>>> m_models; // each opened once
    ReadChanges m_result;
};

} // namespace

Result<> writeChanges(JsonText& json, const std::vector<Change>& changes, const JobContext& job) {
    ChangeWriter writer(json, job);
    json.raw("[");
    for (std::size_t i = 0; i < changes.size(); ++i) {
        json.raw(i == 0 ? "\n  " : ",\n  ");
        if (auto written = std::visit(writer, changes[i]); !written) {
            return written;
        }
    }
    json.raw("]");
    return {};
}

Result<ReadChanges> readChanges(JsonReader& json, const ModelOpener& open, const JobContext& job) {
    return ChangeReader(json, open, job).read();
}

std::string headerFingerprint(const Model& model) {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < model.shardCount(); ++i) {
        const ModelFile& file = model.files[i];
        const auto header = file.source != nullptr ? file.source->view({0, file.headerBytes}) : Result<Bytes>(Bytes());
        hash = header ? quickHash(*header, hash + 1) : hash;
    }
    std::string text(16, '0');
    std::array<char, 16> digits{};
    const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), hash, 16).ptr;
    const auto count = static_cast<std::size_t>(end - digits.data());
    text.replace(text.size() - count, count, digits.data(), count);
    return text;
}

} // namespace gufo
