#include "cli/drafter_option.h"

#include "inference/drafting/drafters.h"
#include "text/tokenizer/vocabulary.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/model_text.h"

namespace gufo::cli {

int failWithoutMtpDrafts(const Error& reason, const char* verb, Console& console) {
    return console.fail(
        Cli::tr("%1: --mtp is not possible, because %2").arg(QLatin1String(verb), ui::mtpDraftsMissing(reason)));
}

Expected<Drafting> drafterOf(const Invocation& invocation, const char* verb, const inference::Responder& responder,
                             Console& console) {
    const auto path = invocation.value("draft");
    const bool lookup = invocation.isSet("lookup");
    const bool mtp = invocation.draftsWithMtp();
    if (int{path.has_value()} + int{lookup} + int{mtp} > 1) {
        return std::unexpected(
            console.fail(Cli::tr("%1: only one of --draft, --lookup and --mtp can be given").arg(QLatin1String(verb))));
    }
    if (mtp) {
        if (const Result<>& offered = responder.facts().mtpDrafts; !offered) {
            return std::unexpected(failWithoutMtpDrafts(offered.error(), verb, console));
        }
        return Drafting{.drafter = nullptr, .mtp = true};
    }
    if (!path && !lookup) {
        return Drafting{};
    }
    if (!checkOffered(responder, inference::Feature::AllLogits, verb, lookup ? "--lookup" : "--draft", console)) {
        return std::unexpected(kFailed);
    }
    if (lookup) {
        return Drafting{.drafter = std::make_shared<inference::PromptLookup>()};
    }
    const inference::ResponderFacts& facts = responder.facts();
    auto engine = GUFO_TRY(loadEngine(hub::ModelPlace::parse(*path),
                                      {.context = facts.options.context, .threads = facts.options.threads}, console));
    const Cancellation cancellation;
    const auto vocabulary = text::Vocabulary::read(engine.model->metadata, {.stop = cancellation.token()});
    if (!vocabulary) {
        return std::unexpected(failedOrCancelled(vocabulary.error(), *path, cancellation, console));
    }
    // Models of one family often pad their vocabularies to different sizes.
    const auto difference = text::findDifference(facts.tokenizer->vocabulary(), *vocabulary);
    if (difference && difference->token) {
        return std::unexpected(
            console.fail(Cli::tr("%1: %2; a draft needs a model of the same vocabulary")
                             .arg(ui::displayText(*path), ui::vocabularyDifferenceText(*difference))));
    }
    return Drafting{.drafter =
                        std::make_shared<inference::DraftModel>(std::move(engine.loaded), std::move(engine.session))};
}

QString draftText(const inference::ResponseFigures& figures) {
    return figures.draftedTokens == 0 ? QString()
                                      : QStringLiteral("; ") + Cli::tr("%1 of %n drafted tokens accepted", nullptr,
                                                                       ui::numerus(figures.draftedTokens))
                                                                   .arg(ui::formatCount(figures.acceptedTokens));
}

} // namespace gufo::cli
