// Compares the tensors of a model with the tensors that the engine asks for. The engine's tables are the only ones that
// say which tensors an architecture has.
#include "model/finding_code.h"
#include "model/value_text.h"
#include "validate/checks.h"

#include <algorithm>
#include <set>
#include <utility>

namespace gufo {
namespace {

constexpr std::size_t kMaxNamed = 6; // groups of tensors in one finding

// The tensors of one role that differ only in their block: "blk.0–blk.5.ffn_up.weight".
class Groups {
public:
    void add(const TensorName& name, std::string_view full) {
        const std::string begin = std::string(name.prefix) + "blk.";
        const std::size_t end = name.block ? full.find('.', begin.size()) : std::string_view::npos;
        if (!name.block || !full.starts_with(begin) || end == std::string_view::npos) {
            if (std::ranges::find(m_groups, full, &Group::begin) == m_groups.end()) {
                m_groups.push_back({std::string(full), {}, {}});
            }
            return;
        }
        const std::string part(full.substr(end));
        auto group =
            std::ranges::find_if(m_groups, [&](const Group& each) { return each.begin == begin && each.end == part; });
        if (group == m_groups.end()) {
            group = m_groups.insert(m_groups.end(), {begin, part, {}});
        }
        group->blocks.insert(*name.block);
    }

    // "a, b, … (+2)"; each run of blocks is one entry.
    [[nodiscard]] std::string text() const {
        std::vector<std::string> entries;
        for (const Group& group : m_groups) {
            if (group.blocks.empty()) {
                entries.push_back(group.begin);
            }
            for (auto first = group.blocks.begin(); first != group.blocks.end();) {
                auto last = first;
                auto next = std::next(first);
                for (; next != group.blocks.end() && *next == *last + 1; ++next) {
                    last = next;
                }
                entries.push_back(group.begin + std::to_string(*first) +
                                  (last != first ? "–" + group.begin + std::to_string(*last) : "") + group.end);
                first = next;
            }
        }
        std::string text;
        for (std::size_t i = 0; i < std::min(entries.size(), kMaxNamed); ++i) {
            text += (i != 0 ? ", " : "") + entries[i];
        }
        return entries.size() > kMaxNamed ? text + ", … (+" + std::to_string(entries.size() - kMaxNamed) + ")" : text;
    }
    [[nodiscard]] bool empty() const { return m_groups.empty(); }

private:
    struct Group {
        std::string begin; // the whole name, where there is no block
        std::string end;
        std::set<std::uint32_t> blocks;
    };
    std::vector<Group> m_groups;
};

// Whether other checks have found errors in the keys. A refusal by the engine is then their consequence.
bool keysAreWrong(const CheckContext& context) {
    FindingList findings;
    for (const CheckFunction check : {checkRequiredKeys, checkValueTypes, checkHyperParameters}) {
        static_cast<void>(check(context, findings)); // cannot fail: checks of keys read nothing else
    }
    const std::vector<Finding> found = std::move(findings).take();
    return std::ranges::any_of(found, [](const Finding& each) { return each.severity() == Severity::Error; });
}

// The values are possible one by one, but no model can have them together.
CheckOutcome reportKeys(const CheckContext& context, const Error& error, FindingList& findings) {
    const bool isKey = error.place.kind == Place::Kind::Key;
    if (!isKey || (error.code != ErrorCode::NoSuchKey && error.code != ErrorCode::InvalidArgument) ||
        keysAreWrong(context)) {
        return CheckOutcome::NotJudged;
    }
    const Value* value = context.metadata.find(error.place.name);
    if (error.code == ErrorCode::NoSuchKey) {
        findings.add(FindingCode::RequiredKeyMissing, error.place,
                     {error.args.empty() ? Argument(error.place.name) : error.args.front(),
                      std::string(context.architectureName)});
    } else {
        findings.add(FindingCode::ValueUnusable, error.place, {value != nullptr ? shortText(*value) : std::string()});
    }
    return CheckOutcome::Ran;
}

// Adds the first dimension that differs.
void reportShape(const CheckContext& context, const inference::MisshapenTensor& wrong, FindingList& findings) {
    const TensorInfo& tensor = context.model.tensor(wrong.tensor);
    const auto dims = tensor.shape.dims();
    for (std::size_t i = 0; i < std::max(wrong.dims.size(), dims.size()); ++i) {
        const std::uint64_t expected = i < wrong.dims.size() ? wrong.dims[i] : 1;
        const std::uint64_t found = i < dims.size() ? dims[i] : 1;
        if (expected != found && expected != inference::Binder::kAsInFile) {
            findings.add(FindingCode::TensorShape, Place::tensor(std::string(tensor.name)), {i, expected, found});
            return;
        }
    }
}

} // namespace

std::optional<Result<inference::BindingReport>> bindingOf(const CheckContext& context) {
    if (context.kind != FileKind::Model || context.partsMissing || !context.naming.sidecar.empty()) {
        return std::nullopt;
    }
    auto report = inference::examineTensors(context.model);
    return !report || report->complete ? std::optional(std::move(report)) : std::nullopt;
}

Result<CheckOutcome> checkBinding(const CheckContext& context, FindingList& findings) {
    if (context.kind != FileKind::Model || !context.naming.sidecar.empty()) {
        return CheckOutcome::NotApplicable;
    }
    if (!context.binding) {
        return CheckOutcome::NotJudged;
    }
    if (!*context.binding) {
        return reportKeys(context, context.binding->error(), findings);
    }
    const inference::BindingReport& report = **context.binding;
    std::set<std::pair<std::string_view, std::uint32_t>> blocks;
    for (const TensorName& name : context.names) {
        if (name.block) {
            blocks.emplace(name.prefix, *name.block);
        }
    }
    Groups missing;
    for (const inference::AbsentTensor& absent : report.absent) {
        const TensorName name = parseTensorName(absent.name);
        const bool blockExists = !name.block || blocks.contains({name.prefix, *name.block});
        // Other findings say that the embedding or all of a block is missing.
        if (absent.required && blockExists && name.role != "token_embd") {
            missing.add(name, absent.name);
        }
    }
    const std::string architecture(context.architectureName);
    if (!missing.empty()) {
        findings.add(FindingCode::TensorsMissing, {}, {missing.text(), architecture});
    }
    Groups unknown;
    std::string first;
    for (const TensorIndex index : report.unused) {
        const std::string name(context.model.tensor(index).name);
        // The bias or factor of a matrix that is missing has no other fault.
        const std::string matrix = name.substr(0, name.rfind('.')) + ".weight";
        if (!context.missingTensors.contains(matrix)) {
            first = first.empty() ? name : first;
            unknown.add(context.names[index.value], name);
        }
    }
    if (!unknown.empty()) {
        findings.add(FindingCode::TensorsUnknown, Place::tensor(first), {unknown.text(), architecture});
    }
    for (const inference::MisshapenTensor& wrong : report.misshapen) {
        reportShape(context, wrong, findings);
    }
    return CheckOutcome::Ran;
}

} // namespace gufo
