#include "ui/report/model_card.h"

#include "inference/engine/gufo_engine.h"
#include "model/array_index.h"
#include "model/file_kind.h"
#include "model/file_naming.h"
#include "model/file_type.h"
#include "model/hub_values.h"
#include "ui/messages/figure_text.h"

#include <QCoreApplication>
#include <QUrl>

#include <algorithm>
#include <array>
#include <set>

namespace gufo::ui {
namespace {

class CardWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::ModelCard)
};

std::string textOf(const Model& model, const std::string& key) {
    return std::string(model.metadata.string(key).value_or(std::string_view()));
}

std::vector<std::string> textsOf(const Model& model, std::string_view key) {
    std::vector<std::string> texts;
    if (const ArrayView* array = model.metadata.array(key)) {
        constexpr std::size_t kMaxTexts = 200;
        forEachElement(*array, [&](std::uint64_t, const Value& element) {
            if (const auto text = asString(element)) {
                texts.emplace_back(*text);
            }
            return texts.size() < kMaxTexts;
        });
    }
    return texts;
}

// "owner/name" of an address on the Hub; other addresses stay.
std::string repositoryOf(std::string address) {
    for (const std::string_view prefix : {"https://huggingface.co/", "http://huggingface.co/", "https://hf.co/"}) {
        if (address.starts_with(prefix)) {
            address.erase(0, prefix.size());
        }
    }
    while (address.ends_with('/')) {
        address.pop_back();
    }
    return address;
}

std::vector<std::string> repositoriesOf(const Model& model, const std::string& group) {
    std::vector<std::string> names;
    const std::uint64_t count = std::min<std::uint64_t>(model.metadata.uint(group + ".count").value_or(0), 50);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::string base = group + '.' + std::to_string(i);
        std::string name = repositoryOf(textOf(model, base + ".repo_url"));
        if (name.empty()) {
            name = textOf(model, base + ".name");
        }
        if (!name.empty()) {
            names.push_back(std::move(name));
        }
    }
    return names;
}

// ---- front matter ---------------------------------------------------------------------------------------------------

// A double-quoted scalar, which YAML reads as JSON does. CardWords that need no quotes have none.
std::string scalar(const std::string& text) {
    const bool isPlain = !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '-' || c == '/' ||
               c == '.' || c == '_';
    });
    // "no", "1.0" and "2024-01-01" would not be read as text.
    const bool isWord = isPlain && text.find_first_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == 0;
    constexpr auto kNotText =
        std::to_array<std::string_view>({"no", "yes", "on", "off", "true", "false", "null", "y", "n"});
    QString lower = QString::fromStdString(text).toLower();
    if (isWord && std::ranges::find(kNotText, lower.toStdString()) == kNotText.end()) {
        return text;
    }
    QString quoted = QStringLiteral("\"");
    for (const QChar c : QString::fromStdString(text)) {
        if (c == u'"' || c == u'\\') {
            quoted += u'\\';
            quoted += c;
        } else if (c.unicode() < 0x20 || c.unicode() == 0x7F || c.unicode() == 0x85 || c.unicode() == 0x2028 ||
                   c.unicode() == 0x2029) {
            quoted += QStringLiteral("\\u%1").arg(c.unicode(), 4, 16, QLatin1Char('0'));
        } else {
            quoted += c;
        }
    }
    return (quoted + u'"').toStdString();
}

void member(TextSink& out, const char* name, const std::string& text) {
    if (!text.empty()) {
        out.write(std::string(name) + ": " + scalar(text) + '\n');
    }
}

void list(TextSink& out, const char* name, const std::vector<std::string>& texts) {
    if (texts.empty()) {
        return;
    }
    out.write(std::string(name) + ":\n");
    for (const std::string& text : texts) {
        out.write("- " + scalar(text) + '\n');
    }
}

void writeLicence(TextSink& out, const Model& model) {
    const std::string stated = textOf(model, "general.license");
    if (stated.empty()) {
        return;
    }
    const auto known = hubLicence(stated);
    member(out, "license", known ? std::string(*known) : "other");
    if (!known) {
        const std::string name = textOf(model, "general.license.name");
        member(out, "license_name", name.empty() ? stated : name);
    }
    if (!known || *known == "other") {
        member(out, "license_link", textOf(model, "general.license.link"));
    }
}

void writeFrontMatter(TextSink& out, const Model& model) {
    out.write("---\n");
    writeLicence(out, model);
    const std::vector<std::string> bases = repositoriesOf(model, "general.base_model");
    list(out, "base_model", bases);
    if (!bases.empty()) {
        member(out, "base_model_relation", "quantized");
    }
    list(out, "language", textsOf(model, "general.languages"));
    std::vector<std::string> datasets = repositoriesOf(model, "general.dataset");
    const std::vector<std::string> named = textsOf(model, "general.datasets");
    datasets.insert(datasets.end(), named.begin(), named.end());
    list(out, "datasets", datasets);
    std::vector<std::string> tags{"gguf"};
    for (const std::string& tag : textsOf(model, "general.tags")) {
        if (std::ranges::find(tags, tag) == tags.end()) {
            tags.push_back(tag);
        }
    }
    list(out, "tags", tags);
    member(out, "library_name", "gguf");
    member(out, "quantized_by", textOf(model, "general.quantized_by"));
    out.write("---\n\n");
}

// ---- the page -------------------------------------------------------------------------------------------------------

// Text of a file in Markdown: on one line, and without a meaning to Markdown or HTML.
QString plain(const std::string& text) {
    QString result;
    for (const QChar c : displayText(text)) {
        if (QStringLiteral("\\`*_{}[]<>#|&~").contains(c)) {
            result += u'\\';
        }
        result += c;
    }
    return result;
}

void row(TextSink& out, const QStringList& cells) {
    out.write(QStringLiteral("| ") + cells.join(QStringLiteral(" | ")) + QStringLiteral(" |\n"));
}

void writeFiles(TextSink& out, const std::vector<CardFile>& files, const std::optional<CardDivergence>& measured) {
    out.write("## " + CardWords::tr("Files").toStdString() + "\n\n");
    std::set<std::uint64_t> contexts;
    for (const CardFile& file : files) {
        if (file.memory) {
            contexts.insert(file.context);
        }
    }
    const QString memory = contexts.size() == 1
                               ? CardWords::tr("Memory, %1 tokens of context").arg(formatCount(*contexts.begin()))
                               : CardWords::tr("Memory");
    const QString none = QStringLiteral("–");
    QStringList titles{CardWords::tr("File"), CardWords::tr("Type"), CardWords::tr("Size"),
                       CardWords::tr("Bits per weight"), memory};
    QStringList alignments{QStringLiteral("---"), QStringLiteral("---"), QStringLiteral("---:"), QStringLiteral("---:"),
                           QStringLiteral("---:")};
    if (measured) {
        titles << CardWords::tr("KL divergence");
        alignments << QStringLiteral("---:");
    }
    row(out, titles);
    row(out, alignments);
    for (const CardFile& file : files) {
        QStringList cells{plain(file.name), plain(file.type), formatBytes(file.bytes),
                          file.bitsPerWeight ? QString::number(*file.bitsPerWeight, 'f', 2) : none,
                          file.memory ? formatBytes(*file.memory) : none};
        if (measured) {
            constexpr int kFigures = 3;
            cells << (file.name == measured->reference ? CardWords::tr("reference")
                      : file.divergence                ? formatReal(*file.divergence, kFigures)
                                                       : none);
        }
        row(out, cells);
    }
    out.write("\n");
    if (measured) {
        out.write(
            CardWords::tr("KL divergence: how far the predictions are from those of %1 on the text %2, in nats, on "
                          "average over its tokens. Smaller is better.")
                .arg(plain(measured->reference), plain(measured->text)) +
            QStringLiteral("\n\n"));
    }
}

struct SettingRow {
    const char* key;
    const char* option; // of gufo-cli, llama.cpp and others
};
constexpr auto kSettings = std::to_array<SettingRow>({
    {"general.sampling.temp", "temperature"},
    {"general.sampling.top_k", "top-k"},
    {"general.sampling.top_p", "top-p"},
    {"general.sampling.min_p", "min-p"},
    {"general.sampling.penalty_repeat", "repeat-penalty"},
    {"general.sampling.penalty_last_n", "repeat-last-n"},
    {"general.sampling.xtc_probability", "xtc-probability"},
    {"general.sampling.xtc_threshold", "xtc-threshold"},
    {"general.sampling.mirostat", "mirostat"},
    {"general.sampling.mirostat_tau", "mirostat-tau"},
    {"general.sampling.mirostat_eta", "mirostat-eta"},
});

void writeSampling(TextSink& out, const Model& model) {
    QStringList lines;
    for (const SettingRow& setting : kSettings) {
        if (const Value* value = model.metadata.find(setting.key)) {
            lines << QStringLiteral("- %1: %2\n").arg(QLatin1String(setting.option), formatValue(*value));
        }
    }
    if (!lines.isEmpty()) {
        out.write("## " + CardWords::tr("Sampling defaults").toStdString() + "\n\n");
        out.write(lines.join(QString()) + QLatin1Char('\n'));
    }
}

void line(TextSink& out, const QString& label, const QString& content) {
    if (!content.isEmpty()) {
        out.write(QStringLiteral("- %1: %2\n").arg(label, content));
    }
}

QString joined(const std::vector<std::string>& texts) {
    QStringList list;
    for (const std::string& text : texts) {
        list << plain(text);
    }
    return list.join(QStringLiteral(", "));
}

void writeOrigin(TextSink& out, const Model& model, const std::vector<CardFile>& files) {
    out.write("## " + CardWords::tr("About the model").toStdString() + "\n\n");
    line(out, CardWords::tr("Architecture"), plain(std::string(model.metadata.architecture())));
    line(out, CardWords::tr("Size"), plain(textOf(model, "general.size_label")));
    line(out, CardWords::tr("Author"), plain(textOf(model, "general.author")));
    line(out, CardWords::tr("Organisation"), plain(textOf(model, "general.organization")));
    line(out, CardWords::tr("Base models"), joined(repositoriesOf(model, "general.base_model")));
    line(out, CardWords::tr("Licence"), plain(textOf(model, "general.license")));
    line(out, CardWords::tr("Trained context"),
         formatCount(model.metadata.uint(model.metadata.architectureKey("context_length")).value_or(0)));
    line(out, CardWords::tr("Quantised by"), plain(textOf(model, "general.quantized_by")));
    for (const CardFile& file : files) {
        // Only the name: the folder is one of the computer that quantised.
        std::string matrix = textOf(*file.model, "quantize.imatrix.file");
        matrix.erase(0, matrix.find_last_of("/\\") + 1);
        if (!matrix.empty()) {
            line(out, CardWords::tr("Importance matrix"), plain(matrix));
            break;
        }
    }
    out.write("\n");
}

bool runs(const CardFile& file) { return fileKind(*file.model) == FileKind::Model; }

} // namespace

CardFile cardFile(const std::shared_ptr<const Model>& model) {
    const std::filesystem::path first = model->files.front().path.filename();
    CardFile file{.model = model, .name = first.native()};
    file.type = parseFileNaming(file.name).encoding;
    if (const auto stated = model->metadata.uint("general.file_type"); file.type.empty() && stated) {
        const FileTypeFact* fact = findFileType(*stated);
        file.type = fact != nullptr ? std::string(fact->name) : std::string();
    }
    const std::vector<Model::TypeShare> shares = model->typeShares();
    if (file.type.empty() && !shares.empty()) {
        file.type = shares.front().name;
    }
    const Model::Totals totals = model->totals();
    file.bytes = totals.fileBytes;
    file.bitsPerWeight = totals.bitsPerWeight;
    // As memoryToRun() states it elsewhere.
    if (const auto forecast = inference::forecastMemory(model, {}, {}); forecast && runs(file)) {
        file.memory = forecast->needs.total();
        file.context = forecast->needs.context;
    }
    return file;
}

std::optional<std::size_t> divergenceReference(const std::vector<CardFile>& files) {
    std::optional<std::size_t> largest;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (runs(files[i]) && (!largest || files[i].bytes > files[*largest].bytes)) {
            largest = i;
        }
    }
    return largest;
}

void writeModelCard(TextSink& out, const std::vector<CardFile>& files, const std::vector<CardPicture>& pictures,
                    const std::optional<CardDivergence>& measured) {
    std::vector<CardFile> sorted = files;
    std::ranges::sort(sorted, [](const CardFile& a, const CardFile& b) {
        return std::tuple(!runs(a), a.bytes, a.name) < std::tuple(!runs(b), b.bytes, b.name);
    });
    const auto first = std::ranges::find_if(sorted, runs);
    const Model& model = first != sorted.end() ? *first->model : *sorted.front().model;
    writeFrontMatter(out, model);
    std::string name = textOf(model, "general.name");
    out.write(QStringLiteral("# ") + plain(name.empty() ? model.files.front().path.stem().native() : std::move(name)) +
              QStringLiteral("\n\n"));
    if (const std::string description = textOf(model, "general.description"); !description.empty()) {
        out.write(plain(description) + QStringLiteral("\n\n"));
    }
    writeFiles(out, sorted, measured);
    for (const CardPicture& picture : pictures) {
        out.write(QStringLiteral("![%1](%2)\n\n")
                      .arg(plain(picture.title.toStdString()),
                           QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(picture.name)))));
    }
    writeSampling(out, model);
    writeOrigin(out, model, sorted);
}

} // namespace gufo::ui
