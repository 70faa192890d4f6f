// Reads metadata and arrays from JSON and CSV, writes them, and reads them again, which must give the same values.
#include "document/metadata_json.h"
#include "require.h"

using namespace gufo;

namespace {

void useArray(std::string_view text, ArrayFormat format) {
    for (const ValueType type : {ValueType::String, ValueType::Float32, ValueType::Int64, ValueType::Array}) {
        const auto array = readArray(text, type, "words", format);
        if (!array) {
            continue;
        }
        std::string written;
        const auto sink = [&](Bytes bytes) -> Result<> {
            written.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
            return {};
        };
        require(writeArray(*asArray(array->value()), "words", format, sink).has_value());
        const auto again = readArray(written, type, "words", format);
        require(again && *again == *array);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    useArray(text, ArrayFormat::Json);
    useArray(text, ArrayFormat::Csv);
    const auto changes = readMetadataJson(text);
    if (!changes) {
        return 0;
    }
    Model model;
    model.files.push_back({});
    for (const Change& change : *changes) {
        const auto& set = std::get<SetKey>(change);
        model.metadata.add({.key = set.key, .value = set.value.value()});
    }
    std::string written;
    const auto sink = [&](Bytes bytes) -> Result<> {
        written.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return {};
    };
    require(writeMetadataJson(model, {}, sink).has_value());
    const auto again = readMetadataJson(written);
    require(again && again->size() == changes->size());
    for (std::size_t i = 0; i < changes->size(); ++i) {
        const auto& a = std::get<SetKey>((*changes)[i]);
        const auto& b = std::get<SetKey>((*again)[i]);
        require(a.key == b.key && a.value == b.value);
    }
    return 0;
}
