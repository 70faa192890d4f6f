#include "ui/pages/tokenizer/embedding_table.h"

#include "model/tensor_role.h"
#include "tensor/decode.h"

namespace gufo::ui {

std::optional<TensorIndex> embeddingTable(const Model& model) {
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const TensorInfo& info = model.tensor(TensorIndex{i});
        if (info.shape.count() != 2 || info.weights() == 0) {
            continue;
        }
        const TensorName name = parseTensorName(info.name);
        if (name.role == "token_embd" && !name.block && name.prefix.empty() && name.suffix == "weight" &&
            isDecodable(info.typeId) && !info.bytesDerived && info.complete()) {
            return TensorIndex{i};
        }
    }
    return {};
}

} // namespace gufo::ui
