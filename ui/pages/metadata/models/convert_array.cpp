#include "ui/pages/metadata/models/convert_array.h"

#include "model/array_builder.h"
#include "model/array_index.h"

namespace gufo::ui {
namespace {

constexpr std::uint64_t kStep = 1024;

} // namespace

Result<ArrayConversion> convertArray(const ArrayView& array, ValueType elementType, const JobContext& job) {
    const auto index = GUFO_TRY(ArrayIndex::build(array, job));
    job.start(index.size());
    ArrayBuilder converted(elementType);
    std::string text;
    for (std::uint64_t i = 0; i < index.size(); ++i) {
        if (i % kStep == 0) {
            if (job.stopRequested()) {
                return fail(ErrorCode::Cancelled);
            }
            job.advance(i == 0 ? 0 : kStep);
        }
        const auto element = convertValue(index.at(i), elementType, text);
        if (!element) {
            return ArrayConversion{.array = {}, .refused = ArrayConversion::Refused{i, element.error()}};
        }
        converted.add(*element);
    }
    return ArrayConversion{.array = OwnedValue(Value(converted.view()))};
}

} // namespace gufo::ui
