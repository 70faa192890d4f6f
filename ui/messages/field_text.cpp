#include "ui/messages/field_text.h"

#include "model/value.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>
#include <span>

namespace gufo::ui {
namespace {

constexpr auto kFieldRoleWords = std::to_array<const char*>({
#define GUFO_FIELD(role, name, words) words,
#include "bytes/field_roles.inc"
#undef GUFO_FIELD
});

class FieldWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::ByteFields)
};

} // namespace

QString fieldRoleText(FieldRole role) {
    return QCoreApplication::translate("Fields", kFieldRoleWords.at(static_cast<std::size_t>(role)));
}

QString fieldNameText(const ByteField& field) {
    const QString role = fieldRoleText(field.role);
    return field.element ? role + QLatin1Char(' ') + QString::number(*field.element) : role;
}

QString fieldText(const ByteField& field) {
    return (field.of.empty() ? QString() : displayText(field.of) + QStringLiteral(": ")) + fieldNameText(field);
}

QString damageText(const DamageReason& reason) {
    struct Visitor {
        QString operator()(const Error& error) const { return errorReason(error); }
        QString operator()(const Finding& finding) const { return findingMessage(finding); }
    };
    return std::visit(Visitor(), reason);
}

QString bitShareText(const BitShare& share) {
    const QString mask = QStringLiteral("0x") + QString::number(share.mask, 16).toUpper().rightJustified(2, u'0');
    switch (share.what) {
    case BitShare::What::Scale:
        return FieldWords::tr("%1: scale of sub-block %2").arg(mask).arg(share.index);
    case BitShare::What::Minimum:
        return FieldWords::tr("%1: minimum of sub-block %2").arg(mask).arg(share.index);
    case BitShare::What::Code:
        break;
    }
    return FieldWords::tr("%1: code of weight %2").arg(mask).arg(share.index);
}

QString fieldValueText(const ByteField& field) {
    if (!field.bits.empty()) {
        constexpr std::size_t kShown = 8; // a scale of a code book can concern many weights
        QStringList shares;
        for (const BitShare& share : std::span(field.bits).first(std::min(kShown, field.bits.size()))) {
            shares << bitShareText(share);
        }
        return shares.join(QStringLiteral(", ")) + (field.bits.size() > kShown ? QStringLiteral(", …") : QString());
    }
    struct Visitor {
        QString operator()(std::monostate) const { return {}; }
        QString operator()(std::uint64_t value) const { return QString::number(value); }
        QString operator()(std::int64_t value) const { return QString::number(value); }
        QString operator()(double value) const { return formatValue(Value(value)); }
        QString operator()(const std::string& value) const { return u'"' + displayText(value) + u'"'; }
        QString operator()(const LongNumber& value) const { return QString::fromStdString(value.digits); }
    };
    return std::visit(Visitor(), field.value);
}

} // namespace gufo::ui
