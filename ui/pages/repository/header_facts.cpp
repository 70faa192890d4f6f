#include "ui/pages/repository/header_facts.h"

#include "ui/messages/figure_text.h"
#include "ui/report/fitting.h"

#include <QStringList>

#include <cmath>

namespace gufo::ui {
namespace {

constexpr std::string_view kTemplateKey = "tokenizer.chat_template";
constexpr std::size_t kTypesShown = 3;
constexpr double kPercent = 100;

QString typesText(const Model& model, std::uint64_t tensorBytes) {
    QStringList texts;
    const auto shares = model.typeShares();
    for (const Model::TypeShare& share : shares) {
        if (texts.size() == kTypesShown) {
            texts << QStringLiteral("…");
            break;
        }
        const double part = tensorBytes == 0 ? 0 : static_cast<double>(share.bytes) / static_cast<double>(tensorBytes);
        const auto percent = static_cast<int>(std::lround(part * kPercent));
        texts << QString::fromStdString(share.name) + (shares.size() == 1 ? QString()
                                                       : percent == 0     ? QStringLiteral(" <1 %")
                                                                          : QStringLiteral(" %1 %").arg(percent));
    }
    return texts.join(QStringLiteral(", "));
}

} // namespace

HeaderFacts headerFacts(const std::shared_ptr<const Model>& read) {
    const Model& model = *read;
    const Model::Totals totals = model.totals();
    HeaderFacts facts{.architecture = displayText(model.metadata.architecture()),
                      .weights = totals.weights,
                      .bitsPerWeight = totals.bitsPerWeight,
                      .types = typesText(model, totals.tensorBytes),
                      .memory = memoryToRun(read),
                      .chatTemplate = {}};
    if (const auto text = model.metadata.string(kTemplateKey)) {
        facts.chatTemplate = *text;
    }
    return facts;
}

} // namespace gufo::ui
