// What a chat template says without being rendered: its texts, what its conditions depend on, and attributes and names
// that reach out of the sandbox. The helper makes it (resources/jinja/src/outline.js).
//
// Thread contract: immutable values; a pure function.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

class QJsonObject;

namespace gufo::text {

// What a value or a condition depends on; combined bit by bit.
enum TemplateSource : std::uint8_t {
    FromContent = 1, // words of a message
    FromCount = 2,   // how many messages there are, or the place of one among them
    FromDate = 4,
};

struct OutlinePlace {
    int line = 0; // counts from 1
    int column = 0;
};

struct OutlineText {
    OutlinePlace place{};
    std::string text{};       // with its escapes resolved
    bool isPrinted = false;   // may be written; otherwise it is compared with something or searched for
    bool isOutside = false;   // stands outside of tags
    std::uint8_t sources = 0; // of the conditions around it
};
struct OutlineGuard {
    OutlinePlace place{};
    std::uint8_t sources = 0;
};
struct OutlineName {
    OutlinePlace place{};
    std::string name{};
};

struct TemplateOutline {
    std::vector<OutlineText> texts;
    std::vector<OutlineGuard> guards; // conditions that depend on a source
    std::vector<OutlineName> walks;   // attributes that lead from a value to the interpreter
    std::vector<OutlineName> outside; // names and tags that a sandbox does not have
    std::vector<std::int64_t> integers;
};
[[nodiscard]] TemplateOutline readTemplateOutline(const QJsonObject& outline);

} // namespace gufo::text
