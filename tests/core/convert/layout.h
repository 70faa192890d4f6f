// What a test of tst_convert_layouts converts back: a tiny model, and the folder that it could come from.
#pragma once

#include "original_layout.h"

#include <QStringList>

namespace gufo::test {

struct Layout {
    const char* name;
    const char* model; // of tests/data/architectures
    std::string config;
    const char* configFile = "config.json";
    const char* weightsFile = "model.safetensors";
    std::vector<OriginalName> names;
    LayoutSizes sizes{};
    // Keys that only one of the two has: what the fixture's maker did not write, or the converter does not.
    QStringList added{};
    QStringList missing{"rope.scaling.finetuned"};
    // Tensors of the folder that must be left out, with why.
    std::vector<std::pair<const char*, const char*>> unused{};
    double relative = 0; // by which weights may differ
    // Keys of the architecture whose values the converter knows and the fixture's maker chose: the result is run with
    // those of the fixture.
    QStringList chosen{};
};

// Names of Hugging Face's decoders. `prefix` precedes the names of the text model, `head` the name of the output.
inline std::vector<OriginalName> decoderNames(const std::string& prefix, const std::string& head,
                                              std::vector<OriginalName> specific) {
    const std::string block = prefix + "layers.{b}.";
    const std::vector<OriginalName> common{
        {"token_embd.weight", prefix + "embed_tokens.weight"},
        {"output_norm.weight", prefix + "norm.weight"},
        {"output.weight", head + "lm_head.weight"},
        {"blk.{b}.attn_norm.weight", block + "input_layernorm.weight"},
        {"blk.{b}.attn_q.weight", block + "self_attn.q_proj.weight"},
        {"blk.{b}.attn_k.weight", block + "self_attn.k_proj.weight"},
        {"blk.{b}.attn_v.weight", block + "self_attn.v_proj.weight"},
        {"blk.{b}.attn_output.weight", block + "self_attn.o_proj.weight"},
        {"blk.{b}.attn_q_norm.weight", block + "self_attn.q_norm.weight"},
        {"blk.{b}.attn_k_norm.weight", block + "self_attn.k_norm.weight"},
        {"blk.{b}.ffn_norm.weight", block + "post_attention_layernorm.weight"},
        {"blk.{b}.ffn_gate.weight", block + "mlp.gate_proj.weight"},
        {"blk.{b}.ffn_up.weight", block + "mlp.up_proj.weight"},
        {"blk.{b}.ffn_down.weight", block + "mlp.down_proj.weight"},
    };
    for (OriginalName& name : specific) {
        const bool inner = name.source.starts_with('.');
        name.source = inner ? block + name.source.substr(1) : name.source;
    }
    specific.insert(specific.end(), common.begin(), common.end()); // the first that fits applies
    return specific;
}

inline std::vector<OriginalName> halved(std::vector<OriginalName> names) {
    names.push_back({"blk.{b}.attn_q.weight", ".self_attn.q_proj.weight", layout::queryHalves});
    names.push_back({"blk.{b}.attn_k.weight", ".self_attn.k_proj.weight", layout::keyHalves});
    return names;
}

} // namespace gufo::test
