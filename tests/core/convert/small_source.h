// A folder with a configuration and weights that a test writes, and what it is converted to.
#pragma once

#include "convert/convert_folder.h"
#include "document/open_model.h"
#include "support/safetensors_builder.h"
#include "support/tensor_values.h"

#include <QTemporaryDir>

#include <cstring>
#include <fstream>

namespace gufo::test {

using namespace gufo::convert;

inline constexpr const char* kSmallLlama =
    R"("architectures":["LlamaForCausalLM"],"hidden_size":8,"num_attention_heads":2,)"
    R"("num_hidden_layers":1,"intermediate_size":16,"vocab_size":32,"rope_theta":10000.0)";

template<typename T>
std::vector<std::byte> asBytes(const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}
inline std::vector<std::byte> asBytes(std::string_view text) {
    return asBytes(std::vector<char>(text.begin(), text.end()));
}

inline std::vector<std::byte> countingFloats(std::size_t count, float first = 0) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = first + static_cast<float>(i);
    }
    return asBytes(values);
}

inline const Argument& detailOf(const Error& error) {
    static const Argument kNone(std::string{});
    return error.args.empty() ? kNone : error.args.front();
}

class SmallSource {
public:
    [[nodiscard]] std::filesystem::path in(const char* name) const {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }
    // `members` of config.json, without the braces.
    Result<SourceFolder> folder(const std::string& members, const SafetensorsBuilder& weights) const {
        std::filesystem::create_directories(in("source"));
        std::ofstream(in("source") / "config.json") << '{' << members << '}';
        weights.write(in("source") / "model.safetensors");
        return SourceFolder::open(in("source"));
    }
    // Null if anything fails.
    std::shared_ptr<const Model> convert(const std::string& members, const SafetensorsBuilder& weights,
                                         const char* type = "F32") const {
        const auto source = folder(members, weights);
        const ConvertRequest request{.recipe = {.recipe = findRecipe(type)}};
        const auto plan = source ? planConversion(*source, request) : std::unexpected(source.error());
        if (!plan || !writeConverted(*source, *plan, request, in("out.gguf"))) {
            return nullptr;
        }
        const auto model = openModel(in("out.gguf"));
        return model ? *model : nullptr;
    }
    // The error with which the plan is refused; Cancelled if it is not.
    Error refusal(const std::string& members, const SafetensorsBuilder& weights) const {
        const auto source = folder(members, weights);
        const auto plan = source ? planConversion(*source) : std::unexpected(source.error());
        return plan ? Error{ErrorCode::Cancelled} : plan.error();
    }

private:
    QTemporaryDir m_folder;
};

} // namespace gufo::test
