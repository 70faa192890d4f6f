#include "ui/report/behaviour.h"

#include "ui/messages/figure_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

namespace gufo::ui {
namespace {

constexpr double kHealed = 0.8; // of the largest distance, at the end

class LayerWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::LayerWords)
};

} // namespace

bool hasRoutes(const Behaviour& behaviour) {
    return std::ranges::any_of(behaviour.layers, [](const auto& layer) { return !layer.sameExperts.empty(); });
}

std::vector<double> meanDistances(const Behaviour& behaviour) {
    std::vector<double> means;
    for (const inference::LayerDistance& layer : behaviour.layers) {
        means.push_back(layer.relative.empty() ? 0
                                               : std::accumulate(layer.relative.begin(), layer.relative.end(), 0.0) /
                                                     static_cast<double>(layer.relative.size()));
    }
    return means;
}

QStringList layerWords(const Behaviour& behaviour) {
    const std::vector<double> means = meanDistances(behaviour);
    if (means.empty()) {
        return {};
    }
    std::size_t jump = 0; // the block that adds most
    for (std::size_t block = 1; block < means.size(); ++block) {
        const double grown = means[block] - means[block - 1];
        jump = grown > (jump == 0 ? means[0] : means[jump] - means[jump - 1]) ? block : jump;
    }
    const auto largest = std::ranges::max_element(means);
    const auto at = static_cast<std::size_t>(largest - means.begin());
    QStringList words{LayerWords::tr("The states part most in block %1.").arg(formatCount(jump))};
    words << (means.back() < kHealed * *largest
                  ? LayerWords::tr(
                        "They are farthest apart after block %1 (%2) and come together again (%3 at the end).")
                        .arg(formatCount(at), formatReal(*largest, 2), formatReal(means.back(), 2))
                  : LayerWords::tr("At the end they are %1 apart.").arg(formatReal(means.back(), 2)));
    for (std::size_t block = 0; block < behaviour.layers.size(); ++block) {
        const auto& same = behaviour.layers[block].sameExperts;
        const auto parted = std::ranges::find_if(same, [](double share) { return share < 1; });
        if (parted != same.end()) {
            words << LayerWords::tr("The routers part first in block %1, at token %2.")
                         .arg(formatCount(block), formatCount(parted - same.begin()));
            break;
        }
    }
    return words;
}

} // namespace gufo::ui
