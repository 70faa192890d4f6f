// What --version prints after the name of the program: its version, the commit from which it was built, the compiler
// and the version of Qt that it runs with.
#pragma once

#include "source_id.h"

#include <QtGlobal>

#include <string>

namespace gufo {

inline std::string versionLine() {
#if defined(__clang__)
    const std::string compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
    const std::string compiler = "GCC " __VERSION__;
#else
    const std::string compiler = "another compiler";
#endif
    return std::string(GUFO_VERSION " (" GUFO_SOURCE_ID ", ") + compiler + ", Qt " + qVersion() + ')';
}

} // namespace gufo
