#include "library.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <memory>
#include <new>

namespace gufo {
namespace {

#if defined(__APPLE__)
constexpr const char* kName = "libllama.dylib";
#else
constexpr const char* kName = "libllama.so.0";
#endif

std::unexpected<channel::Refused> refuse(channel::Refusal why, std::vector<std::string> details) {
    return std::unexpected(channel::Refused{why, std::move(details)});
}

// "0.7" of "0.7.0": versions that differ after that have the same structures.
std::string_view series(std::string_view version) {
    const std::size_t dot = version.find('.');
    return version.substr(0, dot == std::string_view::npos ? dot : version.find('.', dot + 1));
}

// Libraries without llama_version() have the version in the name of their file: "libllama.so.0.0.8064".
std::string versionOf(void* library) {
    if (auto* const version = reinterpret_cast<const char* (*)()>(::dlsym(library, "llama_version"))) {
        return version();
    }
    Dl_info info{};
    std::error_code problem;
    const void* const function = ::dlsym(library, "llama_backend_init");
    if (function == nullptr || ::dladdr(function, &info) == 0) {
        return "?";
    }
    const std::string file = std::filesystem::canonical(info.dli_fname, problem).filename().string();
    const std::size_t dot = file.find(".so.");
    return problem || dot == std::string::npos ? "?" : file.substr(dot + 4);
}

// The number of bytes that a function writes when it returns a structure. Structures of this size are returned in
// memory that the caller provides, which has room for a larger one here. Padding at the end may not be written.
template<typename Structure>
std::size_t writtenBytes(Structure (*make)()) {
    struct Room {
        alignas(std::max_align_t) std::array<unsigned char, 4096> bytes;
    };
    static_assert(sizeof(Structure) > 2 * sizeof(void*) && sizeof(Structure) < sizeof(Room) / 2);
    auto* const makeRoom = reinterpret_cast<Room (*)()>(reinterpret_cast<void*>(make));
    const auto room = std::make_unique<Room>();
    const auto writtenOver = [&](unsigned char pattern) {
        std::memset(room.get(), pattern, sizeof(Room));
        asm volatile("" : : "r"(room.get()) : "memory"); // the pattern must be there when the function is called
        Room* const made = ::new (room.get()) Room(makeRoom());
        asm volatile("" : : "r"(made) : "memory");
        std::size_t end = sizeof(Room);
        while (end != 0 && room->bytes[end - 1] == pattern) {
            --end;
        }
        return end;
    };
    return std::max(writtenOver(0xA5), writtenOver(0x5A));
}

template<typename Structure>
bool hasSize(Structure (*make)(), std::size_t& written) {
    written = writtenBytes(make);
    return written <= sizeof(Structure) && written + alignof(Structure) > sizeof(Structure);
}

} // namespace

std::expected<Library, channel::Refused> loadLibrary() {
    const char* const named = std::getenv("GUFO_LIBLLAMA");
    void* const handle = ::dlopen(named != nullptr && *named != '\0' ? named : kName, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* const problem = ::dlerror();
        return refuse(channel::Refusal::NoLibrary, {problem != nullptr ? problem : kName});
    }
    Library library{.functions = {}, .version = versionOf(handle)};
    if (series(library.version) != series(GUFO_LLAMA_VERSION)) {
        return refuse(channel::Refusal::UnknownVersion, {library.version, GUFO_LLAMA_VERSION});
    }
    std::string missing;
#define GUFO_LLAMA(name)                                                                                               \
    library.functions.name = reinterpret_cast<decltype(&::name)>(::dlsym(handle, #name));                              \
    missing += library.functions.name != nullptr ? "" : missing.empty() ? #name : ", " #name;
#include "llama_functions.inc"
#undef GUFO_LLAMA
    if (!missing.empty()) {
        return refuse(channel::Refusal::NoSymbols, {library.version, missing});
    }
    std::size_t written = 0;
    const auto other = [&](const char* name, std::size_t expected) {
        return refuse(channel::Refusal::OtherLayout,
                      {library.version, name, std::to_string(written), std::to_string(expected)});
    };
    if (!hasSize(library.functions.llama_model_default_params, written)) {
        return other("llama_model_params", sizeof(llama_model_params));
    }
    if (!hasSize(library.functions.llama_context_default_params, written)) {
        return other("llama_context_params", sizeof(llama_context_params));
    }
    return library;
}

} // namespace gufo
