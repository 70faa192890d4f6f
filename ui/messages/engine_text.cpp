#include "ui/messages/engine_text.h"

#include <QCoreApplication>

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
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine accepts text, not single tokens"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not support context shifting"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not forecast its memory use"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not report the probabilities of all tokens"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not compute embeddings"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine cannot save its state"),
};

} // namespace

QString engineName(std::string_view id) {
    return id == "gufo" ? Words::tr("Gufo") : QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size()));
}

QString featureMissing(inference::Feature feature) { return Words::tr(kMissing[static_cast<std::size_t>(feature)]); }

QString featureMissingTip(inference::Feature feature) {
    QString text = featureMissing(feature);
    text[0] = text[0].toUpper();
    return text;
}

} // namespace gufo::ui
