#include "support/test_unit.h"

#include <cstdio>
#include <string_view>

#ifdef __SANITIZE_THREAD__
#include <unistd.h>
#endif

namespace gufo::test {
namespace {

TestUnit* firstUnit = nullptr;

std::string_view nameOf(const TestUnit& unit) {
    std::string_view name = unit.file;
    name.remove_prefix(name.rfind('/') + 1); // npos + 1 is 0
    return name.substr(0, name.rfind('.'));
}

// With ThreadSanitizer, the program ends without destroying static objects. Those of Qt, such as its registry of types,
// were also used by other threads, under locks within Qt, which the sanitizer does not see.
int leave(int status) {
#ifdef __SANITIZE_THREAD__
    std::fflush(nullptr);
    ::_exit(status);
#else
    return status;
#endif
}

} // namespace

TestUnit::TestUnit(const char* sourceFile, Run function)
    : file(sourceFile)
    , run(function)
    , next(firstUnit) {
    firstUnit = this;
}

} // namespace gufo::test

int main(int argc, char** argv) {
    using namespace gufo::test;
    for (const TestUnit* unit = firstUnit; argc > 1 && unit != nullptr; unit = unit->next) {
        if (nameOf(*unit) == argv[1]) {
            for (int i = 1; i < argc; ++i) { // including the terminating null
                argv[i] = argv[i + 1];
            }
            return leave(unit->run(argc - 1, argv));
        }
    }
    std::fprintf(stderr, "Usage: %s UNIT [ARGUMENTS OF QT TEST]\nUnits:\n", argv[0]);
    for (const TestUnit* unit = firstUnit; unit != nullptr; unit = unit->next) {
        const std::string_view name = nameOf(*unit);
        std::fprintf(stderr, "  %.*s\n", static_cast<int>(name.size()), name.data());
    }
    return 2;
}
