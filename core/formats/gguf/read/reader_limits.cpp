
#include "formats/gguf/read/reader_limits.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "model/finding_code.h"

namespace gufo::gguf {
namespace {

// Whether a key consists of lower-case words joined by underscores and dots, as the specification requires. Hyphens are
// allowed, because architecture names contain them ("command-r.block_count").
bool isUsualKey(std::string_view key) {
    bool wordBegins = true;
    for (const char c : key) {
        const bool inWord = (c >= 'a' && c <= 'z') || isAsciiDigit(c) || c == '_' || c == '-';
        if (!inWord && (c != '.' || wordBegins)) {
            return false;
        }
        wordBegins = c == '.';
    }
    return !wordBegins;
}

} // namespace

void addKeyNameFindings(std::string_view key, FindingList& findings) {
    const auto place = [&] { return Place::key(std::string(key)); };
    if (key.empty()) {
        findings.add(FindingCode::EmptyKey, place());
    } else if (!isValidUtf8(key)) {
        findings.add(FindingCode::KeyNotUtf8, place());
    } else if (!isUsualKey(key)) {
        findings.add(FindingCode::OddKey, place(), {std::string(key)});
    }
    if (key.size() > kMaxKeyBytes) {
        findings.add(FindingCode::KeyTooLong, place(), {key.size()});
    }
}

void addTensorNameFindings(std::string_view name, FindingList& findings) {
    const auto place = [&] { return Place::tensor(std::string(name)); };
    if (name.empty()) {
        findings.add(FindingCode::TensorNameEmpty, place());
    } else if (!isValidUtf8(name)) {
        findings.add(FindingCode::TensorNameNotUtf8, place());
    }
    if (name.size() > kMaxRuntimeNameBytes) {
        findings.add(FindingCode::TensorNameTooLong, place(), {name.size()});
    }
}

} // namespace gufo::gguf
