#include "ui/messages/engine_text.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::Engines)
};

// In the order of inference::Feature.
constexpr std::array<const char*, inference::kFeatureCount> kMissing{
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not report token probabilities"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not report candidate tokens"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine cannot continue from another token"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine cannot continue a partial answer"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine accepts conversations only"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine applies its own chat template"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not support grammars"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not support JSON schemas"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine accepts text, not single tokens"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not support context shifting"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not forecast its memory use"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not report the probabilities of all tokens"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not compute embeddings"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine cannot save its state"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine has no chat template of its own"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not report probabilities after the samplers"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine only supports temperature, top-p, frequency and presence "
                                           "penalties, and a seed"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not report the probabilities of a given text's tokens"),
};

} // namespace

QString engineName(std::string_view id) {
    return id == "gufo"       ? Words::tr("Gufo")
           : id == "libllama" ? QStringLiteral("libllama")
           : id == "server"   ? Words::tr("A server")
                              : QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size()));
}

QString featureMissing(inference::Feature feature) { return Words::tr(kMissing[static_cast<std::size_t>(feature)]); }

QString featureMissingTip(inference::Feature feature) {
    QString text = featureMissing(feature);
    text[0] = text[0].toUpper();
    return text;
}

QString mtpDraftsMissingTip(const Error& error) {
    QString text = mtpDraftsMissing(error);
    text[0] = text[0].toUpper();
    return text;
}

QString mtpDraftsMissing(const Error& error) {
    switch (error.code) {
    case ErrorCode::NotSupported:
        return Words::tr("this engine cannot draft with a block of the model");
    case ErrorCode::NoSuchKey:
        return Words::tr("the model has no block that predicts further tokens (multi-token prediction)");
    default:
        return error.place.kind == Place::Kind::Tensor
                   ? Words::tr("the model's block that predicts further tokens cannot be used: %1: %2")
                         .arg(displayText(error.place.name), errorReason(error))
                   : Words::tr("the model's block that predicts further tokens cannot be used: %1")
                         .arg(errorReason(error));
    }
}

QString serverText(const inference::ServerFacts& facts) {
    QString text = facts.dialect == inference::ServerDialect::LlamaServer
                       ? QStringLiteral("llama-server")
                       : Words::tr("a server with OpenAI's interface");
    if (!facts.build.empty()) {
        text += u' ' + displayText(facts.build);
    }
    if (facts.context != 0) {
        text += Words::tr(", context of %n tokens", nullptr, numerus(facts.context));
    }
    if (facts.vision) {
        text += Words::tr(", sees pictures");
    }
    if (facts.audio) {
        text += Words::tr(", hears audio");
    }
    return text;
}

QString serverMatchText(const inference::ServerMatch& match) {
    using inference::Agreement;
    QString text;
    switch (match.model()) {
    case Agreement::Same:
        text = Words::tr("it runs this file's model (same tensors and vocabulary)");
        break;
    case Agreement::Different:
        text = Words::tr("it runs another model, so tokens are exchanged as text");
        break;
    case Agreement::Unknown:
        text = Words::tr("whether it runs this file's model is not known");
        break;
    }
    return match.chatTemplate == Agreement::Different
               ? text + Words::tr("; its chat template is not the one of this file")
               : text;
}

QString typedSpecialsText(std::span<const std::string> texts) {
    constexpr std::size_t kNamed = 3;
    QStringList names;
    for (const std::string& text : texts.first(std::min(kNamed, texts.size()))) {
        names << displayText(text);
    }
    const QString list = names.join(QStringLiteral(", "));
    return texts.size() <= kNamed ? list
                                  : Words::tr("%1 and %n others", nullptr, numerus(texts.size() - kNamed)).arg(list);
}

} // namespace gufo::ui
