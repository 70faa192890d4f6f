#include "base/detail.h"
#include "document/change_json.h"
#include "document/value_json.h"
#include "model/model.h"
#include "model/retyped_tensor.h"
#include "model/value_text.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

namespace gufo {
namespace {

using Token = JsonReader::Token;

struct Fields {
    std::map<std::string, std::string, std::less<>> texts; // key, new, file, header, byte_order, op
    std::map<std::string, std::uint64_t, std::less<>>
        numbers;                                    // position, occurrence, index, count, version, hash, type, at
    std::map<std::string, bool, std::less<>> flags; // replace, drop
    std::vector<std::uint64_t> path;
    std::vector<std::uint64_t> kept;
    std::vector<std::optional<std::uint64_t>> added;
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
        GUFO_TRY(m_json.expect(Token::ArrayStart, Detail::ChangeList));
        const auto change = [&](Token first) -> Result<> {
            if (first != Token::ObjectStart) {
                return m_json.expected(Detail::Change);
            }
            Fields fields;
            GUFO_TRY(readFields(fields));
            return add(fields);
        };
        GUFO_TRY(m_json.readElements(change));
        return std::move(m_result);
    }

private:
    Result<> readFields(Fields& fields) {
        return m_json.readMembers([&]() -> Result<> {
            const std::string name = m_json.text();
            const auto known = GUFO_TRY(fields.value.member(m_json, name));
            return known ? Result<>() : readField(fields, name);
        });
    }

    Result<> readField(Fields& fields, const std::string& name) {
        constexpr auto kTexts = std::to_array<std::string_view>({"op", "key", "new", "file", "header", "byte_order"});
        if (std::ranges::find(kTexts, name) != kTexts.end()) {
            auto value = GUFO_TRY(readBareValue(m_json, ValueType::String));
            fields.texts[name] = *asString(value.value());
            return {};
        }
        const auto token = GUFO_TRY(m_json.next());
        if (token == Token::True || token == Token::False) {
            fields.flags[name] = token == Token::True;
            return {};
        }
        if (token == Token::ArrayStart && name == "path") {
            return readNumbers(fields.path);
        }
        if (token == Token::ArrayStart && name == "kept") {
            return readNumbers(fields.kept);
        }
        if (token == Token::ArrayStart && name == "added") {
            return readRows(fields.added);
        }
        fields.numbers[name] = GUFO_TRY(readNumber(m_json, token));
        return {};
    }

    Result<> readNumbers(std::vector<std::uint64_t>& numbers) {
        numbers.clear();
        return m_json.readElements([&](Token first) -> Result<> {
            const auto number = GUFO_TRY(readNumber(m_json, first));
            numbers.push_back(number);
            return {};
        });
    }

    // The texts among the numbers stand for means.
    Result<> readRows(std::vector<std::optional<std::uint64_t>>& rows) {
        rows.clear();
        return m_json.readElements([&](Token first) -> Result<> {
            if (first == Token::String) {
                rows.emplace_back();
                return {};
            }
            const auto number = GUFO_TRY(readNumber(m_json, first));
            rows.emplace_back(number);
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
                value = GUFO_TRY(fields.value.finish(m_json, m_job));
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
        std::shared_ptr<const Model> from = model;
        if (const auto type = f.number("type")) {
            const TensorInfo& tensor = model->tensor(*model->findTensor(f.text("key")));
            if (tensor.offset != f.number("at")) { // it had been changed before its type was
                return refuse({ErrorCode::NoSuchTensor, {}, {}, {f.text("key")}, 0});
            }
            constexpr std::size_t kTooLarge = 0xFFFF; // stays an unknown type
            auto retyped =
                RetypedTensor::encode(model, tensor, static_cast<std::uint32_t>(std::min(*type, kTooLarge)), m_job);
            if (!retyped) {
                return refuse(retyped.error());
            }
            from = *std::move(retyped);
        }
        return ImportTensor{.from = std::move(from),
                            .name = f.text("key"),
                            .newName = f.text("new"),
                            .position = f.number("position"),
                            .replace = f.flag("replace"),
                            .hash = f.number("hash")};
    }

    static std::optional<Change> resize(const Fields& f) {
        ResizeRows change{.name = f.text("key"), .kept = {}, .added = f.added};
        for (std::size_t i = 0; i + 1 < f.kept.size(); i += 2) {
            change.kept.push_back({f.kept[i], f.kept[i + 1]});
        }
        return change;
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
            {"resize_rows", false, {}, [](ChangeReader&, const Fields& f, OwnedValue) -> Made { return resize(f); }},
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

Result<ReadChanges> readChanges(JsonReader& json, const ModelOpener& open, const JobContext& job) {
    return ChangeReader(json, open, job).read();
}

} // namespace gufo
