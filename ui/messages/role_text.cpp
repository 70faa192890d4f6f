#include "ui/messages/role_text.h"

#include <QCoreApplication>

#include <array>

namespace gufo::ui {
namespace {

constexpr auto kWords = std::to_array<const char*>({
#define GUFO_ROLE(name, group, perBlock, experts, order, aliases, words) words,
#include "model/tensor_roles.inc"
#undef GUFO_ROLE
});

} // namespace

QString roleMeaning(const RoleFact& role) {
    const auto index = static_cast<std::size_t>(&role - roleFacts().data());
    return QCoreApplication::translate("Roles", kWords[index]);
}

} // namespace gufo::ui
