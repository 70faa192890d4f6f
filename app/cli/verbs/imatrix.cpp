#include "cli/engine_options.h"
#include "cli/progress_line.h"
#include "cli/shared_options.h"
#include "cli/text_input.h"
#include "cli/verb.h"
#include "formats/imatrix/imatrix_writer.h"
#include "inference/measuring/importance.h"
#include "quantize/write_model.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"

#include <algorithm>

namespace gufo::cli {
namespace {

struct Coverage {
    std::uint64_t experts = 0; // matrices of tensors with several
    std::uint64_t unused = 0;  // of the matrices: no token was routed to them
};

Coverage coverageOf(const ImatrixContents& contents) {
    Coverage coverage;
    for (const ImatrixEntry& entry : contents.entries) {
        if (entry.counts.size() > 1) {
            coverage.experts += entry.counts.size();
            coverage.unused += static_cast<std::uint64_t>(std::ranges::count(entry.counts, std::uint64_t{0}));
        }
    }
    return coverage;
}

// `leftOut` tokens at the end of the text fill no chunk.
void print(const ImatrixContents& contents, std::uint64_t before, std::size_t leftOut, const std::string& out,
           const Invocation& invocation, Console& console) {
    const Coverage coverage = coverageOf(contents);
    if (leftOut != 0) {
        console.note(Cli::tr("The last %n tokens of the text fill no chunk and were left out; see --context.", nullptr,
                             ui::numerus(leftOut)));
    }
    if (!invocation.json()) {
        console.out().writeLine(QStringLiteral("%1: %2, %3")
                                    .arg(ui::displayText(out),
                                         Cli::tr("%n entries", nullptr, ui::numerus(contents.entries.size())),
                                         Cli::tr("%n chunks of %1 tokens", nullptr, ui::numerus(contents.chunks))
                                             .arg(ui::formatCount(contents.chunkSize))));
        if (coverage.unused != 0) {
            console.out().writeLine(
                Cli::tr("No token was routed to %n of %1 expert matrices; a longer text may reach them", nullptr,
                        ui::numerus(coverage.unused))
                    .arg(ui::formatCount(coverage.experts)));
        }
        return;
    }
    ui::JsonWriter json(console.out());
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("output", std::string_view(out));
    json.member("entries", contents.entries.size());
    json.member("chunks", contents.chunks);
    json.member("chunk_size", contents.chunkSize);
    json.member("resumed_chunks", before);
    json.member("left_out_tokens", leftOut);
    json.member("experts", coverage.experts);
    json.member("unused_experts", coverage.unused);
    json.endObject();
    json.endDocument();
}

// What an unfinished file has; nothing if there is no file.
Expected<std::optional<StoredImatrix>> begunIn(const std::string& out, std::uint64_t origin, Console& console) {
    std::error_code ignored;
    if (!std::filesystem::exists(out, ignored)) {
        return std::nullopt;
    }
    auto stored = readStoredImatrix(out);
    if (!stored) {
        return std::unexpected(console.fail(std::move(stored.error()), out));
    }
    const QString path = ui::displayText(out);
    if (!stored->origin) {
        return std::unexpected(
            console.fail(Cli::tr("imatrix: %1 is complete, so it cannot be continued; --force replaces it").arg(path)));
    }
    if (*stored->origin != origin) {
        return std::unexpected(console.fail(
            Cli::tr("imatrix: %1 was begun with another model, text or --context; continue it with the same ones")
                .arg(path)));
    }
    return std::optional(std::move(*stored));
}

constexpr auto kImatrixOptions =
    with(kEngineOptions,
         std::to_array<OptionFact>({
             {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT"),
              QT_TRANSLATE_NOOP("gufo::cli::Cli", "the file to write, which quantize --imatrix reads"), true},
             {"chunks", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
              QT_TRANSLATE_NOOP("gufo::cli::Cli", "evaluate at most N chunks; default: all of the text")},
             {"context", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
              QT_TRANSLATE_NOOP("gufo::cli::Cli", "tokens of a chunk; default: 512, or the context of the model if "
                                                  "that is shorter")},
             {"save-every", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
              QT_TRANSLATE_NOOP("gufo::cli::Cli", "save the matrix after every N chunks; default: 10")},
             {"resume", "",
              QT_TRANSLATE_NOOP("gufo::cli::Cli",
                                "continue where OUT was saved last; the result is the same as without a break")},
         }));

int runImatrix(const Invocation& invocation, Console& console) {
    const auto chunk = invocation.number("context", 2, 65'536);
    const auto maximum = invocation.number("chunks", 1, 1'000'000'000);
    const auto every = invocation.number("save-every", 1, 1'000'000'000);
    auto options = chunk ? sessionOptionsOf(invocation) : std::unexpected(chunk.error());
    for (const QString& error : {options ? QString() : options.error(), maximum ? QString() : maximum.error(),
                                 every ? QString() : every.error()}) {
        if (!error.isEmpty()) {
            return console.fail(QStringLiteral("imatrix: ") + error);
        }
    }
    const auto out = invocation.value("output");
    if (!out) {
        return console.fail(Cli::tr("imatrix: -o OUT is needed"));
    }
    inference::ImportanceSettings settings{.maximum = maximum->value_or(0)};
    settings.chunk = static_cast<std::uint32_t>(chunk->value_or(settings.chunk));
    settings.saveEvery = every->value_or(settings.saveEvery);
    options->context = settings.chunk;
    if (!invocation.isSet("kv")) { // rounding the cache would change what later blocks see
        options->keys = invocation.isSet("kv-keys") ? options->keys : KvCacheType::F32;
        options->values = invocation.isSet("kv-values") ? options->values : KvCacheType::F32;
    }
    const auto text = readTextFile(invocation.positional()[1], console);
    if (!text) {
        return text.error();
    }
    const auto engine =
        loadEngine(invocation.file(), *options, console, inference::engineWith(inference::Feature::AllLogits),
                   chunk->has_value() ? ContextChoice::OfUser : ContextChoice::Default);
    if (!engine) {
        return engine.error();
    }
    if (const auto other = checkIsOtherFile(*engine->model, *out); !other) { // a shard, or the file in a folder
        return console.fail(other.error(), *out);
    }
    settings.chunk = engine->session->context();
    const Cancellation cancellation;
    const auto tokenizer = loadTokenizer(*engine->model, cancellation, invocation.file(), console);
    if (!tokenizer) {
        return tokenizer.error();
    }
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("tokenizing"));
    const auto encoding = (*tokenizer)->encode(*text, {}, {.stop = cancellation.token(), .progress = line->progress()});
    line.reset();
    if (!encoding) {
        return failedOrCancelled(encoding.error(), invocation.file(), cancellation, console);
    }
    if (encoding->ids.size() < settings.chunk) {
        return console.fail(
            Cli::tr("imatrix: the text has %n tokens, but a chunk needs %1; use a longer text or a smaller --context",
                    nullptr, ui::numerus(encoding->ids.size()))
                .arg(ui::formatCount(settings.chunk)));
    }
    if ((*tokenizer)->addsBos()) {
        settings.bos = (*tokenizer)->specials().bos;
    }
    settings.datasets = {std::filesystem::path(invocation.positional()[1]).filename().native()};
    const std::uint64_t origin = inference::importanceOrigin(*engine->model, encoding->ids, settings);
    std::optional<StoredImatrix> begun;
    if (invocation.isSet("resume")) {
        auto found = begunIn(*out, origin, console);
        if (!found) {
            return found.error();
        }
        begun = std::move(*found);
    }
    std::uint64_t kept = begun ? begun->contents.chunks : 0; // in the file
    line = std::make_unique<ProgressLine>(console, Cli::tr("evaluating"), ProgressLine::Unit::Tokens);
    const auto contents = inference::collectImportance(*engine->session, *engine->model, encoding->ids, settings,
                                                       begun ? &begun->contents : nullptr,
                                                       [&](const ImatrixContents& unfinished) {
                                                           kept = unfinished.chunks;
                                                           return writeImatrix(unfinished, origin, *out);
                                                       },
                                                       {.stop = cancellation.token(), .progress = line->progress()});
    line.reset();
    if (!contents && contents.error().code == ErrorCode::Cancelled && kept != 0) {
        console.note(Cli::tr("%n chunks are saved in %1; --resume continues there", nullptr, ui::numerus(kept))
                         .arg(ui::displayText(*out)));
    }
    if (!contents) {
        return failedOrCancelled(contents.error(), invocation.file(), cancellation, console);
    }
    if (const int damage = checkDamage(*engine->model, console); damage != kDone) {
        return damage;
    }
    if (auto written = writeImatrix(*contents, std::nullopt, *out); !written) {
        return console.fail(std::move(written.error()), *out);
    }
    const bool isAll = settings.maximum == 0; // --chunks leaves out the rest on purpose
    print(*contents, begun ? begun->contents.chunks : 0, isAll ? encoding->ids.size() % settings.chunk : 0, *out,
          invocation, console);
    return kDone;
}

} // namespace

const Verb imatrixVerb{
    .name = "imatrix",
    .arguments =
        QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE TEXT -o OUT [--chunks N] [--context N] [--save-every N] [--resume]"),
    .summary =
        QT_TRANSLATE_NOOP("gufo::cli::Cli", "Measures which weights matter most (importance matrix), for quantising"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli", "Evaluates TEXT, a file or - for standard input, and sums the squared inputs of each matrix, "
                          "separately for each expert.\nThe KV cache is f32 unless --kv says otherwise. After Ctrl-C, "
                          "--resume continues from the last save."),
    .options = kImatrixOptions,
    .minArguments = 2,
    .maxArguments = 2,
    .run = runImatrix,
};

} // namespace gufo::cli
