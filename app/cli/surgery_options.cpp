#include "cli/surgery_options.h"

#include "base/ascii.h"
#include "cli/progress_line.h"
#include "document/expert_pruning.h"
#include "document/move_out.h"
#include "document/open_model.h"
#include "document/surgery.h"
#include "formats/container/model_saving.h"
#include "model/hyper_parameters.h"
#include "model/key_catalogue.h"
#include "quantize/expert_choice.h"
#include "quantize/retype.h"
#include "ui/messages/figure_text.h"
#include "validate/vocabulary_edits.h"

#include <algorithm>
#include <charconv>
#include <expected>
#include <filesystem>
#include <utility>

namespace gufo::cli {
namespace {

class Surgery {
public:
    Surgery(Document& document, const Invocation& invocation, const Cancellation& cancellation, Console& console)
        : m_document(document)
        , m_invocation(invocation)
        , m_cancellation(cancellation)
        , m_console(console) {}

    Expected<bool> run() {
        GUFO_TRY(extract());
        if (m_invocation.isSet("strip-mtp")) {
            GUFO_TRY(apply(stripMtp(m_document.current())));
        }
        GUFO_TRY(graft());
        GUFO_TRY(prune());
        GUFO_TRY(rearrange());
        GUFO_TRY(retype());
        if (const auto valid = checkSurgery(*m_document.base(), *m_document.current()); !valid) {
            return std::unexpected(failed(valid.error()));
        }
        GUFO_TRY(moveTensors());
        return m_document.isModified();
    }

private:
    int failed(const Error& error) { return failedOrCancelled(error, m_invocation.file(), m_cancellation, m_console); }

    Expected<void> apply(Result<std::vector<Change>> changes) {
        if (!changes) {
            return std::unexpected(failed(changes.error()));
        }
        const auto step = m_document.apply(*std::move(changes), "surgery");
        return step ? Expected<void>() : std::unexpected(failed(step.error()));
    }

    // The rest of the model is not touched.
    Expected<void> extract() {
        const auto out = m_invocation.value("extract-mtp");
        if (!out) {
            return {};
        }
        const auto written = GUFO_TRY(writeOwnFile(extractMtp(*m_document.current()), *out));
        if (written) {
            m_console.note(Cli::tr("%1: the blocks that predict further tokens, %2")
                               .arg(ui::displayText(*out), ui::formatBytes(*written)));
        }
        return {};
    }

    // Writes what the changes leave of the model to a file of its own. The result is the number of bytes; nothing with
    // --dry-run.
    Expected<std::optional<std::uint64_t>> writeOwnFile(Result<std::vector<Change>> changes, const std::string& out) {
        Document own(m_document.current());
        const auto step = changes ? own.apply(*std::move(changes), "extract") : std::unexpected(changes.error());
        if (!step) {
            return std::unexpected(failed(step.error()));
        }
        if (m_invocation.isDryRun()) {
            return std::nullopt;
        }
        const auto saved = [&] {
            ProgressLine line(m_console, ui::displayText(out));
            return saveModelAs(*own.current(), own.target(), out, {},
                               {.stop = m_cancellation.token(), .progress = line.progress()});
        }();
        if (!saved) {
            return std::unexpected(failedOrCancelled(saved.error(), out, m_cancellation, m_console));
        }
        return saved->bytesWritten();
    }

    Expected<void> graft() {
        const auto path = m_invocation.value("graft-mtp");
        if (!path) {
            return {};
        }
        const auto donor = openModel(hub::ModelPlace::parse(*path), {.stop = m_cancellation.token()});
        if (!donor) {
            return std::unexpected(failedOrCancelled(donor.error(), *path, m_cancellation, m_console));
        }
        return apply(graftMtp(*m_document.current(), *donor));
    }

    Expected<void> rearrange() {
        std::array<std::vector<BlockRange>, 2> lists;
        constexpr std::array<const char*, 2> kOptions{"drop-blocks", "duplicate-blocks"};
        for (std::size_t i = 0; i < lists.size(); ++i) {
            const auto text = m_invocation.value(kOptions.at(i));
            auto parsed = text ? parseBlockRanges(*text) : std::optional(std::vector<BlockRange>());
            if (!parsed) {
                return std::unexpected(m_console.fail(QStringLiteral("set: ") +
                                                      Cli::tr("--%1 takes numbers of blocks, such as 3,7-9, not \"%2\"")
                                                          .arg(QLatin1String(kOptions.at(i)), ui::displayText(*text))));
            }
            lists.at(i) = *std::move(parsed);
        }
        return lists[0].empty() && lists[1].empty() ? Expected<void>()
                                                    : apply(rearrangeBlocks(m_document.current(), lists[0], lists[1]));
    }

    Expected<void> prune() {
        const auto value = m_invocation.value("keep-experts");
        if (!value) {
            return {};
        }
        const auto imatrix = m_invocation.value("imatrix");
        const auto experts = chosenExperts(*m_document.current(), *value,
                                           imatrix ? std::optional<std::filesystem::path>(*imatrix) : std::nullopt,
                                           {.stop = m_cancellation.token()});
        if (!experts) {
            return std::unexpected(failed(experts.error()));
        }
        const auto before = HyperParameters(m_document.current()->metadata).uint("expert_count").value_or(0);
        GUFO_TRY(apply(keepExperts(*m_document.current(), *experts)));
        m_console.note(Cli::tr("%1 of %2 experts stay in each block")
                           .arg(ui::formatCount(experts->begin()->second.size()), ui::formatCount(before)));
        return {};
    }

    // The text before and after the last "=".
    std::optional<std::pair<std::string, std::string>> parts(const std::string& text) {
        const std::size_t equals = text.rfind('=');
        return equals == std::string::npos || equals == 0 || equals + 1 == text.size()
                   ? std::nullopt
                   : std::optional(std::pair(text.substr(0, equals), text.substr(equals + 1)));
    }
    int refuse(const QString& message) { return m_console.fail(QStringLiteral("set: ") + message); }
    static auto matcher(QRegularExpression expression) {
        return [expression = std::move(expression)](std::string_view name) {
            return expression.match(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))).hasMatch();
        };
    }

    Expected<void> retype() {
        std::vector<TypeOverride> overrides;
        for (const std::string& text : m_invocation.values("retype")) {
            const auto rule = parts(text);
            const TensorTypeFact* type = rule ? findTensorType(rule->second) : nullptr;
            if (type == nullptr) {
                return std::unexpected(refuse(
                    Cli::tr("--retype takes REGEX=TYPE, such as attn_v=Q6_K, not \"%1\"").arg(ui::displayText(text))));
            }
            const auto made = GUFO_TRY(regularExpression("retype", rule->first, false, m_console));
            overrides.push_back({.matches = matcher(made), .typeId = type->id, .pattern = rule->first});
        }
        if (overrides.empty()) {
            return {};
        }
        auto changes = [&] {
            ProgressLine line(m_console, Cli::tr("encoding"));
            return retypeTensors(m_document.current(), overrides,
                                 {.stop = m_cancellation.token(), .progress = line.progress()});
        }();
        return apply(std::move(changes));
    }

    Expected<void> moveTensors() {
        for (const std::string& text : m_invocation.values("move-out")) {
            const auto rule = parts(text);
            if (!rule) {
                return std::unexpected(
                    refuse(Cli::tr("--move-out takes REGEX=PATH, not \"%1\"").arg(ui::displayText(text))));
            }
            auto made = GUFO_TRY(regularExpression("move-out", rule->first, true, m_console));
            auto moved = moveOut(m_document.current(), matcher(std::move(made)), rule->second);
            if (!moved) {
                return std::unexpected(failedOrCancelled(moved.error(), rule->second, m_cancellation, m_console));
            }
            const auto out = m_invocation.value("output");
            const bool isPart = moved->kind == MovedOut::Kind::Part;
            if (isPart && (!out || std::filesystem::path(*out).lexically_normal() != moved->first.lexically_normal())) {
                return std::unexpected(
                    refuse(Cli::tr("the model needs these tensors, so that the rest has to be its first "
                                   "part: add -o %1")
                               .arg(ui::displayText(moved->first.native()))));
            }
            const auto written = GUFO_TRY(writeOwnFile(std::move(moved->file), rule->second));
            if (written) {
                m_console.note(Cli::tr("%1: the tensors that were moved out, %2")
                                   .arg(ui::displayText(rule->second), ui::formatBytes(*written)));
            }
            GUFO_TRY(apply(std::move(moved->rest)));
        }
        return {};
    }

    Document& m_document;
    const Invocation& m_invocation;
    const Cancellation& m_cancellation;
    Console& m_console;
};

template<typename T>
using Parsed = std::expected<T, QString>;

std::optional<std::uint64_t> idIn(std::string_view text) {
    std::uint64_t id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    return !text.empty() && error == std::errc() && end == text.data() + text.size() ? std::optional(id) : std::nullopt;
}

std::optional<TokenType> typeIn(std::string_view text) {
    for (const EnumName& name : enumNames("tokenizer.ggml.token_type", {})) {
        if (asciiLowerText(name.name) == asciiLowerText(text)) {
            return static_cast<TokenType>(name.value);
        }
    }
    return std::nullopt;
}

// TOKEN[=TYPE[,ID]]. A token may contain "=" itself, so that only a type after the last one is taken for a type.
Parsed<NewToken> tokenIn(std::string_view text) {
    NewToken token{.text = std::string(text)};
    const std::size_t equals = text.rfind('=');
    if (equals == std::string_view::npos || equals == 0) {
        return token;
    }
    const std::string_view rest = text.substr(equals + 1);
    const std::size_t comma = rest.find(',');
    token.type = typeIn(rest.substr(0, comma));
    if (!token.type) {
        return token;
    }
    token.text = text.substr(0, equals);
    if (comma != std::string_view::npos) {
        token.copied = idIn(rest.substr(comma + 1));
        if (!token.copied) {
            return std::unexpected(
                Cli::tr("%1 is not the id of a token").arg(ui::displayText(std::string(rest.substr(comma + 1)))));
        }
    }
    return token;
}

// Ids and ranges of ids: "5,32000-32063".
Parsed<std::vector<std::uint64_t>> idsIn(std::string_view text, std::uint64_t tokens) {
    std::vector<std::uint64_t> ids;
    while (true) {
        const std::size_t comma = text.find(',');
        const std::string_view part = text.substr(0, comma);
        const std::size_t dash = part.find('-');
        const auto first = idIn(part.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : idIn(part.substr(dash + 1));
        if (!first || !last || *last < *first) {
            return std::unexpected(Cli::tr("%1 is neither the id of a token nor a range such as 32000-32063")
                                       .arg(ui::displayText(std::string(part))));
        }
        if (*last >= tokens) {
            return std::unexpected(Cli::tr("there is no token %1: ids go from 0 to %2")
                                       .arg(QString::number(*last), QString::number(tokens - 1)));
        }
        for (std::uint64_t id = *first; id <= *last; ++id) {
            ids.push_back(id);
        }
        if (comma == std::string_view::npos) {
            return ids;
        }
        text.remove_prefix(comma + 1);
    }
}

class VocabularyEdit {
public:
    VocabularyEdit(Document& document, const Invocation& invocation, Console& console)
        : m_document(document)
        , m_invocation(invocation)
        , m_console(console) {}

    Expected<void> run() {
        const ArrayView* tokens = m_document.current()->metadata.array("tokenizer.ggml.tokens");
        const std::uint64_t count = tokens != nullptr ? tokens->length : 0;
        for (const std::string& value : m_invocation.values("vocab")) {
            GUFO_TRY(read(value, count));
        }
        if (!m_added.empty()) {
            GUFO_TRY(apply(extendVocabulary(*m_document.current(), m_added)));
        }
        if (m_trimsUnused) {
            const std::vector<std::uint64_t> unused = unusedTokens(*m_document.current());
            if (unused.empty() && m_removed.empty()) {
                return std::unexpected(refuse(Cli::tr("no token is unused; \"trim:IDS\" removes others")));
            }
            std::ranges::copy_if(unused, std::back_inserter(m_removed), [&](std::uint64_t id) { return id < count; });
        }
        return m_removed.empty() ? Expected<void>() : apply(trimVocabulary(*m_document.current(), m_removed));
    }

private:
    int refuse(const QString& message) { return m_console.fail(QStringLiteral("set: --vocab: ") + message); }

    Expected<void> read(std::string_view value, std::uint64_t count) {
        constexpr std::string_view kExtend = "extend:";
        constexpr std::string_view kTrim = "trim";
        if (value.starts_with(kExtend)) {
            auto token = tokenIn(value.substr(kExtend.size()));
            if (!token) {
                return std::unexpected(refuse(token.error()));
            }
            m_added.push_back(*std::move(token));
            return {};
        }
        if (value == kTrim) {
            m_trimsUnused = true;
            return {};
        }
        if (value.starts_with(kTrim) && value.substr(kTrim.size()).starts_with(':')) {
            const auto ids = idsIn(value.substr(kTrim.size() + 1), count);
            if (!ids) {
                return std::unexpected(refuse(ids.error()));
            }
            m_removed.insert(m_removed.end(), ids->begin(), ids->end());
            return {};
        }
        return std::unexpected(refuse(
            Cli::tr("it takes extend:TOKEN, trim or trim:IDS, not %1").arg(ui::displayText(std::string(value)))));
    }

    Expected<void> apply(Result<std::vector<Change>> changes) {
        const auto step = changes ? m_document.apply(*std::move(changes), "vocabulary")
                                  : Result<AppliedStep>(std::unexpected(std::move(changes).error()));
        return step ? Expected<void>() : std::unexpected(m_console.fail(step.error(), m_invocation.file()));
    }

    Document& m_document;
    const Invocation& m_invocation;
    Console& m_console;
    std::vector<NewToken> m_added;
    std::vector<std::uint64_t> m_removed;
    bool m_trimsUnused = false;
};

} // namespace

Expected<QRegularExpression> regularExpression(const char* option, const std::string& pattern, bool whole,
                                               Console& console) {
    const QString text = QString::fromStdString(pattern);
    QRegularExpression made(whole ? QRegularExpression::anchoredPattern(text) : text);
    if (!made.isValid()) {
        return std::unexpected(console.fail(
            QStringLiteral("set: ") + Cli::tr("--%1: error in the regular expression %2: %3")
                                          .arg(QLatin1String(option), ui::displayText(pattern), made.errorString())));
    }
    return made;
}

bool wantsSurgery(const Invocation& invocation) {
    return std::ranges::any_of(kSurgeryOptions,
                               [&](const OptionFact& option) { return invocation.isSet(option.names); });
}

Expected<bool> applySurgery(Document& document, const Invocation& invocation, const Cancellation& cancellation,
                            Console& console) {
    return Surgery(document, invocation, cancellation, console).run();
}

Expected<void> editVocabulary(Document& document, const Invocation& invocation, Console& console) {
    return invocation.isSet("vocab") ? VocabularyEdit(document, invocation, console).run() : Expected<void>();
}

} // namespace gufo::cli
