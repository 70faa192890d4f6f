#include "ui/messages/left_out_text.h"

#include "ui/messages/figure_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace gufo::ui {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::LeftOut)
};

constexpr std::size_t kMaxNamed = 4;

} // namespace

QString leftOutText(std::span<const std::string> tensors) {
    if (tensors.empty()) {
        return {};
    }
    QStringList names;
    for (const std::string& name : tensors.first(std::min(tensors.size(), kMaxNamed))) {
        names << displayText(name);
    }
    const QString list = names.join(QStringLiteral(", "));
    return tensors.size() > kMaxNamed
               ? Words::tr("Ignored, because they do not affect the answers: %1 and %2 more tensors.")
                     .arg(list, formatCount(tensors.size() - kMaxNamed))
               : Words::tr("Ignored, because they do not affect the answers: %1.").arg(list);
}

QString decoderLeftOutText() {
    return Words::tr("Gufo runs the encoder of this model, but not its decoder, which would generate texts.");
}

} // namespace gufo::ui
