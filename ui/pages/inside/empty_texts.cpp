#include "ui/pages/inside/empty_texts.h"

#include "formats/container/container.h"
#include "inference/engine/gufo_engine.h"
#include "model/file_kind.h"
#include "ui/document/fetching.h"
#include "ui/messages/error_text.h"

#include <QCoreApplication>

namespace gufo::ui {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::EmptyTexts)
};

} // namespace

std::optional<EmptyTexts> whyNothingInside(const Model& model) {
    if (isOnServer(model)) {
        return EmptyTexts{Words::tr("The weights are on %1").arg(serverOf(model)),
                          Words::tr("To look inside a run, all of them are needed: download the model first.")};
    }
    switch (fileKind(model)) {
    case FileKind::Adapter:
        return EmptyTexts{Words::tr("An adapter does not run by itself"),
                          Words::tr("It changes the weights of its base model. Open that model and look inside it "
                                    "there, or merge the adapter into it first (Tools menu).")};
    case FileKind::Projector:
        return EmptyTexts{Words::tr("A projector does not run by itself"),
                          Words::tr("It turns images or sounds into vectors for its model. Look inside that model.")};
    case FileKind::Imatrix:
        return EmptyTexts{Words::tr("An importance matrix does not run"),
                          Words::tr("It holds what was measured while a model ran. Look inside that model.")};
    case FileKind::Vocabulary:
        return EmptyTexts{Words::tr("This file has no weights"),
                          Words::tr("It is a vocabulary only, which the page Tokenizer shows.")};
    case FileKind::Model:
        break;
    }
    if (holdsOnlyMtp(model)) {
        return EmptyTexts{Words::tr("These blocks do not run by themselves"),
                          Words::tr("They predict further tokens (MTP) for the model that they belong to. Look "
                                    "inside that model.")};
    }
    if (!model.container.empty() && containerFormat(model) != "GGUF") {
        return EmptyTexts{Words::tr("This model is not in GGUF"),
                          Words::tr("Gufo's own engine runs GGUF files. Convert the model (Convert…), and look "
                                    "inside the result.")};
    }
    if (inference::onlyEmbeds(model)) {
        return EmptyTexts{Words::tr("This model generates no text"),
                          Words::tr("Its vectors are shown on the page Embed. Attention, the logit lens, experts "
                                    "and sizes are shown for models that predict the next token.")};
    }
    return std::nullopt;
}

EmptyTexts whyEngineRefuses(const Error& error) {
    return {Words::tr("Gufo's own engine cannot run this model"),
            Words::tr("The page shows what happens inside that engine: %1.").arg(errorReason(error))};
}

std::optional<EmptyTexts> whyNoTexts(const Model& model) {
    if (model.metadata.find("tokenizer.ggml.model") != nullptr) {
        return std::nullopt;
    }
    return EmptyTexts{
        Words::tr("This model has no tokenizer"),
        Words::tr("Texts become tokens by way of it. gufo-cli inspect --tokens accepts token ids instead.")};
}

EmptyTexts invitationTo(InsideView view) {
    switch (view) {
    case InsideView::Attention:
        return {Words::tr("Where does the model look?"),
                Words::tr("Enter a text, or take the conversation of Run, and choose a token. Each head of each block "
                          "looks back at earlier tokens; their weights add up to 1, and shade the text.")};
    case InsideView::Lens:
        return {Words::tr("When does it know the answer?"),
                Words::tr("The logit lens applies the output of the model to the state after each block, and so shows "
                          "what it would answer if it ended there.")};
    case InsideView::Experts:
        return {Words::tr("Which experts compute?"),
                Words::tr("A mixture of experts sends each token to some of its feed-forward networks. The page shows "
                          "which these are in each block, and how the text loads them.")};
    case InsideView::Norms:
        return {Words::tr("How large are its states?"),
                Words::tr("Each block adds to a stream of numbers. A single channel that becomes much larger than the "
                          "others is what makes a model hard to quantise.")};
    }
    return {};
}

} // namespace gufo::ui
