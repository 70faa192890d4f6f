#include "llama_engine.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <mutex>
#include <utility>

namespace gufo {
namespace {

constexpr llama_seq_id kSequence = 0; // the only one
constexpr std::size_t kKeptWords = 2048;

std::mutex g_logMutex; // libllama logs on threads of its own
std::string g_words;

// Warnings and errors are kept for the next failure, and written to standard error, from which the last lines before a
// crash are shown.
void onLog(ggml_log_level level, const char* text, void* /*data*/) {
    static bool isRelevant = false; // a line may come in parts
    const std::scoped_lock lock(g_logMutex);
    if (level != GGML_LOG_LEVEL_CONT) {
        isRelevant = level == GGML_LOG_LEVEL_WARN || level == GGML_LOG_LEVEL_ERROR;
    }
    if (isRelevant) {
        std::fputs(text, stderr);
        g_words += text;
        g_words.erase(0, g_words.size() - std::min(g_words.size(), kKeptWords));
    }
}

// A member that not all versions have.
template<typename Params>
void limitOutputs(Params& params, std::uint32_t outputs) {
    if constexpr (requires { params.n_outputs_max; }) {
        params.n_outputs_max = outputs;
    }
}

bool isType(std::uint32_t type) { return type < GGML_TYPE_COUNT; }

} // namespace

LlamaEngine::LlamaEngine(const Functions& functions, const std::atomic<bool>& stop, Send send)
    : m_llama(functions)
    , m_stop(stop)
    , m_send(std::move(send)) {}

std::string LlamaEngine::takeLog() {
    const std::scoped_lock lock(g_logMutex);
    return std::exchange(g_words, {});
}

channel::Failed LlamaEngine::fail(channel::Failure why) const {
    return {.why = why, .held = m_held, .words = takeLog()};
}

bool LlamaEngine::addMachines(const std::vector<std::string>& machines, channel::Failure& why) {
    if (machines.empty()) {
        return true;
    }
    using Add = ggml_backend_reg_t (*)(const char*);
    ggml_backend_reg_t const rpc = m_llama.ggml_backend_reg_by_name("RPC");
    const auto add =
        rpc == nullptr
            ? nullptr
            : reinterpret_cast<Add>(m_llama.ggml_backend_reg_get_proc_address(rpc, "ggml_backend_rpc_add_server"));
    if (add == nullptr) {
        why = channel::Failure::NoRpc;
        return false;
    }
    for (const std::string& machine : machines) {
        ggml_backend_reg_t const server = add(machine.c_str());
        if (server == nullptr) {
            onLog(GGML_LOG_LEVEL_ERROR, (machine + " does not answer\n").c_str(), nullptr);
            why = channel::Failure::NotLoaded;
            return false;
        }
        m_llama.ggml_backend_register(server);
    }
    return true;
}

channel::Reply LlamaEngine::load(const channel::Load& request) {
    if (isLoaded() || request.files.empty() || request.batch == 0 || request.context == 0 ||
        request.context > channel::kMaxContext || request.batch > request.context || request.outputs == 0 ||
        !isType(request.keys) || !isType(request.values)) {
        return fail(channel::Failure::BadRequest);
    }
    m_llama.llama_log_set(onLog, nullptr);
    m_llama.ggml_backend_load_all();
    m_llama.llama_backend_init();
    auto why = channel::Failure::NotLoaded;
    if (!addMachines(request.machines, why)) {
        return fail(why);
    }
    llama_model_params model = m_llama.llama_model_default_params();
    model.n_gpu_layers = request.gpuLayers;
    model.progress_callback = [](float share, void* data) {
        auto* const engine = static_cast<LlamaEngine*>(data);
        engine->m_send(channel::Loading{share});
        return !engine->m_stop.load();
    };
    model.progress_callback_user_data = this;
    std::vector<const char*> files;
    for (const std::string& file : request.files) {
        files.push_back(file.c_str());
    }
    m_model = files.size() == 1 ? m_llama.llama_model_load_from_file(files.front(), model)
                                : m_llama.llama_model_load_from_splits(files.data(), files.size(), model);
    if (m_model == nullptr) {
        return fail(m_stop ? channel::Failure::Cancelled : channel::Failure::NotLoaded);
    }
    if (m_llama.llama_model_has_encoder(m_model)) {
        onLog(GGML_LOG_LEVEL_ERROR, "models with an encoder and a decoder are not supported\n", nullptr);
        return fail(channel::Failure::NotLoaded);
    }
    llama_context_params context = m_llama.llama_context_default_params();
    context.n_ctx = request.context;
    context.n_batch = request.batch;
    context.n_ubatch = request.batch;
    context.n_seq_max = 1;
    context.n_threads = static_cast<std::int32_t>(request.threads);
    context.n_threads_batch = context.n_threads;
    context.type_k = static_cast<ggml_type>(request.keys);
    context.type_v = static_cast<ggml_type>(request.values);
    limitOutputs(context, request.outputs);
    constexpr std::array kMethods{LLAMA_ROPE_SCALING_TYPE_UNSPECIFIED, LLAMA_ROPE_SCALING_TYPE_NONE,
                                  LLAMA_ROPE_SCALING_TYPE_LINEAR, LLAMA_ROPE_SCALING_TYPE_YARN};
    context.rope_scaling_type = kMethods[std::to_underlying(request.rope)];
    context.rope_freq_base = static_cast<float>(request.ropeBase);
    context.rope_freq_scale = request.ropeScale > 0 ? static_cast<float>(1 / request.ropeScale) : 0;
    context.yarn_orig_ctx = request.ropeContext;
    context.abort_callback = [](void* stop) { return static_cast<const std::atomic<bool>*>(stop)->load(); };
    context.abort_callback_data = const_cast<std::atomic<bool>*>(&m_stop);
    llama_context* const made = m_llama.llama_init_from_model(m_model, context);
    if (made == nullptr) {
        return fail(channel::Failure::NotLoaded);
    }
    m_memory = m_llama.llama_get_memory(made);
    if (m_memory == nullptr) {
        onLog(GGML_LOG_LEVEL_ERROR, "the model keeps no state and generates no text\n", nullptr);
        return fail(channel::Failure::NotLoaded);
    }
    m_context = made;
    m_vocabulary = static_cast<std::uint32_t>(m_llama.llama_vocab_n_tokens(m_llama.llama_model_get_vocab(m_model)));
    m_capacity = std::min(request.context, m_llama.llama_n_ctx(made)); // the library may round up
    m_batch = request.batch;
    m_outputs = std::min(request.outputs, m_batch);
    channel::Loaded loaded{.context = m_capacity, .vocabulary = m_vocabulary, .threads = request.threads};
    for (std::size_t i = 0; i < m_llama.ggml_backend_dev_count(); ++i) {
        ggml_backend_dev_t const device = m_llama.ggml_backend_dev_get(i);
        loaded.devices.push_back(std::string(m_llama.ggml_backend_dev_name(device)) + " (" +
                                 m_llama.ggml_backend_dev_description(device) + ')');
    }
    (void)takeLog(); // warnings about a model that could be loaded
    return loaded;
}

std::uint32_t LlamaEngine::goBack(std::uint32_t count) {
    if (count < m_held) {
        const bool went =
            count != 0 && m_llama.llama_memory_seq_rm(m_memory, kSequence, static_cast<llama_pos>(count), -1);
        if (!went) {
            m_llama.llama_memory_clear(m_memory, true);
        }
        m_held = went ? count : 0;
    }
    return m_held;
}

channel::Reply LlamaEngine::evaluate(const channel::Evaluate& request) {
    const std::vector<std::uint32_t>& tokens = request.tokens;
    const auto isToken = [&](std::uint32_t token) { return token < m_vocabulary; };
    if (tokens.empty() || !std::ranges::all_of(tokens, isToken) || request.keep > m_capacity ||
        tokens.size() > m_capacity - request.keep) {
        return fail(channel::Failure::BadRequest);
    }
    if (goBack(request.keep) != request.keep) {
        return fail(channel::Failure::NotHeld);
    }
    const std::size_t maximum = request.rows == channel::Rows::All ? m_outputs : m_batch;
    std::vector<llama_token> ids;
    std::vector<llama_pos> positions;
    std::vector<std::int8_t> wanted;
    std::vector<std::int32_t> counts(maximum, 1);
    llama_seq_id sequence = kSequence;
    std::vector<llama_seq_id*> sequences(maximum, &sequence);
    std::uint32_t row = 0;
    for (std::size_t done = 0; done < tokens.size();) {
        if (m_stop) {
            return fail(channel::Failure::Cancelled);
        }
        const std::size_t count = std::min(maximum, tokens.size() - done);
        const bool isLast = done + count == tokens.size();
        ids.assign(tokens.begin() + static_cast<std::ptrdiff_t>(done),
                   tokens.begin() + static_cast<std::ptrdiff_t>(done + count));
        positions.clear();
        for (std::size_t i = 0; i < count; ++i) {
            positions.push_back(static_cast<llama_pos>(m_held + i));
        }
        wanted.assign(count, request.rows == channel::Rows::All ? 1 : 0);
        wanted.back() = isLast && request.rows != channel::Rows::None ? 1 : wanted.back();
        const std::uint32_t before = m_held;
        m_held += static_cast<std::uint32_t>(count);
        const std::int32_t code = m_llama.llama_decode(m_context, {.n_tokens = static_cast<std::int32_t>(count),
                                                                   .token = ids.data(),
                                                                   .embd = nullptr,
                                                                   .pos = positions.data(),
                                                                   .n_seq_id = counts.data(),
                                                                   .seq_id = sequences.data(),
                                                                   .logits = wanted.data()});
        if (code != 0) {
            goBack(before); // of an aborted batch, some tokens may have been evaluated
            if (m_stop) {
                return fail(channel::Failure::Cancelled);
            }
            onLog(GGML_LOG_LEVEL_ERROR, ("llama_decode returned " + std::to_string(code) + '\n').c_str(), nullptr);
            return fail(channel::Failure::NotEvaluated);
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (wanted[i] == 0) {
                continue;
            }
            const float* const logits = m_llama.llama_get_logits_ith(m_context, static_cast<std::int32_t>(i));
            if (logits == nullptr) {
                goBack(before);
                return fail(channel::Failure::NotEvaluated);
            }
            m_send(channel::Row{row++, {logits, logits + m_vocabulary}});
        }
        done += count;
        m_send(channel::Progress{m_held});
    }
    return channel::Done{m_held};
}

channel::Reply LlamaEngine::truncate(const channel::Truncate& request) { return channel::Done{goBack(request.count)}; }

channel::Reply LlamaEngine::shift(const channel::Shift& request) {
    if (request.keep > m_held || request.discard > m_held - request.keep) {
        return fail(channel::Failure::BadRequest);
    }
    const auto begin = static_cast<llama_pos>(request.keep);
    const auto end = static_cast<llama_pos>(request.keep + request.discard);
    if (!m_llama.llama_memory_can_shift(m_memory) || !m_llama.llama_memory_seq_rm(m_memory, kSequence, begin, end)) {
        return fail(channel::Failure::CannotShift);
    }
    m_llama.llama_memory_seq_add(m_memory, kSequence, end, static_cast<llama_pos>(m_held), begin - end);
    m_held -= request.discard;
    return channel::Done{m_held};
}

channel::Reply LlamaEngine::save(const channel::SaveState& request) {
    if (goBack(request.keep) != request.keep) {
        return fail(channel::Failure::NotHeld);
    }
    std::vector<std::uint8_t> state(m_llama.llama_state_seq_get_size(m_context, kSequence));
    state.resize(m_llama.llama_state_seq_get_data(m_context, state.data(), state.size(), kSequence));
    m_send(channel::StateBegins{state.size()});
    const auto bytes = std::as_bytes(std::span(state));
    for (std::size_t at = 0; at < bytes.size(); at += channel::kStatePart) {
        const auto part = bytes.subspan(at, std::min(channel::kStatePart, bytes.size() - at));
        m_send(channel::StatePart{{part.begin(), part.end()}});
    }
    return channel::Done{m_held};
}

channel::Reply LlamaEngine::restore(const channel::RestoreState& request, std::span<const std::byte> state) {
    m_llama.llama_memory_clear(m_memory, true);
    m_held = 0;
    if (request.tokens > m_capacity) {
        return fail(channel::Failure::NotRestored);
    }
    if (request.tokens != 0) {
        const auto* const bytes = reinterpret_cast<const std::uint8_t*>(state.data());
        if (m_llama.llama_state_seq_set_data(m_context, bytes, state.size(), kSequence) == 0 ||
            m_llama.llama_memory_seq_pos_max(m_memory, kSequence) + 1 != static_cast<llama_pos>(request.tokens)) {
            m_llama.llama_memory_clear(m_memory, true);
            return fail(channel::Failure::NotRestored);
        }
    }
    m_held = request.tokens;
    return channel::Done{m_held};
}

} // namespace gufo
