#include "base/mapped_file.h"
#include "cli/assignment.h"
#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/edit_report.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/progress_line.h"
#include "cli/repairs.h"
#include "cli/shared_options.h"
#include "cli/similar_name.h"
#include "cli/surgery_options.h"
#include "cli/verb.h"
#include "document/document.h"
#include "document/header_update.h"
#include "document/metadata_json.h"
#include "document/open_model.h"
#include "document/surgery.h"
#include "formats/container/model_saving.h"
#include "model/key_catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"
#include "ui/messages/save_text.h"
#include "ui/report/json_model.h"

#include <QRegularExpression>

#include <array>
#include <random>

namespace gufo::cli {
namespace {

template<typename T = void>
using Parsed = std::expected<T, QString>;

// Reads a file whole; an empty one is an empty text. Errors are printed.
Expected<std::string> readFile(const std::filesystem::path& path, Console& console) {
    const auto file = MappedFile::open(path);
    if (!file && file.error().code == ErrorCode::EmptyFile) {
        return std::string();
    }
    const auto bytes = file ? (*file)->view({0, (*file)->size()}) : std::unexpected(file.error());
    if (!bytes) {
        return std::unexpected(console.fail(bytes.error(), path));
    }
    std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    if (const auto damage = (*file)->damage()) { // shortened meanwhile, so that the rest was read as zeros
        return std::unexpected(console.fail(*damage, path));
    }
    return text;
}

// The edits of the command line, in the order in which they are applied.
class Edits {
public:
    Edits(const Invocation& invocation, const Model& model, const Cancellation& cancellation, Console& console)
        : m_invocation(invocation)
        , m_model(model)
        , m_cancellation(cancellation)
        , m_console(console) {}

    // Returns the exit code as the error, after printing it.
    Expected<std::vector<Change>> collect() {
        const auto wanted = m_invocation.value("type");
        if (wanted) {
            const auto type = parseType(*wanted);
            if (!type) {
                return std::unexpected(refuse(type.error()));
            }
            m_type = *type;
        }
        for (const auto step :
             {&Edits::newerHeader, &Edits::imports, &Edits::deletions, &Edits::renames, &Edits::assignments,
              &Edits::filesAsText, &Edits::filesAsJson, &Edits::tensorRenames, &Edits::tensorDeletions}) {
            GUFO_TRY((this->*step)());
        }
        if (m_changes.empty() && !m_invocation.isSet("header-from") && !m_invocation.isSet("repair") &&
            !m_invocation.isSet("vocab") && !wantsSurgery(m_invocation)) {
            return std::unexpected(refuse(Cli::tr("nothing to do: KEY=VALUE or another edit is needed")));
        }
        return std::move(m_changes);
    }

private:
    int refuse(const QString& message) { return m_console.fail(QStringLiteral("set: ") + message); }

    Expected<void> newerHeader() {
        const auto address = m_invocation.value("header-from");
        if (!address) {
            return {};
        }
        const JobContext job{.stop = m_cancellation.token()};
        const auto newer = openModel(hub::ModelPlace::parse(*address), job);
        auto changes =
            newer ? headerUpdate(m_model, **newer, std::random_device()(), job) : std::unexpected(newer.error());
        if (!changes) {
            return std::unexpected(failedOrCancelled(changes.error(), *address, m_cancellation, m_console));
        }
        m_changes = *std::move(changes);
        return {};
    }
    Expected<void> imports() {
        for (const std::string& path : m_invocation.values("import")) {
            const std::string text = GUFO_TRY(readFile(path, m_console));
            auto changes = readMetadataJson(text);
            if (!changes) {
                return std::unexpected(m_console.fail(changes.error(), path));
            }
            std::ranges::move(*changes, std::back_inserter(m_changes));
        }
        return {};
    }
    Expected<void> deletions() {
        for (const std::string& key : m_invocation.values("delete")) {
            m_changes.emplace_back(DeleteKey{key});
        }
        return {};
    }
    Expected<void> renames() {
        for (const std::string& text : m_invocation.values("rename")) {
            const auto names = splitAssignment(text);
            if (!names) {
                return std::unexpected(refuse(QStringLiteral("--rename: ") + names.error()));
            }
            m_changes.emplace_back(RenameKey{names->name, names->value});
        }
        return {};
    }
    Expected<void> assignments() {
        const std::vector<std::string>& arguments = m_invocation.positional();
        for (std::size_t i = 1; i < arguments.size(); ++i) {
            const auto assignment = splitAssignment(arguments[i]);
            if (!assignment && m_invocation.isSet("repair")) {
                continue; // the code of a finding
            }
            if (!assignment) {
                return std::unexpected(refuse(assignment.error()));
            }
            auto change = assignmentChange(m_model, *assignment, m_type);
            if (!change) {
                return std::unexpected(refuse(change.error()));
            }
            noteSimilarKey(assignment->name, *change);
            m_changes.push_back(*std::move(change));
        }
        return {};
    }
    // A mistyped key would be added beside the one that was meant.
    void noteSimilarKey(const std::string& key, const Change& change) {
        if (!std::holds_alternative<SetKey>(change) || m_model.metadata.find(key) != nullptr ||
            describeKey(key, m_model.metadata.architecture()) != nullptr) {
            return;
        }
        if (const std::string similar = similarPossibleKey(key, m_model); !similar.empty()) {
            m_console.note(QStringLiteral("set: %1 %2")
                               .arg(Cli::tr("%1 is a new key.").arg(ui::displayText(key)), didYouMean(similar)));
        }
    }
    // KEY=PATH: takes the value of the key from the content of the file.
    Expected<void> fromFiles(const char* option, TextKind kind) {
        for (const std::string& text : m_invocation.values(option)) {
            const auto names = splitAssignment(text);
            if (!names) {
                return std::unexpected(refuse(QStringLiteral("--%1: %2").arg(QLatin1String(option), names.error())));
            }
            std::string content = GUFO_TRY(readFile(names->value, m_console));
            auto change = assignmentChange(m_model, {names->name, std::move(content)}, m_type, kind);
            if (!change) {
                return std::unexpected(refuse(change.error()));
            }
            m_changes.push_back(*std::move(change));
        }
        return {};
    }
    Expected<void> filesAsText() { return fromFiles("file", TextKind::File); }
    Expected<void> filesAsJson() { return fromFiles("json-file", TextKind::Json); }

    int noSuchTensor(const std::string& pattern) {
        return failNaming(fail(ErrorCode::NoSuchTensor, {}, {pattern}).error(), m_model, m_invocation.file(),
                          m_console);
    }
    Expected<void> tensorRenames() {
        for (const std::string& text : m_invocation.values("rename-tensor")) {
            const auto names = splitAssignment(text, true);
            if (!names) {
                return std::unexpected(refuse(QStringLiteral("--rename-tensor: ") + names.error()));
            }
            const auto pattern = GUFO_TRY(regularExpression("rename-tensor", names->name, false, m_console));
            bool any = false;
            for (const TensorInfo& tensor : m_model.tensors) {
                QString name = QString::fromUtf8(tensor.name.data(), static_cast<qsizetype>(tensor.name.size()));
                if (name.contains(pattern)) {
                    name.replace(pattern, QString::fromStdString(names->value));
                    m_changes.emplace_back(RenameTensor{std::string(tensor.name), name.toStdString()});
                    any = true;
                }
            }
            if (!any) {
                return std::unexpected(noSuchTensor(names->name));
            }
        }
        return {};
    }
    Expected<void> tensorDeletions() {
        for (const std::string& text : m_invocation.values("delete-tensor")) {
            const auto pattern = GUFO_TRY(regularExpression("delete-tensor", text, true, m_console));
            bool any = false;
            for (const TensorInfo& tensor : m_model.tensors) {
                const QString name = QString::fromUtf8(tensor.name.data(), static_cast<qsizetype>(tensor.name.size()));
                if (text == tensor.name || pattern.match(name).hasMatch()) {
                    m_changes.emplace_back(DeleteTensor{std::string(tensor.name)});
                    any = true;
                }
            }
            if (!any) {
                return std::unexpected(noSuchTensor(text));
            }
        }
        return {};
    }

    const Invocation& m_invocation;
    const Model& m_model;
    const Cancellation& m_cancellation;
    Console& m_console;
    std::optional<WantedType> m_type;
    std::vector<Change> m_changes;
};

Parsed<SaveOptions> saveOptions(const Invocation& invocation) {
    SaveOptions options;
    options.verify = invocation.isSet("verify");
    options.allowSharedFile = invocation.isSet("in-place");
    options.reserve = invocation.isSet("no-reserve") ? Reserve::None : Reserve::Automatic;
    const std::string strategy = invocation.value("strategy").value_or("auto");
    if (strategy != "auto") {
        options.strategy = findStrategy(strategy);
        if (!options.strategy || *options.strategy == SaveStrategy::Unchanged) {
            return std::unexpected(Cli::tr("--strategy takes auto, patch, shift, clone or copy, not \"%1\"")
                                       .arg(ui::displayText(strategy)));
        }
    }
    return options;
}

QString latin(std::string_view text) { return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size())); }

void writePlan(ui::JsonWriter& json, const FilePlan& plan) {
    json.member("path", std::string_view(plan.path.native()));
    json.member("strategy", strategyName(plan.strategy));
    json.member("reason", reasonName(plan.reason));
    json.member("bytes_written", plan.bytesToWrite);
    json.member("bytes_before", plan.bytesBefore);
    json.member("bytes_after", plan.bytesAfter);
    json.member("reserved", plan.reserved);
    json.member("links_left", plan.linksLeft);
}

// The strategy to report for a save of several files: the costliest.
template<typename Files, typename Projection>
SaveStrategy strategyOf(const Files& files, const Projection& planOf) {
    SaveStrategy strategy = SaveStrategy::Unchanged;
    for (const auto& file : files) {
        strategy = std::max(strategy, planOf(file).strategy);
    }
    return strategy;
}

// The requested edit, and the remarks that it caused.
struct Edit {
    std::filesystem::path path; // of the file that is written
    std::string architecture;
    std::vector<Difference> differences;
    std::vector<Finding> remarks;
    std::vector<Repair> repairs;

    // Whether findings offer nothing: the file then stays as it is, even if saving it would pack or pad it.
    [[nodiscard]] bool repairsNothing(const Invocation& invocation) const {
        return invocation.isSet("repair") && repairs.empty() && differences.empty() && !invocation.value("output");
    }
};

void printJson(const SaveReport& report, const Edit& edit, Console& console) {
    ui::JsonWriter json(console.out());
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("file", std::string_view(edit.path.native()));
    json.member("dry_run", false);
    json.member("strategy", strategyName(strategyOf(report.files, [](const FileReport& file) { return file.plan; })));
    json.member("bytes_written", report.bytesWritten());
    json.member("milliseconds", report.milliseconds);
    writeDifferences(json, edit.differences);
    json.key("files");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const FileReport& file : report.files) {
        json.beginObject();
        writePlan(json, file.plan);
        json.member("milliseconds", file.milliseconds);
        json.endObject();
    }
    json.endArray();
    const auto hash = [&](const char* name, const std::optional<std::string>& text) {
        json.key(name);
        text ? json.value(std::string_view(*text)) : json.null();
    };
    hash("hash_before", report.hashBefore);
    hash("hash_after", report.hashAfter);
    json.key("remarks");
    ui::writeFindings(json, edit.remarks);
    writeRepairs(json, edit.repairs);
    json.endObject();
    json.endDocument();
}

// `plan` is null for a new file, which is always written whole.
void printDryRunJson(const SavePlan* plan, const Edit& edit, Console& console) {
    ui::JsonWriter json(console.out());
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("file", std::string_view(edit.path.native()));
    json.member("dry_run", true);
    const SaveStrategy strategy =
        plan != nullptr ? strategyOf(plan->files, [](const FilePlan& file) { return file; }) : SaveStrategy::Copy;
    json.member("strategy", strategyName(strategy));
    json.member("bytes_written", plan != nullptr ? std::optional(plan->bytesToWrite()) : std::nullopt);
    json.member("seconds", plan != nullptr ? plan->seconds() : std::nullopt);
    writeDifferences(json, edit.differences);
    json.key("files");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const FilePlan& file : plan != nullptr ? plan->files : std::vector<FilePlan>()) {
        json.beginObject();
        writePlan(json, file);
        json.endObject();
    }
    json.endArray();
    json.key("remarks");
    ui::writeFindings(json, edit.remarks);
    writeRepairs(json, edit.repairs);
    json.endObject();
    json.endDocument();
}

// Says what saving would do, without doing it.
int dryRun(const Document& document, const Edit& edit, const SaveOptions& options, const Invocation& invocation,
           Console& console) {
    std::optional<SavePlan> plan;
    if (edit.repairsNothing(invocation)) {
        plan.emplace();
    } else if (!invocation.value("output")) {
        auto planned = planModelSave(*document.base(), *document.current(), document.target(), options);
        if (!planned) {
            return console.fail(std::move(planned).error(), edit.path);
        }
        if (planned->refusal) {
            return console.fail(*planned->refusal, edit.path);
        }
        plan = std::move(*planned);
        if (options.allowSharedFile) {
            plan->advice = SaveAsAdvice::None;
        }
    }
    if (invocation.json()) {
        printDryRunJson(plan ? &*plan : nullptr, edit, console);
        return kDone;
    }
    if (invocation.isSet("repair")) {
        printRepairs(edit.repairs, console);
    }
    printDifferences(console, edit.differences, edit.architecture);
    Output& out = console.out();
    if (edit.repairsNothing(invocation)) {
        return kDone;
    }
    out.writeLine(plan ? ui::savePlanText(*plan, document.current()->totals().tensorBytes)
                       : Cli::tr("Saving writes the new file %1.").arg(ui::displayText(edit.path.native())));
    out.writeLine(Cli::tr("Nothing was written (--dry-run)."));
    return kDone;
}

// The old values are still readable: views of a header keep its bytes (MappedFile).
void printText(const SaveReport& report, const Edit& edit, Console& console) {
    Output& out = console.out();
    printDifferences(console, edit.differences, edit.architecture);
    if (report.files.empty()) {
        out.writeLine(Cli::tr("Nothing to save: the file already has these values."));
    }
    for (const FileReport& file : report.files) {
        out.writeLine(Cli::tr("%1: %2 (%3), %4 written in %5 ms")
                          .arg(ui::displayText(file.plan.path.native()), latin(strategyName(file.plan.strategy)),
                               ui::saveReasonText(file.plan.reason, file.plan.args),
                               ui::formatBytes(file.plan.bytesToWrite), QString::number(file.milliseconds, 'f', 1)));
        if (const QString links = ui::linksLeftText(file.plan.linksLeft); !links.isEmpty()) {
            console.note(QStringLiteral("%1: %2").arg(ui::displayText(file.plan.path.native()), links));
        }
    }
    if (report.hashAfter) {
        out.writeLine(Cli::tr("Tensor bytes before and after: %1").arg(latin(*report.hashAfter)));
    }
}

Result<SaveReport> saveEdited(const Document& document, const std::optional<std::string>& out,
                              const SaveOptions& options, const JobContext& job) {
    if (out) {
        return saveModelAs(*document.current(), document.target(), *out, options, job);
    }
    return saveModel(*document.base(), *document.current(), document.target(), options, job);
}

constexpr auto kSetOptions = with(
    kSurgeryOptions,
    std::to_array<OptionFact>({
        {"dry-run", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "only show what would change, and how it would be saved")},
        {"type", QT_TRANSLATE_NOOP("gufo::cli::Cli", "T"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "type of all values: u8 i8 … f64 bool str, or arr[T]")},
        {"file", QT_TRANSLATE_NOOP("gufo::cli::Cli", "KEY=PATH"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "set a key to the content of a file, byte for byte if the key is a string")},
        {"json-file", QT_TRANSLATE_NOOP("gufo::cli::Cli", "KEY=PATH"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "set a key to the JSON value in a file")},
        {"import", QT_TRANSLATE_NOOP("gufo::cli::Cli", "PATH"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "set all keys of a JSON file, with their types")},
        {"header-from", QT_TRANSLATE_NOOP("gufo::cli::Cli", "ADDRESS"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "take all keys of a newer version of the file, which has the same tensors; "
                           "ADDRESS is as in download, or a file. Its weights are not fetched, but "
                           "random parts of them are compared")},
        {"repair", "",
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "apply the repairs that findings offer, after the other edits: all, or those of "
                           "the codes that follow FILE")},
        {"delete", QT_TRANSLATE_NOOP("gufo::cli::Cli", "KEY"), QT_TRANSLATE_NOOP("gufo::cli::Cli", "delete a key")},
        {"rename", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OLD=NEW"), QT_TRANSLATE_NOOP("gufo::cli::Cli", "rename a key")},
        {"rename-tensor", QT_TRANSLATE_NOOP("gufo::cli::Cli", "REGEX=NEW"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "replace what REGEX matches in tensor names by NEW (\\1: the first group)")},
        {"delete-tensor", QT_TRANSLATE_NOOP("gufo::cli::Cli", "REGEX"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "delete the tensors whose whole name matches")},
        {"vocab", QT_TRANSLATE_NOOP("gufo::cli::Cli", "EDIT"),
         QT_TRANSLATE_NOOP(
             "gufo::cli::Cli",
             "extend:TOKEN[=TYPE[,ID]] adds a token, whose rows are the mean of all rows, or those of the "
             "token ID; trim:IDS removes tokens (5,32000-32063), and trim the unused ones")},
        {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "write to another file and leave this one unchanged"), true},
        {"strategy", QT_TRANSLATE_NOOP("gufo::cli::Cli", "S"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "how to save: auto (default), patch, shift, clone or copy; fails if it is impossible")},
        {"verify", "",
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "verify that the tensor bytes are unchanged by hashing them before and after")},
        {"in-place", "",
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "edit in place even if the file has hard links or is named by the hash of its content")},
        {"no-reserve", "",
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "reserve no space for later edits, and release reserved space")},
    }));

int runSet(const Invocation& invocation, Console& console) {
    const auto options = saveOptions(invocation);
    if (!options) {
        return console.fail(QStringLiteral("set: ") + options.error());
    }
    const Cancellation cancellation;
    const auto model = openModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    const bool repairs = invocation.isSet("repair");
    const auto codes = repairs ? repairCodes(std::span(invocation.positional()).subspan(1), console)
                               : Expected<std::set<FindingCode>>();
    if (!codes) {
        return codes.error();
    }
    auto changes = Edits(invocation, **model, cancellation, console).collect();
    if (!changes) {
        return changes.error();
    }
    Document document(*model);
    const auto step = document.apply(withArchitectureKeys(**model, *std::move(changes)), "set");
    if (!step) {
        return failNaming(step.error(), **model, invocation.file(), console);
    }
    for (const Finding& remark : step->remarks) {
        if (!invocation.json() && remark.severity() != Severity::Note) {
            console.note(QStringLiteral("%1: %2").arg(ui::displayText(remark.place.name), ui::findingMessage(remark)));
        }
    }
    if (const auto edited = editVocabulary(document, invocation, console); !edited) {
        return edited.error();
    }
    const auto repaired = repairs ? repairDocument(document, *codes, invocation.file(), cancellation, console)
                                  : Expected<std::vector<Repair>>();
    if (!repaired) {
        return repaired.error();
    }
    if (wantsSurgery(invocation)) {
        const auto edited = applySurgery(document, invocation, cancellation, console);
        if (!edited) {
            return edited.error();
        }
        if (!*edited && !invocation.value("output") && !invocation.json()) {
            return kDone;
        }
    }
    const auto out = invocation.value("output");
    const std::filesystem::path path = out ? std::filesystem::path(*out) : invocation.file();
    const Edit edit{.path = path,
                    .architecture = std::string(document.current()->metadata.architecture()),
                    .differences = document.differences(),
                    .remarks = step->remarks,
                    .repairs = *repaired};
    if (invocation.isDryRun()) {
        return dryRun(document, edit, *options, invocation, console);
    }
    if (edit.repairsNothing(invocation)) {
        invocation.json() ? printJson(SaveReport{}, edit, console) : printRepairs(edit.repairs, console);
        return kDone;
    }
    const auto saved = [&] {
        ProgressLine line(console, ui::displayText(path.native()));
        return saveEdited(document, out, *options, {.stop = cancellation.token(), .progress = line.progress()});
    }();
    if (!saved) {
        return failedOrCancelled(saved.error(), path, cancellation, console);
    }
    if (repairs && !invocation.json()) {
        printRepairs(edit.repairs, console);
    }
    invocation.json() ? printJson(*saved, edit, console) : printText(*saved, edit, console);
    return kDone;
}

} // namespace

const Verb setVerb{
    .name = "set",
    .arguments = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "FILE KEY=VALUE… [--repair [CODE…]] [--type T] [--file KEY=PATH] [--delete KEY] [--rename OLD=NEW] [-o OUT]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Edits metadata and tensor names, in place or in a new file"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "All edits are saved together: first --header-from and --import, then --delete, --rename, "
        "values, tensors, blocks, and "
        "--vocab. The type of a value is that\nof --type, of the key, of the key catalogue, or deduced: true, 12 "
        "(i32, u32, i64, u64), 1.5 (f32), [\"a\"] (arr), text.\nNames can stand for numbers "
        "(general.file_type=Q4_K_M); KEY[12]=VALUE sets one element. Ctrl-C leaves the file as it is."),
    .options = kSetOptions,
    .minArguments = 1,
    .maxArguments = -1,
    .run = runSet,
};

} // namespace gufo::cli
