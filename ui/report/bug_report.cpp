#include "ui/report/bug_report.h"

#include "analysis/model_digests.h"
#include "base/cpu_features.h"
#include "base/parallel.h"
#include "base/sha256.h"
#include "text/audit/known_templates.h"
#include "text/audit/template_findings.h"
#include "text/template/chat_templates.h"
#include "text/tokenizer/vocabulary.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/model_text.h"

#include <QCoreApplication>
#include <QDir>
#include <QSysInfo>

#include <algorithm>
#include <map>
#include <set>

namespace gufo::ui {
namespace {

class ReportTexts {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::BugReport)
};

// Text of a file inside of a code span, which it cannot end.
QString code(std::string_view text) { return u'`' + displayText(text).replace(u'`', QChar(0x2018)) + u'`'; }

// Words that quote texts of a file, outside of a code span: without a meaning to Markdown or HTML.
QString quoted(QString text) {
    text.replace(u'`', QChar(0x2018)).replace(u'<', QStringLiteral("&lt;"));
    return text.replace(u'[', QStringLiteral("\\[")).replace(u'\n', u' ');
}

// The report collects its lines, so that the folders can be taken out of all of them at the end.
class Lines {
public:
    void heading(const QString& text) { m_text += QStringLiteral("\n### %1\n\n").arg(text); }
    void fact(const QString& label, const QString& text) {
        if (!text.isEmpty()) {
            m_text += QStringLiteral("- %1: %2\n").arg(label, text);
        }
    }
    // In a table, a bar ends the cell, even inside of a code span.
    void row(QStringList cells) {
        cells.replaceInStrings(QStringLiteral("|"), QStringLiteral("\\|"));
        m_text += QStringLiteral("| %1 |\n").arg(cells.join(QStringLiteral(" | ")));
    }
    void titles(const QStringList& titles) {
        row(titles);
        row(QStringList(titles.size(), QStringLiteral("---")));
    }
    void line(const QString& text) { m_text += text + u'\n'; }
    [[nodiscard]] QString& text() { return m_text; }

private:
    QString m_text;
};

void writeMachine(Lines& lines, const BugReport& report) {
    lines.fact(
        ReportTexts::tr("Program"),
        QStringLiteral("Gufo %1, Qt %2").arg(QCoreApplication::applicationVersion(), QString::fromLatin1(qVersion())));
    lines.fact(ReportTexts::tr("System"), QStringLiteral("%1, %2 %3, %4")
                                              .arg(QSysInfo::prettyProductName(), QSysInfo::kernelType(),
                                                   QSysInfo::kernelVersion(), QSysInfo::currentCpuArchitecture()));
    lines.fact(ReportTexts::tr("Processor"),
               ReportTexts::tr("%1, threads: %2").arg(displayText(cpuDescription())).arg(hardwareThreads()));
    if (const auto& speed = report.speed) {
        lines.fact(ReportTexts::tr("Speed"), ReportTexts::tr("prompt %1 tokens/s, generation %2 tokens/s")
                                                 .arg(speedText(speed->promptTps), speedText(speed->generationTps)));
    }
}

void writeFile(Lines& lines, const BugReport& report) {
    const Model& model = *report.model;
    const Model::Totals totals = model.totals();
    lines.fact(ReportTexts::tr("File"), code(model.path().filename().native()));
    lines.fact(ReportTexts::tr("Format"),
               ReportTexts::tr("%1, version %2, %3, keys: %4, tensors: %5, files: %6")
                   .arg(fileFormatText(model.container))
                   .arg(model.version)
                   .arg(model.byteOrder == ByteOrder::Little ? ReportTexts::tr("little-endian")
                                                             : ReportTexts::tr("big-endian"),
                        formatCount(model.metadata.size()), formatCount(model.tensors.size()),
                        formatCount(model.shardCount())));
    lines.fact(ReportTexts::tr("Size"),
               ReportTexts::tr("%1 bytes (%2)").arg(formatCount(totals.fileBytes), formatBytes(totals.fileBytes)));
    lines.fact(ReportTexts::tr("SHA-256 of the header"), latin1(report.header));
    lines.fact(ReportTexts::tr("SHA-256 of the file"), latin1(report.file));
    lines.fact(ReportTexts::tr("Digest of the weights"), latin1(report.weights));
}

// The hyper-parameters, without long lists.
void writeArchitecture(Lines& lines, const Model& model) {
    const std::string architecture(model.metadata.architecture());
    const Model::Totals totals = model.totals();
    lines.heading(ReportTexts::tr("Architecture"));
    lines.fact(ReportTexts::tr("Architecture"), code(architecture));
    lines.fact(ReportTexts::tr("Weights"), formatCount(totals.weights));
    lines.fact(ReportTexts::tr("Bits per weight"),
               totals.bitsPerWeight ? formatBitsPerWeight(*totals.bitsPerWeight) : QString());
    for (const char* key : {"general.name", "general.file_type", "general.quantized_by", "general.version"}) {
        if (const Value* value = model.metadata.find(key)) {
            lines.fact(code(key), code(valueText(key, *value, architecture).left(200).toStdString()));
        }
    }
    for (const KeyValue& entry : model.metadata) {
        if (entry.key.starts_with(architecture + '.')) {
            lines.fact(code(entry.key), code(valueText(entry.key, entry.value, architecture).left(120).toStdString()));
        }
    }
}

void writeTypes(Lines& lines, const Model& model) {
    lines.heading(ReportTexts::tr("Types"));
    lines.titles(
        {ReportTexts::tr("Type"), ReportTexts::tr("Tensors"), ReportTexts::tr("Weights"), ReportTexts::tr("Bytes")});
    for (const Model::TypeShare& share : model.typeShares()) {
        lines.row({code(share.name), formatCount(share.tensors), formatCount(share.weights), formatCount(share.bytes)});
    }
}

// One row for the tensors of all blocks that have the same role and shape.
void writeShapes(Lines& lines, const Model& model) {
    struct Shapes {
        std::size_t first = 0; // of the tensors, for the order
        std::size_t count = 0;
        std::set<std::string> types;
    };
    std::map<std::pair<std::string, std::string>, Shapes> rows;
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const TensorInfo& tensor = model.tensors[i];
        std::string name;
        bool inNumber = false; // "blk.12.attn_q" is "blk.*.attn_q"
        for (const char c : tensor.name) {
            const bool digit = c >= '0' && c <= '9' && (inNumber || name.ends_with('.'));
            if (!digit) {
                name += c;
            } else if (!inNumber) {
                name += '*';
            }
            inNumber = digit;
        }
        Shapes& row = rows[{name, formatShape(tensor.shape).toStdString()}];
        row.first = row.count == 0 ? i : row.first;
        ++row.count;
        row.types.insert(std::string(tensor.typeName()));
    }
    std::vector<std::pair<std::pair<std::string, std::string>, Shapes>> sorted(rows.begin(), rows.end());
    std::ranges::sort(sorted, {}, [](const auto& row) { return row.second.first; });
    constexpr std::size_t kMaxRows = 200;
    lines.heading(ReportTexts::tr("Tensors"));
    lines.titles(
        {ReportTexts::tr("Name"), ReportTexts::tr("Shape"), ReportTexts::tr("Number"), ReportTexts::tr("Types")});
    for (std::size_t i = 0; i < std::min(sorted.size(), kMaxRows); ++i) {
        const auto& [key, row] = sorted[i];
        QStringList types;
        for (const std::string& type : row.types) {
            types << displayText(type);
        }
        lines.row({code(key.first), QString::fromStdString(key.second), formatCount(row.count),
                   types.join(QStringLiteral(", "))});
    }
    if (sorted.size() > kMaxRows) {
        lines.line(ReportTexts::tr("\nRows left out: %1").arg(formatCount(sorted.size() - kMaxRows)));
    }
}

void writeTokenizer(Lines& lines, const Model& model) {
    const Metadata& metadata = model.metadata;
    if (!metadata.string("tokenizer.ggml.model")) {
        return;
    }
    lines.heading(ReportTexts::tr("Tokenizer"));
    for (const KeyValue& entry : metadata) {
        if (entry.key.starts_with("tokenizer.") && asArray(entry.value) == nullptr &&
            !entry.key.starts_with(text::kChatTemplateKey)) {
            lines.fact(code(entry.key), code(formatValue(entry.value).left(120).toStdString()));
        } else if (const ArrayView* array = asArray(entry.value);
                   array != nullptr && entry.key.starts_with("tokenizer.")) {
            lines.fact(code(entry.key), ReportTexts::tr("elements: %1").arg(formatCount(array->length)));
        }
    }
    if (const auto vocabulary = text::Vocabulary::read(metadata, {})) {
        QStringList ends;
        for (const TokenId id : vocabulary->specials().endOfGeneration) {
            ends << QStringLiteral("%1 %2").arg(id.value).arg(code(vocabulary->text(id)));
        }
        lines.fact(ReportTexts::tr("Generation ends at"), ends.join(QStringLiteral(", ")));
    }
    for (const text::ChatTemplate& each : text::chatTemplates(metadata)) {
        const text::KnownTemplate known = text::findKnownTemplate(each.source);
        QString family = known.name.empty() ? ReportTexts::tr("of no published family that is known")
                         : known.changed.empty() && known.missingPieces == 0
                             ? ReportTexts::tr("that of %1").arg(displayText(known.name))
                             : ReportTexts::tr("that of %1, with %2 changed lines")
                                   .arg(displayText(known.name))
                                   .arg(known.changed.size());
        const auto digest = sha256(std::as_bytes(std::span(each.source)));
        lines.fact(code(each.key), ReportTexts::tr("%1 bytes, SHA-256 %2, %3")
                                       .arg(formatCount(each.source.size()), latin1(hexText(digest)), family));
    }
}

void writeFindings(Lines& lines, const Validation& validation) {
    lines.heading(ReportTexts::tr("Findings"));
    constexpr std::size_t kMaxFindings = 50;
    for (std::size_t i = 0; i < std::min(validation.findings.size(), kMaxFindings); ++i) {
        const Finding& finding = validation.findings[i];
        const QString place = placeText(finding.place);
        lines.line(QStringLiteral("- %1 `%2`%3: %4")
                       .arg(latin1(severityName(finding.severity())), latin1(finding.name()),
                            place.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(quoted(place)),
                            quoted(findingMessage(finding))));
    }
    if (validation.findings.size() > kMaxFindings) {
        lines.line(
            ReportTexts::tr("- Findings left out: %1").arg(formatCount(validation.findings.size() - kMaxFindings)));
    }
    lines.line(ReportTexts::tr("- Checks without findings: %1").arg(validation.checksPassed));
    for (const std::string_view check : validation.checksNotRun) {
        lines.line(ReportTexts::tr("- Not run: %1").arg(latin1(check)));
    }
}

// Takes out the folders that this computer has, and the name of its user where it is part of a path.
void hideFolders(QString& text, const Model& model) {
    std::set<QString> folders{QDir::homePath()};
    for (const ModelFile& file : model.files) {
        std::error_code ignored;
        for (const auto& folder :
             {file.path.parent_path(), std::filesystem::absolute(file.path, ignored).parent_path()}) {
            folders.insert(displayText(folder.native()));
        }
    }
    std::vector<QString> longestFirst(folders.begin(), folders.end());
    std::ranges::sort(longestFirst, std::ranges::greater(), &QString::size);
    for (const QString& folder : longestFirst) {
        if (folder.size() > 2) { // "/" and "." tell nothing
            text.replace(folder, QStringLiteral("…"));
        }
    }
}

} // namespace

Result<BugReport> makeBugReport(const std::shared_ptr<const Model>& model, bool hash, const JobContext& job) {
    BugReport report{.model = model,
                     .validation = GUFO_TRY(validate(*model, {.chatTemplates = text::checkChatTemplates}, job)),
                     .header = {}};
    const ModelFile& file = model->files[model->openedFile.value];
    if (file.source != nullptr && file.headerBytes != 0) {
        report.header = hexText(sha256(GUFO_TRY(file.source->view({0, file.headerBytes}))));
    }
    if (hash) {
        const ModelDigests digests = GUFO_TRY(digestModel(*model, job));
        for (const ModelDigests::File& each : digests.files) {
            if (each.file == model->openedFile) {
                report.file = hexText(each.whole);
            }
        }
        report.weights = digests.weights ? hexText(*digests.weights) : std::string();
    }
    return report;
}

void writeBugReport(TextSink& out, const BugReport& report) {
    const Model& model = *report.model;
    Lines lines;
    writeMachine(lines, report);
    writeFile(lines, report);
    writeArchitecture(lines, model);
    writeTypes(lines, model);
    writeTokenizer(lines, model);
    writeFindings(lines, report.validation);
    writeShapes(lines, model);
    hideFolders(lines.text(), model);
    out.write(lines.text());
}

} // namespace gufo::ui
