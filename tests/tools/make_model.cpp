// gufo-make-model: writes synthetic models for benchmarks, tests and screenshots.
//
//     gufo-make-model OUT.gguf --shape llama-1b --type Q4_K_M [--sparse] [--seed N] [--blocks N]
//
// The metadata is complete, so that `gufo-cli validate` reports nothing. With --sparse the tensor data is a hole of the
// right size. Otherwise a tensor's data is a run of random blocks of up to 4 MiB, repeated.

#include "block_pool.h"
#include "formats/gguf/write/writer.h"
#include "model/encode_value.h"
#include "model_plan.h"
#include "synthetic_vocabulary.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace gufo::tools {
namespace {

constexpr std::uint64_t kAlignment = 32;
constexpr std::uint64_t kPoolBytes = 4U << 20U;

struct Arguments {
    std::filesystem::path out;
    ModelShape shape = modelShapes().front();
    const TypeMix* mix = findTypeMix("Q4_K_M");
    bool sparse = false;
    std::uint64_t seed = 1;
};

int usage(const std::string& problem) {
    std::fprintf(
        stderr,
        "gufo-make-model: %s\nusage: gufo-make-model OUT [--shape S] [--type T] [--sparse] [--seed N] [--blocks N]\n",
        problem.c_str());
    for (const ModelShape& shape : modelShapes()) {
        std::fprintf(stderr, "  --shape %-12s %s\n", shape.name.data(), shape.description.data());
    }
    std::fputs("  --type", stderr);
    for (const TypeMix& mix : typeMixes()) {
        std::fprintf(stderr, " %s", mix.name.data());
    }
    std::fputs("\n", stderr);
    return 2;
}

std::optional<std::uint64_t> number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// Returns the error in the arguments; empty if there is none.
std::string parse(std::span<char*> words, Arguments& arguments) {
    std::optional<std::uint64_t> blocks;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word == "--sparse") {
            arguments.sparse = true;
            continue;
        }
        if (!word.starts_with("--")) {
            arguments.out = word;
            continue;
        }
        if (i + 1 == words.size()) {
            return std::string(word) + " takes a value";
        }
        const std::string_view value = words[++i];
        if (word == "--shape" && findModelShape(value) != nullptr) {
            arguments.shape = *findModelShape(value);
        } else if (word == "--type" && findTypeMix(value) != nullptr) {
            arguments.mix = findTypeMix(value);
        } else if (word == "--seed" && number(value)) {
            arguments.seed = *number(value);
        } else if (word == "--blocks" && number(value)) {
            blocks = number(value);
        } else {
            return std::string(word) + " " + std::string(value) + " is not known";
        }
    }
    if (blocks && *blocks != 0 && *blocks < 10'000) {
        arguments.shape.blocks = static_cast<std::uint32_t>(*blocks);
    }
    return arguments.out.empty() ? "OUT is missing" : "";
}

// Writes keys of the types that this tool uses; an error of the writer would be a bug in this file.
class Metadata {
public:
    explicit Metadata(gguf::Writer& file)
        : m_file(file) {}

    void key(std::string_view name, const Value& value) {
        if (!m_file.add(name, value)) {
            std::fprintf(stderr, "gufo-make-model: %s cannot be written\n", std::string(name).c_str());
            std::abort();
        }
    }
    template<std::convertible_to<std::string_view> T>
    void key(std::string_view name, const T& text) {
        key(name, Value(std::string_view(text)));
    }
    template<Scalar T>
    void key(std::string_view name, T value) {
        if constexpr (std::is_same_v<T, bool>) {
            key(name, Value(BoolValue{static_cast<std::uint8_t>(value)}));
        } else {
            key(name, Value(value));
        }
    }

    template<typename T>
    void key(std::string_view name, const std::vector<T>& elements) {
        const auto valueOf = [](const T& element) {
            if constexpr (std::is_same_v<T, std::string>) {
                return Value(std::string_view(element));
            } else {
                return Value(element);
            }
        };
        ArrayBuilder array(typeOf(valueOf(T())));
        for (const T& element : elements) {
            array.add(valueOf(element));
        }
        key(name, Value(array.view()));
    }

private:
    gguf::Writer& m_file;
};

void addTokenizer(Metadata& file, const ModelShape& shape) {
    const Vocabulary vocabulary =
        shape.merges ? makeMergedVocabulary(shape.vocabulary) : makeScoredVocabulary(shape.vocabulary);
    file.key("tokenizer.ggml.model", vocabulary.model);
    if (shape.merges) {
        file.key("tokenizer.ggml.pre", "default");
    }
    file.key("tokenizer.ggml.tokens", vocabulary.tokens);
    if (shape.merges) {
        file.key("tokenizer.ggml.merges", vocabulary.merges);
    } else {
        file.key("tokenizer.ggml.scores", vocabulary.scores);
        file.key("tokenizer.ggml.unknown_token_id", std::uint32_t{0});
    }
    file.key("tokenizer.ggml.token_type", vocabulary.types);
    file.key("tokenizer.ggml.bos_token_id", vocabulary.beginId);
    file.key("tokenizer.ggml.eos_token_id", vocabulary.endId);
    file.key("tokenizer.ggml.add_bos_token", true);
    file.key("tokenizer.ggml.add_eos_token", false);
    file.key(
        "tokenizer.chat_template",
        "{{ bos_token }}{% for message in messages %}{{ '[' + message['role'] + '] ' + message['content'] + '\\n' }}"
        "{% endfor %}{% if add_generation_prompt %}{{ '[assistant] ' }}{% endif %}");
}

void addMetadata(Metadata& file, const ModelShape& shape, const TypeMix& mix) {
    const std::string architecture = shape.predicts ? "glm4moe" : "llama";
    file.key("general.architecture", architecture);
    file.key("general.type", "model");
    file.key("general.name", "Synthetic " + std::string(shape.name));
    file.key("general.basename", "Synthetic");
    file.key("general.author", "gufo-make-model");
    file.key("general.version", "v1.0");
    file.key("general.description", "Random weights: " + std::string(shape.description));
    file.key("general.license", "cc0-1.0");
    file.key("general.languages", std::vector<std::string>{"en"});
    if (!shape.label.empty()) {
        file.key("general.size_label", shape.label);
    }
    file.key("general.alignment", static_cast<std::uint32_t>(kAlignment));
    if (shape.embedding != 0) {
        file.key("general.file_type", mix.fileType);
        if (mix.quantised()) {
            file.key("general.quantization_version", std::uint32_t{2});
        }
        const std::string prefix = architecture + '.';
        file.key(prefix + "block_count", shape.blocks);
        file.key(prefix + "context_length", std::uint32_t{8192});
        file.key(prefix + "embedding_length", shape.embedding);
        file.key(prefix + "feed_forward_length", shape.feedForward);
        file.key(prefix + "attention.head_count", shape.heads);
        file.key(prefix + "attention.head_count_kv", shape.kvHeads);
        file.key(prefix + "attention.layer_norm_rms_epsilon", 1e-5F);
        file.key(prefix + "rope.dimension_count", shape.embedding / shape.heads);
        file.key(prefix + "rope.freq_base", 500'000.0F);
        file.key(prefix + "vocab_size", shape.vocabulary);
        if (shape.experts != 0) {
            file.key(prefix + "expert_count", shape.experts);
            file.key(prefix + "expert_used_count", std::uint32_t{2});
        }
        if (shape.predicts) {
            file.key(prefix + "nextn_predict_layers", std::uint32_t{1});
            file.key(prefix + "leading_dense_block_count", shape.blocks); // the experts are in no block
            file.key(prefix + "expert_count", std::uint32_t{1});
            file.key(prefix + "expert_used_count", std::uint32_t{1});
            file.key(prefix + "expert_shared_count", std::uint32_t{1});
            file.key(prefix + "expert_feed_forward_length", shape.feedForward);
        }
    }
    for (std::uint32_t i = 0; i < shape.extraKeys; ++i) {
        const std::string name = "extra.group_" + std::to_string(i / 100) + ".key_" + std::to_string(i);
        if (i % 2 == 0) {
            file.key(name, i);
        } else {
            file.key(name, "text " + std::to_string(i * 7919 % 104'729));
        }
    }
    addTokenizer(file, shape);
}

std::uint64_t weightsOf(const PlannedTensor& tensor) {
    std::uint64_t weights = 1;
    for (const std::uint64_t dim : tensor.dims) {
        weights *= dim;
    }
    return weights;
}

std::uint64_t bytesOf(const PlannedTensor& tensor) {
    const TensorTypeFact& type = *findTensorType(tensor.typeId);
    return blocksBytes(type, weightsOf(tensor));
}

// Writes a run of blocks repeatedly.
Result<> writeData(const PlannedTensor& tensor, std::mt19937_64& random, const gguf::Sink& out) {
    const TensorTypeFact& type = *findTensorType(tensor.typeId);
    const std::uint64_t bytes = bytesOf(tensor);
    const std::uint64_t blocks = std::min(bytes, kPoolBytes) / type.blockBytes;
    const auto pool = makeBlocks(tensor.typeId, blocks * type.blockSize, tensor.mean, tensor.deviation, random);
    if (!pool) {
        return fail(ErrorCode::NotSupported, {}, {"tests/data/golden: " + std::string(type.name)});
    }
    for (std::uint64_t left = bytes; left != 0;) {
        const std::uint64_t count = std::min<std::uint64_t>(left, pool->size());
        if (auto written = out(Bytes(*pool).first(count)); !written) {
            return written;
        }
        left -= count;
    }
    return {};
}

int make(const Arguments& arguments) {
    gguf::Writer file;
    Metadata metadata(file);
    addMetadata(metadata, arguments.shape, *arguments.mix);
    const std::vector<PlannedTensor> tensors = planTensors(arguments.shape, *arguments.mix);
    for (const PlannedTensor& tensor : tensors) {
        if (tensor.dims[0] % findTensorType(tensor.typeId)->blockSize != 0) {
            return usage("rows of this shape are no whole blocks of that type");
        }
        if (!file.addTensor(tensor.name, tensor.typeId, Shape(tensor.dims), bytesOf(tensor))) {
            return usage(tensor.name + " cannot be written");
        }
    }
    std::ofstream out(arguments.out, std::ios::binary);
    const gguf::Sink sink = [&](Bytes bytes) -> Result<> {
        out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        return out ? Result<>() : fail(ErrorCode::WriteFailed);
    };
    std::mt19937_64 random(arguments.seed);
    const auto written =
        arguments.sparse
            ? sink(file.header())
            : file.write(sink, [&](std::size_t i, const gguf::Sink& to) { return writeData(tensors[i], random, to); });
    out.close();
    std::error_code resized;
    if (arguments.sparse) {
        std::filesystem::resize_file(arguments.out, file.fileBytes(), resized);
    }
    if (!written || !out || resized) {
        std::fprintf(stderr, "gufo-make-model: %s could not be written%s%s\n", arguments.out.c_str(),
                     written || written.error().args.empty() ? "" : ": ",
                     written || written.error().args.empty() ? "" : written.error().args.front().text().c_str());
        return 2;
    }
    return 0;
}

} // namespace
} // namespace gufo::tools

int main(int argc, char** argv) {
    gufo::tools::Arguments arguments;
    const std::string problem =
        gufo::tools::parse(std::span(argv, static_cast<std::size_t>(argc)).subspan(1), arguments);
    return problem.empty() ? gufo::tools::make(arguments) : gufo::tools::usage(problem);
}
