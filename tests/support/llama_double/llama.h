// The part of libllama's interface that Gufo uses, for the stand-in library beside this header. The names and the
// meaning are libllama's; the structures have only the members that Gufo sets, so the two libraries cannot be mixed.
#pragma once

#include <cstddef>
#include <cstdint>

struct llama_model;
struct llama_context;
struct llama_vocab;
struct llama_memory_i;
using llama_memory_t = llama_memory_i*;
using llama_token = std::int32_t;
using llama_pos = std::int32_t;
using llama_seq_id = std::int32_t;

struct ggml_backend_device;
struct ggml_backend_reg;
using ggml_backend_dev_t = ggml_backend_device*;
using ggml_backend_reg_t = ggml_backend_reg*;

enum ggml_type { GGML_TYPE_F32 = 0, GGML_TYPE_F16 = 1, GGML_TYPE_COUNT = 43 };
enum ggml_log_level {
    GGML_LOG_LEVEL_NONE = 0,
    GGML_LOG_LEVEL_DEBUG = 1,
    GGML_LOG_LEVEL_INFO = 2,
    GGML_LOG_LEVEL_WARN = 3,
    GGML_LOG_LEVEL_ERROR = 4,
    GGML_LOG_LEVEL_CONT = 5,
};
enum llama_rope_scaling_type {
    LLAMA_ROPE_SCALING_TYPE_UNSPECIFIED = -1,
    LLAMA_ROPE_SCALING_TYPE_NONE = 0,
    LLAMA_ROPE_SCALING_TYPE_LINEAR = 1,
    LLAMA_ROPE_SCALING_TYPE_YARN = 2,
};

using llama_progress_callback = bool (*)(float progress, void* data);
using ggml_abort_callback = bool (*)(void* data);
using ggml_log_callback = void (*)(ggml_log_level level, const char* text, void* data);

struct llama_model_params {
    std::int32_t n_gpu_layers;
    llama_progress_callback progress_callback;
    void* progress_callback_user_data;
#ifdef LLAMA_DOUBLE_LARGER
    std::int64_t added[4];
#endif
};

struct llama_context_params {
    std::uint32_t n_ctx;
    std::uint32_t n_batch;
    std::uint32_t n_ubatch;
    std::uint32_t n_seq_max;
    std::uint32_t n_outputs_max;
    std::int32_t n_threads;
    std::int32_t n_threads_batch;
    llama_rope_scaling_type rope_scaling_type;
    float rope_freq_base;
    float rope_freq_scale;
    std::uint32_t yarn_orig_ctx;
    ggml_type type_k;
    ggml_type type_v;
    ggml_abort_callback abort_callback;
    void* abort_callback_data;
};

struct llama_batch {
    std::int32_t n_tokens;
    llama_token* token;
    float* embd;
    llama_pos* pos;
    std::int32_t* n_seq_id;
    llama_seq_id** seq_id;
    std::int8_t* logits;
};

extern "C" {
const char* llama_version();
void llama_backend_init();
void llama_log_set(ggml_log_callback callback, void* data);
llama_model_params llama_model_default_params();
llama_context_params llama_context_default_params();
llama_model* llama_model_load_from_file(const char* path, llama_model_params params);
llama_model* llama_model_load_from_splits(const char** paths, std::size_t count, llama_model_params params);
bool llama_model_has_encoder(const llama_model* model);
const llama_vocab* llama_model_get_vocab(const llama_model* model);
std::int32_t llama_vocab_n_tokens(const llama_vocab* vocab);
llama_context* llama_init_from_model(llama_model* model, llama_context_params params);
std::uint32_t llama_n_ctx(const llama_context* context);
llama_memory_t llama_get_memory(const llama_context* context);
void llama_memory_clear(llama_memory_t memory, bool data);
bool llama_memory_seq_rm(llama_memory_t memory, llama_seq_id sequence, llama_pos begin, llama_pos end);
void llama_memory_seq_add(llama_memory_t memory, llama_seq_id sequence, llama_pos begin, llama_pos end,
                          llama_pos delta);
llama_pos llama_memory_seq_pos_max(llama_memory_t memory, llama_seq_id sequence);
bool llama_memory_can_shift(llama_memory_t memory);
std::size_t llama_state_seq_get_size(llama_context* context, llama_seq_id sequence);
std::size_t llama_state_seq_get_data(llama_context* context, std::uint8_t* to, std::size_t size, llama_seq_id sequence);
std::size_t llama_state_seq_set_data(llama_context* context, const std::uint8_t* from, std::size_t size,
                                     llama_seq_id sequence);
std::int32_t llama_decode(llama_context* context, llama_batch batch);
float* llama_get_logits_ith(llama_context* context, std::int32_t index);
void ggml_backend_load_all();
std::size_t ggml_backend_dev_count();
ggml_backend_dev_t ggml_backend_dev_get(std::size_t index);
const char* ggml_backend_dev_name(ggml_backend_dev_t device);
const char* ggml_backend_dev_description(ggml_backend_dev_t device);
ggml_backend_reg_t ggml_backend_reg_by_name(const char* name);
void* ggml_backend_reg_get_proc_address(ggml_backend_reg_t reg, const char* name);
void ggml_backend_register(ggml_backend_reg_t reg);
}
