#include "ui/tools/surgery_plan.h"

#include "base/detail.h"
#include "document/document.h"
#include "document/move_out.h"
#include "document/open_model.h"
#include "document/surgery.h"
#include "formats/container/model_saving.h"
#include "quantize/expert_choice.h"
#include "quantize/retype.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "validate/vocabulary_edits.h"

#include <QRegularExpression>

#include <algorithm>
#include <map>

namespace gufo::ui {
namespace {

using Changes = std::vector<Change>;

constexpr std::uint64_t kMostIds = 1U << 24U; // a range of ids is read only as far as any vocabulary

std::unexpected<Error> refuse(Detail detail, Arguments args = {}) {
    return fail(ErrorCode::InvalidArgument, {}, {Argument(detail, std::move(args))});
}

Result<std::vector<BlockRange>> rangesIn(const std::string& text) {
    std::string compact = text;
    std::erase(compact, ' ');
    auto ranges = parseBlockRanges(compact);
    return ranges ? Result<std::vector<BlockRange>>(*std::move(ranges)) : refuse(Detail::NumberList, {text});
}

Result<std::vector<std::uint64_t>> idsIn(const std::string& text) {
    std::vector<std::uint64_t> ids;
    for (const BlockRange& range : GUFO_TRY(rangesIn(text))) {
        for (std::uint64_t id = range.first; id <= range.last && ids.size() < kMostIds; ++id) {
            ids.push_back(id);
        }
    }
    return ids;
}

// `whole`: the expression matches whole names only, as where tensors are deleted.
Result<QRegularExpression> expressionOf(const std::string& text, bool whole) {
    const QString pattern = QString::fromStdString(text);
    QRegularExpression made(whole ? QRegularExpression::anchoredPattern(pattern) : pattern);
    if (text.empty() || !made.isValid()) {
        return refuse(Detail::SchemaNotAPattern);
    }
    return made;
}

auto matcher(QRegularExpression expression) {
    return [expression = std::move(expression)](std::string_view name) {
        return expression.match(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))).hasMatch();
    };
}

std::string describe(const TensorInfo& tensor) {
    return tensor.typeName() + ' ' + formatShape(tensor.shape).toStdString();
}

// What differs between a model and the model after the changes.
void addRows(const Document& document, SurgeryPlan& plan) {
    const Model& before = *document.base();
    const Model& after = *document.current();
    const std::string_view architecture = after.metadata.architecture();
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::string_view> origins; // the names of weights by their places
    for (const TensorInfo& tensor : before.tensors) {
        if (tensor.bytes.value_or(0) == 0) { // the next one lies at the same place
            continue;
        }
        origins.try_emplace({tensor.file.value, tensor.offset}, tensor.name);
    }
    for (const Difference& difference : document.differences()) {
        SurgeryRow row{.name = difference.renamed ? difference.oldName + " → " + difference.name : difference.name,
                       .before = {},
                       .after = {}};
        if (difference.subject == Difference::Subject::Key) {
            const auto text = [&](const std::optional<Value>& value) {
                return value ? valueText(difference.name, *value, architecture).left(80).toStdString() : std::string();
            };
            row.before = text(difference.before);
            row.after = text(difference.after);
        } else if (difference.subject == Difference::Subject::Tensor) {
            const auto old = before.findTensor(difference.oldName);
            const auto now = difference.deleted ? std::nullopt : after.findTensor(difference.name);
            row.before = old ? describe(before.tensor(*old)) : std::string();
            row.after = now ? describe(after.tensor(*now)) : std::string();
            if (old && now && row.before == row.after) { // the weights of another block
                const TensorInfo& tensor = after.tensor(*now);
                const auto origin = origins.find({tensor.file.value, tensor.offset});
                if (origin != origins.end() && origin->second != difference.name) {
                    row.after = origin->second;
                }
            }
        } else {
            continue;
        }
        plan.rows.push_back(std::move(row));
    }
}

void addSizes(const Model& before, const Model& after, SurgeryPlan& plan) {
    plan.tensorsBefore = before.tensors.size();
    plan.tensorsAfter = after.tensors.size();
    plan.bytesBefore = before.totals().tensorBytes;
    plan.bytesAfter = after.totals().tensorBytes;
}

// The model after the changes; refuses one that would be invalid unless it is a part of a model.
Result<> apply(const std::shared_ptr<const Model>& model, SurgeryPlan& plan, bool isPart = false) {
    Document document(model);
    GUFO_TRY(document.apply(plan.changes, {}));
    if (!isPart) {
        GUFO_TRY(checkSurgery(*model, *document.current()));
    }
    addSizes(*model, *document.current(), plan);
    addRows(document, plan);
    return {};
}

Result<> write(const std::shared_ptr<const Model>& model, const Changes& changes, const std::filesystem::path& out,
               const JobContext& job) {
    Document document(model);
    GUFO_TRY(document.apply(changes, {}));
    GUFO_TRY(saveModelAs(*document.current(), document.target(), out, {}, job));
    return {};
}

Result<std::vector<TypeOverride>> overridesOf(const SurgeryRequest& request) {
    auto expression = GUFO_TRY(expressionOf(request.text, false));
    return std::vector{
        TypeOverride{.matches = matcher(std::move(expression)), .typeId = request.typeId, .pattern = request.text}};
}

// Tensors are only encoded when it is done; before, the figures say enough.
Result<SurgeryPlan> planRetype(const std::shared_ptr<const Model>& model, const SurgeryRequest& request) {
    auto overrides = GUFO_TRY(overridesOf(request));
    const auto planned = GUFO_TRY(planRetyping(*model, std::move(overrides)));
    SurgeryPlan plan;
    addSizes(*model, *model, plan);
    for (const PlannedTensor& each : planned) {
        const TensorInfo& tensor = model->tensor(each.tensor);
        TensorInfo after = tensor;
        after.typeId = each.typeId;
        after.ownType = {};
        plan.bytesAfter = plan.bytesAfter - tensor.bytes.value_or(0) + each.bytes;
        plan.rows.push_back({std::string(tensor.name), describe(tensor), describe(after)});
    }
    return plan;
}

// Where only a plan is wanted, a name that fits.
std::filesystem::path outOf(const std::shared_ptr<const Model>& model, const SurgeryRequest& request) {
    if (!request.out.empty()) {
        return request.out;
    }
    return model->path().parent_path() / (model->path().stem().native() + "-00002-of-00002.gguf");
}

Result<SurgeryPlan> moveTensors(const std::shared_ptr<const Model>& model, const SurgeryRequest& request,
                                const JobContext& job) {
    auto expression = GUFO_TRY(expressionOf(request.text, true));
    auto moved = GUFO_TRY(moveOut(model, matcher(std::move(expression)), outOf(model, request)));
    const bool isPart = moved.kind == MovedOut::Kind::Part;
    SurgeryPlan plan{.changes = std::move(moved.rest)};
    GUFO_TRY(apply(model, plan, isPart));
    if (request.out.empty()) {
        return plan;
    }
    GUFO_TRY(write(model, moved.file, request.out, job));
    if (isPart) {
        GUFO_TRY(write(model, plan.changes, moved.first, job));
        plan.changes.clear();
        plan.written = moved.first;
    } else {
        plan.written = request.out;
    }
    return plan;
}

Result<SurgeryPlan> extract(const std::shared_ptr<const Model>& model, const SurgeryRequest& request,
                            const JobContext& job) {
    SurgeryPlan plan{.changes = GUFO_TRY(extractMtp(*model))};
    GUFO_TRY(apply(model, plan, true)); // which has only some blocks
    if (!request.out.empty()) {
        GUFO_TRY(write(model, plan.changes, request.out, job));
        plan.written = request.out;
    }
    plan.changes.clear();
    return plan;
}

Result<Changes> changesFor(const std::shared_ptr<const Model>& model, const SurgeryRequest& request,
                           const JobContext& job) {
    switch (request.kind) {
    case SurgeryKind::DropBlocks:
        return rearrangeBlocks(model, GUFO_TRY(rangesIn(request.text)), {});
    case SurgeryKind::DuplicateBlocks:
        return rearrangeBlocks(model, {}, GUFO_TRY(rangesIn(request.text)));
    case SurgeryKind::StripMtp:
        return stripMtp(model);
    case SurgeryKind::GraftMtp:
        return graftMtp(*model, GUFO_TRY(openModel(request.file, job)));
    case SurgeryKind::KeepExperts: {
        const bool counted = request.text.find_first_not_of("0123456789") == std::string::npos && !request.text.empty();
        const auto file = request.file.empty() ? std::optional<std::filesystem::path>() : std::optional(request.file);
        const auto kept = GUFO_TRY(counted ? chosenExperts(*model, request.text, file, job)
                                           : chosenExperts(*model, request.file.native(), std::nullopt, job));
        return keepExperts(*model, kept);
    }
    case SurgeryKind::Retype:
        return retypeTensors(model, GUFO_TRY(overridesOf(request)), job);
    case SurgeryKind::ExtendVocabulary: {
        const NewToken token{.text = request.text, .type = {}, .copied = request.like};
        return extendVocabulary(*model, std::span(&token, 1));
    }
    case SurgeryKind::TrimVocabulary:
        return trimVocabulary(*model, request.text.empty() ? unusedTokens(*model) : GUFO_TRY(idsIn(request.text)));
    case SurgeryKind::ExtractMtp:
    case SurgeryKind::MoveOut:
        break;
    }
    return Changes();
}

} // namespace

Result<SurgeryPlan> planSurgery(const std::shared_ptr<const Model>& model, const SurgeryRequest& request,
                                const JobContext& job) {
    SurgeryRequest only = request;
    only.out.clear();
    return request.kind == SurgeryKind::Retype ? planRetype(model, request) : performSurgery(model, only, job);
}

Result<SurgeryPlan> performSurgery(const std::shared_ptr<const Model>& model, const SurgeryRequest& request,
                                   const JobContext& job) {
    if (request.kind == SurgeryKind::ExtractMtp) {
        return extract(model, request, job);
    }
    if (request.kind == SurgeryKind::MoveOut) {
        return moveTensors(model, request, job);
    }
    SurgeryPlan plan{.changes = GUFO_TRY(changesFor(model, request, job))};
    GUFO_TRY(apply(model, plan));
    GUFO_TRY(job.check());
    return plan;
}

} // namespace gufo::ui
