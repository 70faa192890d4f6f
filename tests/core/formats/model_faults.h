// A small valid model, and every fault that validate() finds, one at a time.
#pragma once

#include "model/finding_code.h"
#include "support/model_maker.h"
#include "validate/validate.h"

#include <QByteArray>

#include <algorithm>
#include <functional>
#include <limits>

namespace gufo::test {

// A model as a list of parts, which a test can change before the model is made.
struct Recipe {
    struct Key {
        std::string name;
        std::function<void(ModelMaker&, const std::string&)> add;
    };
    struct Tensor {
        std::string name;
        std::vector<std::uint64_t> dims;
        TensorType type = TensorType::F32;
        std::string data{};
    };

    std::string path = "Tiny-1K-v1.0-F32.gguf";
    std::vector<Key> keys;
    std::vector<Tensor> tensors;
    bool data = false;

    void set(const std::string& name, std::function<void(ModelMaker&, const std::string&)> add) {
        for (Key& key : keys) {
            if (key.name == name) {
                key.add = std::move(add);
                return;
            }
        }
        keys.push_back({name, std::move(add)});
    }
    Recipe& u32(const std::string& name, std::uint32_t v) {
        set(name, [=](ModelMaker& m, const std::string& k) { m.u32(k, v); });
        return *this;
    }
    Recipe& i32(const std::string& name, std::int32_t v) {
        set(name, [=](ModelMaker& m, const std::string& k) { m.value(k, v); });
        return *this;
    }
    Recipe& f32(const std::string& name, float v) {
        set(name, [=](ModelMaker& m, const std::string& k) { m.f32(k, v); });
        return *this;
    }
    Recipe& text(const std::string& name, const std::string& v) {
        set(name, [=](ModelMaker& m, const std::string& k) { m.text(k, v); });
        return *this;
    }
    Recipe& texts(const std::string& name, const std::vector<std::string>& v) {
        set(name, [=](ModelMaker& m, const std::string& k) { m.texts(k, v); });
        return *this;
    }
    Recipe& u32s(const std::string& name, const std::vector<std::uint32_t>& v) {
        set(name, [=](ModelMaker& m, const std::string& k) { m.u32s(k, v); });
        return *this;
    }
    Recipe& i32s(const std::string& name, const std::vector<std::int32_t>& v) {
        set(name, [=](ModelMaker& m, const std::string& k) { m.i32s(k, v); });
        return *this;
    }
    Recipe& drop(const std::string& name) {
        std::erase_if(keys, [&](const Key& key) { return key.name == name; });
        return *this;
    }
    Recipe& tensor(const std::string& name, std::vector<std::uint64_t> dims, TensorType type = TensorType::F32) {
        tensors.push_back({name, std::move(dims), type});
        return *this;
    }
    Recipe& dropTensors(const std::string& part) {
        std::erase_if(tensors, [&](const Tensor& t) { return t.name.find(part) != std::string::npos; });
        return *this;
    }
    Tensor& at(const std::string& name) { return *std::ranges::find(tensors, name, &Tensor::name); }
    Recipe& retype(TensorType type) {
        for (Tensor& t : tensors) {
            t.type = t.dims.size() >= 2 ? type : t.type;
        }
        return *this;
    }
    Recipe& named(const std::string& fileName) {
        path = fileName;
        return *this;
    }

    [[nodiscard]] ModelMaker maker() const {
        ModelMaker maker;
        maker.path(path);
        if (data) {
            maker.withData();
        }
        for (const Key& key : keys) {
            key.add(maker, key.name);
        }
        for (const Tensor& t : tensors) {
            maker.tensor(t.name, t.dims, t.type, t.data);
        }
        return maker;
    }
    [[nodiscard]] std::shared_ptr<const Model> model() const { return maker().model(); }
};

inline void addBlock(Recipe& recipe, int block) {
    const std::string prefix = "blk." + std::to_string(block) + ".";
    recipe.tensor(prefix + "attn_norm.weight", {32})
        .tensor(prefix + "attn_q.weight", {32, 32})
        .tensor(prefix + "attn_k.weight", {32, 16})
        .tensor(prefix + "attn_v.weight", {32, 16})
        .tensor(prefix + "attn_output.weight", {32, 32})
        .tensor(prefix + "ffn_norm.weight", {32})
        .tensor(prefix + "ffn_gate.weight", {32, 64})
        .tensor(prefix + "ffn_up.weight", {32, 64})
        .tensor(prefix + "ffn_down.weight", {64, 32});
}

// A valid model: 3 blocks, 2 heads of 16, 1 KV head, 8 tokens, 28,000 weights.
inline Recipe clean(int blocks = 3) {
    Recipe r;
    r.path = "Tiny-28K-v1.0-F32.gguf";
    r.text("general.architecture", "llama")
        .u32("general.file_type", 0)
        .u32("llama.context_length", 128)
        .u32("llama.embedding_length", 32)
        .u32("llama.block_count", static_cast<std::uint32_t>(blocks))
        .u32("llama.feed_forward_length", 64)
        .u32("llama.attention.head_count", 2)
        .u32("llama.attention.head_count_kv", 1)
        .f32("llama.attention.layer_norm_rms_epsilon", 1e-5F)
        .u32("llama.rope.dimension_count", 16)
        .text("tokenizer.ggml.model", "llama")
        .texts("tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "a", "b", "ab", "<|im_start|>", "<|im_end|>"})
        .i32s("tokenizer.ggml.token_type", {2, 3, 3, 1, 1, 1, 3, 3})
        .u32("tokenizer.ggml.bos_token_id", 1)
        .u32("tokenizer.ggml.eos_token_id", 2)
        .tensor("token_embd.weight", {32, 8})
        .tensor("output_norm.weight", {32})
        .tensor("output.weight", {32, 8});
    for (int i = 0; i < blocks; ++i) {
        addBlock(r, i);
    }
    return r;
}

inline Recipe bpe() {
    Recipe r = clean();
    r.text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", "qwen2").texts("tokenizer.ggml.merges", {"a b"});
    return r;
}

inline Recipe adapter() {
    Recipe r;
    r.path = "Tiny-28K-v1.0-F32-LoRA.gguf";
    r.text("general.architecture", "llama")
        .text("general.type", "adapter")
        .text("adapter.type", "lora")
        .f32("adapter.lora.alpha", 16)
        .tensor("blk.0.attn_q.weight.lora_a", {32, 4})
        .tensor("blk.0.attn_q.weight.lora_b", {4, 32});
    return r;
}

inline Recipe withExperts() {
    Recipe r = clean();
    r.u32("llama.expert_count", 4).u32("llama.expert_used_count", 2);
    // The first block stays dense.
    for (const char* block : {"blk.1.", "blk.2."}) {
        const std::string prefix = block;
        r.dropTensors(prefix + "ffn_gate.").dropTensors(prefix + "ffn_up.").dropTensors(prefix + "ffn_down.");
        r.tensor(prefix + "ffn_gate_inp.weight", {32, 4})
            .tensor(prefix + "ffn_gate_exps.weight", {32, 64, 4})
            .tensor(prefix + "ffn_up_exps.weight", {32, 64, 4})
            .tensor(prefix + "ffn_down_exps.weight", {64, 32, 4});
    }
    return r.named("Tiny-60K-v1.0-F32.gguf");
}

inline std::string floats(std::size_t count, float value) {
    const std::vector<float> values(count, value);
    return {reinterpret_cast<const char*>(values.data()), count * sizeof(float)};
}

// Gives every tensor weights of its own, none of which is zero.
inline Recipe filled(Recipe r) {
    r.data = true;
    std::uint32_t seed = 1;
    for (Recipe::Tensor& t : r.tensors) {
        std::size_t count = 1;
        for (const std::uint64_t dim : t.dims) {
            count *= dim;
        }
        std::vector<float> values(count);
        for (float& value : values) {
            seed = seed * 1'664'525U + 1'013'904'223U;
            value = static_cast<float>(seed >> 8U) / 16'777'216.0F + 0.01F;
        }
        t.data.assign(reinterpret_cast<const char*>(values.data()), count * sizeof(float));
    }
    return r;
}

inline Recipe withWeights() { return filled(clean()); }

inline void poke(Recipe& recipe, const std::string& tensor, std::size_t index, float value) {
    std::memcpy(recipe.at(tensor).data.data() + index * sizeof value, &value, sizeof value);
}

inline QByteArray listed(const Validation& validation) {
    QByteArray text;
    for (const Finding& finding : validation.findings) {
        text += QByteArray(finding.name().data(), static_cast<int>(finding.name().size()));
        text += " [" + QByteArray::fromStdString(finding.place.name) + "]";
        for (const Argument& arg : finding.args) {
            text += " | " + QByteArray::fromStdString(arg.text());
        }
        text += "; ";
    }
    return text;
}

struct Fault {
    const char* name;
    FindingCode code;
    const char* args; // joined by " | "
    std::function<Recipe()> make;
    bool deep = false;
};

// Replaces text::checkChatTemplates, which needs a helper process. It finds an "if" without its end.
inline std::optional<std::vector<Finding>> unclosedIfs(const Metadata& metadata, std::stop_token) {
    using std::string_view_literals::operator""sv;
    std::vector<Finding> found;
    if (const auto text = metadata.string("tokenizer.chat_template"); text && text->contains("{% if")) {
        if (!text->contains("{% endif")) {
            const std::string end = std::to_string(text->size());
            found.push_back({FindingCode::TemplateBroken,
                             Place::key("tokenizer.chat_template"),
                             {"1"sv, "4"sv, "unclosed_block"sv, end, "0"sv, "{% endif %}"sv, "if"sv}});
        }
    }
    return found;
}

inline Recipe renamedUp() {
    Recipe r = clean();
    r.at("blk.1.ffn_up.weight").name = "blk.1.ffn_upp.weight";
    return r;
}

template<typename T>
Recipe integer(const std::string& key, T value) {
    Recipe r = clean();
    r.set(key, [value](ModelMaker& m, const std::string& k) { m.value(k, value); });
    return r;
}

inline const std::vector<Fault>& faults() {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInf = std::numeric_limits<float>::infinity();
    using enum FindingCode;
    static const std::vector<Fault> rows{
        // keys and values
        {"no architecture", RequiredKeyMissing, "general.architecture | ",
         [] { return clean().drop("general.architecture"); }},
        {"no block count", RequiredKeyMissing, "llama.block_count | llama",
         [] { return clean().drop("llama.block_count"); }},
        {"no head count", RequiredKeyMissing, "llama.attention.head_count | llama",
         [] { return clean().drop("llama.attention.head_count"); }},
        {"no epsilon", RequiredKeyMissing, "llama.attention.layer_norm_rms_epsilon | llama",
         [] { return clean().drop("llama.attention.layer_norm_rms_epsilon"); }},
        {"an adapter of no type", RequiredKeyMissing, "adapter.type | llama",
         [] { return adapter().drop("adapter.type"); }},
        {"no rotary dimensions", ExpectedKeyMissing, "llama.rope.dimension_count | llama",
         [] { return clean().drop("llama.rope.dimension_count"); }},
        {"block count as text", WrongValueType, "u32 | str", [] { return clean().text("llama.block_count", "3"); }},
        {"block count of 64 bits", WrongValueType, "u32 | u64",
         [] { return integer<std::uint64_t>("llama.block_count", 3); }},
        {"block count with a sign", WrongValueType, "u32 | i32",
         [] { return integer<std::int32_t>("llama.block_count", 3); }},
        {"context of 16 bits", WrongValueType, "u32 | u16",
         [] { return integer<std::uint16_t>("llama.context_length", 128); }},
        {"width of 64 bits with a sign", WrongValueType, "u32 | i64",
         [] { return integer<std::int64_t>("llama.embedding_length", 32); }},
        {"heads of 8 bits", WrongValueType, "either_of u32 arr[u32] | u8",
         [] { return integer<std::uint8_t>("llama.attention.head_count", 2); }},
        {"beginning of text with a sign", WrongValueType, "u32 | i32",
         [] { return integer<std::int32_t>("tokenizer.ggml.bos_token_id", 1); }},
        {"heads as array of 64 bits", WrongValueType, "either_of u32 arr[u32] | arr[u64]",
         [] {
             Recipe r = clean();
             r.set("llama.attention.head_count_kv", [](ModelMaker& m, const std::string& k) {
                 m.array<std::uint64_t>(k, ValueType::UInt64, {1, 1, 1});
             });
             return r;
         }},
        {"block count as float", WrongValueType, "u32 | f32", [] { return clean().f32("llama.block_count", 3); }},
        {"heads as array of floats", WrongValueType, "either_of u32 arr[u32] | arr[f32]",
         [] {
             Recipe r = clean();
             r.set("llama.attention.head_count_kv", [](ModelMaker& m, const std::string& k) { m.f32s(k, {1, 1, 1}); });
             return r;
         }},
        {"scores as bytes", WrongValueType, "arr[f32] | arr[u8]",
         [] {
             Recipe r = clean();
             r.set("tokenizer.ggml.scores", [](ModelMaker& m, const std::string& k) {
                 m.array<std::uint8_t>(k, ValueType::UInt8, {0, 0, 0, 0, 0, 0, 0, 0});
             });
             return r;
         }},
        {"tokens as one text", WrongValueType, "arr[str] | str",
         [] { return clean().text("tokenizer.ggml.tokens", "a b"); }},
        {"a key of yesterday", KeyAlias, "llama.attention.clip_kqv | llama.attention.clamp_kqv",
         [] { return clean().f32("llama.attention.clip_kqv", 8); }},
        {"architecture as number", WrongValueType, "str | u32", [] { return clean().u32("general.architecture", 1); }},
        {"tags as one text", UnusualValueType, "arr[str] | str", [] { return clean().text("general.tags", "a, b"); }},
        {"a temperature as f64", UnusualValueType, "f32 | f64",
         [] {
             Recipe r = clean();
             r.set("general.sampling.top_p", [](ModelMaker& m, const std::string& key) { m.value(key, 0.5); });
             return r;
         }},
        {"an architecture of tomorrow", UnknownArchitecture, "llama9",
         [] { return clean().text("general.architecture", "llama9"); }},
        {"a file type of tomorrow", UnknownValue, "999", [] { return clean().u32("general.file_type", 999); }},
        {"an unknown scaling", UnknownValue, "cubic", [] { return clean().text("llama.rope.scaling.type", "cubic"); }},
        {"an unknown layout", UnknownValue, "mine", [] { return clean().text("llama.tensor_data_layout", "mine"); }},
        {"an empty architecture", ValueImpossible, "\"\" | value_not_empty",
         [] { return clean().text("general.architecture", ""); }},
        {"an empty tokenizer", ValueImpossible, "\"\" | value_not_empty",
         [] { return clean().text("tokenizer.ggml.model", ""); }},
        {"context of zero", ValueImpossible, "0 | value_at_least 1",
         [] { return clean().u32("llama.context_length", 0); }},
        {"no width", ValueImpossible, "0 | value_at_least 1", [] { return clean().u32("llama.embedding_length", 0); }},
        {"no heads", ValueImpossible, "0 | value_at_least 1",
         [] { return clean().u32("llama.attention.head_count", 0); }},
        {"fewer than no heads", ValueImpossible, "-2 | value_at_least 0",
         [] { return clean().i32("llama.attention.head_count", -2); }},
        {"fewer than no blocks", ValueImpossible, "-3 | value_from_to 1 4096",
         [] { return clean().i32("llama.block_count", -3); }},
        {"a rotation without a base", ValueImpossible, "0 | value_above_zero",
         [] { return clean().f32("llama.rope.freq_base", 0); }},
        {"a rotation of no number", ValueImpossible, "nan | value_above_zero",
         [] { return clean().f32("llama.rope.freq_base", std::numeric_limits<float>::quiet_NaN()); }},
        {"a negative epsilon", ValueImpossible, "-1 | value_at_least 0",
         [] { return clean().f32("llama.attention.layer_norm_rms_epsilon", -1); }},
        {"heads of an impossible length beside the others", ValueUnusable, "4294967295",
         [] { return clean().u32("llama.attention.value_length", 0xFFFF'FFFFU); }},
        {"four billion blocks", ValueImpossible, "4000000000 | value_from_to 1 4096",
         [] { return clean().u32("llama.block_count", 4'000'000'000U); }},
        {"heads that cannot be grouped", HeadsNotDivisible, "2 | 3",
         [] { return clean().u32("llama.attention.head_count_kv", 3); }},
        {"width that cannot be split", WidthNotDivisible, "32 | 3",
         [] { return clean().u32("llama.attention.head_count", 3); }},
        {"more rotary dimensions than the head has", RotaryDimensions, "18 | 16",
         [] { return clean().u32("llama.rope.dimension_count", 18); }},
        {"an odd number of rotary dimensions", RotaryDimensions, "15 | 16",
         [] { return clean().u32("llama.rope.dimension_count", 15); }},
        {"more experts used than there are", ExpertCounts, "5 | 4",
         [] { return withExperts().u32("llama.expert_used_count", 5); }},
        {"no expert used", ExpertCounts, "0 | 4", [] { return withExperts().u32("llama.expert_used_count", 0); }},
        {"too few values for the blocks", BlockArrayLength, "2 | 3",
         [] { return clean().u32s("llama.feed_forward_length", {64, 64}); }},
        {"a base of 100", RopeBaseFar, "100 | 10000 | 10000000",
         [] { return clean().f32("llama.rope.freq_base", 100); }},
        {"twice the trained context", ContextBeyondTrained, "128 | 64 | none",
         [] { return clean().u32("llama.rope.scaling.original_context_length", 64); }},
        {"numbers that the rule splits", PreTokenizerUnfit, "1000 | 1000 | 000",
         [] {
             std::vector<std::string> tokens;
             for (int i = 0; i < 1000; ++i) {
                 tokens.push_back(std::to_string(1000 + i).substr(1));
             }
             return bpe().texts("tokenizer.ggml.tokens", tokens).drop("tokenizer.ggml.token_type");
         }},
        {"an infinite number", NumberNotFinite, "own.number",
         [] { return clean().f32("own.number", std::numeric_limits<float>::infinity()); }},
        // tensors
        {"quantised without version", QuantisationVersionMissing, "",
         [] { return clean().retype(TensorType::Q8_0).u32("general.file_type", 7).named("Tiny-28K-v1.0-Q8_0.gguf"); }},
        {"says F16, is F32", FileTypeContradicts, "F16 | F32 | 100 %",
         [] { return clean().u32("general.file_type", 1); }},
        {"says Q4_0, is Q8_0", FileTypeContradicts, "Q4_0 | Q8_0 | 100 %",
         [] {
             return clean()
                 .retype(TensorType::Q8_0)
                 .u32("general.file_type", 2)
                 .u32("general.quantization_version", 2)
                 .named("Tiny-28K-v1.0-Q8_0.gguf");
         }},
        {"a removed file type", FileTypeRemoved, "Q4_2", [] { return clean().u32("general.file_type", 5); }},
        {"names of its own", TensorNamesUnusual, "2",
         [] {
             return clean()
                 .text("general.architecture", "llama9")
                 .tensor("mystery.weight", {4})
                 .tensor("blk.0.mystery.weight", {4});
         }},
        {"tensors that no model has", TensorsUnknown, "mystery.weight, blk.0.mystery.weight | llama",
         [] { return clean().tensor("mystery.weight", {4}).tensor("blk.0.mystery.weight", {4}); }},
        {"a renamed tensor is missing", TensorsMissing, "blk.1.ffn_up.weight | llama", renamedUp},
        {"a renamed tensor is unknown", TensorsUnknown, "blk.1.ffn_upp.weight | llama", renamedUp},
        {"no feed-forward anywhere", TensorsMissing, "blk.0–blk.2.ffn_up.weight | llama",
         [] { return clean().dropTensors("blk.0.ffn_up").dropTensors("blk.1.ffn_up").dropTensors("blk.2.ffn_up"); }},
        {"no last norm and no values", TensorsMissing,
         "output_norm.weight, blk.0.attn_v.weight, blk.2.attn_v.weight | llama",
         [] { return clean().dropTensors("output_norm").dropTensors("blk.0.attn_v").dropTensors("blk.2.attn_v"); }},
        {"no embedding", EmbeddingMissing, "", [] { return clean().dropTensors("token_embd"); }},
        {"embedding of another width", TensorShape, "0 | 32 | 16",
         [] {
             Recipe r = clean();
             r.at("token_embd.weight").dims = {16, 8};
             return r;
         }},
        {"query of other heads", TensorShape, "1 | 32 | 48",
         [] {
             Recipe r = clean();
             r.at("blk.1.attn_q.weight").dims = {32, 48};
             return r;
         }},
        {"key of more KV heads", TensorShape, "1 | 16 | 32",
         [] {
             Recipe r = clean();
             r.at("blk.2.attn_k.weight").dims = {32, 32};
             return r;
         }},
        {"down of another length", TensorShape, "0 | 64 | 32",
         [] {
             Recipe r = clean();
             r.at("blk.2.ffn_down.weight").dims = {32, 32};
             return r;
         }},
        {"fewer experts than announced", TensorShape, "2 | 4 | 3",
         [] {
             Recipe r = withExperts();
             r.at("blk.2.ffn_up_exps.weight").dims = {32, 64, 3};
             return r;
         }},
        {"norm of another width", TensorShape, "0 | 32 | 31",
         [] {
             Recipe r = clean();
             r.at("output_norm.weight").dims = {31};
             return r;
         }},
        {"fewer rows than tokens", VocabularySize, "7 | 8",
         [] {
             Recipe r = clean();
             r.at("token_embd.weight").dims = {32, 7};
             return r;
         }},
        {"vocab_size of another number", VocabularySizeKey, "9 | 8", [] { return clean().u32("llama.vocab_size", 9); }},
        {"half of an adapter's pair", PairIncomplete, "blk.0.attn_q.weight.lora_b",
         [] { return adapter().dropTensors("lora_b"); }},
        {"no second block", BlocksMissing, "1 | 1 | 3", [] { return clean().dropTensors("blk.1."); }},
        {"no last block", BlocksMissing, "1 | 2 | 3", [] { return clean().dropTensors("blk.2."); }},
        {"no block at all", BlocksMissing, "3 | 0 | 3", [] { return clean().dropTensors("blk."); }},
        {"more blocks than announced", BlocksBeyondCount, "2 | 2", [] { return clean().u32("llama.block_count", 2); }},
        {"a block without key", TensorsMissing, "blk.1.attn_k.weight | llama",
         [] { return clean().dropTensors("blk.1.attn_k"); }},
        {"a block without feed-forward", TensorsMissing,
         "blk.2.ffn_norm.weight, blk.2.ffn_gate.weight, blk.2.ffn_up.weight, blk.2.ffn_down.weight | llama",
         [] { return clean().dropTensors("blk.2.ffn"); }},
        {"a block without the bias of the others", BlockIncomplete, "blk.2 | attn_q.bias | 1",
         [] { return clean().tensor("blk.0.attn_q.bias", {32}).tensor("blk.1.attn_q.bias", {32}); }},
        // tokenizer
        {"no tokenizer", TokenizerMissing, "",
         [] {
             Recipe r = clean();
             std::erase_if(r.keys, [](const Recipe::Key& key) { return key.name.starts_with("tokenizer."); });
             return r;
         }},
        {"a tokenizer of tomorrow", TokenizerUnknown, "quantum",
         [] { return clean().text("tokenizer.ggml.model", "quantum"); }},
        {"no tokens", TokensMissing, "", [] { return clean().drop("tokenizer.ggml.tokens"); }},
        {"no pre-tokenizer", MissingPreTokenizer, "", [] { return bpe().drop("tokenizer.ggml.pre"); }},
        {"an unknown pre-tokenizer", UnknownPreTokenizer, "mine",
         [] { return bpe().text("tokenizer.ggml.pre", "mine"); }},
        {"no merges", MergesMissing, "", [] { return bpe().drop("tokenizer.ggml.merges"); }},
        {"a merge to no token", MergesUnknown, "1 | b a",
         [] { return bpe().texts("tokenizer.ggml.merges", {"a b", "b a"}); }},
        {"a merge of no pair", MergesUnknown, "2 | ab",
         [] { return bpe().texts("tokenizer.ggml.merges", {"a b", "ab", "a "}); }},
        {"too few types", TokenArrayLength, "tokenizer.ggml.token_type | 7 | 8",
         [] { return clean().i32s("tokenizer.ggml.token_type", {2, 3, 3, 1, 1, 1, 3}); }},
        {"too many scores", TokenArrayLength, "tokenizer.ggml.scores | 9 | 8",
         [] {
             Recipe r = clean();
             r.set("tokenizer.ggml.scores",
                   [](ModelMaker& m, const std::string& k) { m.f32s(k, std::vector<float>(9)); });
             return r;
         }},
        {"end token past the vocabulary", TokenIdUnusable, "8 | 8",
         [] { return clean().u32("tokenizer.ggml.eos_token_id", 8); }},
        {"padding of minus one", TokenIdUnusable, "-1 | 8",
         [] { return clean().i32("tokenizer.ggml.padding_token_id", -1); }},
        {"end token of text", SpecialTokenNotControl, "3 | a",
         [] { return clean().u32("tokenizer.ggml.eos_token_id", 3); }},
        {"padding that ends", PaddingEndsText, "2", [] { return clean().u32("tokenizer.ggml.padding_token_id", 2); }},
        {"bytes for tokens", TokensNotUtf8, "2",
         [] {
             return clean().texts("tokenizer.ggml.tokens",
                                  {"<unk>", "<s>", "</s>", "\xFF", "b", "\xC3", "<|im_start|>", "<|im_end|>"});
         }},
        {"the same token twice", DuplicateToken, "a | 3",
         [] {
             return clean().texts("tokenizer.ggml.tokens",
                                  {"<unk>", "<s>", "</s>", "a", "b", "a", "<|im_start|>", "<|im_end|>"});
         }},
        {"type 9", TokenTypeUnknown, "9",
         [] { return clean().i32s("tokenizer.ggml.token_type", {2, 3, 3, 1, 9, 1, 3, 3}); }},
        {"type -1", TokenTypeUnknown, "-1",
         [] { return clean().i32s("tokenizer.ggml.token_type", {2, 3, 3, 1, -1, 1, 3, 3}); }},
        {"control tokens as text", ControlTokenTypedNormal, "2 | <|im_start|>",
         [] { return clean().i32s("tokenizer.ggml.token_type", {2, 3, 3, 1, 1, 1, 1, 1}); }},
        {"instructed, without template", ChatTemplateMissing, "",
         [] { return clean().text("general.name", "Tiny Instruct"); }},
        {"template without its endif", TemplateBroken, "1 | 4 | unclosed_block | 17 | 0 | {% endif %} | if",
         [] { return clean().text("tokenizer.chat_template", "{% if x %}{{ x }}"); }},
        {"template of another model", TemplateTokenUnknown, "<|eot_id|> | 1 | ",
         [] { return clean().text("tokenizer.chat_template", "{{ x }}<|eot_id|>"); }},
        {"a marker that only a string has", TemplateTokenUnknown, "<|channel|> | 3 | ",
         [] { return clean().text("tokenizer.chat_template", "{% if x %}\n\n{{ '<|channel|>' + x }}{% endif %}"); }},
        {"a marker for which a token is reserved", TemplateTokenUnknown, "<|start|> | 2 | [PAD5]",
         [] {
             return clean()
                 .texts("tokenizer.ggml.tokens",
                        {"<unk>", "<s>", "</s>", "a", "b", "[PAD5]", "<|im_start|>", "<|im_end|>"})
                 .text("tokenizer.chat_template.rag", "{{ x }}\n<|start|>");
         }},
        {"line breaks as text", TemplateLiteralNewline, "2",
         [] { return clean().text("tokenizer.chat_template", "{{ '\\n' }}\n{{ x }}\\n"); }},
        {"a template in quotation marks", TemplateQuoted, "\"",
         [] { return clean().text("tokenizer.chat_template", "\"{{ x }}\\n\""); }},
        {"a listed template that is not there", TemplateNotStored, "rag",
         [] {
             return clean()
                 .texts("tokenizer.chat_templates", {"rag", "tool_use"})
                 .text("tokenizer.chat_template.tool_use", "{{ x }}");
         }},
        {"turns that end otherwise", TurnEndDiffers, "<|im_end|> | </s>",
         [] { return clean().text("tokenizer.chat_template", "{{ x }}<|im_end|>"); }},
        // names
        {"a name of its own", FileNameUnconventional, "model.gguf", [] { return clean().named("model.gguf"); }},
        {"a name that says Q4_K_M", FileNameEncoding, "Q4_K_M | F32",
         [] { return clean().named("Tiny-28K-v1.0-Q4_K_M.gguf"); }},
        {"a name that says Q4_K_XL", FileNameEncoding, "Q4_K_XL | F32",
         [] { return clean().named("Tiny-28K-v1.0-Q4_K_XL.gguf"); }},
        {"a name that says 7B", SizeLabelFar, "7B | 28384", [] { return clean().named("Tiny-7B-v1.0-F32.gguf"); }},
        {"a key that says 7B", SizeLabelFar, "7B | 28384", [] { return clean().text("general.size_label", "7B"); }},
        {"a whole that says it is a part", SplitKeysLeft, "0", [] { return clean().u32("split.count", 0); }},
        {"part 3 of 3, counted from 0", SplitNumber, "3 | 3",
         [] { return clean().u32("split.count", 3).u32("split.no", 3); }},
        {"a file of Ollama's library", OllamaDialect,
         "mistral3.rope.scaling.beta_fast → mistral3.rope.scaling.yarn_beta_fast",
         [] { return clean().text("general.architecture", "mistral3").f32("mistral3.rope.scaling.beta_fast", 32); }},
        {"a file of Ollama's library with its encoder of images", OllamaDialectPart, "v.* | v.*",
         [] { return clean().text("general.architecture", "llama4").tensor("v.patch_embd.weight", {32, 4}); }},
        // weights
        {"a weight that is no number", WeightsNotFinite, "1 | 0 | 77",
         [=] {
             Recipe r = withWeights();
             poke(r, "blk.1.ffn_up.weight", 77, kNan);
             return r;
         },
         true},
        {"weights that are infinite", WeightsNotFinite, "0 | 2 | 5",
         [=] {
             Recipe r = withWeights();
             poke(r, "output_norm.weight", 31, -kInf);
             poke(r, "output_norm.weight", 5, kInf);
             return r;
         },
         true},
        {"scale of a block that is no number", WeightsNotFinite, "32 | 0 | 32",
         [] {
             Recipe r = withWeights();
             Recipe::Tensor& t = r.at("blk.0.attn_q.weight");
             t.type = TensorType::Q8_0;
             t.data = std::string(32 * 34, '\1');
             t.data[34] = '\0'; // the scale of the second block: 0x7E00
             t.data[35] = '\x7E';
             r.u32("general.quantization_version", 2);
             return r;
         },
         true},
        {"a matrix of one value", WeightsConstant, "",
         [] {
             Recipe r = withWeights();
             r.at("blk.1.ffn_up.weight").data = floats(32 * 64, 0.5F);
             return r;
         },
         true},
        {"a huge weight of a norm", WeightsHuge, "10000000",
         [] {
             Recipe r = withWeights();
             poke(r, "output_norm.weight", 3, -1e7F);
             return r;
         },
         true},
        {"a norm of zeros", NormZero, "",
         [] {
             Recipe r = withWeights();
             r.at("blk.2.attn_norm.weight").data = floats(32, 0);
             return r;
         },
         true},
        {"a hole in a matrix", RowsZero, "10 | 19 | 64",
         [] {
             Recipe r = withWeights();
             r.at("blk.1.ffn_up.weight").data.replace(10 * 32 * 4, 10 * 32 * 4, floats(320, 0));
             return r;
         },
         true},
        {"an expert of zeros", ExpertsZero, "1 | 4 | 2",
         [] {
             Recipe r = filled(withExperts());
             r.at("blk.1.ffn_up_exps.weight").data.replace(2 * 2048 * 4, 2048 * 4, floats(2048, 0));
             return r;
         },
         true},
        {"an expert that is a copy", ExpertsEqual, "1 | 0 | 3",
         [] {
             Recipe r = filled(withExperts());
             std::string& data = r.at("blk.2.ffn_down_exps.weight").data;
             data.replace(3 * 2048 * 4, 2048 * 4, data.substr(0, 2048 * 4));
             return r;
         },
         true},
        {"a matrix of another block", TensorsEqual, "0 | 2",
         [] {
             Recipe r = withWeights();
             r.at("blk.2.ffn_up.weight").data = r.at("blk.0.ffn_up.weight").data;
             return r;
         },
         true},
        {"a block that is a copy", BlocksEqual, "1 | 2",
         [] {
             Recipe r = withWeights();
             for (Recipe::Tensor& t : r.tensors) {
                 if (t.name.starts_with("blk.2.")) {
                     t.data = r.at("blk.1." + t.name.substr(6)).data;
                 }
             }
             return r;
         },
         true},
        {"a token that was not trained", TokenUntrained, "<s> | 1",
         [] {
             Recipe r = withWeights();
             r.at("token_embd.weight").data.replace(32 * 4, 32 * 4, floats(32, 1e-6F));
             return r;
         },
         true},
        {"a matrix of zeros", WeightsAllZero, "",
         [] {
             Recipe r = withWeights();
             r.at("blk.1.attn_v.weight").data = floats(32 * 16, 0);
             return r;
         },
         true},
        {"a type that cannot be decoded", WeightsNotRead, "1",
         [] {
             Recipe r = withWeights();
             r.tensor("blk.0.attn_rot_embd.weight", {32}, static_cast<TensorType>(31)); // Q4_0_4_4
             return r.u32("general.quantization_version", 2);
         },
         true},
    };
    return rows;
}

} // namespace gufo::test
