#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/json_writer.h"
#include "cli/model_access.h"
#include "cli/text_table.h"
#include "messages/format.h"
#include "model/memory_estimate.h"

namespace gufo::cli {
namespace {

constexpr std::uint64_t kMostTokens = 1ULL << 32U;

std::expected<MemoryRequest, QString> requestOf(const Invocation& invocation) {
    MemoryRequest request;
    const auto context = invocation.number("context", 1, kMostTokens);
    if (!context) {
        return std::unexpected(context.error());
    }
    const auto batch = invocation.number("batch", 1, kMostTokens);
    if (!batch) {
        return std::unexpected(batch.error());
    }
    request.context = context->value_or(request.context);
    request.batch = batch->value_or(request.batch);
    if (const auto name = invocation.value("kv")) {
        const auto type = kvCacheTypeFromName(*name);
        if (!type) {
            return std::unexpected(
                Cli::tr("--kv takes f16, f32, bf16 or q8_0, not \"%1\"").arg(ui::displayText(*name)));
        }
        request.keys = *type;
        request.values = *type;
    }
    return request;
}

void printJson(const MemoryRequest& request, const MemoryEstimate& estimate, Output& out) {
    JsonWriter json(out);
    json.beginObject(JsonWriter::Layout::Block);
    json.member("context", estimate.context);
    json.member("trained_context",
                estimate.trainedContext != 0 ? std::optional(estimate.trainedContext) : std::nullopt);
    json.member("batch", request.batch);
    json.member("kv_type", kvCacheTypeName(request.keys));
    json.member("weights", estimate.weights);
    json.member("kv_cache", estimate.kvCache);
    json.member("kv_per_token", estimate.kvPerToken);
    json.member("recurrent_state", estimate.recurrentState);
    json.member("buffers", estimate.buffers);
    json.member("logits", estimate.logits);
    json.member("anonymous", estimate.anonymous());
    json.member("total", estimate.total());
    json.endObject();
    json.endDocument();
}

void printText(const MemoryRequest& request, const MemoryEstimate& estimate, Console& console) {
    const std::string_view kv = kvCacheTypeName(request.keys);
    const QString trained = estimate.trainedContext != 0
                                ? Cli::tr(" (trained with %1)").arg(ui::formatCount(estimate.trainedContext))
                                : QString();
    console.out().writeLine(
        Cli::tr("Context of %1 tokens%2, batch of %3, KV cache in %4")
            .arg(ui::formatCount(estimate.context), trained, ui::formatCount(request.batch), ui::displayText(kv)));
    TextTable table({{}, {{}, Align::Right}, {{}, Align::Right}, {}});
    const auto row = [&](const QString& name, std::uint64_t bytes, const QString& remark = {}) {
        table.addRow({name, ui::formatBytes(bytes), ui::formatCount(bytes), remark});
    };
    row(Cli::tr("Weights"), estimate.weights, Cli::tr("mapped from the file"));
    row(Cli::tr("KV cache"), estimate.kvCache,
        Cli::tr("%1 for each more token").arg(ui::formatBytes(estimate.kvPerToken)));
    if (estimate.recurrentState != 0) {
        row(Cli::tr("Recurrent state"), estimate.recurrentState);
    }
    row(Cli::tr("Buffers"), estimate.buffers);
    row(Cli::tr("Logits"), estimate.logits);
    row(Cli::tr("Total"), estimate.total(),
        Cli::tr("of which not file-backed: %1").arg(ui::formatBytes(estimate.anonymous())));
    table.print(console, 2);
}

} // namespace

int runMemory(const Invocation& invocation, Console& console) {
    const auto request = requestOf(invocation);
    if (!request) {
        return console.fail(QStringLiteral("memory: ") + request.error());
    }
    const auto model = openModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    const auto estimate = estimateMemory(**model, *request);
    if (!estimate) {
        return console.fail(estimate.error(), invocation.file());
    }
    if (invocation.json()) {
        printJson(*request, *estimate, console.out());
    } else {
        printText(*request, *estimate, console);
    }
    return checkDamage(**model, console);
}

} // namespace gufo::cli
