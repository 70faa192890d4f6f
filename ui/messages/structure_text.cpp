#include "ui/messages/structure_text.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/detail_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace gufo::ui {
namespace {

using inference::GraphPart;
using inference::StructureBlock;
using inference::StructureFact;
using inference::StructurePart;
using inference::StructureRun;
using inference::StructureStack;

constexpr auto kPartWords = std::to_array<const char*>({
#define GUFO_GRAPH_PART(part, name, section, words) words,
#include "inference/engine/binding/graph_parts.inc"
#undef GUFO_GRAPH_PART
});

constexpr auto kFactWords = std::to_array<const char*>({
#define GUFO_STRUCTURE_FACT(fact, name, words) words,
#include "inference/structure/structure_facts.inc"
#undef GUFO_STRUCTURE_FACT
});

// The texts of a hostile file may be long, and its runs many.
constexpr std::size_t kMostRuns = 24;
constexpr std::size_t kMostContradictions = 40;

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::Structure)
};

const inference::PartFact* find(const StructurePart& part, StructureFact fact) {
    const auto found = std::ranges::find(part.facts, fact, &inference::PartFact::fact);
    return found != part.facts.end() ? &*found : nullptr;
}

// Core writes numbers ungrouped and with a dot; users read them in the form of their language.
QString factArgumentText(const Argument& argument) {
    constexpr int kFigures = 6; // as core writes them
    constexpr double kExact = 1e15;
    const QString text = displayText(argument.text());
    QStringList parts = text.split(QStringLiteral(" × ")); // a shape has several
    for (QString& part : parts) {
        bool isNumber = false;
        const double value = part.toDouble(&isNumber);
        if (isNumber && value >= 0 && value < kExact && value == std::floor(value)) {
            part = formatCount(static_cast<std::uint64_t>(value));
        } else if (isNumber && std::isfinite(value)) {
            part = formatReal(value, kFigures);
        }
    }
    return parts.join(QStringLiteral(" × "));
}

// What mixes the tokens.
QString mixingText(const StructureBlock& block) {
    QStringList kinds;
    if (const StructurePart* state = block.find(GraphPart::Recurrence)) {
        const auto* kind = find(*state, StructureFact::Kind);
        kinds << (kind != nullptr ? structureFactText(*kind) : graphPartText(state->part));
    }
    if (const StructurePart* attention = block.find(GraphPart::Attention)) {
        const auto* window = find(*attention, StructureFact::Window);
        const auto* chunk = find(*attention, StructureFact::Chunk);
        kinds << (window != nullptr || chunk != nullptr
                      ? Words::tr("attention (%1)").arg(structureFactText(window != nullptr ? *window : *chunk))
                  : find(*attention, StructureFact::LatentRow) != nullptr ? Words::tr("latent attention")
                                                                          : Words::tr("attention"));
    }
    return kinds.size() == 2 ? Words::tr("%1 and %2").arg(kinds[0], kinds[1]) : kinds.join(QString());
}

void addPart(QStringList& lines, const StructurePart& part, bool inBlock, const QString& indent) {
    const QString facts = partFactsText(part);
    QString line = indent + partTitle(part, inBlock);
    if (!facts.isEmpty()) {
        line += QStringLiteral(": ") + facts;
    }
    if (part.contradicted) {
        line += QStringLiteral(" ") + Words::tr("(keys and tensors differ)");
    }
    lines << line;
}

QString runStart(const StructureStack& stack, const StructureRun& run) {
    const std::uint32_t first = stack.blocks[run.first].number;
    const std::uint32_t last = stack.blocks[run.first + run.blocks() - 1].number;
    return first == last ? Words::tr("Block %1").arg(first) : Words::tr("Blocks %1 to %2").arg(first).arg(last);
}

} // namespace

QString graphPartText(GraphPart part) {
    return QCoreApplication::translate("GraphParts", kPartWords.at(static_cast<std::size_t>(part)));
}

QString structureFactText(const inference::PartFact& fact) {
    return sentence("StructureFacts", kFactWords.at(static_cast<std::size_t>(fact.fact)), fact.args, factArgumentText);
}

QString partTitle(const StructurePart& part, bool inBlock) {
    if (part.part == GraphPart::Other && inBlock) {
        return Words::tr("Other tensors of the block");
    }
    if (const auto* kind = find(part, StructureFact::Kind); kind != nullptr && part.part == GraphPart::Recurrence) {
        QString title = structureFactText(*kind);
        title[0] = title[0].toUpper();
        return title;
    }
    if (part.part == GraphPart::Attention && find(part, StructureFact::LatentRow) != nullptr) {
        return Words::tr("Latent attention");
    }
    return graphPartText(part.part);
}

QString partFactsText(const StructurePart& part) {
    QStringList facts;
    for (const inference::PartFact& fact : part.facts) {
        if (fact.fact != StructureFact::Kind || part.part != GraphPart::Recurrence) {
            facts << structureFactText(fact);
        }
    }
    return facts.join(QStringLiteral(", "));
}

QString stackTitle(const StructureStack& stack) {
    const std::string_view prefix = stack.prefix;
    if (prefix.empty()) {
        return Words::tr("Model");
    }
    if (prefix == "enc.") {
        return Words::tr("Encoder");
    }
    if (prefix == "dec.") {
        return Words::tr("Decoder");
    }
    const QString name = displayText(prefix.substr(0, prefix.size() - (prefix.ends_with('.') ? 1 : 0)));
    const QString encoder = prefix.starts_with("v.")   ? Words::tr("Image encoder")
                            : prefix.starts_with("a.") ? Words::tr("Audio encoder")
                                                       : QString();
    // An encoder may have further stacks beside its own, such as "v.deepstack.".
    return encoder.isEmpty() ? name : name.size() > 1 ? encoder + QStringLiteral(", ") + name.sliced(2) : encoder;
}

namespace {

// What the block is, in words that another kind of block may share.
QString plainTitle(const StructureStack& stack, const StructureBlock& block) {
    if (block.parts.empty()) {
        return Words::tr("missing");
    }
    QString title = mixingText(block);
    const bool experts = block.find(GraphPart::Experts) != nullptr;
    const auto mixed = std::ranges::find_if(stack.blocks, [&](const StructureBlock& other) {
        return !other.parts.empty() && (other.find(GraphPart::Experts) != nullptr) != experts;
    });
    if (title.isEmpty()) {
        title = experts                                         ? Words::tr("experts")
                : block.find(GraphPart::FeedForward) != nullptr ? Words::tr("feed-forward")
                : block.find(GraphPart::Convolution) != nullptr ? Words::tr("convolution")
                : block.find(GraphPart::Projector) != nullptr   ? Words::tr("projector")
                                                                : Words::tr("other");
    } else if (mixed != stack.blocks.end() && experts) {
        title = Words::tr("%1 with experts").arg(title);
    }
    return title;
}

bool isNorm(const StructurePart& part) {
    return part.part == GraphPart::MixNorm || part.part == GraphPart::MixPostNorm || part.part == GraphPart::FeedNorm ||
           part.part == GraphPart::FeedPostNorm;
}

// The first part that only one of the blocks has; empty if there is none.
QString partOfOne(const StructureBlock& from, const StructureBlock& block, bool norms) {
    const auto onlyIn = [norms](const StructureBlock& one, const StructureBlock& other) {
        const auto found = std::ranges::find_if(one.parts, [&](const StructurePart& part) {
            return isNorm(part) == norms && other.find(part.part) == nullptr;
        });
        return found != one.parts.end() ? partTitle(*found, true) : QString();
    };
    const QString added = onlyIn(block, from);
    const QString lacking = added.isEmpty() ? onlyIn(from, block) : QString();
    return !added.isEmpty()     ? QStringLiteral("+ ") + added
           : !lacking.isEmpty() ? QStringLiteral("− ") + lacking
                                : QString();
}

// How a block differs from another one: by a part, by a fact of a part, or else only by its tensors. A norm goes with
// the branch that it precedes, so it is named only if the branches are the same.
QString difference(const StructureBlock& from, const StructureBlock& block) {
    constexpr qsizetype kLongest = 60; // of a fact that a title can hold
    if (const QString part = partOfOne(from, block, false); !part.isEmpty()) {
        return part;
    }
    for (const StructurePart& part : block.parts) {
        const StructurePart* const other = from.find(part.part);
        if (other == nullptr) {
            continue;
        }
        for (const inference::PartFact& fact : part.facts) {
            const QString text = structureFactText(fact);
            if (text.size() <= kLongest && std::ranges::none_of(other->facts, [&](const inference::PartFact& each) {
                    return structureFactText(each) == text;
                })) {
                return text;
            }
        }
    }
    if (const QString part = partOfOne(from, block, true); !part.isEmpty()) {
        return part;
    }
    const auto isContradicted = [](const StructureBlock& one) {
        return std::ranges::any_of(one.parts, &StructurePart::contradicted);
    };
    return isContradicted(block) != isContradicted(from) ? Words::tr("keys and tensors differ")
                                                         : Words::tr("other tensors");
}

// The first block of another kind that has the same title, if it precedes this one. Only some kinds are looked at, more
// than any real file has.
const StructureBlock* firstAlike(const StructureStack& stack, const StructureBlock& block, const QString& title) {
    constexpr std::size_t kMostKinds = 16;
    if (block.kind >= kMostKinds || block.parts.empty()) {
        return nullptr;
    }
    std::array<bool, kMostKinds> seen{};
    for (const StructureBlock& other : stack.blocks) {
        if (other.kind == block.kind) {
            return nullptr;
        }
        if (other.kind < kMostKinds && !std::exchange(seen.at(other.kind), true) && !other.parts.empty() &&
            other.predicts == block.predicts && plainTitle(stack, other) == title) {
            return &other;
        }
    }
    return nullptr;
}

} // namespace

QString blockTitle(const StructureStack& stack, const StructureBlock& block) {
    const QString title = plainTitle(stack, block);
    const StructureBlock* const alike = firstAlike(stack, block, title);
    const QString full = alike != nullptr ? Words::tr("%1 (%2)").arg(title, difference(*alike, block)) : title;
    return block.predicts ? Words::tr("prediction (%1)").arg(full) : full;
}

QString runText(const StructureStack& stack, const StructureRun& run) {
    QStringList items;
    const std::size_t end = run.first + run.period;
    const bool single = run.period == 1;
    for (std::size_t i = run.first; i < end;) {
        std::size_t next = i + 1;
        while (next < end && stack.blocks[next].kind == stack.blocks[i].kind) {
            ++next;
        }
        const QString title = blockTitle(stack, stack.blocks[i]);
        items << (single ? title : QStringLiteral("%1 %2").arg(next - i).arg(title));
        i = next;
    }
    const QString inner = items.join(QStringLiteral(" + "));
    if (run.repeats == 1) {
        return single ? QStringLiteral("1 %1").arg(inner) : inner;
    }
    return single ? QStringLiteral("%1 %2").arg(run.repeats).arg(inner)
                  : QStringLiteral("%1 × (%2)").arg(run.repeats).arg(inner);
}

QString stackText(const StructureStack& stack) {
    QStringList runs;
    for (const StructureRun& run : stack.runs) {
        if (static_cast<std::size_t>(runs.size()) == kMostRuns) {
            runs << QStringLiteral("…");
            break;
        }
        runs << runText(stack, run);
    }
    const QString count = Words::tr("%n blocks", nullptr, numerus(stack.blocks.size()));
    const bool plain = stack.runs.size() == 1 && stack.runs.front().period == 1;
    return runs.isEmpty() ? QString()
           : plain        ? Words::tr("%1: %2").arg(count, blockTitle(stack, stack.blocks.front()))
                          : QStringLiteral("%1 = %2").arg(count, runs.join(QStringLiteral(" + ")));
}

QString partFormula(const StructurePart& part) {
    const auto value = [&](StructureFact fact, std::size_t argument) {
        const auto* found = find(part, fact);
        return found != nullptr && argument < found->args.size() ? displayText(found->args[argument].text())
                                                                 : QString();
    };
    switch (part.part) {
    case GraphPart::MixNorm:
    case GraphPart::MixPostNorm:
    case GraphPart::FeedNorm:
    case GraphPart::FeedPostNorm:
    case GraphPart::OutputNorm:
        return find(part, StructureFact::RmsNorm) != nullptr ? QStringLiteral("w · x / √(mean(x²) + ε)")
               : find(part, StructureFact::LayerNorm) != nullptr
                   ? QStringLiteral("w · (x − mean(x)) / √(var(x) + ε) + b")
                   : QString();
    case GraphPart::Attention: {
        const QString length = value(StructureFact::Heads, 1);
        const QString cap = value(StructureFact::ScoreCap, 0);
        const QString scores = QStringLiteral("q kᵀ / √%1").arg(length.isEmpty() ? QStringLiteral("d") : length);
        return cap.isEmpty() ? QStringLiteral("softmax(%1) v").arg(scores)
                             : QStringLiteral("softmax(%1 tanh(%2 / %1)) v").arg(cap, scores);
    }
    case GraphPart::FeedForward:
    case GraphPart::SharedExperts: {
        const QString gated = value(StructureFact::Gated, 0);
        const QString plain = value(StructureFact::Ungated, 0);
        return !gated.isEmpty()   ? QStringLiteral("down(%1(gate x) ⊙ up x)").arg(gated)
               : !plain.isEmpty() ? QStringLiteral("down(%1(up x))").arg(plain)
                                  : QString();
    }
    case GraphPart::Experts: {
        const QString gated = value(StructureFact::Gated, 0);
        return gated.isEmpty() ? QStringLiteral("Σ pᵢ · expertᵢ(x)")
                               : QStringLiteral("Σ pᵢ · downᵢ(%1(gateᵢ x) ⊙ upᵢ x)").arg(gated);
    }
    case GraphPart::Router:
        return QStringLiteral("p = %1(W x)").arg(value(StructureFact::RoutedBy, 0));
    case GraphPart::Recurrence: {
        // The recurrences of the kinds, by the names that they have in engine/blocks.
        const QString kind = value(StructureFact::Kind, 0);
        return kind.startsWith(QLatin1String("Mamba")) ? QStringLiteral("S ← exp(Δ A) S + Δ B x;  y = C S + D x")
               : kind.contains(QLatin1String("delta")) ? QStringLiteral("S ← g S + β k (v − k g S)ᵀ;  o = q S")
                                                       : QString();
    }
    case GraphPart::Output:
        return QStringLiteral("logits = W x");
    default:
        return {};
    }
}

QString originText(const inference::ModelStructure& structure) {
    if (structure.refused) {
        return Words::tr("The keys cannot be used, so that only the tensors are drawn: %1")
            .arg(errorReason(*structure.refused));
    }
    if (structure.isKnown) {
        return {};
    }
    return structure.isModel && !structure.architecture.empty()
               ? Words::tr(
                     "Gufo's engine does not know the architecture %1. Blocks and roles are drawn by the names of "
                     "the tensors.")
                     .arg(displayText(structure.architecture))
               : Words::tr("Blocks and roles are drawn by the names of the tensors.");
}

QString structureText(const inference::ModelStructure& structure) {
    QStringList lines;
    const QString architecture = displayText(structure.architecture);
    if (!architecture.isEmpty()) {
        lines << architecture;
    }
    if (const QString origin = originText(structure); !origin.isEmpty()) {
        lines << origin;
    }
    for (const StructureStack& stack : structure.stacks) {
        lines << QString() << stackTitle(stack);
        for (const StructurePart& part : stack.begin) {
            addPart(lines, part, false, QStringLiteral("  "));
        }
        if (!stack.blocks.empty()) {
            lines << QStringLiteral("  ") + stackText(stack);
        }
        std::set<std::size_t> told;
        for (const StructureRun& run : stack.runs) {
            if (told.size() >= kMostRuns) {
                break;
            }
            for (std::size_t i = run.first; i < run.first + run.period; ++i) {
                const StructureBlock& block = stack.blocks[i];
                if (!told.insert(block.kind).second) {
                    continue;
                }
                lines << QStringLiteral("    %1: %2").arg(runStart(stack, run), blockTitle(stack, block)) +
                             (block.parallel ? QStringLiteral(", ") + Words::tr("both branches read the same stream")
                                             : QString());
                for (const StructurePart& part : block.parts) {
                    addPart(lines, part, true, QStringLiteral("      "));
                }
            }
        }
        for (const StructurePart& part : stack.end) {
            addPart(lines, part, false, QStringLiteral("  "));
        }
    }
    if (!structure.contradictions.empty()) {
        lines << QString() << Words::tr("Keys and tensors contradict each other:");
        const std::size_t shown = std::min(structure.contradictions.size(), kMostContradictions);
        for (std::size_t i = 0; i < shown; ++i) {
            lines << QStringLiteral("  ") + structureFactText(structure.contradictions[i].what);
        }
        if (shown < structure.contradictions.size()) {
            lines << QStringLiteral("  ") +
                         Words::tr("and %n more", nullptr, numerus(structure.contradictions.size() - shown));
        }
    }
    return lines.join(u'\n') + u'\n';
}

} // namespace gufo::ui
