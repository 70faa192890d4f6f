// Runs inconsistent models of every supported architecture. The fuzzer's bytes change keys, shapes, types, names and
// weights of a valid model: only metadata, only a tensor, or both together. What the engine does not refuse, it
// evaluates.
#include "core/inference/lying_models.h"
#include "inference/engine/engine_session.h"
#include "inference/engine/gufo_engine.h"
#include "inference/interface/drafter.h"
#include "inference/interface/embedder.h"

#include <memory>
#include <unordered_map>

namespace {

using namespace gufo;
using namespace gufo::inference;
using test::Filling;
using test::ModelPlan;
using test::PlannedKey;
using test::PlannedTensor;

// Limits that keep an execution short.
constexpr std::size_t kMaxBytes = 256; // of an input: 12 changes need fewer
constexpr std::uint64_t kMaxTensorBytes = 1U << 19U;
constexpr std::uint64_t kMaxMemory = 4U << 20U;
constexpr std::uint64_t kMaxProducts = 300'000;
constexpr std::uint64_t kMaxRows = 1U << 14U; // of a vocabulary whose logits are written

class Input {
public:
    Input(const std::uint8_t* data, std::size_t size)
        : m_rest(data, size) {}
    [[nodiscard]] bool empty() const { return m_rest.empty(); }
    std::uint8_t byte() {
        if (m_rest.empty()) {
            return 0;
        }
        const std::uint8_t first = m_rest.front();
        m_rest = m_rest.subspan(1);
        return first;
    }
    std::size_t below(std::size_t count) { return count == 0 ? 0 : byte() % count; }
    std::uint64_t length() {
        constexpr auto kLengths = std::to_array<std::uint64_t>({0,
                                                                1,
                                                                2,
                                                                3,
                                                                4,
                                                                5,
                                                                7,
                                                                8,
                                                                15,
                                                                16,
                                                                17,
                                                                24,
                                                                31,
                                                                32,
                                                                33,
                                                                48,
                                                                63,
                                                                64,
                                                                65,
                                                                96,
                                                                127,
                                                                128,
                                                                192,
                                                                255,
                                                                256,
                                                                257,
                                                                512,
                                                                1'000,
                                                                1'024,
                                                                4'096,
                                                                4'097,
                                                                65'535,
                                                                65'536,
                                                                1U << 20U,
                                                                1U << 24U,
                                                                16'777'217,
                                                                1U << 31U,
                                                                0xFFFF'FFFF,
                                                                0x1'0000'0001,
                                                                ~std::uint64_t{0}});
        const std::uint8_t which = byte();
        return which < 2 * kLengths.size() ? kLengths[which % kLengths.size()] : which;
    }

private:
    std::span<const std::uint8_t> m_rest;
};

std::uint32_t someType(std::uint8_t which, std::uint64_t columns, bool matrix) {
    const auto types = tensorTypes().first(static_cast<std::size_t>(
        std::ranges::find_if_not(tensorTypes(), &TensorTypeFact::inGguf) - tensorTypes().begin()));
    // Few files have a quantised norm, but it is possible.
    const TensorTypeFact& type = types[which % types.size()];
    const bool fits = columns % type.blockSize == 0 && isDecodable(type.id);
    return fits && (matrix || which % 8 == 0) ? type.id : 0;
}

// Valid models of each architecture, one for each value of a byte, which selects optional tensors and tensor types.
// They are cached.
const ModelPlan& basePlan(std::size_t architecture, std::uint8_t variant) {
    static std::unordered_map<std::size_t, ModelPlan> known;
    const auto [place, isNew] = known.try_emplace(architecture * 256 + variant);
    ModelPlan& plan = place->second;
    if (isNew) {
        plan = test::planOf(graphTraits()[architecture]);
        plan.mostRoom = 1U << 18U;
        // The lengths are small, because products take most of the time, and distinct, so that changeTogether() changes
        // only dimensions that belong together.
        plan.set("embedding_length", 32U);
        plan.set("attention.key_length", 16U);
        plan.set("attention.value_length", 16U);
        plan.set("rope.dimension_count", 8U);
        plan.set("ssm.inner_size", 64U);
        plan.set("time_mix_extra_dim", 64U);
        plan.set("time_decay_extra_dim", 128U);
        plan.set("attention.q_lora_rank", 96U);
        plan.set("attention.kv_lora_rank", 160U);
        std::uint32_t state = variant * 747'796'405U + 1;
        const auto next = [&] { return (state = state * 1'664'525U + 1'013'904'223U) >> 20U; };
        if (variant % 4 == 3) {
            plan.set("embedding_length", 256U); // for types with blocks of 256 weights
            plan.set("feed_forward_length", 256U);
            plan.set("block_count", 1U);
        }
        if (variant % 16 == 5) {
            plan.set("attention.sliding_window", 4U);
        }
        if (variant % 16 == 6) {
            plan.set("attention.max_alibi_bias", 8.0F);
        }
        std::map<std::string, bool, std::less<>> optional;
        test::complete(plan, {.optional =
                                  [&](std::string_view role) {
                                      const auto [known2, added] = optional.try_emplace(std::string(role), false);
                                      if (added) {
                                          known2->second = variant % 8 == 0 ? variant != 0 : next() % 3 == 0;
                                      }
                                      return known2->second;
                                  },
                              .type =
                                  [&](const PlannedTensor& tensor) {
                                      return variant < 4 ? 0
                                                         : someType(static_cast<std::uint8_t>(next()), tensor.dims[0],
                                                                    tensor.dims.size() > 1);
                                  }});
    }
    return plan;
}

void setValue(PlannedKey& key, Input& input) {
    const std::uint64_t length = input.length();
    switch (input.below(10)) {
    case 0:
        key.value = length;
        return;
    case 1:
        key.value = static_cast<std::int32_t>(length);
        return;
    case 2: {
        constexpr auto kNumbers = std::to_array<float>(
            {0.0F, 1.0F, -1.0F, 1e-30F, 1e30F, 10'000.0F, 0.5F, std::numeric_limits<float>::quiet_NaN(),
             std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()});
        key.value = kNumbers[input.below(kNumbers.size())];
        return;
    }
    case 3:
        key.value = length % 2 == 0;
        return;
    case 4: {
        constexpr auto kTexts = std::to_array<const char*>({"", "linear", "yarn", "longrope", "none", "llama"});
        key.value = std::string(kTexts[input.below(kTexts.size())]);
        return;
    }
    case 5:
    case 6: {
        std::vector<std::uint32_t> values(input.below(5));
        for (std::uint32_t& value : values) {
            value = static_cast<std::uint32_t>(input.length());
        }
        key.value = std::move(values);
        return;
    }
    case 7: {
        std::vector<bool> flags(input.below(5));
        for (std::size_t i = 0; i < flags.size(); ++i) {
            flags[i] = input.byte() % 2 != 0;
        }
        key.value = std::move(flags);
        return;
    }
    default:
        key.value = static_cast<std::uint32_t>(length);
        return;
    }
}

// Keys that a valid model may have in addition to those of the plan.
constexpr auto kOtherKeys = std::to_array<const char*>({
    "rope.scaling.type",
    "rope.scaling.factor",
    "rope.scaling.original_context_length",
    "rope.scaling.attn_factor",
    "rope.scaling.yarn_log_multiplier",
    "rope.scale_linear",
    "rope.freq_base",
    "rope.freq_base_swa",
    "attention.sliding_window_pattern",
    "attention.key_length_mla",
    "attention.value_length_mla",
    "attention.scale",
    "attention.clamp_kqv",
    "attention.causal",
    "attention.shared_kv_layers",
    "attn_logit_softcapping",
    "final_logit_softcapping",
    "logit_scale",
    "expert_weights_norm",
    "expert_weights_scale",
    "nextn_predict_layers",
    "pooling_type",
    "classifier.pooling_type",
    "classifier.output_labels",
    "leading_dense_block_count",
    "use_parallel_residual",
    "ssm.dt_b_c_rms",
    "vocab_size",
    "full_attention_interval",
    "general.type",
    "general.architecture",
    "general.alignment",
});

PlannedKey& someKey(ModelPlan& plan, Input& input) {
    const std::size_t which = input.below(plan.keys.size() + kOtherKeys.size());
    if (which < plan.keys.size()) {
        return plan.keys[which];
    }
    return plan.keys.emplace_back(PlannedKey{kOtherKeys[which - plan.keys.size()], 0U});
}

void changeShape(PlannedTensor& tensor, Input& input) {
    const std::size_t which = input.below(tensor.dims.size());
    switch (input.below(7)) {
    case 0:
        std::ranges::reverse(tensor.dims);
        return;
    case 1:
        tensor.dims.push_back(input.length());
        return;
    case 2:
        if (tensor.dims.size() > 1) {
            tensor.dims.pop_back();
        }
        return;
    case 3:
        tensor.dims[which] *= 2;
        return;
    case 4:
        tensor.dims[which] /= 2;
        return;
    case 5:
        ++tensor.dims[which];
        return;
    default:
        tensor.dims[which] = input.length();
        return;
    }
}

// Changes a hyper-parameter and every dimension that was equal to it.
void changeTogether(ModelPlan& plan, Input& input) {
    PlannedKey& key = plan.keys[input.below(plan.keys.size())];
    const auto* before = std::get_if<std::uint32_t>(&key.value);
    const std::uint64_t after = input.length();
    if (before == nullptr) {
        return;
    }
    for (PlannedTensor& tensor : plan.tensors) {
        std::ranges::replace(tensor.dims, std::uint64_t{*before}, after);
    }
    key.value = static_cast<std::uint32_t>(after);
}

// Changes a hyper-parameter and gives every tensor the shape that the engine then requires.
void changeConsistently(ModelPlan& plan, Input& input) {
    setValue(someKey(plan, input), input);
    plan.tensors.clear();
    const std::uint8_t types = input.byte();
    test::complete(plan, {.type = [&](const PlannedTensor& tensor) {
                       return someType(types, tensor.dims[0], tensor.dims.size() > 1);
                   }});
}

void change(ModelPlan& plan, Input& input, bool& consistent) {
    const std::size_t what = input.below(24);
    const auto tensor = [&]() -> PlannedTensor& {
        const std::size_t high = input.byte();
        return plan.tensors[(high * 256 + input.byte()) % plan.tensors.size()];
    };
    if (plan.tensors.empty()) {
        return;
    }
    switch (what) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
        setValue(someKey(plan, input), input);
        return;
    case 5:
        plan.keys.erase(plan.keys.begin() + static_cast<std::ptrdiff_t>(input.below(plan.keys.size())));
        return;
    case 6:
    case 7:
    case 8:
    case 9:
        changeShape(tensor(), input);
        return;
    case 10:
    case 11: {
        PlannedTensor& changed = tensor();
        changed.type = input.byte() % 48U;
        return;
    }
    case 12: {
        const std::string name = tensor().name;
        std::erase_if(plan.tensors, [&](const PlannedTensor& each) { return each.name == name; });
        return;
    }
    case 13: {
        const std::string name = tensor().name;
        tensor().name = name;
        return;
    }
    case 14:
        tensor().claimed = true;
        return;
    case 15: {
        PlannedTensor copy = tensor();
        copy.name = copy.name.substr(0, copy.name.rfind('.')) + (input.byte() % 2 == 0 ? ".bias" : ".scale");
        copy.dims = {copy.dims.back()};
        plan.tensors.push_back(std::move(copy));
        return;
    }
    case 16:
        plan.filling = static_cast<Filling>(input.below(4));
        plan.seed = input.byte();
        return;
    case 17:
        plan.order = ByteOrder::Big;
        return;
    case 18:
        plan.alignment = std::uint32_t{1} << input.below(8);
        return;
    case 19:
        if (!consistent) {
            consistent = true;
            changeConsistently(plan, input);
        }
        return;
    default:
        changeTogether(plan, input);
        return;
    }
}

void makeVectors(const std::shared_ptr<const Model>& model, const SessionOptions& options) {
    const auto embedder = openBuiltInEmbedder(model, options, {});
    const auto table = model->findTensor("token_embd.weight");
    if (!embedder || !table) {
        return;
    }
    const std::uint64_t vocabulary = model->tensor(*table).shape[1];
    std::vector<TokenId> tokens;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(11, (*embedder)->facts().context); ++i) {
        tokens.emplace_back(static_cast<std::size_t>((i * 7 + options.batch) % vocabulary));
    }
    for (const Pooling pooling : {Pooling::None, Pooling::Mean, Pooling::Rank}) {
        (void)(*embedder)->embed(tokens, pooling, {});
    }
    (void)(*embedder)->embed(std::span(tokens).first(1), Pooling::Last, {});
}

// Binds the model once and starts a session as startSession() does, but judges its size before any memory is taken.
std::unique_ptr<EngineSession> start(const std::shared_ptr<const BoundModel>& bound, const SessionOptions& asked) {
    const auto options = resolved(*bound, asked);
    const auto shape = options ? withRope(bound->shape, options->rope) : std::unexpected(options.error());
    if (!shape || bound->weights.productsPerToken > kMaxProducts || shape->vocabulary > kMaxRows) {
        return nullptr;
    }
    const EngineSession counted(bound, *shape, *options, EngineSession::Yield::Logits, {});
    if (needsOf(counted, *bound).anonymous() > kMaxMemory) {
        return nullptr;
    }
    auto memory = Memory::reserve(counted.memory());
    if (!memory) {
        return nullptr;
    }
    auto session =
        std::make_unique<EngineSession>(bound, *shape, *options, EngineSession::Yield::Logits, std::move(*memory));
    session->begin();
    return session;
}

void evaluate(const std::shared_ptr<const Model>& model, std::uint8_t how) {
    const SessionOptions options{.context = how % 2 == 0 ? 24U : 520U, // the trained one is 512
                                 .batch = 1 + how / 2 % 8U,
                                 .keys = kvCacheTypes()[how / 16 % kvCacheTypes().size()],
                                 .values = kvCacheTypes()[how / 128 % kvCacheTypes().size()],
                                 .threads = 1};
    if (onlyEmbeds(*model)) {
        const auto needs = memoryNeeds(model, options);
        if (needs && needs->anonymous() <= kMaxMemory) {
            makeVectors(model, options);
        }
        return;
    }
    const auto bound = makeEngine(model, SmallTensors::Decoded);
    const auto session = bound ? start(*bound, options) : nullptr;
    if (session == nullptr) {
        return;
    }
    const std::uint32_t vocabulary = session->vocabulary();
    std::vector<TokenId> tokens;
    for (std::uint32_t i = 0; i < 11; ++i) {
        tokens.emplace_back(std::size_t{(i * 7 + how) % vocabulary});
    }
    const std::span all(tokens);
    if (session->evaluate(all.first(7), Logits::All, {}) && session->evaluate(all.subspan(7, 1), Logits::Last, {})) {
        const auto state = session->saveState();
        (void)session->shift(1, 2, {});
        (void)session->evaluate(all.subspan(8, 2), Logits::Last, {});
        (void)session->truncate(3);
        (void)session->restoreState(state);
        (void)session->evaluate(all.subspan(10, 1), Logits::None, {});
        const auto drafter = session->startMtpDrafts();
        const std::size_t drafts = session->prepareDrafts(2);
        if (session->evaluate(all.first(3), Logits::All, {})) {
            std::vector<TokenId> text(session->tokens().begin(), session->tokens().end());
            text.push_back(all[3]);
            if (drafter) {
                (void)(*drafter)->propose(text, 3, {});
            }
            (void)session->evaluate(all.subspan(3, 1 + drafts), Logits::All, {});
            (void)session->truncate(text.size());
            (void)session->evaluate(all.subspan(6, 1), Logits::Last, {});
        }
    }
}

} // namespace

// The stack of each allocation takes a tenth of an execution; few frames of it suffice to know the buffer.
extern "C" const char* __asan_default_options() { return "malloc_context_size=4"; }

// Weighting inputs by how rare their features are takes a third of an execution.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    static std::vector<char*> arguments(*argv, *argv + *argc);
    static std::string uniform = "-entropic=0";
    arguments.push_back(uniform.data());
    *argc = static_cast<int>(arguments.size());
    *argv = arguments.data();
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size > kMaxBytes) {
        return -1; // is not added to the corpus
    }
    Input input(data, size);
    const std::size_t architecture = input.below(graphTraits().size());
    const std::uint8_t variant = input.byte();
    ModelPlan plan = basePlan(architecture, variant % 32);
    const std::uint8_t how = input.byte();
    plan.filling = static_cast<Filling>(how % 8 < 4 ? how % 4 : 0);
    bool consistent = false;
    for (int changes = 0; changes < 12 && !input.empty(); ++changes) {
        change(plan, input, consistent);
    }
    if (const auto model = plan.packed(kMaxTensorBytes); model != nullptr) {
        evaluate(model, how);
    }
    return 0;
}
