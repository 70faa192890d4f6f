// A library with the functions of libllama that Gufo uses. Its model is a rule: the logits after a text are numbers
// made of all its tokens (llama_double_rule.h), so a wrong order, a lost or a left-over token changes them. The
// environment variable LLAMA_DOUBLE sets its behaviour, such as "vocabulary=300 slow=5":
//
//     vocabulary=N  tokens                      version=X     what llama_version() says
//     refuse        the model cannot be loaded  load=N        milliseconds for each percent of loading
//     crash=load, crash=decode                  a write to address 0, after words on standard error
//     exit=decode   the process exits           nomemory      std::bad_alloc is thrown in llama_decode
//     slow=N        milliseconds for a token, which can be aborted; stuck=N: which cannot
//     frozen        the whole process stops in llama_decode
//     code=N        llama_decode returns N      nan           its logits are not numbers
//     recurrent     the state cannot go back    encoder       the model has an encoder
//     rpc           there is an RPC back end, which reaches all machines but "dead:1"
//     settings      llama_init_from_model fails and logs what it was asked for
#include "llama.h"
#include "llama_double_rule.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

struct llama_memory_i {
    std::vector<llama_token> tokens{};
};
struct llama_vocab {};
struct llama_model {
    llama_vocab vocab{};
    std::int32_t gpuLayers = 0;
};
struct llama_context {
    llama_context_params params{};
    std::int32_t vocabulary = 0;
    llama_memory_i memory{};
    std::vector<std::vector<float>> rows{}; // of the last batch, by its tokens; empty where none was asked for
};
struct ggml_backend_device {};
struct ggml_backend_reg {};

namespace {

ggml_log_callback g_log = nullptr;
ggml_backend_device g_device;
ggml_backend_reg g_rpc;
std::string g_machines;

// The value of a word of LLAMA_DOUBLE; empty if it is not there.
std::optional<std::string> setting(const std::string& name) {
    const char* const all = std::getenv("LLAMA_DOUBLE");
    std::istringstream words(all != nullptr ? all : "");
    for (std::string word; words >> word;) {
        const std::size_t equals = word.find('=');
        if (word.substr(0, equals) == name) {
            return equals == std::string::npos ? std::string() : word.substr(equals + 1);
        }
    }
    return std::nullopt;
}

int number(const std::string& name, int otherwise) {
    const auto value = setting(name);
    return value ? std::atoi(value->c_str()) : otherwise;
}

void sleep(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

void say(const std::string& text) {
    if (g_log != nullptr) {
        g_log(GGML_LOG_LEVEL_ERROR, text.c_str(), nullptr);
    }
}

void crashIn(const char* place) {
    if (setting("crash") == place) {
        std::fprintf(stderr, "the driver lost the device\n");
        std::signal(SIGSEGV, SIG_DFL); // sanitizers would report it
        std::raise(SIGSEGV);
    }
}

ggml_backend_reg_t addMachine(const char* endpoint) {
    g_machines += (g_machines.empty() ? "" : " ") + std::string(endpoint);
    return std::strcmp(endpoint, "dead:1") != 0 ? &g_rpc : nullptr;
}

} // namespace

extern "C" {

const char* llama_version() {
    static const std::string version = setting("version").value_or("0.7.0");
    return version.c_str();
}

void llama_backend_init() {}
void llama_log_set(ggml_log_callback callback, void*) { g_log = callback; }

llama_model_params llama_model_default_params() {
    llama_model_params params{};
    params.n_gpu_layers = -1;
    return params;
}

llama_context_params llama_context_default_params() {
    llama_context_params params{};
    params.n_ctx = 512;
    return params;
}

llama_model* llama_model_load_from_splits(const char** paths, std::size_t count, llama_model_params params) {
    for (std::size_t i = 0; i < count; ++i) {
        if (std::FILE* file = std::fopen(paths[i], "rb")) {
            std::fclose(file);
        } else {
            say("cannot open " + std::string(paths[i]) + '\n');
            return nullptr;
        }
    }
    for (int percent = 0; percent <= 100; ++percent) {
        if (!params.progress_callback(static_cast<float>(percent) / 100, params.progress_callback_user_data)) {
            return nullptr;
        }
        sleep(number("load", 0));
        if (percent == 50) {
            crashIn("load");
        }
    }
    if (setting("refuse")) {
        say("unknown model architecture: 'owl'\n");
        return nullptr;
    }
    auto* const model = new llama_model;
    model->gpuLayers = params.n_gpu_layers;
    return model;
}

llama_model* llama_model_load_from_file(const char* path, llama_model_params params) {
    return llama_model_load_from_splits(&path, 1, params);
}

bool llama_model_has_encoder(const llama_model*) { return setting("encoder").has_value(); }
const llama_vocab* llama_model_get_vocab(const llama_model* model) { return &model->vocab; }
std::int32_t llama_vocab_n_tokens(const llama_vocab*) { return number("vocabulary", 300); }

llama_context* llama_init_from_model(llama_model* model, llama_context_params params) {
    if (setting("settings")) {
        std::ostringstream all;
        all << "context " << params.n_ctx << ", batch " << params.n_batch << ", threads " << params.n_threads
            << ", layers " << model->gpuLayers << ", types " << params.type_k << ' ' << params.type_v << ", rope "
            << params.rope_scaling_type << ' ' << params.rope_freq_base << ' ' << params.rope_freq_scale << ' '
            << params.yarn_orig_ctx << ", machines " << g_machines << '\n';
        say(all.str());
        return nullptr;
    }
    auto* const context = new llama_context;
    context->params = params;
    context->params.n_ctx = (params.n_ctx + 255) / 256 * 256;
    context->vocabulary = llama_vocab_n_tokens(&model->vocab);
    return context;
}

std::uint32_t llama_n_ctx(const llama_context* context) { return context->params.n_ctx; }
llama_memory_t llama_get_memory(const llama_context* context) { return const_cast<llama_memory_i*>(&context->memory); }
void llama_memory_clear(llama_memory_t memory, bool) { memory->tokens.clear(); }

bool llama_memory_seq_rm(llama_memory_t memory, llama_seq_id, llama_pos begin, llama_pos end) {
    if (setting("recurrent")) {
        return false;
    }
    const auto size = static_cast<llama_pos>(memory->tokens.size());
    const llama_pos last = end < 0 ? size : std::min(end, size);
    if (begin < last) {
        memory->tokens.erase(memory->tokens.begin() + begin, memory->tokens.begin() + last);
    }
    return true;
}

// llama_memory_seq_rm() has moved the later tokens up already.
void llama_memory_seq_add(llama_memory_t, llama_seq_id, llama_pos, llama_pos, llama_pos) {}
llama_pos llama_memory_seq_pos_max(llama_memory_t memory, llama_seq_id) {
    return static_cast<llama_pos>(memory->tokens.size()) - 1;
}
bool llama_memory_can_shift(llama_memory_t) { return !setting("recurrent"); }

std::size_t llama_state_seq_get_size(llama_context* context, llama_seq_id) {
    return context->memory.tokens.size() * sizeof(llama_token) + 8;
}

std::size_t llama_state_seq_get_data(llama_context* context, std::uint8_t* to, std::size_t, llama_seq_id) {
    const std::vector<llama_token>& tokens = context->memory.tokens;
    if (!tokens.empty()) {
        std::memcpy(to, tokens.data(), tokens.size() * sizeof(llama_token));
    }
    return tokens.size() * sizeof(llama_token); // fewer than announced
}

std::size_t llama_state_seq_set_data(llama_context* context, const std::uint8_t* from, std::size_t size, llama_seq_id) {
    if (size % sizeof(llama_token) != 0) {
        return 0;
    }
    context->memory.tokens.resize(size / sizeof(llama_token));
    std::memcpy(context->memory.tokens.data(), from, size);
    return size;
}

#ifndef LLAMA_DOUBLE_WITHOUT_DECODE
std::int32_t llama_decode(llama_context* context, llama_batch batch) {
    crashIn("decode");
    if (setting("exit") == "decode") {
        std::fprintf(stderr, "first line\nGGML_ASSERT(device != nullptr) failed\n");
        std::_Exit(3);
    }
    if (setting("nomemory")) {
        throw std::bad_alloc();
    }
    if (setting("frozen")) {
        std::raise(SIGSTOP);
    }
    if (const int code = number("code", 0); code != 0) {
        return code;
    }
    std::vector<llama_token>& tokens = context->memory.tokens;
    context->rows.assign(static_cast<std::size_t>(batch.n_tokens), {});
    for (std::int32_t i = 0; i < batch.n_tokens; ++i) {
        sleep(number("slow", 0) + number("stuck", 0));
        if (setting("slow") && context->params.abort_callback(context->params.abort_callback_data)) {
            return 2;
        }
        if (batch.pos[i] != static_cast<llama_pos>(tokens.size())) {
            say("a token is out of order\n");
            return -1;
        }
        tokens.push_back(batch.token[i]);
        if (batch.logits[i] != 0) {
            auto& row = context->rows[static_cast<std::size_t>(i)];
            row = llama_double::logitsAfter(tokens, context->vocabulary);
            row[0] = setting("nan") ? std::numeric_limits<float>::quiet_NaN() : row[0];
        }
    }
    return 0;
}
#endif

float* llama_get_logits_ith(llama_context* context, std::int32_t index) {
    auto& row = context->rows[static_cast<std::size_t>(index)];
    return row.empty() ? nullptr : row.data();
}

void ggml_backend_load_all() {}
std::size_t ggml_backend_dev_count() { return 1; }
ggml_backend_dev_t ggml_backend_dev_get(std::size_t) { return &g_device; }
const char* ggml_backend_dev_name(ggml_backend_dev_t) { return "CPU"; }
const char* ggml_backend_dev_description(ggml_backend_dev_t) { return "stand-in"; }

ggml_backend_reg_t ggml_backend_reg_by_name(const char* name) {
    return setting("rpc") && std::strcmp(name, "RPC") == 0 ? &g_rpc : nullptr;
}
void* ggml_backend_reg_get_proc_address(ggml_backend_reg_t, const char*) { return reinterpret_cast<void*>(addMachine); }
void ggml_backend_register(ggml_backend_reg_t) {}
}
