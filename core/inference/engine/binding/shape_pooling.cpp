#include "inference/engine/binding/shape_reader.h"
#include "model/array_index.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gufo::inference {
namespace {

// More than any classifier has, so that a hostile list takes no memory.
constexpr std::uint64_t kMaxLabels = 4'096;

} // namespace

// Most architectures have one activation; a few name theirs.
void ShapeReader::readActivation() {
    const GraphTraits& row = *m_shape.architecture;
    m_shape.activation = row.feedForward.activation;
    const std::string key = m_model.metadata.architectureKey("hidden_activation");
    const auto name = row.feedForward.activationByKey ? m_model.metadata.string(key) : std::nullopt;
    if (!name) {
        return;
    }
    constexpr auto kNamed = std::to_array<std::pair<std::string_view, Activation>>(
        {{"gelu", Activation::ExactGelu}, {"gelu_pytorch_tanh", Activation::Gelu}, {"silu", Activation::Silu}});
    const auto* found = std::ranges::find(kNamed, *name, &std::pair<std::string_view, Activation>::first);
    if (found == kNamed.end()) {
        return cannot(key, *name);
    }
    m_shape.activation = found->second;
}

void ShapeReader::readPooling() {
    const GraphTraits& row = *m_shape.architecture;
    PoolingShape& pooling = m_shape.pooling;
    if (m_parameters.find("pooling_type") != nullptr) {
        const auto number = m_parameters.uint("pooling_type");
        pooling.asked = number ? poolingFromNumber(*number) : std::nullopt;
        if (!pooling.asked) {
            refuse("pooling_type");
        }
    }
    pooling.rankedRow = row.output.rankedRow;
    if (m_parameters.find("classifier.pooling_type") != nullptr) {
        const auto number = m_parameters.uint("classifier.pooling_type");
        const auto ranked = number ? poolingFromNumber(*number) : std::nullopt;
        if (!ranked || *ranked == Pooling::None || *ranked == Pooling::Rank) {
            return refuse("classifier.pooling_type");
        }
        pooling.rankedRow = *ranked;
    }
    pooling.activation = row.output.headActivation;
    const std::string key = m_model.metadata.architectureKey("classifier.activation");
    if (const auto name = m_model.metadata.string(key)) {
        constexpr auto kNamed = std::to_array<std::pair<std::string_view, HeadActivation>>(
            {{"tanh", HeadActivation::Tanh}, {"gelu", HeadActivation::ExactGelu}, {"silu", HeadActivation::Silu}});
        const auto* found = std::ranges::find(kNamed, *name, &std::pair<std::string_view, HeadActivation>::first);
        if (found == kNamed.end()) {
            return cannot(key, *name);
        }
        pooling.activation = found->second;
    }
    constexpr std::string_view kLabels = "classifier.output_labels";
    const Value* value = m_parameters.find(kLabels);
    const ArrayView* labels = value != nullptr ? asArray(*value) : nullptr;
    if (value != nullptr && (labels == nullptr || labels->length == 0 || labels->length > kMaxLabels)) {
        return refuse(kLabels);
    }
    Bytes rest = labels != nullptr ? labels->bytes : Bytes();
    for (std::uint64_t i = 0; labels != nullptr && i < labels->length; ++i) {
        const auto element = valueAt(labels->elementType, rest, labels->layout);
        const auto text = element ? asString(element->value) : std::nullopt;
        if (!text) {
            return refuse(kLabels);
        }
        pooling.labels.emplace_back(*text);
        rest = rest.subspan(element->bytes);
    }
}

} // namespace gufo::inference
