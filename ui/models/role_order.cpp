#include "ui/models/role_order.h"

namespace gufo::ui {

BlockPart blockPartOf(std::string_view role, const RoleFact* fact) {
    if (role.starts_with("ffn") || role.starts_with("post_ffw") || role.starts_with("layer_output_norm")) {
        return BlockPart::FeedForward;
    }
    switch (fact != nullptr ? fact->group : TensorGroup::Other) {
    case TensorGroup::FeedForward:
        return BlockPart::FeedForward;
    case TensorGroup::Recurrent:
        return BlockPart::Recurrent;
    case TensorGroup::Attention:
    case TensorGroup::Norm:
        return BlockPart::Attention;
    case TensorGroup::Embedding:
    case TensorGroup::Output:
    case TensorGroup::Other:
        break;
    }
    return role.starts_with("attn") ? BlockPart::Attention : BlockPart::Other;
}

RoleKey roleKey(std::string_view role, const RoleFact* fact) {
    return {blockPartOf(role, fact), fact != nullptr ? int{fact->order} : 1000, role};
}

} // namespace gufo::ui
