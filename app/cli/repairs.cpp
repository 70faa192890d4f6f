#include "cli/repairs.h"

#include "cli/assignment.h"
#include "model/finding_code.h"
#include "text/audit/template_findings.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"
#include "ui/report/json_model.h"
#include "validate/fixes.h"
#include "validate/validate.h"

#include <algorithm>
#include <tuple>

namespace gufo::cli {
namespace {

// Only the first findings of a code are listed, and a repair can make another possible. No file needs so many passes
// unless its findings keep coming back.
constexpr int kMaxPasses = 1000;

// Whether saving packs the tensors, as it does without being asked. Of other layouts it does not change every one.
bool isMendedBySaving(FindingCode code) {
    return code == FindingCode::OffsetMisaligned || code == FindingCode::TensorsNotPacked;
}

int refuse(const QString& message, Console& console) {
    return console.fail(QStringLiteral("set: --repair: ") + message);
}

} // namespace

Expected<std::set<FindingCode>> repairCodes(std::span<const std::string> arguments, Console& console) {
    std::set<FindingCode> codes;
    for (const std::string& argument : arguments) {
        if (splitAssignment(argument)) {
            continue;
        }
        const auto facts = findingFacts();
        const auto fact = std::ranges::find(facts, argument, &FindingFact::name);
        if (fact == facts.end()) {
            return std::unexpected(refuse(
                Cli::tr(
                    "no finding is called %1; gufo-cli validate FILE --json lists those of a file, with their codes")
                    .arg(ui::displayText(argument)),
                console));
        }
        codes.insert(fact->code);
    }
    return codes;
}

Expected<std::vector<Repair>> repairDocument(Document& document, const std::set<FindingCode>& codes,
                                             const std::filesystem::path& path, const Cancellation& cancellation,
                                             Console& console) {
    using Identity = std::tuple<FindingCode, std::string, std::optional<std::uint64_t>>;
    std::set<Identity> done; // findings of the reader stay until the file is saved
    std::vector<Repair> repairs;
    for (int pass = 0; pass < kMaxPasses; ++pass) {
        // What only pages on a hub need is repaired if it is named.
        const auto checked = validate(*document.current(),
                                      {.chatTemplates = text::checkChatTemplates,
                                       .templateAudit = codes.empty() ? nullptr : text::auditFindings,
                                       .publish = !codes.empty()},
                                      {.stop = cancellation.token(), .progress = {}});
        if (!checked) {
            return std::unexpected(failedOrCancelled(checked.error(), path, cancellation, console));
        }
        const std::size_t before = repairs.size();
        const Finding* impossible = nullptr;
        for (const Finding& finding : checked->findings) {
            Identity identity{finding.code, finding.place.name, finding.place.index};
            if ((!codes.empty() && !codes.contains(finding.code)) || done.contains(identity)) {
                continue;
            }
            std::vector<Change> changes = fixFor(finding, *document.current()); // after the repairs before it
            const bool byCopy = changes.empty() && isMendedBySaving(finding.code);
            if (changes.empty() && !byCopy) {
                impossible = impossible != nullptr ? impossible : &finding;
                continue;
            }
            repairs.push_back({finding, byCopy || isSoundFix(finding, *document.current()), byCopy});
            if (byCopy) {
                done.insert(std::move(identity));
                continue;
            }
            if (const auto step = document.apply(std::move(changes), "repair"); !step) {
                return std::unexpected(console.fail(step.error(), path));
            }
            done.insert(std::move(identity));
        }
        if (repairs.size() != before) {
            continue;
        }
        if (impossible != nullptr && !codes.empty()) {
            const QString name =
                QString::fromLatin1(impossible->name().data(), static_cast<qsizetype>(impossible->name().size()));
            const QString place = ui::placeText(impossible->place);
            return std::unexpected(refuse(Cli::tr("%1 cannot be repaired: %2 %3")
                                              .arg(place.isEmpty() ? name : name + QStringLiteral(", ") + place,
                                                   ui::findingMessage(*impossible), ui::findingHint(*impossible))
                                              .trimmed(),
                                          console));
        }
        break;
    }
    return repairs;
}

void printRepairs(std::span<const Repair> repairs, Console& console) {
    Output& out = console.out();
    if (repairs.empty()) {
        out.writeLine(Cli::tr("There is nothing to repair."));
    }
    for (const auto& [finding, sound, byCopy] : repairs) {
        const QString place = ui::placeText(finding.place);
        out.writeLine(
            Cli::tr("Repair: %1 (%2)")
                .arg((place.isEmpty() ? QString() : place + QStringLiteral(": ")) + ui::findingMessage(finding),
                     byCopy ? Cli::tr("the file is written anew") : ui::fixLabel(finding.code)));
        if (!sound) {
            console.note(ui::fixConsequence(finding.code));
        }
    }
}

void writeRepairs(ui::JsonWriter& json, std::span<const Repair> repairs) {
    std::vector<Finding> findings;
    std::ranges::transform(repairs, std::back_inserter(findings), &Repair::finding);
    json.key("repaired");
    ui::writeFindings(json, findings);
}

} // namespace gufo::cli
