#include "model/hyper_parameters.h"
#include "model/key_catalogue.h"

#include <array>
#include <limits>

namespace gufo {
namespace {

constexpr auto kOptional = Requirement::Optional;
constexpr auto kRequired = Requirement::Required;
constexpr auto kIfQuantised = Requirement::RequiredIfQuantised;

// The kinds of values that the rows of key_facts.inc name.
struct Kind {
    ValueType type;
    ValueType elementType;
    bool anyInteger;
    bool scalarOrArray;
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();

    // The same with limits.
    [[nodiscard]] constexpr Kind within(double lowest, double highest = std::numeric_limits<double>::infinity()) const {
        return {type, elementType, anyInteger, scalarOrArray, lowest, highest};
    }
    constexpr KeyFact operator()(std::string_view key, Requirement requirement = kOptional,
                                 std::string_view architectures = {}, std::string_view aliasOf = {}) const {
        return {key, type, elementType, anyInteger, scalarOrArray, requirement, architectures, aliasOf, least, most};
    }
};
constexpr Kind scalarOf(ValueType type, bool anyInteger) { return {type, type, anyInteger, false}; }
constexpr Kind arrayOf(ValueType elements, bool anyInteger) { return {ValueType::Array, elements, anyInteger, false}; }
constexpr Kind perBlock(ValueType type, ValueType elements, bool anyInteger) {
    return {type, elements, anyInteger, true};
}

constexpr Kind text = scalarOf(ValueType::String, false);
constexpr Kind word = text.within(1);
constexpr Kind flag = scalarOf(ValueType::Bool, false);
constexpr Kind real = scalarOf(ValueType::Float32, false);
constexpr Kind amount = real.within(0);
constexpr Kind positiveReal = real.within(kAboveZero);
constexpr Kind u16 = scalarOf(ValueType::UInt16, false);
constexpr Kind u32 = scalarOf(ValueType::UInt32, false);
constexpr Kind i32 = scalarOf(ValueType::Int32, false);
constexpr Kind count = u32.within(0);
constexpr Kind length = u32.within(1);
constexpr Kind blocks = u32.within(1, kMaxBlocks);
constexpr Kind total = scalarOf(ValueType::UInt32, true).within(0);
constexpr Kind integer = scalarOf(ValueType::Int32, true);
constexpr Kind texts = arrayOf(ValueType::String, false);
constexpr Kind flags = arrayOf(ValueType::Bool, false);
constexpr Kind f32s = arrayOf(ValueType::Float32, false);
constexpr Kind i32s = arrayOf(ValueType::Int32, false);
constexpr Kind u32s = arrayOf(ValueType::UInt32, false);
constexpr Kind bytes = arrayOf(ValueType::UInt8, false);
constexpr Kind countPerBlock = perBlock(ValueType::UInt32, ValueType::UInt32, false).within(0);
constexpr Kind realPerBlock = perBlock(ValueType::Float32, ValueType::Float32, false);
constexpr Kind flagPerBlock = perBlock(ValueType::UInt32, ValueType::Bool, false).within(0);

constexpr auto kKeyFacts = std::to_array<KeyFact>({
#define GUFO_KEY(fact, words) fact,
#include "model/key_facts.inc"
#undef GUFO_KEY
});

} // namespace

std::span<const KeyFact> keyFacts() { return kKeyFacts; }

} // namespace gufo
