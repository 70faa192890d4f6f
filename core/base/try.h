// Passes the error of a failed call on to the caller.
#pragma once

#include <expected>
#include <utility>

// The value of `expression`, a std::expected; if it failed, the enclosing function returns its error:
// `const Header header = GUFO_TRY(readHeader(source));`. It stands alone as a statement, is a whole initialiser, or is
// a whole right-hand side, because GCC destroys no temporaries of a statement that a statement expression leaves.
#define GUFO_TRY(expression) GUFO_TRY_NAMED(expression, GUFO_JOIN_NAMES(gufoResult, __LINE__))
#define GUFO_TRY_NAMED(expression, result)                                                                             \
    __extension__({                                                                                                    \
        auto result = (expression);                                                                                    \
        if (!result) [[unlikely]] {                                                                                    \
            return std::unexpected(std::move(result).error());                                                         \
        }                                                                                                              \
        *std::move(result);                                                                                            \
    })
#define GUFO_JOIN_NAMES(first, second) GUFO_JOIN_EXPANDED_NAMES(first, second)
#define GUFO_JOIN_EXPANDED_NAMES(first, second) first##second
