#include "cli/console.h"
#include "cli/engine_options.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/progress_line.h"
#include "cli/text_input.h"
#include "cli/text_table.h"
#include "cli/verb.h"
#include "text/tokenizer/tokenizer.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"

#include <array>

namespace gufo::cli {
namespace {

constexpr std::array<std::string_view, 7> kTypeNames{"undefined",    "normal", "unknown", "control",
                                                     "user_defined", "unused", "byte"};

// The argument, or the content of standard input if the argument is "-".
Expected<std::string> textOf(const std::string& argument, Console& console) {
    if (argument != "-") {
        return argument;
    }
    auto bytes = readStandardInput();
    if (!bytes) {
        return std::unexpected(console.fail(std::move(bytes.error())));
    }
    return std::move(*bytes);
}

void printJson(const text::Tokenizer& tokenizer, const text::Encoding& encoding, std::size_t bytes, Output& out) {
    const text::Vocabulary& vocabulary = tokenizer.vocabulary();
    ui::JsonWriter json(out);
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("count", encoding.ids.size());
    json.member("bytes", bytes);
    json.key("tokens");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (std::size_t i = 0; i < encoding.ids.size() && !out.failed(); ++i) {
        const TokenId id = encoding.ids[i];
        json.beginObject();
        json.member("id", id.value);
        json.member("token", vocabulary.text(id));
        json.member("type", kTypeNames[static_cast<std::size_t>(vocabulary.type(id))]);
        json.member("begin", encoding.ranges[i].begin);
        json.member("end", encoding.ranges[i].end);
        json.endObject();
    }
    json.endArray();
    json.endObject();
    json.endDocument();
}

void printTable(const text::Tokenizer& tokenizer, const text::Encoding& encoding, std::string_view text,
                Console& console) {
    const text::Vocabulary& vocabulary = tokenizer.vocabulary();
    TextTable table({{Cli::tr("Id"), Align::Right}, {Cli::tr("Token")}, {Cli::tr("Of the text"), Align::Left, true}});
    for (std::size_t i = 0; i < encoding.ids.size(); ++i) {
        const text::TextRange range = encoding.ranges[i];
        const QString covered = ui::displayText(text.substr(range.begin, range.end - range.begin));
        table.addRow({QString::number(encoding.ids[i].value), ui::displayText(vocabulary.text(encoding.ids[i])),
                      range.begin == range.end ? QString() : QStringLiteral("\"%1\"").arg(covered)});
    }
    table.print(console);
    console.out().writeLine(
        Cli::tr("Tokens: %1; bytes: %2").arg(ui::formatCount(encoding.ids.size()), ui::formatCount(text.size())));
}

void printIds(const text::Encoding& encoding, Output& out) {
    bool first = true;
    for (const TokenId id : encoding.ids) {
        if (!std::exchange(first, false)) {
            out.write(" ");
        }
        out.write(std::to_string(id.value));
    }
    out.writeLine();
}

constexpr auto kTokenizeOptions = std::to_array<OptionFact>({
    {"ids", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "print only the ids, on one line")},
    {"no-bos", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "do not add the tokens that begin or end a text")},
    {"special", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "read text such as <s> as the control token of that name")},
});

int runTokenize(const Invocation& invocation, Console& console) {
    const auto text = textOf(invocation.positional()[1], console);
    if (!text) {
        return text.error();
    }
    const auto model = openTextModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    const Cancellation cancellation;
    const auto tokenizer = loadTokenizer(**model, cancellation, invocation.file(), console);
    if (!tokenizer) {
        return tokenizer.error();
    }
    const std::optional<bool> bare = invocation.isSet("no-bos") ? std::optional(false) : std::nullopt;
    const text::EncodeOptions options{.addBos = bare,
                                      .addEos = bare,
                                      .parseSpecial = invocation.isSet("special"),
                                      .ranges = invocation.json() || !invocation.isSet("ids")};
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("tokenizing"));
    const auto encoding =
        (*tokenizer)->encode(*text, options, {.stop = cancellation.token(), .progress = line->progress()});
    line.reset();
    if (!encoding) {
        return failedOrCancelled(encoding.error(), invocation.file(), cancellation, console);
    }
    if (invocation.json()) {
        printJson(**tokenizer, *encoding, text->size(), console.out());
    } else if (invocation.isSet("ids")) {
        printIds(*encoding, console.out());
    } else {
        printTable(**tokenizer, *encoding, *text, console);
    }
    return checkDamage(**model, console);
}

} // namespace

const Verb tokenizeVerb{
    .name = "tokenize",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE TEXT [--ids] [--no-bos] [--special]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Prints the tokens of a text"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "TEXT may be - for standard input. Bytes that are not UTF-8 are tokenized too if the tokenizer supports it."),
    .options = kTokenizeOptions,
    .minArguments = 2,
    .maxArguments = 2,
    .run = runTokenize,
    .takesAddress = true,
};

namespace {

constexpr auto kDetokenizeOptions = std::to_array<OptionFact>({
    {"special", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "write control tokens as text instead of omitting them")},
});

int runDetokenize(const Invocation& invocation, Console& console) {
    std::string written;
    for (std::size_t i = 1; i < invocation.positional().size(); ++i) {
        const auto part = textOf(invocation.positional()[i], console);
        if (!part) {
            return part.error();
        }
        written += *part + " ";
    }
    const auto ids = parseTokenIds(written);
    if (!ids) {
        return console.fail(QStringLiteral("detokenize: ") + ids.error());
    }
    const auto model = openTextModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    const Cancellation cancellation;
    const auto tokenizer = loadTokenizer(**model, cancellation, invocation.file(), console);
    if (!tokenizer) {
        return tokenizer.error();
    }
    const auto text = (*tokenizer)->decode(*ids, {.control = invocation.isSet("special")});
    if (!text) {
        return console.fail(text.error(), invocation.file());
    }
    Output& out = console.out();
    if (invocation.json()) {
        ui::JsonWriter json(out);
        json.beginObject();
        json.member("text", std::string_view(*text));
        json.endObject();
        json.endDocument();
    } else {
        out.write(*text);
        if (console.outIsTerminal() && !text->ends_with('\n')) {
            out.writeLine();
        }
    }
    return checkDamage(**model, console);
}

} // namespace

const Verb detokenizeVerb{
    .name = "detokenize",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE IDS… [--special]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Prints the text of token ids"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli", "IDS are numbers separated by spaces or commas, or - for standard input. The text is written "
                          "byte for byte\n(with a line break after it only on a terminal)."),
    .options = kDetokenizeOptions,
    .minArguments = 2,
    .maxArguments = -1,
    .run = runDetokenize,
    .takesAddress = true,
};

} // namespace gufo::cli
