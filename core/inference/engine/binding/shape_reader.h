// Reads the hyper-parameters of a model into a ModelShape. shape.cpp reads what every architecture has and
// attention; shape_experts.cpp reads experts, shape_pooling.cpp pooling, shape_rope.cpp rotations, and
// prediction.cpp the block that predicts further tokens. The kinds of blocks read their own (graph_traits.h).
#pragma once

#include "inference/engine/binding/refusal.h"
#include "inference/engine/binding/shape.h"
#include "model/block_memory.h"
#include "model/hyper_parameters.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ranges>
#include <string>
#include <string_view>

namespace gufo::inference {

// Larger than in any model, yet products of two do not overflow.
inline constexpr std::uint64_t kLargestLength = 1U << 24U;

class ShapeReader {
public:
    explicit ShapeReader(const Model& model)
        : m_model(model)
        , m_parameters(model.metadata) {}

    [[nodiscard]] Result<ModelShape> read();
    [[nodiscard]] Result<ModelShape> readPredictor();
    void readTransformer();

    // What the kinds of blocks read with (graph_traits.h).
    [[nodiscard]] ModelShape& shape() { return m_shape; }
    [[nodiscard]] const HyperParameters& parameters() const { return m_parameters; }
    [[nodiscard]] bool refused() const { return static_cast<bool>(m_refusal); }
    // Returns a length that the file must state.
    std::uint32_t length(std::string_view suffix) {
        const auto value = m_parameters.uint(suffix);
        if (!value || *value == 0 || *value > kLargestLength) {
            refuse(suffix);
            return 1;
        }
        return static_cast<std::uint32_t>(*value);
    }
    std::uint32_t optional(std::string_view suffix, std::uint64_t fallback) {
        const auto value = find(suffix) != nullptr ? m_parameters.uint(suffix) : std::nullopt;
        if (value ? *value > kLargestLength : find(suffix) != nullptr) {
            refuse(suffix);
            return 1;
        }
        return static_cast<std::uint32_t>(value.value_or(fallback));
    }
    double number(std::string_view suffix, double fallback) {
        const auto value = find(suffix) != nullptr ? m_parameters.number(suffix) : std::nullopt;
        if (value ? !std::isfinite(*value) : find(suffix) != nullptr) {
            refuse(suffix);
            return fallback;
        }
        return value.value_or(fallback);
    }
    bool flag(std::string_view suffix, bool fallback) {
        const auto value = find(suffix) != nullptr ? m_parameters.boolean(suffix) : std::nullopt;
        if (!value && find(suffix) != nullptr) {
            refuse(suffix);
        }
        return value.value_or(fallback);
    }
    // Returns a factor; files write 0 for "none".
    double factor(std::string_view suffix, double fallback) {
        const double value = number(suffix, 0);
        return value != 0 ? value : fallback;
    }
    // Null also where the definition of the architecture does without a key that its files have.
    [[nodiscard]] const Value* find(std::string_view suffix) const {
        const std::string_view keys = m_shape.architecture->ignoredKeys;
        const bool ignored = std::ranges::any_of(keys | std::views::split(','),
                                                 [&](const auto& key) { return std::string_view(key) == suffix; });
        return ignored ? nullptr : m_parameters.find(suffix);
    }
    // Missing keys are listed; of values that cannot be used, the first one is reported.
    void refuse(std::string_view suffix) {
        Error error = unusableHyperParameter(m_model.metadata, suffix);
        if (error.code == ErrorCode::NoSuchKey) {
            std::string key = error.place.name;
            m_refusal.add(error.code, std::move(error.place), std::move(key));
        } else {
            m_refusal.add(std::move(error));
        }
    }
    // Records that the engine does not support a key's value.
    void cannot(const std::string& key, std::string_view value) {
        m_refusal.add(ErrorCode::NotRunnable, Place::key(key), key + " = " + std::string(value));
    }
    // The key of a hyper-parameter.
    [[nodiscard]] std::string keyOf(std::string_view suffix) const { return m_model.metadata.architectureKey(suffix); }

private:
    void readCommon();
    void readScales();
    void readPooling();
    void readActivation();
    void readBlocks(std::uint32_t count);
    [[nodiscard]] bool isRecurrent(std::uint32_t block, std::uint64_t kvHeads);
    void readRotatedBlocks(const Blocks& blocks);
    void readSources();
    void readTemperature();
    void readXielu();
    void readAttention();
    void readRope();
    void readSections();
    void readExperts();
    void readExpertWidths();

    const Model& m_model;
    HyperParameters m_parameters;
    ModelShape m_shape;
    bool m_withPredicting = false; // the blocks that predict further tokens are read too
    Refusal m_refusal;
};

} // namespace gufo::inference
