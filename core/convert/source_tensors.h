// The logical tensors of a source: one for each matrix, whatever its encoding. A quantised checkpoint stores codes,
// scales and zeros as separate tensors; they are found by their names and types (one row for each encoding in
// source_tensors.cpp), and the matrix has the name that it would have without quantisation.
#pragma once

#include "convert/source_folder.h"
#include "convert/tensor_values.h"

#include <string>
#include <vector>

namespace gufo::convert {

struct SourceTensor {
    std::string name; // "model.layers.0.mlp.down_proj.weight"
    SourcePart part;
    std::optional<Operation> recoding{}; // how it is decoded, if it is stored in an encoding of several tensors
    // The position in the file. Runtimes do not depend on it; the official converter writes tensors in this order.
    enum class Position : std::uint8_t { First, InPlace, Last };
    Position position = Position::InPlace;

    [[nodiscard]] bool repacked() const {
        return recoding &&
               (recoding->kind == OperationKind::RepackMxfp4 || recoding->kind == OperationKind::RepackNvfp4);
    }
};

// A tensor of the source that no tensor of the result needs.
struct UnusedTensor {
    std::string name;
    std::string_view reason; // stable, for JSON: "computed"
};

struct SourceTensors {
    std::vector<SourceTensor> tensors; // in the order in which their results are written
    std::vector<UnusedTensor> unused;  // tensors of encodings that a conversion does not need
};

// Errors: NotSupported (Detail::QuantisationUnknown, PartMissing); WrongShape; the errors of reading small tensors.
[[nodiscard]] Result<SourceTensors> sourceTensors(const SourceFolder& source);

} // namespace gufo::convert
