// A tiny model of tests/data/architectures as the folder that it could have been converted from: what a converter does
// to each tensor is undone here by plain loops, which share no code with the converter.
#pragma once

#include "model/token.h"
#include "support/fixture_models.h"
#include "support/safetensors_builder.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace gufo::test {

// Slowest dimension first, as in the folder.
struct Weights {
    std::vector<std::uint64_t> dims;
    std::vector<float> values;
};
// The sizes that undoing depends on.
struct LayoutSizes {
    std::size_t heads = 1;
    std::size_t kvHeads = 1;
    std::size_t keyHeads = 1; // of linear attention
    std::size_t valuesPerKey = 1;
    std::size_t keyRows = 0; // of the queries and keys before the values
    std::size_t valueWidth = 1;
};
using Undo = Weights (*)(Weights weights, const LayoutSizes& sizes);

// A tensor and its name in the folder. "{b}" stands for the number of a block; "{e}" for the number of an expert, if
// the tensor is divided into its experts. Tensors with the same name in the folder are joined there, one behind the
// other along the rows.
struct OriginalName {
    const char* target;
    std::string source;
    Undo undo = nullptr;
};

namespace layout {

inline std::size_t rowLength(const Weights& weights) { return weights.dims.size() < 2 ? 1 : weights.dims.back(); }

// Moves row `from(i)` to row i.
template<typename From>
Weights reordered(const Weights& weights, const From& from) {
    Weights result = weights;
    const std::size_t row = rowLength(weights);
    for (std::size_t i = 0; i < weights.values.size() / row; ++i) {
        std::copy_n(weights.values.begin() + static_cast<std::ptrdiff_t>(from(i) * row), row,
                    result.values.begin() + static_cast<std::ptrdiff_t>(i * row));
    }
    return result;
}

// Pairs that rotate are neighbours in GGUF, and half a head apart in the folder.
inline Weights halves(const Weights& weights, std::size_t heads) {
    const std::size_t width = weights.values.size() / rowLength(weights) / heads;
    return reordered(weights, [&](std::size_t i) {
        const std::size_t head = i / width;
        const std::size_t half = i % width / (width / 2);
        const std::size_t pair = i % width % (width / 2);
        return head * width + 2 * pair + half;
    });
}
inline Weights queryHalves(Weights weights, const LayoutSizes& sizes) { return halves(weights, sizes.heads); }
inline Weights keyHalves(Weights weights, const LayoutSizes& sizes) { return halves(weights, sizes.kvHeads); }

inline Weights minusOne(Weights weights, const LayoutSizes&) {
    for (float& value : weights.values) {
        value -= 1;
    }
    return weights;
}

// In the folder, the value heads of a key head follow each other.
inline Weights grouped(const Weights& weights, const LayoutSizes& sizes, std::size_t before, std::size_t width) {
    return reordered(weights, [&](std::size_t i) {
        if (i < before) {
            return i;
        }
        const std::size_t head = (i - before) / width;
        const std::size_t key = head / sizes.valuesPerKey;
        const std::size_t value = head % sizes.valuesPerKey;
        return before + (value * sizes.keyHeads + key) * width + (i - before) % width;
    });
}
inline Weights groupedHeads(Weights weights, const LayoutSizes& sizes) { return grouped(weights, sizes, 0, 1); }
inline Weights groupedValues(Weights weights, const LayoutSizes& sizes) {
    return grouped(weights, sizes, 0, sizes.valueWidth);
}
inline Weights groupedInputs(Weights weights, const LayoutSizes& sizes) {
    return grouped(weights, sizes, sizes.keyRows, sizes.valueWidth);
}
inline Weights groupedConvolution(Weights weights, const LayoutSizes& sizes) {
    Weights result = groupedInputs(std::move(weights), sizes);
    result.dims = {result.dims[0], 1, result.dims[1]};
    return result;
}
inline Weights groupedColumns(Weights weights, const LayoutSizes& sizes) {
    const std::size_t columns = weights.dims[1];
    Weights transposed{{columns, weights.dims[0]}, std::vector<float>(weights.values.size())};
    for (std::size_t i = 0; i < weights.values.size(); ++i) {
        transposed.values[i % columns * weights.dims[0] + i / columns] = weights.values[i];
    }
    transposed = groupedValues(std::move(transposed), sizes);
    for (std::size_t i = 0; i < weights.values.size(); ++i) {
        weights.values[i] = transposed.values[i % columns * weights.dims[0] + i / columns];
    }
    return weights;
}
inline Weights groupedLogarithm(Weights weights, const LayoutSizes& sizes) {
    for (float& value : weights.values) {
        value = static_cast<float>(std::log(-static_cast<double>(value)));
    }
    return groupedHeads(std::move(weights), sizes);
}

inline std::vector<std::byte> bytesOf(const std::vector<float>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

} // namespace layout

// Writes the weights of the model under their names in the folder, and whatever is not in `names` not at all.
class OriginalWeights {
public:
    explicit OriginalWeights(LayoutSizes sizes)
        : m_sizes(sizes) {}

    // False if a tensor of the model has no name.
    bool add(const Model& model, std::span<const OriginalName> names) {
        for (const TensorInfo& tensor : model.tensors) {
            bool found = false;
            for (const OriginalName& name : names) {
                const auto block = blockOf(name.target, std::string(tensor.name));
                if (block && !found) {
                    add(model, tensor, name, *block);
                    found = true;
                }
            }
            if (!found) {
                qWarning("no name for %s", std::string(tensor.name).c_str());
                return false;
            }
        }
        return true;
    }
    void add(const std::string& name, const Weights& weights) {
        const auto [at, isNew] = m_places.try_emplace(name, m_weights.size());
        if (isNew) {
            m_weights.emplace_back(name, weights);
        } else {
            join(m_weights[at->second].second, weights);
        }
    }

    // The values under a name, which are written nowhere then.
    std::vector<float> take(const std::string& name) {
        const auto at = std::ranges::find(m_weights, name, &std::pair<std::string, Weights>::first);
        std::vector<float> values = at != m_weights.end() ? at->second.values : std::vector<float>();
        if (at != m_weights.end()) {
            m_weights.erase(at);
            m_places.clear();
        }
        return values;
    }

    [[nodiscard]] SafetensorsBuilder build() const {
        SafetensorsBuilder builder;
        for (const auto& [name, weights] : m_weights) {
            builder.tensor(name, "F32", weights.dims, layout::bytesOf(weights.values));
        }
        return builder;
    }

private:
    // The text that "{b}" stands for, if the name is of that form.
    static std::optional<std::string> blockOf(const std::string& pattern, const std::string& name) {
        const std::size_t at = pattern.find("{b}");
        if (at == pattern.npos) {
            return pattern == name ? std::optional<std::string>("") : std::nullopt;
        }
        const std::string head = pattern.substr(0, at);
        const std::string tail = pattern.substr(at + 3);
        if (!name.starts_with(head) || !name.ends_with(tail) || name.size() <= head.size() + tail.size()) {
            return std::nullopt;
        }
        const std::string block = name.substr(head.size(), name.size() - head.size() - tail.size());
        return block.find_first_not_of("0123456789") == block.npos ? std::optional(block) : std::nullopt;
    }

    static std::string filledIn(std::string text, const char* placeholder, const std::string& with) {
        const std::size_t at = text.find(placeholder);
        return at == text.npos ? text : text.replace(at, 3, with);
    }

    void add(const Model& model, const TensorInfo& tensor, const OriginalName& name, const std::string& block) {
        Weights weights{{tensor.shape.dims().rbegin(), tensor.shape.dims().rend()},
                        std::vector<float>(tensor.weights())};
        const auto rows = model.rowsOf(tensor);
        if (!rows || !decode(*rows, 0, weights.values)) {
            return;
        }
        weights = name.undo != nullptr ? name.undo(std::move(weights), m_sizes) : std::move(weights);
        const std::string source = filledIn(name.source, "{b}", block);
        if (source.find("{e}") == source.npos) {
            add(source, weights);
            return;
        }
        const std::size_t each = weights.values.size() / weights.dims[0];
        for (std::size_t expert = 0; expert < weights.dims[0]; ++expert) {
            const auto first = weights.values.begin() + static_cast<std::ptrdiff_t>(expert * each);
            add(filledIn(source, "{e}", std::to_string(expert)),
                {{weights.dims.begin() + 1, weights.dims.end()}, {first, first + static_cast<std::ptrdiff_t>(each)}});
        }
    }

    static void join(Weights& to, const Weights& more) {
        const std::size_t axis = to.dims.size() - 2;
        const std::size_t outer = axis == 0 ? 1 : to.dims[0];
        Weights joined{to.dims, {}};
        joined.dims[axis] += more.dims[axis];
        for (std::size_t i = 0; i < outer; ++i) {
            for (const Weights* part : {&std::as_const(to), &more}) {
                const std::size_t each = part->values.size() / outer;
                const auto first = part->values.begin() + static_cast<std::ptrdiff_t>(i * each);
                joined.values.insert(joined.values.end(), first, first + static_cast<std::ptrdiff_t>(each));
            }
        }
        to = std::move(joined);
    }

    LayoutSizes m_sizes;
    std::vector<std::pair<std::string, Weights>> m_weights;
    std::map<std::string, std::size_t> m_places;
};

// Writes tokenizer.json and tokenizer_config.json with the tokens of a model whose tokenizer is BPE of bytes.
inline void writeByteLevelTokenizer(const Model& model, const std::filesystem::path& folder) {
    const auto texts = [&](std::string_view key) {
        QStringList list;
        const Value* value = model.metadata.find(key);
        const ArrayView* array = value != nullptr ? asArray(*value) : nullptr;
        const std::byte* at = array != nullptr ? array->bytes.data() : nullptr;
        for (std::uint64_t i = 0; array != nullptr && i < array->length; ++i) {
            const auto length = static_cast<qsizetype>(array->layout.loadLength(at));
            at += array->layout.lengthBytes();
            list << QString::fromUtf8(reinterpret_cast<const char*>(at), length);
            at += length;
        }
        return list;
    };
    const QStringList tokens = texts("tokenizer.ggml.tokens");
    const ArrayView* types = asArray(*model.metadata.find("tokenizer.ggml.token_type"));
    QJsonObject vocabulary;
    QJsonArray added;
    for (qsizetype i = 0; i < tokens.size(); ++i) {
        const auto type = load<std::int32_t>(types->bytes.data() + 4 * i);
        if (type == static_cast<std::int32_t>(TokenType::Normal)) {
            vocabulary[tokens[i]] = i;
        } else {
            added.append(QJsonObject{{"id", i}, {"content", tokens[i]}, {"special", true}});
        }
    }
    const QJsonObject tokenizer{
        {"added_tokens", added},
        {"pre_tokenizer", QJsonObject{{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", true}}},
        {"model", QJsonObject{{"type", "BPE"},
                              {"vocab", vocabulary},
                              {"merges", QJsonArray::fromStringList(texts("tokenizer.ggml.merges"))}}}};
    const auto token = [&](std::string_view key) {
        return tokens.value(static_cast<qsizetype>(model.metadata.uint(key).value_or(0)));
    };
    const QJsonObject config{{"bos_token", token("tokenizer.ggml.bos_token_id")},
                             {"eos_token", token("tokenizer.ggml.eos_token_id")},
                             {"add_bos_token", false}};
    std::ofstream(folder / "tokenizer.json") << QJsonDocument(tokenizer).toJson().toStdString();
    std::ofstream(folder / "tokenizer_config.json") << QJsonDocument(config).toJson().toStdString();
}

} // namespace gufo::test
