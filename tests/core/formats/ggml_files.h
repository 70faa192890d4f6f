// Files of LLaMA from before GGUF, and what the tests compare of their models.
#pragma once

#include "model/model.h"
#include "support/error_names.h"
#include "support/ggml_builder.h"

#include <QStringList>

namespace gufo::test {

constexpr std::int32_t kGgmlF32 = 0; // the number of the type in these files

inline QString findingNames(const Model& model) {
    QStringList names;
    for (const Finding& finding : model.findings) {
        names << text(finding.name());
    }
    return names.join(u' ');
}

// LLaMA with a vocabulary of three tokens, without tensors.
inline GgmlBuilder ggmlLlama(std::string_view magic, std::optional<std::uint32_t> version, std::int32_t fileType = 0,
                             std::int32_t width = 8) {
    GgmlBuilder file(magic, version);
    file.numbers({3, width, 256, 2, 1, 4, fileType});
    const auto score = [&](float value) { return version ? std::optional(value) : std::nullopt; };
    file.token(" \xE2\x81\x87 ", score(0)).token("", score(0)).token("a b", score(-1.5F));
    file.padding = magic == "tjgg" ? 32 : 0;
    return file;
}

} // namespace gufo::test
