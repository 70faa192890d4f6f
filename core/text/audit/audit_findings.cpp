#include "text/audit/audit_findings.h"

#include "model/encode_value.h"
#include "model/finding_code.h"
#include "text/audit/template_audit.h"
#include "text/template/chat_templates.h"
#include "text/tokenizer/tokenizer.h"

#include <QCryptographicHash>

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

namespace gufo::text {
namespace {

constexpr std::size_t kKeptAnswers = 4; // models
constexpr std::size_t kMostPerTemplate = 12;

// The digest of everything that an audit reads: the templates and the vocabulary.
QByteArray digestOf(const Metadata& metadata) {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    std::vector<std::byte> bytes;
    for (const KeyValue& entry : metadata) {
        if (entry.key.starts_with("tokenizer.") || entry.key == "general.architecture") {
            bytes.clear();
            appendString(bytes, entry.key, {});
            static_cast<void>(appendValue(bytes, entry.value, {})); // a damaged array counts as absent
            hash.addData(
                QByteArrayView(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())));
        }
    }
    return hash.result();
}

void addFindings(const TemplateAudit& audit, const Place& place, std::vector<Finding>& findings) {
    std::size_t added = 0;
    for (const auto* list : {&audit.threats, &audit.faults}) {
        for (const AuditFinding& each : *list) {
            const bool isThreat = each.kind() == AuditKind::Threat;
            if ((!isThreat && each.kind() != AuditKind::Error) || each.code == AuditCode::Broken ||
                added == kMostPerTemplate) {
                continue;
            }
            Finding finding{
                isThreat ? FindingCode::TemplateThreat : FindingCode::TemplateFault, place, {each.name(), each.line}};
            finding.args.insert(finding.args.end(), each.args.begin(), each.args.end());
            findings.push_back(std::move(finding));
            ++added;
        }
    }
    // A template that is broken renders nothing, which is no other fault.
    const bool isBroken =
        std::ranges::any_of(audit.faults, [](const AuditFinding& each) { return each.code == AuditCode::Broken; });
    if (!audit.isJudged() && !isBroken) {
        findings.push_back({FindingCode::TemplateUnjudged, place, {unjudgedName(audit.reason)}});
    }
}

// Whether a helper renders anything: then one that died did so because of its template.
bool isHelperThere(const std::stop_token& stop) {
    TemplateRenderer renderer;
    return !renderer.render({.source = QStringLiteral("x"), .checkOnly = true}, stop).error;
}

// The answers for the last few models, the newest last.
class KeptAnswers {
public:
    std::optional<std::vector<Finding>> find(const QByteArray& digest) {
        const std::scoped_lock lock(m_mutex);
        const auto kept = std::ranges::find(m_kept, digest, &Answer::first);
        return kept != m_kept.end() ? std::optional(kept->second) : std::nullopt;
    }
    void keep(const QByteArray& digest, const std::vector<Finding>& findings) {
        const std::scoped_lock lock(m_mutex);
        m_kept.emplace_back(digest, findings);
        if (m_kept.size() > kKeptAnswers) {
            m_kept.pop_front();
        }
    }

private:
    using Answer = std::pair<QByteArray, std::vector<Finding>>;
    std::mutex m_mutex;
    std::deque<Answer> m_kept;
};

} // namespace

std::optional<std::vector<Finding>> auditFindings(const Model& model, const JobContext& job) {
    static KeptAnswers answers;
    const JobContext silent = job.silent();
    const QByteArray digest = digestOf(model.metadata);
    if (auto kept = answers.find(digest)) {
        return kept;
    }
    const auto tokenizer = makeTokenizer(model, silent); // without a vocabulary, its tokens are not judged
    std::vector<Finding> findings;
    bool isLasting = true; // a machine that was busy may answer otherwise the next time
    for (const ChatTemplate& each : chatTemplates(model.metadata)) {
        TemplateRenderer renderer;
        const auto audit = auditTemplate(model.metadata, each.source, renderer,
                                         {.tokenizer = tokenizer ? tokenizer->get() : nullptr}, silent);
        if (!audit || (audit->reason == UnjudgedReason::NoHelper && !isHelperThere(job.stop))) {
            return std::nullopt;
        }
        isLasting = isLasting && audit->isJudged();
        addFindings(*audit, Place::key(std::string(each.key)), findings);
    }
    if (isLasting) {
        answers.keep(digest, findings);
    }
    return findings;
}

} // namespace gufo::text
