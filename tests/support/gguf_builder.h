// Makes GGUF bytes for tests, in any version and byte order. They are valid by default, and can be made wrong in any
// way.
//
//     GgufBuilder file;                                   // version 3, little-endian
//     file.key("general.architecture", "llama");          // str
//     file.key("llama.block_count", std::uint32_t{2});    // the type of the argument is the type in the file
//     file.key("x.flags", std::vector<std::int32_t>{1});  // an array
//     file.tensor("token_embd.weight", 0, {64, 100});     // type number, dimensions; zeros for data
//     const auto model = gguf::read(file.source());
//
// For malformed files, rawKey() takes any type number and payload, tensorRecord() takes any offset, and public members
// override counts, padding and trailing bytes. GgufBytes writes the payloads.
#pragma once

#include "base/byte_order.h"
#include "base/byte_source.h"
#include "model/value.h"
#include "tensor/row_layout.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gufo::test {

// The numbers of tensor types in GGUF files.
inline constexpr std::uint32_t kF32 = 0;
inline constexpr std::uint32_t kF16 = 1;
inline constexpr std::uint32_t kQ4_0 = 2;
inline constexpr std::uint32_t kQ8_0 = 8;
inline constexpr std::uint32_t kI32 = 26;

// Bytes in the layout of a file.
class GgufBytes {
public:
    explicit GgufBytes(ValueLayout fileLayout = {})
        : layout(fileLayout) {}

    template<Scalar T>
    GgufBytes& number(T value) {
        bytes.resize(bytes.size() + sizeof value);
        store(bytes.data() + bytes.size() - sizeof value, value, layout.order);
        return *this;
    }
    // A length, count or dimension, as wide as the version requires.
    GgufBytes& length(std::uint64_t value) {
        return layout.lengths == ValueLayout::Lengths::U32 ? number(static_cast<std::uint32_t>(value)) : number(value);
    }
    GgufBytes& text(std::string_view characters) {
        const auto* from = reinterpret_cast<const std::byte*>(characters.data());
        bytes.insert(bytes.end(), from, from + characters.size());
        return *this;
    }
    GgufBytes& string(std::string_view characters) { return length(characters.size()).text(characters); }
    // Element type and length, before the elements.
    GgufBytes& arrayHead(std::uint32_t type, std::uint64_t count) {
        return layout.arrayHead == ValueLayout::ArrayHead::TypeFirst ? number(type).length(count)
                                                                     : length(count).number(type);
    }
    GgufBytes& arrayHead(ValueType type, std::uint64_t count) {
        return arrayHead(static_cast<std::uint32_t>(type), count);
    }
    GgufBytes& append(Bytes other) {
        bytes.insert(bytes.end(), other.begin(), other.end());
        return *this;
    }
    GgufBytes& zeros(std::uint64_t count) {
        bytes.resize(bytes.size() + count);
        return *this;
    }
    GgufBytes& padTo(std::uint64_t alignment) { return zeros((alignment - bytes.size() % alignment) % alignment); }

    // Appends a value and returns its type.
    template<typename T>
    ValueType value(const T& v) {
        if constexpr (std::is_same_v<T, bool>) {
            number(static_cast<std::uint8_t>(v));
            return ValueType::Bool;
        } else if constexpr (std::is_arithmetic_v<T>) {
            number(v);
            return static_cast<ValueType>(Value(v).index());
        } else if constexpr (std::is_convertible_v<T, std::string_view>) {
            string(v);
            return ValueType::String;
        } else {
            GgufBytes elements(layout);
            ValueType type = elementType<typename T::value_type>();
            for (const typename T::value_type& element : v) {
                type = elements.value(element);
            }
            arrayHead(type, v.size()).append(elements.bytes);
            return ValueType::Array;
        }
    }

    ValueLayout layout;
    std::vector<std::byte> bytes;

private:
    template<typename T>
    ValueType elementType() {
        return GgufBytes(layout).value(T{});
    }
};

class GgufBuilder {
public:
    explicit GgufBuilder(std::uint32_t fileVersion = 3, ByteOrder order = ByteOrder::Little)
        : version(fileVersion)
        , layout{.order = order, .lengths = fileVersion == 1 ? ValueLayout::Lengths::U32 : ValueLayout::Lengths::U64} {}

    // The published draft of version 1.
    static GgufBuilder draft() {
        GgufBuilder builder(1);
        builder.layout.arrayHead = ValueLayout::ArrayHead::LengthFirst;
        builder.isDraft = true;
        builder.alignment = 64;
        return builder;
    }

    template<typename T>
    GgufBuilder& key(std::string_view name, const T& value) {
        GgufBytes payload(layout);
        const ValueType type = payload.value(value);
        return rawKey(name, static_cast<std::uint32_t>(type), payload.bytes);
    }
    // Adds a key with any type number and payload.
    GgufBuilder& rawKey(std::string_view name, std::uint32_t type, Bytes payload) {
        GgufBytes entry(layout);
        entry.string(name);
        if (isDraft) {
            entry.length(payload.size());
        }
        m_keys.push_back(entry.number(type).append(payload).bytes);
        return *this;
    }
    GgufBuilder& rawKey(std::string_view name, ValueType type, const GgufBytes& payload) {
        return rawKey(name, static_cast<std::uint32_t>(type), payload.bytes);
    }
    GgufBytes payload() const { return GgufBytes(layout); }

    // Adds a tensor after the existing ones. Without `data` it is filled with zeros.
    GgufBuilder& tensor(std::string_view name, std::uint32_t type, const std::vector<std::uint64_t>& dims,
                        std::optional<std::vector<std::byte>> data = {}) {
        m_tensors.push_back({std::string(name), type, dims, m_data.bytes.size(), true});
        if (data) {
            m_data.append(*data);
        } else {
            m_data.zeros(sizeOf(type, dims));
        }
        m_data.padTo(alignment);
        return *this;
    }
    // Adds only a record, which claims the given offset.
    GgufBuilder& tensorRecord(std::string_view name, std::uint32_t type, const std::vector<std::uint64_t>& dims,
                              std::uint64_t offset) {
        m_tensors.push_back({std::string(name), type, dims, offset, false});
        return *this;
    }

    [[nodiscard]] std::vector<std::byte> build() const {
        GgufBytes file(layout);
        file.text(magic).number(version);
        file.length(tensorCount.value_or(m_tensors.size())).length(keyCount.value_or(m_keys.size()));
        for (const std::vector<std::byte>& entry : m_keys) {
            file.append(entry);
        }
        if (isDraft) {
            file.zeros(alignment - file.bytes.size() % alignment);
        }
        const std::uint64_t recordBytes = records(0).bytes.size();
        const std::uint64_t dataStart = (file.bytes.size() + recordBytes + alignment - 1) / alignment * alignment;
        file.append(records(isDraft ? dataStart : 0).bytes);
        if (padHeader && (!m_tensors.empty() || isDraft)) {
            file.padTo(alignment);
        }
        file.append(m_data.bytes).append(trailing);
        if (cutTo && *cutTo < file.bytes.size()) {
            file.bytes.resize(*cutTo);
        }
        return std::move(file.bytes);
    }
    [[nodiscard]] std::shared_ptr<const ByteSource> source() const { return std::make_shared<MemorySource>(build()); }
    void write(const std::filesystem::path& path) const {
        const auto bytes = build();
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }

    // The properties of the file, and its faults.
    std::string magic = "GGUF";
    std::uint32_t version;
    ValueLayout layout;
    bool isDraft = false;
    std::uint64_t alignment = 32; // of the tensor data; the key general.alignment is up to the caller
    bool padHeader = true;
    std::optional<std::uint64_t> keyCount{};    // instead of the true one
    std::optional<std::uint64_t> tensorCount{}; // instead of the true one
    std::vector<std::byte> trailing{};          // after the tensor data
    std::optional<std::uint64_t> cutTo{};       // length to which the file is cut

private:
    struct Record {
        std::string name;
        std::uint32_t type;
        std::vector<std::uint64_t> dims;
        std::uint64_t offset;
        bool packed; // the offset is relative to the data; the draft adds the data's start
    };

    static std::uint64_t sizeOf(std::uint32_t type, const std::vector<std::uint64_t>& dims) {
        const TensorTypeFact* info = findTensorType(type);
        std::uint64_t weights = 1;
        for (const std::uint64_t dim : dims) {
            weights *= dim;
        }
        const std::uint64_t columns = dims.empty() ? 1 : dims[0];
        const auto bytes =
            info != nullptr && columns != 0 ? tensorBytes(*info, columns, weights / columns) : std::nullopt;
        return bytes ? *bytes : info != nullptr ? blocksBytes(*info, weights) : 0;
    }

    [[nodiscard]] GgufBytes records(std::uint64_t dataStart) const {
        GgufBytes out(layout);
        for (const Record& record : m_tensors) {
            out.string(record.name).number(static_cast<std::uint32_t>(record.dims.size()));
            std::uint64_t weights = 1;
            for (const std::uint64_t dim : record.dims) {
                out.length(dim);
                weights *= dim;
            }
            if (isDraft) {
                out.number(static_cast<std::uint32_t>(weights));
            }
            out.number(record.type).number(record.offset + (record.packed ? dataStart : 0));
        }
        return out;
    }

    std::vector<std::vector<std::byte>> m_keys;
    std::vector<Record> m_tensors;
    GgufBytes m_data;
};

} // namespace gufo::test
