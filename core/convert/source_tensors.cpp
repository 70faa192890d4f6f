#include "convert/source_tensors.h"

#include "base/ascii.h"
#include "base/detail.h"
#include "convert/encoded_values.h"
#include "tensor/decode.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace gufo::convert {
namespace {

using Kind = OperationKind;
using Position = SourceTensor::Position;

struct Companion {
    std::string_view suffix;
    bool required = true;
};

// An encoding in several tensors: the tensor of the codes, and its companions, whose names differ in the suffix.
struct EncodingRow {
    Kind operation;
    std::string_view suffix; // of the codes
    std::string_view name;   // the suffix that the decoded tensor has instead
    std::span<const TensorType> types;
    std::span<const Companion> companions;
    Position position = Position::InPlace;
    std::string_view method{}; // of quantization_config, if nothing else distinguishes the encoding from another
};

constexpr auto kBytes = std::to_array<TensorType>({TensorType::U8});
constexpr auto kWords = std::to_array<TensorType>({TensorType::I32, TensorType::U32});
constexpr auto kSigned = std::to_array<TensorType>({TensorType::I8});
constexpr auto kSmall = std::to_array<TensorType>(
    {TensorType::F8_E4M3, TensorType::F8_E5M2, TensorType::F8_E4M3FNUZ, TensorType::F8_E5M2FNUZ, TensorType::I8});

constexpr auto kNvfp4 = std::to_array<Companion>({{".weight_scale"}, {".weight_scale_2"}});
constexpr auto kNvfp4Packed = std::to_array<Companion>({{".weight_scale"}, {".weight_global_scale"}});
constexpr auto kMxfp4 = std::to_array<Companion>({{"_scales"}});
constexpr auto kPacked = std::to_array<Companion>(
    {{".weight_scale"}, {".weight_zero_point", false}, {".weight_g_idx", false}, {".weight_shape", false}});
constexpr auto kGptq = std::to_array<Companion>({{".qzeros"}, {".scales"}, {".g_idx", false}});
constexpr auto kAwq = std::to_array<Companion>({{".qzeros"}, {".scales"}});
constexpr auto kAffine = std::to_array<Companion>({{".scales"}, {".biases"}});
constexpr auto kRowScales = std::to_array<Companion>({{".SCB"}});
constexpr auto kTable = std::to_array<Companion>({{".weight.absmax"},
                                                  {".weight.quant_map"},
                                                  {".weight.nested_absmax", false},
                                                  {".weight.nested_quant_map", false},
                                                  {".weight.quant_state.bitsandbytes__nf4", false},
                                                  {".weight.quant_state.bitsandbytes__fp4", false}});
constexpr auto kInverseScale = std::to_array<Companion>({{".weight_scale_inv"}});
constexpr auto kScale = std::to_array<Companion>({{".weight_scale"}});
constexpr auto kMistralScale = std::to_array<Companion>({{".qscale_weight"}});

// The first row whose codes and required companions exist applies.
constexpr auto kEncodings = std::to_array<EncodingRow>({
    {Kind::RepackNvfp4, ".weight", ".weight", kBytes, kNvfp4, Position::First},
    {Kind::RepackNvfp4, ".weight_packed", ".weight", kBytes, kNvfp4Packed, Position::First},
    {Kind::RepackMxfp4, "_blocks", "", kBytes, kMxfp4, Position::First},
    {Kind::DequantiseTernary, ".weight", ".weight", kBytes, kScale, Position::InPlace, "bitnet"},
    {Kind::DequantisePacked, ".weight_packed", ".weight", kWords, kPacked, Position::Last},
    {Kind::DequantiseAwq, ".qweight", ".weight", kWords, kAwq, Position::InPlace, "awq"},
    {Kind::DequantiseGptq, ".qweight", ".weight", kWords, kGptq, Position::Last},
    {Kind::DequantiseAffine, ".weight", ".weight", kWords, kAffine},
    {Kind::DequantiseRows, ".weight", ".weight", kSigned, kRowScales},
    {Kind::DequantiseTable, ".weight", ".weight", kBytes, kTable},
    {Kind::DequantiseBlocks, ".weight", ".weight", kSmall, kInverseScale},
    {Kind::DequantiseBlocks, ".weight", ".weight", kSmall, kScale},
    {Kind::DequantiseBlocks, ".weight", ".weight", kSmall, kMistralScale},
});

// Further tensors of quantised checkpoints that a conversion of weights does not need.
struct DroppedNameRow {
    std::string_view suffix;
    std::string_view reason;
};
constexpr auto kDropped = std::to_array<DroppedNameRow>({
    {".input_scale", "activation_scale"},
    {".output_scale", "activation_scale"},
    {".input_global_scale", "activation_scale"},
    {".qscale_act", "activation_scale"},
    {".k_scale", "activation_scale"},
    {".v_scale", "activation_scale"},
    {".weight_format", "encoding_detail"},
    {".weight_shape", "encoding_detail"},
});

class Finder {
public:
    explicit Finder(const SourceFolder& source)
        : m_source(source)
        , m_model(*source.model()) {
        const auto method = source.find({"quantization_config.quant_method"});
        m_method = method ? std::string(method->string().value_or("")) : std::string();
        if (m_method.empty()) { // the first folders of AWQ have a file of their own
            const auto quantConfig = source.json("quant_config.json");
            m_method = quantConfig && *quantConfig ? "awq" : "";
        }
    }

    Result<SourceTensors> find() {
        for (std::size_t i = 0; i < m_model.tensors.size(); ++i) {
            GUFO_TRY(encoded(TensorIndex(i)));
        }
        for (std::size_t i = 0; i < m_model.tensors.size(); ++i) {
            GUFO_TRY(plain(TensorIndex(i)));
        }
        sort();
        return std::move(m_found);
    }

private:
    [[nodiscard]] const TensorInfo& tensor(TensorIndex index) const { return m_model.tensor(index); }

    // The companions, in the order of the encoding; nothing if a required one is missing.
    std::optional<std::vector<std::optional<TensorIndex>>> companionsOf(const EncodingRow& encoding,
                                                                        std::string_view base) const {
        std::vector<std::optional<TensorIndex>> found;
        for (const Companion& companion : encoding.companions) {
            found.push_back(m_model.findTensor(std::string(base) + std::string(companion.suffix)));
            if (!found.back() && companion.required) {
                return std::nullopt;
            }
        }
        return found;
    }

    // Adds the matrix whose codes are this tensor, if it is one of codes.
    Result<> encoded(TensorIndex index) {
        const TensorInfo& codes = tensor(index);
        for (const EncodingRow& encoding : kEncodings) {
            const bool typed = std::ranges::any_of(
                encoding.types, [&](TensorType type) { return static_cast<std::uint32_t>(type) == codes.typeId; });
            if (!typed || !codes.name.ends_with(encoding.suffix) ||
                (!encoding.method.empty() && !equalIgnoringCase(encoding.method, m_method))) {
                continue;
            }
            const std::string base(codes.name.substr(0, codes.name.size() - encoding.suffix.size()));
            auto companions = companionsOf(encoding, base);
            if (!companions) {
                continue;
            }
            SourceTensor found{.name = base + std::string(encoding.name),
                               .part = {.weight = index, .companions = *std::move(companions)},
                               .recoding = Operation{encoding.operation},
                               .position = encoding.position};
            GUFO_TRY(describe(found));
            m_taken.insert(index.value);
            for (const auto& companion : found.part.companions) {
                if (companion) {
                    m_taken.insert(companion->value);
                }
            }
            m_found.tensors.push_back(std::move(found));
            if (encoding.operation == Kind::RepackNvfp4) {
                return addScales(base, encoding);
            }
            return {};
        }
        return {};
    }

    // NVFP4's scale of the whole tensor remains a separate tensor.
    Result<> addScales(const std::string& base, const EncodingRow& encoding) {
        const TensorIndex scale = *m_found.tensors.back().part.companions[1];
        const Shape one = oneWeight();
        SourceTensor global{
            .name = base + ".scale", .part = {.weight = scale, .shape = one}, .position = Position::First};
        if (encoding.companions[1].suffix == ".weight_global_scale") {
            global.recoding = Operation{Kind::Reciprocal}; // stored as what the weights were multiplied by
        }
        m_found.tensors.push_back(std::move(global));
        const auto input = m_model.findTensor(base + ".input_scale");
        if (!input) {
            return {};
        }
        const auto value = GUFO_TRY(numberOf(*input));
        if (value != 1) { // otherwise plain() drops it
            m_taken.insert(input->value);
            m_found.tensors.push_back(
                {.name = base + ".input_scale", .part = {.weight = *input, .shape = one}, .position = Position::First});
        }
        return {};
    }

    Result<> plain(TensorIndex index) {
        const TensorInfo& info = tensor(index);
        if (m_taken.contains(index.value)) {
            return {};
        }
        const auto* dropped =
            std::ranges::find_if(kDropped, [&](const DroppedNameRow& d) { return info.name.ends_with(d.suffix); });
        if (dropped != kDropped.end()) {
            m_found.unused.push_back({std::string(info.name), dropped->reason});
            return {};
        }
        if (lacksScale(info)) {
            return fail(ErrorCode::NotSupported, Place::tensor(std::string(info.name)),
                        {Argument(Detail::PartMissing, {std::string(info.name) + "_scale"})});
        }
        const std::uint64_t one = 1;
        m_found.tensors.push_back(
            {.name = std::string(info.name),
             .part = {.weight = index, .shape = info.shape.count() == 0 ? Shape(std::span(&one, 1)) : info.shape}});
        return {};
    }

    // Codes of 8 bits without their scale. Without a quantisation method, they are weights of their own type.
    [[nodiscard]] bool lacksScale(const TensorInfo& info) const {
        constexpr auto kMethods = std::to_array<std::string_view>({"fp8", "fbgemm_fp8", "compressed-tensors"});
        const TensorTypeFact* type = info.type();
        return type != nullptr && type->name.starts_with("F8_") && info.name.ends_with(".weight") &&
               std::ranges::any_of(kMethods,
                                   [&](std::string_view method) { return equalIgnoringCase(method, m_method); });
    }

    // Fills in the shape and the parameters of the decoding.
    Result<> describe(SourceTensor& found) const {
        const TensorInfo& codes = tensor(found.part.weight);
        const auto companion = [&](std::size_t i) -> const Shape& { return tensor(*found.part.companions[i]).shape; };
        Operation& operation = *found.recoding;
        std::vector<std::uint64_t> dims(codes.shape.dims().begin(), codes.shape.dims().end());
        if (dims.size() < 2 && operation.kind != Kind::DequantiseTable) {
            return unfit(found, codes.shape);
        }
        const std::uint64_t bits = bitsOf(found);
        GUFO_TRY(checkBits(found, bits));
        const auto inGroups = [&](std::uint64_t columns, std::uint64_t groups) {
            return static_cast<std::int64_t>(groups == 0 ? columns : (columns + groups - 1) / groups);
        };
        const auto bitsParameter = static_cast<std::int64_t>(bits);
        switch (operation.kind) {
        case Kind::RepackNvfp4:
            dims[0] *= 2;
            break;
        case Kind::RepackMxfp4:
            if (dims.size() < 3 || dims[0] != 16) {
                return unfit(found, codes.shape);
            }
            dims[1] *= 32;
            dims.erase(dims.begin());
            break;
        case Kind::DequantiseTernary: {
            dims[1] *= 4;
            const auto layer = m_source.find({"quantization_config.linear_class"});
            const bool multiplies = layer && layer->string() == "autobitlinear";
            operation.parameters = {multiplies ? 0 : 1};
            break;
        }
        case Kind::DequantisePacked: {
            dims[0] = GUFO_TRY(packedColumns(found, dims[0], bits));
            operation.parameters = {bitsParameter, inGroups(dims[0], companion(0)[0])};
            break;
        }
        case Kind::DequantiseGptq: {
            if (dims[1] * kWordBits % bits != 0 || companion(1)[0] != dims[0]) { // a scale for each row of a group
                return unfit(found, codes.shape);
            }
            dims = {dims[1] * kWordBits / bits, dims[0]};
            const auto format = m_source.find({"quantization_config.checkpoint_format"});
            const bool newer = format && format->string() == "gptq_v2";
            operation.parameters = {bitsParameter, inGroups(dims[0], companion(1)[1]), newer ? 0 : 1};
            break;
        }
        case Kind::DequantiseAwq:
            dims = {dims[1], dims[0] * kWordBits / bits};
            if (companion(1)[0] != dims[1]) {
                return unfit(found, codes.shape);
            }
            operation.parameters = {bitsParameter, inGroups(dims[0], companion(1)[1])};
            break;
        case Kind::DequantiseAffine: {
            const auto group = m_source.find({"quantization.group_size", "quantization_config.group_size"});
            const std::uint64_t size = group ? group->natural().value_or(64) : 64;
            const std::uint64_t columns = companion(0)[0] * size;
            // Layers may differ in their number of bits, but not in the size of their groups.
            const std::uint64_t layerBits = columns == 0 ? 0 : dims[0] * kWordBits / columns;
            if (layerBits == 0 || layerBits > 8 || layerBits * columns != dims[0] * kWordBits) {
                return unfit(found, codes.shape);
            }
            dims[0] = columns;
            operation.parameters = {static_cast<std::int64_t>(layerBits), static_cast<std::int64_t>(size)};
            break;
        }
        case Kind::DequantiseTable:
            return describeTable(found);
        case Kind::DequantiseBlocks:
            if (!describeBlocks(operation, codes.shape, companion(0))) {
                return unfit(found, companion(0));
            }
            break;
        default:
            break;
        }
        found.part.shape = Shape(dims);
        return {};
    }

    // Numbers of bits without a layout that is known are refused.
    Result<> checkBits(const SourceTensor& found, std::uint64_t bits) const {
        const Kind kind = found.recoding->kind;
        const bool power = bits == 2 || bits == 4 || bits == 8;
        const bool known = kind == Kind::DequantiseGptq     ? power || bits == 3
                           : kind == Kind::DequantiseAwq    ? bits == 4
                           : kind == Kind::DequantisePacked ? bits >= 1 && bits <= 8
                                                            : true;
        return known ? Result<>()
                     : fail(ErrorCode::NotSupported, Place::tensor(found.name),
                            {Argument(Detail::QuantisationUnknown, {m_method + " " + std::to_string(bits) + "-bit"})});
    }

    // The columns of compressed-tensors' codes. Rows of codes may end with unused bits, so they are stated beside them.
    Result<std::uint64_t> packedColumns(const SourceTensor& found, std::uint64_t words, std::uint64_t bits) const {
        constexpr std::size_t kShape = 3; // of kPacked
        if (!found.part.companions[kShape]) {
            if (kWordBits % bits != 0) {
                return fail(ErrorCode::NotSupported, Place::tensor(found.name),
                            {Argument(Detail::PartMissing, {std::string_view(".weight_shape")})});
            }
            return words * kWordBits / bits;
        }
        const TensorInfo& info = tensor(*found.part.companions[kShape]);
        const auto rows = GUFO_TRY(m_model.rowsOf(info));
        std::array<float, 2> shape{}; // rows, columns: exact up to 16 million
        if (info.weights() != shape.size()) {
            return unfit(found, info.shape);
        }
        GUFO_TRY(decode(rows, 0, shape));
        const auto columns = shape[1] > 0 ? static_cast<std::uint64_t>(shape[1]) : 0;
        const auto isFor = [&](bool wholeInWords) {
            return PackedIntegers::wordsFor(columns, bits, wholeInWords) == words;
        };
        return columns > 0 && (isFor(false) || isFor(true)) ? Result<std::uint64_t>(columns) : unfit(found, info.shape);
    }

    // One scale for all weights, one for each row, or one for each block of the size that the configuration states.
    // False if there are not as many scales as blocks of that size.
    bool describeBlocks(Operation& operation, const Shape& codes, const Shape& scales) const {
        const auto blockOf = [](std::uint64_t weights, std::uint64_t blocks) {
            return static_cast<std::int64_t>(blocks == 0 ? weights : (weights + blocks - 1) / blocks);
        };
        operation.parameters = {blockOf(codes[0], scales.count() < 2 ? 1 : scales[0]),
                                blockOf(codes[1], scales.count() < 2 ? scales[0] : scales[1])};
        const auto stated = m_source.find({"quantization_config.weight_block_size"});
        if (stated && stated->value->elements.size() == 2 && scales.count() == 2) {
            const auto rows = stated->value->elements[0].whole();
            const auto columns = stated->value->elements[1].whole();
            if (rows && columns && *rows > 0 && *columns > 0) {
                operation.parameters = {*columns, *rows};
                const auto count = [](std::uint64_t weights, std::int64_t block) {
                    const auto size = static_cast<std::uint64_t>(block);
                    return weights / size + (weights % size != 0 ? 1 : 0);
                };
                return scales[0] == count(codes[0], *columns) && scales[1] == count(codes[1], *rows);
            }
        }
        return true;
    }

    // The shape of bitsandbytes' codes is in a JSON text beside them.
    Result<> describeTable(SourceTensor& found) const {
        const auto& companions = found.part.companions;
        const auto state = companions[4] ? companions[4] : companions[5];
        if (!state) {
            return fail(ErrorCode::NotSupported, Place::tensor(found.name),
                        {Argument(Detail::PartMissing, {std::string_view(".weight.quant_state")})});
        }
        const auto bytes = GUFO_TRY(m_model.bytesOf(tensor(*state)));
        const auto json = GUFO_TRY(readJson({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
        const JsonValue* shape = json.find("shape");
        std::vector<std::uint64_t> dims;
        for (const JsonValue& dim : shape != nullptr ? shape->elements : std::vector<JsonValue>()) {
            dims.insert(dims.begin(), static_cast<std::uint64_t>(std::max<std::int64_t>(dim.whole().value_or(0), 0)));
        }
        const auto weights = dims.size() <= Shape::kMaxDimensions ? Shape(dims).weights() : std::nullopt;
        if (!weights || dims.empty() || *weights != 2 * tensor(found.part.weight).weights()) {
            return unfit(found, tensor(found.part.weight).shape);
        }
        found.part.shape = Shape(dims);
        return {};
    }

    [[nodiscard]] std::uint64_t bitsOf(const SourceTensor& found) const {
        const Kind kind = found.recoding->kind;
        if (kind == Kind::DequantisePacked) {
            const auto bits = m_source.find({"quantization_config.config_groups.group_0.weights.num_bits"});
            return bits ? bits->natural().value_or(0) : 4;
        }
        if (kind == Kind::DequantiseGptq &&
            found.part.companions[2]) { // layers may differ; there is a group for each column
            const std::uint64_t columns = tensor(*found.part.companions[2]).weights();
            const std::uint64_t codeBits = tensor(found.part.weight).shape[1] * kWordBits;
            return columns != 0 && codeBits % columns == 0 ? codeBits / columns : 0;
        }
        if (kind == Kind::DequantiseGptq || kind == Kind::DequantiseAwq) {
            const auto bits = m_source.find({"quantization_config.bits"});
            return bits ? bits->natural().value_or(0) : 4;
        }
        return 8;
    }

    static std::unexpected<Error> unfit(const SourceTensor& found, const Shape& shape) {
        return fail(ErrorCode::InvalidArgument, Place::tensor(found.name),
                    {Argument(Detail::OperationUnfit, {operationFact(found.recoding->kind).name, shapeText(shape)})});
    }

    static Shape oneWeight() {
        const std::uint64_t one = 1;
        return Shape(std::span(&one, 1));
    }

    [[nodiscard]] Result<float> numberOf(TensorIndex index) const {
        const auto rows = GUFO_TRY(m_model.rowsOf(tensor(index)));
        float value = 0;
        GUFO_TRY(decode(rows, 0, std::span(&value, 1)));
        return value;
    }

    void sort() {
        struct Key {
            std::uint64_t place; // position, then file
            std::string name;    // empty: as stored
            std::uint32_t stored;
            std::size_t index;
        };
        const bool byName = m_model.container == "safetensors"; // whose writers sort, each by its own rule
        std::vector<Key> keys;
        for (std::size_t i = 0; i < m_found.tensors.size(); ++i) {
            const SourceTensor& found = m_found.tensors[i];
            const TensorIndex weight = found.part.weight;
            keys.push_back({static_cast<std::uint64_t>(found.position) << 32U | tensor(weight).file.value,
                            byName ? sortName(found) : std::string(), weight.value, i});
        }
        std::ranges::sort(keys, [](const Key& a, const Key& b) {
            if (a.place != b.place) {
                return a.place < b.place;
            }
            const int names = a.name.compare(b.name);
            return names != 0 ? names < 0 : a.stored < b.stored;
        });
        std::vector<SourceTensor> sorted;
        for (const Key& key : keys) {
            sorted.push_back(std::move(m_found.tensors[key.index]));
        }
        m_found.tensors = std::move(sorted);
    }

    // The scales of a tensor follow it.
    static std::string sortName(const SourceTensor& found) {
        const std::size_t dot = found.name.rfind('.');
        const bool scale = found.position == Position::First && found.name.ends_with("scale") && dot != found.name.npos;
        return scale ? found.name.substr(0, dot) + ".weight" + found.name.substr(dot) : found.name;
    }

    const SourceFolder& m_source;
    const Model& m_model;
    std::string m_method;
    std::unordered_set<std::size_t> m_taken;
    SourceTensors m_found;
};

} // namespace

Result<SourceTensors> sourceTensors(const SourceFolder& source) { return Finder(source).find(); }

} // namespace gufo::convert
