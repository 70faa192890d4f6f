// Models without data, and the types that recipes plan for their tensors.
#pragma once

#include "quantize/recipe.h"
#include "support/model_maker.h"

#include <QRegularExpression>
#include <QString>

#include <memory>
#include <string>
#include <string_view>

namespace gufo::test {

inline std::uint32_t id(TensorType type) { return static_cast<std::uint32_t>(type); }

// A transformer with this many blocks and 512 columns: names and shapes without data.
struct Facts {
    std::string architecture = "llama";
    unsigned blocks = 32;
    unsigned heads = 8;
    unsigned kvHeads = 8;
    unsigned experts = 0;
    bool output = true;
};
inline std::shared_ptr<const Model> transformer(const Facts& facts) {
    ModelMaker maker(facts.architecture);
    const auto key = [&](const char* suffix) { return facts.architecture + "." + suffix; };
    maker.u32(key("block_count"), facts.blocks).u32(key("attention.head_count"), facts.heads);
    maker.u32(key("attention.head_count_kv"), facts.kvHeads).u32(key("expert_count"), facts.experts);
    maker.tensor("token_embd.weight", {512, 1000});
    for (unsigned i = 0; i < facts.blocks; ++i) {
        const auto name = [&](const char* role) { return "blk." + std::to_string(i) + "." + role; };
        maker.tensor(name("attn_norm.weight"), {512});
        for (const char* role : {"attn_q.weight", "attn_k.weight", "attn_v.weight", "attn_output.weight"}) {
            maker.tensor(name(role), {512, 512});
        }
        if (facts.experts > 0) {
            maker.tensor(name("ffn_gate_inp.weight"), {512, facts.experts});
            for (const char* role : {"ffn_gate_exps.weight", "ffn_up_exps.weight", "ffn_down_exps.weight"}) {
                maker.tensor(name(role), {512, 512, facts.experts});
            }
        } else {
            for (const char* role : {"ffn_gate.weight", "ffn_up.weight", "ffn_down.weight"}) {
                maker.tensor(name(role), {512, 512});
            }
        }
    }
    if (facts.output) {
        maker.tensor("output.weight", {512, 1000});
    }
    return maker.model();
}

inline RecipeRequest requestOf(std::string_view recipe) { return {.recipe = findRecipe(recipe)}; }

inline TypeOverride overrideBy(const std::string& pattern, TensorType type) {
    const QRegularExpression expression(QString::fromStdString(pattern));
    return {
        .matches =
            [expression](std::string_view name) {
                return expression.match(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))).hasMatch();
            },
        .typeId = id(type),
        .pattern = pattern};
}

// Returns "Q4_K", or the name of the error.
inline QString typeOf(const Model& model, const RecipeRequest& request, std::string_view name) {
    const auto plan = planRecipe(model, request);
    if (!plan) {
        return QString::fromLatin1(errorName(plan.error().code).data());
    }
    const auto index = model.findTensor(name);
    return index ? QString::fromLatin1(findTensorType(plan->tensors[index->value].typeId)->name.data()) : QString();
}

} // namespace gufo::test
