// A comparison of a GGUF file with its origin in words, as JSON and as HTML. The figures of the same comparison are
// the ones in comparison_report.h.
#pragma once

#include "convert/origin/compare_origin.h"
#include "ui/report/comparison_report.h"
#include "ui/report/json_writer.h"

#include <QStringList>

#include <memory>

namespace gufo::ui {

struct OriginReport {
    const convert::Origin& origin;
    const convert::OriginProof& proof;
    const TensorMatches& matches;
    const MetadataComparison& metadata;
};

// The same for one of several files that are compared with an origin. Rows belong to the pair, not to the
// comparison.
struct FileOrigin {
    std::size_t origin = 0; // indices of the models of the comparison
    std::size_t file = 0;
    std::shared_ptr<const convert::Origin> source;
    std::shared_ptr<const convert::FileProof> proved;

    [[nodiscard]] OriginReport report() const { return {*source, proved->proof, proved->matches, proved->metadata}; }
};

// "This is that model: all 291 tensors are the same."
[[nodiscard]] QString originVerdictText(const OriginReport& report);
// What the verdict is based on, a sentence each: which tensors are the same and how exactly, which differ and by how
// much, what could make them equal, which tensors are missing, and which keys differ.
[[nodiscard]] QStringList originDetails(const OriginReport& report);
// The verdict on a tensor in few words: "identical as F16"; empty if it was not requested.
[[nodiscard]] QString proofText(const OriginReport& report, std::size_t row);
// What would make a tensor equal: "equal without the permutation of its rows".
[[nodiscard]] QString misfitText(const convert::Origin& origin, const convert::Misfit& misfit);

// The value of "origin" in JSON (app/cli/JSON.md), and an element of "origins".
void writeOriginJson(const OriginReport& report, JsonWriter& json);
void writeOriginJson(const FileOrigin& origin, JsonWriter& json);
[[nodiscard]] QString originHtml(const OriginReport& report);

} // namespace gufo::ui
