#include "ui/pages/inside/inside_look.h"

#include "base/try.h"

#include <algorithm>

namespace gufo::ui {
namespace {

InsideLook::Model modelOf(inference::Inside inside) {
    InsideLook::Model model;
    if (inside.attention) {
        model.map = std::make_shared<const inference::AttentionMap>(*std::move(inside.attention));
        inside.attention.reset();
    }
    model.inside = std::make_shared<const inference::Inside>(std::move(inside));
    return model;
}

} // namespace

Result<InsideLook> lookAt(const std::shared_ptr<const Model>& model, const std::shared_ptr<const Model>& other,
                          std::span<const TokenId> tokens, const inference::InsideRequest& request,
                          const JobContext& job) {
    inference::InsideSubject a{.model = model, .request = request};
    const auto shape = GUFO_TRY(inference::insideShape(*model));
    a.request.experts = request.experts && shape.experts != 0;
    std::vector<std::uint32_t> heads = shape.heads;
    inference::InsideSubject b{.model = other, .request = request};
    if (other != nullptr) {
        const auto otherShape = GUFO_TRY(inference::insideShape(*other));
        b.request.experts = request.experts && otherShape.experts != 0;
        for (std::size_t block = 0; block < heads.size(); ++block) {
            heads[block] = std::min(heads[block], otherShape.heads[block]);
        }
    }
    if (const auto asked = request.attention;
        asked && !(asked->block < heads.size() && *asked->head < heads[asked->block])) {
        a.request.attention.reset();
        const auto first = std::ranges::find_if(heads, [](std::uint32_t count) { return count != 0; });
        if (first != heads.end()) {
            a.request.attention =
                inference::InsideRequest::Heads{.block = static_cast<std::size_t>(first - heads.begin()), .head = 0};
        }
    }
    b.request.attention = a.request.attention;
    if (other == nullptr) {
        return InsideLook{.a = modelOf(GUFO_TRY(inference::lookInside(model, tokens, a.request, {}, job)))};
    }
    auto both = GUFO_TRY(inference::lookInsideBoth(a, b, tokens, {}, job));
    InsideLook look{.a = modelOf(std::move(both[0])), .b = modelOf(std::move(both[1]))};
    if (look.a.map != nullptr && look.b.map != nullptr) {
        GUFO_TRY(job.check());
        look.difference = std::make_shared<const inference::AttentionMap>(*look.b.map - *look.a.map);
    }
    return look;
}

} // namespace gufo::ui
