#include "base/quick_hash.h"
#include "document/change_json.h"
#include "document/value_json.h"
#include "model/model.h"
#include "model/retyped_tensor.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <variant>

namespace gufo {
namespace {

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
        // A tensor in another type is stored as the tensor that it was made from, with the type.
        const auto index = c.from->findTensor(c.name);
        const auto* retyped =
            index ? dynamic_cast<const RetypedTensor*>(c.from->sourceOf(c.from->tensor(*index))) : nullptr;
        const Model& from = retyped != nullptr ? *retyped->from() : *c.from;
        std::error_code none;
        const auto path = std::filesystem::absolute(from.path(), none);
        text("file", none ? from.path().native() : path.native());
        text("header", headerFingerprint(from));
        text("key", c.name);
        if (retyped != nullptr) {
            number("type", c.from->tensor(*index).typeId);
            number("at", retyped->tensor().offset);
        }
        text("new", c.newName);
        optional("position", c.position);
        if (c.replace) {
            m_json.raw(", \"replace\": true");
        }
        optional("hash", c.hash);
        return end();
    }
    Result<> operator()(const ResizeRows& c) {
        begin("resize_rows");
        text("key", c.name);
        std::vector<std::string> numbers;
        for (const RowRange& range : c.kept) {
            numbers.push_back(std::to_string(range.first));
            numbers.push_back(std::to_string(range.count));
        }
        list("kept", numbers);
        numbers.clear();
        for (const std::optional<std::uint64_t>& row : c.added) {
            numbers.push_back(row ? std::to_string(*row) : "\"mean\"");
        }
        list("added", numbers);
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
    void list(std::string_view name, const std::vector<std::string>& items) {
        m_json.raw(", \"" + std::string(name) + "\": [");
        for (std::size_t i = 0; i < items.size(); ++i) {
            m_json.raw((i == 0 ? "" : ", ") + items[i]);
        }
        m_json.raw("]");
    }
    void array(const ArrayPath& path) {
        text("key", path.key);
        if (!path.indices.empty()) {
            std::vector<std::string> items;
            std::ranges::transform(path.indices, std::back_inserter(items),
                                   [](std::uint64_t index) { return std::to_string(index); });
            list("path", items);
        }
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

} // namespace

Result<> writeChanges(JsonText& json, const std::vector<Change>& changes, const JobContext& job) {
    ChangeWriter writer(json, job);
    json.raw("[");
    for (std::size_t i = 0; i < changes.size(); ++i) {
        json.raw(i == 0 ? "\n  " : ",\n  ");
        GUFO_TRY(std::visit(writer, changes[i]));
    }
    json.raw("]");
    return {};
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
