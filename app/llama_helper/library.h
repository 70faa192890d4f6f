// libllama, loaded at run time. This program is compiled with the headers of one version of it, whose structures the
// library must have too: another version is refused, and so is a library that lacks a function or whose structures have
// another size.
#pragma once

#include "channel/message.h"

#include <expected>
#include <llama.h>

namespace gufo {

struct Functions {
#define GUFO_LLAMA(name) decltype(&::name) name = nullptr;
#include "llama_functions.inc"
#undef GUFO_LLAMA
};

struct Library {
    Functions functions{};
    std::string version{};
};

// Loads the library that the environment variable GUFO_LIBLLAMA names, or else the installed one.
[[nodiscard]] std::expected<Library, channel::Refused> loadLibrary();

} // namespace gufo
