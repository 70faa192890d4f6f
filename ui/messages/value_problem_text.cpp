#include "ui/messages/value_problem_text.h"

#include <QCoreApplication>

namespace gufo::ui {
namespace {

QString words(const char* english) { return QCoreApplication::translate("gufo::ValueProblem", english); }

} // namespace

QString valueProblemText(ValueProblem problem, ValueType type) {
    const ValueTypeInfo& info = valueTypeInfo(type);
    const QString name = QString::fromLatin1(info.name.data(), static_cast<qsizetype>(info.name.size()));
    switch (problem) {
    case ValueProblem::NotAnInteger:
        return words("%1 is a whole number, decimal or 0x hexadecimal.").arg(name);
    case ValueProblem::NotANumber:
        return words("%1 is a number, nan, inf or -inf.").arg(name);
    case ValueProblem::NotABoolean:
        return words("A bool is true or false.");
    case ValueProblem::OutOfRange:
        if (info.integer) {
            const IntegerRange range = integerRange(type);
            return words("%1 goes from %2 to %3.").arg(name).arg(range.lowest).arg(range.highest);
        }
        return type == ValueType::Bool ? words("Only 0 and 1 stand for a bool.")
                                       : words("%1 has no number of this size.").arg(name);
    case ValueProblem::Inexact:
        return words("%1 cannot hold exactly this value.").arg(name);
    case ValueProblem::NotConvertible:
        break;
    }
    return words("Arrays and single values do not turn into each other.");
}

} // namespace gufo::ui
