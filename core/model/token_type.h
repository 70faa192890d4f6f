// The type of a token, as stored in tokenizer.ggml.token_type.
#pragma once

#include <cstdint>

namespace gufo {

// The numbers are those of the GGUF specification (`tokenizer.ggml.token_type`). Files contain other numbers, too.
enum class TokenType : std::uint8_t { Undefined, Normal, Unknown, Control, UserDefined, Unused, Byte };
inline constexpr std::int64_t kTokenTypes = 6; // not counting Undefined

} // namespace gufo
