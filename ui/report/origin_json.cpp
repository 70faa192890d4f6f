#include "ui/messages/error_text.h"
#include "ui/report/origin_report.h"

#include <array>

namespace gufo::ui {
namespace {

using convert::Misfit;
using convert::OriginProof;
using convert::TensorProof;

// In the order of the values of their types.
constexpr std::array<const char*, 10> kProofNames = {"not_requested", "identical", "last_bits", "encoded",  "quantised",
                                                     "different",     "missing",   "extra",     "reshaped", "failed"};
constexpr std::array<const char*, 4> kVerdictNames = {"same", "same_weights", "partly", "other"};
constexpr std::array<const char*, 7> kMisfitNames = {"without",      "reversed",     "repeated",  "with",
                                                     "other_tensor", "other_expert", "rounded_to"};

template<typename Names, typename Value>
const char* nameOf(const Names& names, Value value) {
    return names[static_cast<std::size_t>(value)];
}

void writeMembers(const OriginReport& report, std::size_t origin, JsonWriter& json) {
    const OriginProof& proof = report.proof;
    json.member("verdict", nameOf(kVerdictNames, proof.verdict));
    json.member("origin", origin);
    json.member("text", originVerdictText(report));
    json.member("compared", proof.compared());
    json.member("same", proof.same());
    json.key("worst");
    proof.worst ? json.value(std::string_view(report.matches.rows[*proof.worst].label())) : json.null();
    json.key("tensors");
    json.beginArray(JsonWriter::Layout::Block);
    for (std::size_t row = 0; row < proof.rows.size(); ++row) {
        const convert::ProvedTensor& tensor = proof.rows[row].tensor;
        if (tensor.proof == TensorProof::NotRequested) {
            continue;
        }
        json.beginObject();
        json.member("name", std::string_view(report.matches.rows[row].label()));
        json.member("proof", nameOf(kProofNames, tensor.proof));
        if (tensor.blocks != 0) {
            json.member("blocks", tensor.blocks);
            json.member("equal_blocks", tensor.equalBlocks);
            json.member("outliers", tensor.outliers);
        }
        if (const auto& misfit = proof.rows[row].misfit) {
            json.key("misfit");
            json.beginObject();
            json.member("kind", nameOf(kMisfitNames, misfit->kind));
            if (misfit->kind == Misfit::Kind::OtherTensor) {
                json.member("tensor", std::string_view(report.origin.plan->rows[misfit->other].target));
            } else if (misfit->kind == Misfit::Kind::OtherExpert) {
                json.member("expert", misfit->expert);
            } else if (misfit->kind == Misfit::Kind::RoundedTo) {
                json.member("type", findTensorType(misfit->typeId)->name); // one of the table that was tried
            } else {
                json.member("operation", convert::operationFact(misfit->operation.kind).name);
            }
            json.endObject();
        }
        if (tensor.error) {
            json.member("error", errorLine(*tensor.error));
        }
        json.endObject();
    }
    json.endArray();
    json.key("keys");
    json.beginArray(JsonWriter::Layout::Block);
    for (const convert::KeyDifference& key : proof.keys) {
        json.beginObject();
        json.member("key", report.metadata.rows[key.row].key);
        json.member("status", key.missing ? "missing" : "changed");
        json.member("descriptive", key.descriptive);
        json.endObject();
    }
    json.endArray();
    json.key("unused");
    json.beginArray(JsonWriter::Layout::Block);
    for (const convert::UnusedTensor& tensor : report.origin.plan->unused) {
        json.beginObject();
        json.member("name", std::string_view(tensor.name));
        json.member("reason", tensor.reason);
        json.endObject();
    }
    json.endArray();
}

} // namespace

void writeOriginJson(const OriginReport& report, JsonWriter& json) {
    json.beginObject(JsonWriter::Layout::Block);
    writeMembers(report, report.proof.originModel, json);
    json.endObject();
}

void writeOriginJson(const FileOrigin& origin, JsonWriter& json) {
    json.beginObject(JsonWriter::Layout::Block);
    json.member("model", origin.file);
    writeMembers(origin.report(), origin.origin, json);
    json.endObject();
}

} // namespace gufo::ui
