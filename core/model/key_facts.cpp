#include "model/key_catalogue.h"

#include <array>

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

    constexpr KeyFact operator()(std::string_view key, Requirement requirement = kOptional,
                                 std::string_view architectures = {}, std::string_view aliasOf = {}) const {
        return {key, type, elementType, anyInteger, scalarOrArray, requirement, architectures, aliasOf};
    }
};
constexpr Kind scalarOf(ValueType type, bool anyInteger) { return {type, type, anyInteger, false}; }
constexpr Kind arrayOf(ValueType elements, bool anyInteger) { return {ValueType::Array, elements, anyInteger, false}; }
constexpr Kind perBlock(ValueType type, ValueType elements, bool anyInteger) {
    return {type, elements, anyInteger, true};
}

constexpr Kind text = scalarOf(ValueType::String, false);
constexpr Kind flag = scalarOf(ValueType::Bool, false);
constexpr Kind real = scalarOf(ValueType::Float32, false);
constexpr Kind u32 = scalarOf(ValueType::UInt32, false);
constexpr Kind count = scalarOf(ValueType::UInt32, true);
constexpr Kind integer = scalarOf(ValueType::Int32, true);
constexpr Kind texts = arrayOf(ValueType::String, false);
constexpr Kind flags = arrayOf(ValueType::Bool, false);
constexpr Kind f32s = arrayOf(ValueType::Float32, false);
constexpr Kind i32s = arrayOf(ValueType::Int32, true);
constexpr Kind u32s = arrayOf(ValueType::UInt32, true);
constexpr Kind bytes = arrayOf(ValueType::UInt8, true);
constexpr Kind countPerBlock = perBlock(ValueType::UInt32, ValueType::UInt32, true);
constexpr Kind realPerBlock = perBlock(ValueType::Float32, ValueType::Float32, false);
constexpr Kind flagPerBlock = perBlock(ValueType::UInt32, ValueType::Bool, true);

constexpr auto kKeyFacts = std::to_array<KeyFact>({
#include "model/key_facts.inc"
});

} // namespace

std::span<const KeyFact> keyFacts() { return kKeyFacts; }

} // namespace gufo
