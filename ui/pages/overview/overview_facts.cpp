#include "base/checked.h"
#include "inference/engine/gufo_engine.h"
#include "inference/interface/embedder.h"
#include "model/architectures.h"
#include "model/array_index.h"
#include "model/file_kind.h"
#include "model/key_catalogue.h"
#include "model/tensor_role.h"
#include "model/token.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/model_text.h"
#include "ui/pages/overview/overview_data.h"
#include "ui/widgets/link_question.h"
#include "ui/widgets/table_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr std::size_t kTextBytes = 120;
constexpr std::size_t kMaxPerBlock = 4096; // elements examined of a value with one element per block

class FactWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::Overview)
};

QString absent() { return QStringLiteral("—"); }

QString textOf(const Metadata& metadata, std::string_view key) {
    return headText(metadata.string(key).value_or(std::string_view()), kTextBytes);
}

// A figure whose value is shown in full.
OverviewFact figureFact(const QString& label, const QString& value, const QString& detail) {
    return {label, value, {}, detail, {}, value == absent() ? QString() : plainFigure(value)};
}

// Formats a hyper-parameter: one number, or "2–8 by block" if blocks have their own.
QString hyperText(const Metadata& metadata, std::string_view suffix) {
    const Value* value = findHyperParameter(metadata, suffix);
    if (value == nullptr) {
        return {};
    }
    if (const auto whole = asUInt(*value)) {
        return formatCount(*whole);
    }
    if (const auto real = asDouble(*value)) {
        const bool whole = *real >= 1000 && *real < 1e15 && std::floor(*real) == *real;
        return whole ? formatCount(static_cast<std::uint64_t>(*real)) : formatReal(*real, 7);
    }
    if (const ArrayView* array = asArray(*value)) {
        std::optional<std::uint64_t> low;
        std::optional<std::uint64_t> high;
        for (const Value& element : arrayHead(*array, kMaxPerBlock)) {
            if (const auto number = asUInt(element)) {
                low = std::min(low.value_or(*number), *number);
                high = std::max(high.value_or(*number), *number);
            }
        }
        if (low) {
            return *low == *high ? formatCount(*low)
                                 : FactWords::tr("%1–%2 by block").arg(formatCount(*low), formatCount(*high));
        }
    }
    return valueText({}, *value, {});
}

// A hyper-parameter that is one number, in full; otherwise empty.
QString exactHyper(const Value* value) {
    if (value == nullptr) {
        return {};
    }
    if (const auto* single = std::get_if<float>(value)) {
        return exactText(*single);
    }
    const auto real = asUInt(*value) ? std::nullopt : asDouble(*value);
    return real ? exactText(*real) : QString();
}

std::optional<std::uint64_t> hyperCount(const Metadata& metadata, std::string_view suffix) {
    const Value* value = findHyperParameter(metadata, suffix);
    return value != nullptr ? asUInt(*value) : std::nullopt;
}

QUrl webLink(const Metadata& metadata, std::string_view key) {
    const std::string_view text = metadata.string(key).value_or(std::string_view());
    return webAddress(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()))).value_or(QUrl());
}

OverviewFact architectureFact(const Metadata& metadata) {
    const std::string_view name = metadata.architecture();
    QStringList detail;
    const auto experts = hyperCount(metadata, "expert_count");
    const ArchitectureFact* known = findArchitecture(name);
    if (experts.value_or(0) > 0) {
        const QString used = hyperText(metadata, "expert_used_count");
        detail << (used.isEmpty() ? FactWords::tr("%n experts", nullptr, numerus(*experts))
                                  : FactWords::tr("%n experts, %1 used", nullptr, numerus(*experts)).arg(used));
    } else if (known != nullptr) {
        detail << (known->recurrent ? FactWords::tr("recurrent") : FactWords::tr("dense"));
    }
    if (const auto blocks = hyperCount(metadata, "block_count")) {
        detail << FactWords::tr("%n blocks", nullptr, numerus(*blocks));
    }
    return {FactWords::tr("Architecture"),
            name.empty() ? absent() : headText(name, kTextBytes),
            {},
            detail.join(QStringLiteral(", ")),
            {}};
}

OverviewFact contextFact(const Metadata& metadata) {
    const QString context = hyperText(metadata, "context_length");
    return context.isEmpty() ? figureFact(FactWords::tr("Context"), absent(), FactWords::tr("not stated"))
                             : figureFact(FactWords::tr("Context"), context, FactWords::tr("tokens, trained"));
}

OverviewFact vocabularyFact(const Metadata& metadata) {
    struct Family {
        std::string_view model;
        const char* name;
    };
    static constexpr auto kFamilies = std::to_array<Family>(
        {{"gpt2", "BPE"}, {"llama", "SentencePiece"}, {"bert", "WordPiece"}, {"t5", "Unigram"}, {"rwkv", "RWKV"}});
    QStringList detail;
    if (const auto model = metadata.string("tokenizer.ggml.model")) {
        const auto* family = std::ranges::find(kFamilies, *model, &Family::model);
        detail << (family != kFamilies.end() ? QString::fromLatin1(family->name) : headText(*model, kTextBytes));
    }
    if (const QString pre = textOf(metadata, "tokenizer.ggml.pre"); !pre.isEmpty()) {
        detail << pre;
    }
    const ArrayView* tokens = metadata.array(kTokensKey);
    const QString size = tokens != nullptr ? formatCount(tokens->length) : hyperText(metadata, "vocab_size");
    return figureFact(FactWords::tr("Vocabulary"), size.isEmpty() ? absent() : size, detail.join(QStringLiteral(", ")));
}

OverviewFact licenceFact(const Metadata& metadata) {
    const QString id = textOf(metadata, "general.license");
    const QString name = textOf(metadata, "general.license.name");
    const QUrl link = webLink(metadata, "general.license.link");
    const QString value = !id.isEmpty() ? id : name;
    const QString detail = !link.isEmpty()                    ? FactWords::tr("licence text")
                           : value.isEmpty()                  ? FactWords::tr("not stated")
                           : value != name && !name.isEmpty() ? name
                                                              : QString();
    return {FactWords::tr("Licence"), value.isEmpty() ? absent() : value, {}, detail, link};
}

OverviewFact baseModelFact(const Metadata& metadata) {
    const QString organisation = textOf(metadata, "general.base_model.0.organization");
    const QString name = textOf(metadata, "general.base_model.0.name");
    if (name.isEmpty() && organisation.isEmpty()) { // general.basename is the model's own name, no other model's
        return {FactWords::tr("Base model"), absent(), {}, FactWords::tr("not stated"), {}};
    }
    const QUrl link = webLink(metadata, "general.base_model.0.repo_url");
    return organisation.isEmpty() ? OverviewFact{FactWords::tr("Base model"),
                                                 name,
                                                 {},
                                                 link.isEmpty() ? QString() : link.host(QUrl::FullyEncoded),
                                                 link}
                                  : OverviewFact{FactWords::tr("Base model"), organisation, {}, name, link};
}

// The ranks of an adapter's matrices: of A, the second dimension, of B, the first.
OverviewFact rankFact(const Model& model) {
    std::optional<std::uint64_t> low;
    std::optional<std::uint64_t> high;
    std::uint64_t adapted = 0;
    for (const TensorInfo& tensor : model.tensors) {
        const bool isA = tensor.name.ends_with(".lora_a") || tensor.name.ends_with(".lora_A.weight"); // PEFT's name
        if (isA || tensor.name.ends_with(".lora_b") || tensor.name.ends_with(".lora_B.weight")) {
            const std::uint64_t rank = tensor.shape[isA ? 1 : 0];
            low = std::min(low.value_or(rank), rank);
            high = std::max(high.value_or(rank), rank);
            adapted += isA ? 1 : 0;
        }
    }
    const QString text = !low            ? absent()
                         : *low == *high ? formatCount(*low)
                                         : QStringLiteral("%1–%2").arg(formatCount(*low), formatCount(*high));
    return figureFact(FactWords::tr("Rank"), text,
                      low ? FactWords::tr("%n adapted weights", nullptr, numerus(adapted)) : QString());
}

// The product of an adapter's matrices is multiplied by alpha / rank.
OverviewFact alphaFact(const Model& model) {
    const auto alpha = model.metadata.number("adapter.lora.alpha");
    return {FactWords::tr("Alpha"),
            alpha ? formatReal(*alpha, 6) : absent(),
            {},
            alpha ? FactWords::tr("scale: alpha / rank") : FactWords::tr("not stated"),
            {},
            exactHyper(model.metadata.find("adapter.lora.alpha"))};
}

OverviewFact kindFact(const Model& model) {
    const QString architecture = textOf(model.metadata, "general.architecture");
    return {FactWords::tr("Kind"),
            kindText(model),
            {},
            architecture.isEmpty() ? QString() : FactWords::tr("for %1").arg(architecture),
            {}};
}

OverviewFact chunksFact(const Metadata& metadata) {
    const auto chunks = metadata.uint("imatrix.chunk_count");
    const auto size = metadata.uint("imatrix.chunk_size");
    return figureFact(FactWords::tr("Chunks"), chunks ? formatCount(*chunks) : absent(),
                      size ? FactWords::tr("of %n tokens", nullptr, numerus(*size)) : FactWords::tr("not stated"));
}

OverviewFact datasetFact(const Metadata& metadata) {
    const ArrayView* names = metadata.array("imatrix.datasets");
    const std::vector<Value> head = names != nullptr ? arrayHead(*names, 1) : std::vector<Value>();
    const auto first = head.empty() ? std::nullopt : asString(head.front());
    return {FactWords::tr("Dataset"),
            first ? headText(*first, kTextBytes) : absent(),
            {},
            names != nullptr ? FactWords::tr("%n datasets", nullptr, numerus(names->length))
                             : FactWords::tr("not stated"),
            {}};
}

// Whether a matrix outside of blocks has the role.
bool hasRole(const Model& model, std::string_view role) {
    return std::ranges::any_of(model.tensors, [&](const TensorInfo& tensor) {
        const TensorName name = parseTensorName(tensor.name);
        return name.fact != nullptr && name.role == role && !name.block && name.prefix.empty() &&
               name.suffix == "weight";
    });
}

} // namespace

std::vector<OverviewFact> overviewFacts(const Model& model, const Model::Totals& totals) {
    const Metadata& metadata = model.metadata;
    const auto split = [](const QString& label, const QString& figure, const QString& detail) {
        const qsizetype space = figure.lastIndexOf(u' ');
        return space < 0 ? OverviewFact{label, figure, {}, detail, {}}
                         : OverviewFact{label, figure.left(space), figure.mid(space + 1), detail, {}};
    };
    const QString tensors = FactWords::tr("%n tensors", nullptr, numerus(model.tensors.size()));
    const std::uint64_t files = model.files.size();
    const std::uint64_t there = presentFiles(model);
    const QString bytes =
        there != files ? FactWords::tr("in %1 of %n files", nullptr, numerus(files)).arg(formatCount(there))
        : files > 1    ? FactWords::tr("in %n files", nullptr, numerus(files))
                    : FactWords::tr("%1 bytes", nullptr, numerus(totals.fileBytes)).arg(formatCount(totals.fileBytes));
    const auto fileType = metadata.integer("general.file_type");
    const auto fileTypeName =
        fileType ? enumName("general.file_type", metadata.architecture(), *fileType) : std::nullopt;
    OverviewFact size = split(FactWords::tr("File size"), formatBytes(totals.fileBytes), bytes);
    size.exact = QString::number(totals.fileBytes);
    OverviewFact parameters = split(FactWords::tr("Parameters"),
                                    model.tensors.empty() ? absent() : formatParameters(totals.weights), tensors);
    parameters.exact = model.tensors.empty() ? QString() : QString::number(totals.weights);
    if (fileKind(model) == FileKind::Imatrix) {
        const auto entries = std::ranges::count_if(
            model.tensors, [](const TensorInfo& tensor) { return tensor.name.ends_with(".in_sum2"); });
        const auto chunks = metadata.uint("imatrix.chunk_count");
        const auto tokens = metadata.uint("imatrix.chunk_size");
        const auto read = chunks && tokens ? checkedMultiply(*chunks, *tokens) : std::nullopt;
        return {kindFact(model),
                figureFact(FactWords::tr("Entries"), formatCount(static_cast<std::uint64_t>(entries)), tensors),
                size,
                chunksFact(metadata),
                figureFact(FactWords::tr("Tokens read"), read ? formatCount(*read) : absent(), {}),
                datasetFact(metadata),
                licenceFact(metadata),
                baseModelFact(metadata)};
    }
    const bool isAdapter = fileKind(model) == FileKind::Adapter;
    return {
        isAdapter ? kindFact(model) : architectureFact(metadata),
        parameters,
        size,
        {FactWords::tr("Bits per weight"),
         totals.bitsPerWeight ? formatBitsPerWeight(*totals.bitsPerWeight) : absent(),
         {},
         fileTypeName ? FactWords::tr("file type %1").arg(latin1(*fileTypeName)) : QString(),
         {},
         totals.bitsPerWeight ? exactText(*totals.bitsPerWeight) : QString()},
        isAdapter ? rankFact(model) : contextFact(metadata),
        isAdapter ? alphaFact(model) : vocabularyFact(metadata),
        licenceFact(metadata),
        baseModelFact(metadata),
    };
}

QList<OverviewRow> shapeRows(const Model& model) {
    struct Row {
        const char* label;
        std::string_view suffix;
    };
    static constexpr auto kRows = std::to_array<Row>({
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "Embedding length"), "embedding_length"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "Feed-forward length"), "feed_forward_length"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "Expert feed-forward length"), "expert_feed_forward_length"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "Blocks"), "block_count"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "Experts"), "expert_count"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "Experts used"), "expert_used_count"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "Shared experts"), "expert_shared_count"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "Query heads"), "attention.head_count"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "Key/value heads"), "attention.head_count_kv"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "Key head length"), "attention.key_length"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "Value head length"), "attention.value_length"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "Sliding window"), "attention.sliding_window"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "RMS epsilon"), "attention.layer_norm_rms_epsilon"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "Norm epsilon"), "attention.layer_norm_epsilon"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "RoPE base"), "rope.freq_base"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "RoPE dimensions"), "rope.dimension_count"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "RoPE scaling"), "rope.scaling.type"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "RoPE scaling factor"), "rope.scaling.factor"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "State size"), "ssm.state_size"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "State inner size"), "ssm.inner_size"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "Convolution kernel"), "ssm.conv_kernel"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "Time step rank"), "ssm.time_step_rank"},
        {QT_TRANSLATE_NOOP("gufo::ui::Overview", "WKV head size"), "wkv.head_size"},
    });
    QList<OverviewRow> rows;
    for (const Row& row : kRows) {
        QString text = hyperText(model.metadata, row.suffix);
        if (text.isEmpty() || text == QLatin1String("0")) { // Mamba models state 0 heads, others 0 experts
            continue;
        }
        if (row.suffix == "attention.head_count_kv") {
            const auto heads = hyperCount(model.metadata, "attention.head_count");
            const auto kvHeads = hyperCount(model.metadata, "attention.head_count_kv");
            if (heads && kvHeads.value_or(0) > 1 && *heads > *kvHeads && *heads % *kvHeads == 0) {
                text += QStringLiteral(" (%1 : 1)").arg(*heads / *kvHeads);
            }
        }
        const QString exact = exactHyper(findHyperParameter(model.metadata, row.suffix));
        rows << OverviewRow{FactWords::tr(row.label), text, exact.isEmpty() ? plainFigure(text) : exact};
    }
    if (hasRole(model, "token_embd") && kindText(model).isEmpty() && !inference::onlyEmbeds(model)) {
        const QString output = hasTiedOutput(model) ? FactWords::tr("tied to token_embd") : FactWords::tr("own matrix");
        rows << OverviewRow{FactWords::tr("Output"), output, output};
    }
    return rows;
}

bool hasTiedOutput(const Model& model) {
    return kindText(model).isEmpty() && hasRole(model, "token_embd") && !hasRole(model, "output") &&
           !inference::onlyEmbeds(model);
}

QString kindText(const Model& model) {
    const Metadata& metadata = model.metadata;
    const std::string_view type = metadata.string("general.type").value_or(std::string_view());
    if (type == "adapter") {
        return metadata.string("adapter.type") == "lora" ? FactWords::tr("LoRA adapter") : FactWords::tr("Adapter");
    }
    if (type == "imatrix") {
        return FactWords::tr("Importance matrix");
    }
    if (type == "mmproj" || metadata.architecture() == "clip") {
        return FactWords::tr("Multimodal projector");
    }
    if (model.tensors.empty()) {
        return metadata.array(kTokensKey) != nullptr ? FactWords::tr("Vocabulary") : FactWords::tr("Metadata");
    }
    return {};
}

} // namespace gufo::ui
