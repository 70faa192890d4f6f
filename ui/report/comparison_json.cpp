// The keys are documented in app/cli/JSON.md.
#include "ui/report/behaviour.h"
#include "ui/report/comparison_report.h"
#include "ui/report/json_model.h"
#include "ui/report/origin_report.h"

#include <algorithm>

namespace gufo::ui {
namespace {

using Layout = JsonWriter::Layout;

class Writer {
public:
    Writer(const ComparisonReport& report, const JsonOptions& options, TextSink& out)
        : m_report(report)
        , m_matches(report.matches)
        , m_options(options)
        , m_json(out) {}

    void write() {
        m_json.beginObject(Layout::Block);
        m_json.key("models");
        m_json.beginArray();
        for (std::size_t model = 0; model < m_matches.models.size(); ++model) {
            m_json.value(std::string_view(m_report.fileName(model)));
        }
        m_json.endArray();
        m_json.member("reference", m_matches.reference);
        if (m_report.imatrix != nullptr) {
            const std::filesystem::path& path = m_report.imatrix->path();
            m_json.member("imatrix", std::string_view((m_report.withPaths ? path : path.filename()).native()));
        }
        writeMetadata();
        writeTokenizers();
        writeTensors();
        writeTotals();
        if (m_report.origin != nullptr) {
            m_json.key("origin");
            writeOriginJson(*m_report.origin, m_json);
        }
        if (!m_report.origins.empty()) {
            m_json.key("origins");
            m_json.beginArray(JsonWriter::Layout::Block);
            for (const FileOrigin& origin : m_report.origins) {
                writeOriginJson(origin, m_json);
            }
            m_json.endArray();
        }
        if (!m_report.exchanged.empty()) {
            writeExchanged();
        }
        if (std::ranges::any_of(m_report.behaviours, [](const auto& found) { return found != nullptr; })) {
            writeBehaviours();
        }
        if (m_options.memory) {
            m_json.member("memory_limit", *m_options.memory);
            m_json.member("best_that_fits", m_options.bestThatFits);
        }
        m_json.endObject();
        m_json.endDocument();
    }

private:
    [[nodiscard]] std::size_t models() const { return m_matches.models.size(); }

    void writeMaybe(const std::optional<Value>& value) { value ? writeValue(m_json, *value) : m_json.null(); }

    void writeExchanged() {
        m_json.key("exchanged");
        m_json.beginArray(Layout::Block);
        for (const ExchangedTensor& one : m_report.exchanged) {
            m_json.beginObject();
            m_json.member("model", one.model);
            m_json.member("tensor", std::string_view(m_matches.rows[one.row].label()));
            m_json.member("holds", std::string_view(m_matches.rows[one.holds].label()));
            m_json.endObject();
        }
        m_json.endArray();
    }

    void writeMetadata() {
        m_json.key("metadata");
        m_json.beginArray(Layout::Block);
        for (const MetadataRow& row : m_report.metadata.rows) {
            if (row.same()) {
                continue;
            }
            m_json.beginObject();
            m_json.member("key", row.key);
            m_json.member("status", keyStatus(row));
            m_json.key("values");
            m_json.beginArray();
            for (std::size_t model = 0; model < models(); ++model) {
                const auto& index = row.cells[model].index;
                if (!index) {
                    m_json.null();
                    continue;
                }
                m_json.beginObject();
                writeTypeAndValue(m_json, m_matches.models[model]->metadata[*index].value);
                m_json.endObject();
            }
            m_json.endArray();
            writeElements(row);
            m_json.endObject();
        }
        m_json.endArray();
    }

    // The status relative to the reference, over all models.
    [[nodiscard]] const char* keyStatus(const MetadataRow& row) const {
        if (!row.cells[m_matches.reference].index) {
            return "added";
        }
        for (const auto& cell : row.cells) {
            if (cell.status == KeyStatus::Changed) {
                return "changed";
            }
        }
        return "removed";
    }

    void writeElements(const MetadataRow& row) {
        if (std::ranges::none_of(row.cells, [](const auto& cell) { return cell.elements.has_value(); })) {
            return;
        }
        m_json.key("elements");
        m_json.beginArray();
        for (const auto& cell : row.cells) {
            if (!cell.elements) {
                m_json.null();
                continue;
            }
            m_json.beginObject();
            m_json.member("differing", cell.elements->differing);
            m_json.key("first");
            m_json.beginArray();
            for (const auto& element : cell.elements->first) {
                m_json.beginObject();
                m_json.member("index", element.index);
                m_json.key("reference");
                writeMaybe(element.reference);
                m_json.key("other");
                writeMaybe(element.other);
                m_json.endObject();
            }
            m_json.endArray();
            m_json.endObject();
        }
        m_json.endArray();
    }

    void writeTokenizers() {
        m_json.key("tokenizers");
        m_json.beginArray(Layout::Block);
        for (const TokenizerDifference& tokens : m_report.metadata.tokenizers) {
            m_json.beginObject();
            m_json.member("only_in_reference", tokens.onlyInReference);
            m_json.member("only_in_other", tokens.onlyInOther);
            m_json.member("other_ids", tokens.otherIds);
            m_json.member("other_scores", tokens.otherScores);
            m_json.member("other_types", tokens.otherTypes);
            m_json.key("first");
            m_json.beginArray();
            for (const TokenDifference& token : tokens.first) {
                m_json.beginObject();
                m_json.member("token", token.text);
                m_json.member("reference_id", token.referenceId);
                m_json.member("other_id", token.otherId);
                m_json.member("reference_score", token.referenceScore);
                m_json.member("other_score", token.otherScore);
                m_json.member("reference_type", token.referenceType);
                m_json.member("other_type", token.otherType);
                m_json.endObject();
            }
            m_json.endArray();
            m_json.endObject();
        }
        m_json.endArray();
    }

    void writeTensors() {
        m_json.key("tensors");
        m_json.beginArray(Layout::Block);
        for (std::size_t row = 0; row < m_matches.rows.size(); ++row) {
            const TensorMatch& match = m_matches.rows[row];
            if (!m_report.comparison.rows[row].wanted) {
                continue;
            }
            m_json.beginObject();
            m_json.member("name", match.name);
            if (match.expert) {
                m_json.member("expert", *match.expert);
            }
            if (match.part) {
                m_json.member("part", match.role);
            }
            m_json.member("status", verdictName(rowVerdict(m_report, row)));
            m_json.key("shape");
            writePartShape(match);
            m_json.key("models");
            m_json.beginArray();
            for (std::size_t model = 0; model < models(); ++model) {
                writeCell(row, model);
            }
            m_json.endArray();
            m_json.endObject();
        }
        m_json.endArray();
    }

    // The shape of the tensor, or the columns and rows of a part.
    void writePartShape(const TensorMatch& match) {
        std::size_t owner = m_matches.reference;
        for (std::size_t model = 0; !match.has(owner) && model < models(); ++model) {
            owner = match.has(model) ? model : owner;
        }
        const TensorPart& part = match.cells[owner].part;
        if (!match.part && !match.slice) {
            writeShape(m_json, m_matches.models[owner]->tensor(part.tensor).shape);
            return;
        }
        m_json.beginArray();
        m_json.value(part.columns);
        m_json.value(part.rows);
        m_json.endArray();
    }

    void writeCell(std::size_t row, std::size_t model) {
        const TensorMatch& match = m_matches.rows[row];
        const CellVerdict verdict = cellVerdict(m_report, row, model);
        m_json.beginObject();
        m_json.member("status", verdictName(verdict));
        if (match.has(model)) {
            const TensorInfo& tensor = m_matches.models[model]->tensor(match.cells[model].part.tensor);
            m_json.member("type", std::string_view(tensor.typeName()));
            m_json.member("bpw", tensor.bitsPerWeight());
            if (verdict == CellVerdict::Renamed || verdict == CellVerdict::Reshaped) {
                m_json.member("name", tensor.name);
                m_json.key("shape");
                writeShape(m_json, tensor.shape);
            }
        }
        const ComparedCell& cell = m_report.comparison.rows[row].cells[model];
        if (cell.state == ComparedCell::State::Compared) {
            m_json.member("identical", cell.comparison.identical);
            if (cell.comparison.truncated) {
                m_json.member("truncated", true);
            }
            writeFigures(cell.comparison.figures());
            m_json.key("max_error_index");
            writeIndex(cell.comparison.sums.maximumIndex);
            m_json.member("pairs", cell.comparison.sums.pairs);
            m_json.member("excluded", cell.comparison.sums.excluded);
            if (m_options.profiles && !cell.comparison.identical) {
                writeProfile(cell.comparison.profile);
            }
        } else if (cell.error) {
            m_json.key("error");
            writeError(m_json, *cell.error);
        }
        m_json.endObject();
    }

    void writeIndex(std::uint64_t index) { index == PairSums::kNone ? m_json.null() : m_json.value(index); }

    void writeFigures(const PairFigures& figures) {
        m_json.member("rmse", figures.rmse);
        m_json.member("mae", figures.mae);
        m_json.member("bias", figures.bias);
        m_json.member("max_error", figures.maxError);
        m_json.member("nmse", figures.nmse);
        m_json.member("sqnr_db", figures.sqnrDb);
        if (m_report.comparison.hasImportance) {
            m_json.member("weighted_nmse", figures.weightedNmse);
            m_json.member("weighted_sqnr_db", figures.weightedSqnrDb);
        }
        m_json.member("cosine", figures.cosine);
        m_json.member("equal_share", figures.equalShare);
    }

    void writeProfile(const ErrorProfile& profile) {
        m_json.key("magnitudes");
        m_json.beginArray();
        for (const ErrorProfile::Octave& octave : profile.octaves) {
            m_json.beginObject();
            m_json.member("exponent", octave.exponent);
            m_json.member("pairs", octave.pairs);
            m_json.member("relative_error", octave.relativeError());
            m_json.endObject();
        }
        m_json.endArray();
        m_json.key("errors");
        m_json.beginArray();
        for (const ErrorProfile::ErrorBin& bin : profile.errors) {
            m_json.beginObject();
            m_json.member("lower", bin.lower);
            m_json.member("upper", bin.upper); // null stands for infinity
            m_json.member("pairs", bin.pairs);
            m_json.endObject();
        }
        m_json.endArray();
    }

    void writeBehaviours() {
        m_json.key("behaviour");
        m_json.beginObject(Layout::Block);
        m_json.member("text", std::string_view(m_report.behaviourText.toStdString()));
        m_json.key("models");
        m_json.beginArray(Layout::Block);
        for (const auto& behaviour : m_report.behaviours) {
            if (behaviour == nullptr) {
                m_json.null();
            } else {
                writeBehaviour(*behaviour);
            }
        }
        m_json.endArray();
        m_json.endObject();
    }

    void writeBehaviour(const Behaviour& behaviour) {
        m_json.beginObject(Layout::Block);
        m_json.member("total_kl", behaviour.total);
        m_json.member("scored", behaviour.positions);
        m_json.key("parts");
        m_json.beginArray(Layout::Block);
        for (const BehaviourPart& part : behaviour.parts) {
            m_json.beginObject();
            m_json.member("name", std::string_view(part.name));
            m_json.key("tensors");
            m_json.beginArray();
            for (const std::string& tensor : part.tensors) {
                m_json.value(std::string_view(tensor));
            }
            m_json.endArray();
            if (part.expert) {
                m_json.member("expert", *part.expert);
            }
            m_json.member("refined", part.refined);
            m_json.member("kl_from_b", part.fromOther);
            m_json.member("kl_restored", part.restored);
            m_json.endObject();
        }
        m_json.endArray();
        m_json.member("interaction_from_b", behaviour.interactionFromOther);
        m_json.member("interaction_restored", behaviour.interactionRestored);
        m_json.key("layers");
        m_json.beginArray(Layout::Block);
        for (std::size_t block = 0; block < behaviour.layers.size(); ++block) {
            const inference::LayerDistance& layer = behaviour.layers[block];
            m_json.beginObject();
            m_json.member("block", block);
            writeNumbers("relative_l2", layer.relative);
            writeNumbers("cosine", layer.cosine);
            if (!layer.sameExperts.empty()) {
                writeNumbers("same_experts", layer.sameExperts);
            }
            m_json.endObject();
        }
        m_json.endArray();
        m_json.endObject();
    }

    void writeNumbers(const char* key, std::span<const double> numbers) {
        m_json.key(key);
        m_json.beginArray();
        for (const double number : numbers) {
            m_json.value(number);
        }
        m_json.endArray();
    }

    void writeTotals() {
        m_json.key("totals");
        m_json.beginArray(Layout::Block);
        for (std::size_t model = 0; model < models(); ++model) {
            const ComparisonTotals totals = m_report.comparison.totals(m_matches, model);
            m_json.beginObject();
            m_json.member("tensors", totals.tensors);
            m_json.member("identical", totals.identical);
            m_json.member("equal", totals.equal);
            m_json.member("complete", totals.complete());
            m_json.member("missing", totals.missing);
            m_json.member("extra", totals.extra);
            m_json.member("renamed", totals.renamed);
            m_json.member("reshaped", totals.reshaped);
            m_json.member("failed", totals.failed);
            m_json.member("weights", totals.weights);
            m_json.member("bytes", totals.bytes);
            m_json.member("file_bytes", m_matches.models[model]->totals().fileBytes);
            m_json.member("bpw", totals.bitsPerWeight());
            m_json.member("pairs", totals.sums.pairs);
            m_json.member("excluded", totals.sums.excluded);
            writeFigures(totals.byParameters);
            if (!m_report.divergences.empty()) {
                m_json.member("kl", m_report.divergence(model));
            }
            m_json.key("max_error_tensor");
            if (totals.maximumRow) {
                m_json.value(std::string_view(m_matches.rows[*totals.maximumRow].label()));
            } else {
                m_json.null();
            }
            m_json.key("max_error_index");
            writeIndex(totals.sums.maximumIndex);
            m_json.key("by_bytes");
            m_json.beginObject();
            writeFigures(totals.byBytes);
            m_json.endObject();
            m_json.endObject();
        }
        m_json.endArray();
    }

    const ComparisonReport& m_report;
    const TensorMatches& m_matches;
    const JsonOptions& m_options;
    JsonWriter m_json;
};

} // namespace

void writeComparisonJson(const ComparisonReport& report, const JsonOptions& options, TextSink& out) {
    Writer(report, options, out).write();
}

} // namespace gufo::ui
