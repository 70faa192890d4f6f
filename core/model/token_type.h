// What a token is, as tokenizer.ggml.token_type has it.
#pragma once

#include <cstdint>

namespace gufo {

// GGUF's numbers (specification, `tokenizer.ggml.token_type`). Files have others, too.
enum class TokenType : std::uint8_t { Undefined, Normal, Unknown, Control, UserDefined, Unused, Byte };
inline constexpr std::int64_t kTokenTypes = 6; // those after Undefined

} // namespace gufo
