#include "ui/messages/role_text.h"

#include <QCoreApplication>

#include <array>

namespace gufo::ui {
namespace {

struct RoleWords {
    std::string_view name; // as in core's row
    const char* text;
};
constexpr auto kWords = std::to_array<RoleWords>({
#include "ui/messages/role_words.inc"
});

} // namespace

QString roleMeaning(const RoleFact& role) {
    const auto index = static_cast<std::size_t>(&role - roleFacts().data());
    const bool known = index < kWords.size() && kWords[index].name == role.name;
    return known ? QCoreApplication::translate("Roles", kWords[index].text) : QString();
}

} // namespace gufo::ui
