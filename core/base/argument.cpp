#include "base/argument.h"

#include <array>

namespace gufo {
namespace {

constexpr auto kNames = std::to_array<std::string_view>({
#define GUFO_DETAIL(code, name, args, words) name,
#include "base/detail_codes.inc"
#undef GUFO_DETAIL
});

} // namespace

std::string_view detailName(Detail detail) { return kNames[static_cast<std::size_t>(detail)]; }

Argument::Argument(std::string text)
    : m_text(std::move(text)) {}

Argument::Argument(std::string_view text)
    : m_text(text) {}

Argument::Argument(Detail detail, Arguments args)
    : m_text(detailName(detail))
    , m_detail(detail)
    , m_args(std::move(args)) {
    for (const Argument& arg : m_args) {
        m_text += ' ' + arg.m_text;
    }
}

} // namespace gufo
