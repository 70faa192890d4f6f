// A model as plain lists without steps, and random values, tensors and files, for comparing documents with.
#pragma once

#include "model/array_index.h"
#include "support/gguf_builder.h"

#include <algorithm>
#include <array>
#include <random>

namespace gufo::test {

// A value.
struct Plain {
    ValueType type = ValueType::UInt8;
    std::string bits; // of a number, little-endian; of a string, its bytes
    ValueType elementType = ValueType::UInt8;
    std::vector<Plain> elements;
    bool operator==(const Plain&) const = default;
};

struct PlainKey {
    std::string name;
    Plain value;
    bool operator==(const PlainKey&) const = default;
};

struct PlainTensor {
    std::string name;
    std::uint32_t typeId = 0;
    std::vector<std::uint64_t> dims;
    std::string data;
    bool operator==(const PlainTensor&) const = default;
};

struct PlainModel {
    std::vector<PlainKey> keys;
    std::vector<PlainTensor> tensors;
    bool operator==(const PlainModel&) const = default;
};

inline Plain plainOf(const Value& value) {
    Plain plain{.type = typeOf(value)};
    if (const auto text = asString(value)) {
        plain.bits = *text;
    } else if (const ArrayView* array = asArray(value)) {
        plain.elementType = array->elementType;
        Bytes rest = array->bytes;
        for (std::uint64_t i = 0; i < array->length; ++i) {
            const auto element = valueAt(array->elementType, rest, array->layout);
            plain.elements.push_back(plainOf(element.value().value));
            rest = rest.subspan(element->bytes);
        }
    } else {
        std::visit(
            [&]<typename T>(const T& number) {
                if constexpr (std::is_trivially_copyable_v<T> && sizeof(T) <= 8) {
                    plain.bits.assign(reinterpret_cast<const char*>(&number), sizeof number);
                }
            },
            value);
    }
    return plain;
}

inline PlainModel plainOf(const Model& model) {
    PlainModel plain;
    for (const KeyValue& entry : model.metadata) {
        plain.keys.push_back({std::string(entry.key), plainOf(entry.value)});
    }
    for (const TensorInfo& tensor : model.tensors) {
        const auto bytes = model.bytesOf(tensor);
        plain.tensors.push_back({std::string(tensor.name),
                                 tensor.typeId,
                                 {tensor.shape.dims().begin(), tensor.shape.dims().end()},
                                 bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size())
                                       : std::string("unreadable")});
    }
    return plain;
}

inline void append(GgufBytes& out, const Plain& plain) {
    if (plain.type == ValueType::String) {
        out.string(plain.bits);
    } else if (plain.type == ValueType::Array) {
        out.arrayHead(plain.elementType, plain.elements.size());
        for (const Plain& element : plain.elements) {
            append(out, element);
        }
    } else {
        std::string bits = plain.bits;
        if (out.layout.order == ByteOrder::Big) {
            std::ranges::reverse(bits);
        }
        out.text(bits);
    }
}

inline OwnedValue ownedOf(const Plain& plain, ValueLayout layout) {
    if (plain.type == ValueType::String) {
        return OwnedValue::string(plain.bits);
    }
    GgufBytes bytes(layout);
    append(bytes, plain);
    return OwnedValue(valueAt(plain.type, bytes.bytes, layout).value().value);
}

// Chance that can be repeated.
class Dice {
public:
    explicit Dice(std::uint64_t seed)
        : m_engine(seed) {}
    // 0 … sides − 1
    std::size_t roll(std::size_t sides) { return sides == 0 ? 0 : m_engine() % sides; }
    bool oneIn(std::size_t n) { return roll(n) == 0; }

    std::string bytes(std::size_t count) {
        std::string text(count, '\0');
        std::ranges::generate(text, [&] { return static_cast<char>(roll(256)); });
        return text;
    }
    std::string name() {
        static constexpr std::array kWords{"general", "llama", "x", "tokenizer.ggml", "näme", "a b"};
        return std::string(kWords[roll(kWords.size())]) + "." + std::to_string(roll(40));
    }
    ValueLayout layout() {
        return {.order = oneIn(2) ? ByteOrder::Big : ByteOrder::Little,
                .lengths = oneIn(2) ? ValueLayout::Lengths::U32 : ValueLayout::Lengths::U64};
    }
    ValueType type(bool arrays) {
        while (true) {
            const auto type = static_cast<ValueType>(roll(13));
            if (type != ValueType::Array || arrays) {
                return type;
            }
        }
    }
    Plain value(ValueType type, unsigned depth) {
        Plain plain{.type = type};
        if (type == ValueType::String) {
            plain.bits = bytes(oneIn(20) ? 2000 : roll(12));
        } else if (type == ValueType::Array) {
            plain.elementType = this->type(depth < 3);
            const std::size_t count = oneIn(15) ? 500 + roll(1500) : roll(6);
            const bool small = plain.elementType == ValueType::Array;
            for (std::size_t i = 0; i < (small ? std::min<std::size_t>(count, 5) : count); ++i) {
                plain.elements.push_back(value(plain.elementType, depth + 1));
            }
        } else {
            plain.bits = bytes(valueTypeFact(type).bytes);
        }
        return plain;
    }
    Plain value() { return value(type(true), 0); }

private:
    std::mt19937_64 m_engine;
};

struct RandomTensor {
    std::uint32_t typeId;
    std::vector<std::uint64_t> dims;
    std::size_t bytes;
};

inline RandomTensor randomTensor(Dice& dice) {
    const std::uint64_t rows = dice.roll(4); // sometimes none
    switch (dice.roll(3)) {
    case 0:
        return {0, {1 + dice.roll(9), rows}, 0};
    case 1:
        return {8, {32, rows}, 0}; // Q8_0
    default:
        return {24, {1 + dice.roll(30)}, 0}; // I8
    }
}

inline std::vector<std::byte> dataOf(Dice& dice, const RandomTensor& tensor) {
    std::uint64_t weights = 1;
    for (const std::uint64_t dim : tensor.dims) {
        weights *= dim;
    }
    const std::uint64_t size = tensor.typeId == 0 ? weights * 4 : tensor.typeId == 8 ? weights / 32 * 34 : weights;
    const std::string bytes = dice.bytes(size);
    const auto view = std::as_bytes(std::span(bytes));
    return {view.begin(), view.end()};
}

inline GgufBuilder randomFile(Dice& dice, const char* prefix) {
    const bool big = dice.oneIn(4);
    GgufBuilder file(big ? 3 : static_cast<std::uint32_t>(2 + dice.roll(2)), big ? ByteOrder::Big : ByteOrder::Little);
    if (dice.oneIn(2)) {
        file.alignment = std::uint64_t{8} << dice.roll(5);
        file.key("general.alignment", static_cast<std::uint32_t>(file.alignment));
    }
    std::vector<std::string> names;
    for (std::size_t i = dice.roll(12); i > 0; --i) {
        const std::string name = dice.name();
        if (std::ranges::find(names, name) != names.end()) {
            continue;
        }
        names.push_back(name);
        const Plain value = dice.value();
        GgufBytes payload(file.layout);
        append(payload, value);
        file.rawKey(name, value.type, payload);
    }
    for (std::size_t i = dice.roll(6); i > 0; --i) {
        const RandomTensor tensor = randomTensor(dice);
        file.tensor(prefix + std::to_string(i), tensor.typeId, tensor.dims, dataOf(dice, tensor));
    }
    return file;
}

} // namespace gufo::test
