#include "ui/messages/value_problem_text.h"

#include <QCoreApplication>

namespace gufo::ui {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::ValueProblem)
};

} // namespace

QString valueProblemText(ValueProblem problem, ValueType type) {
    const ValueTypeInfo& info = valueTypeInfo(type);
    const QString name = QString::fromLatin1(info.name.data(), static_cast<qsizetype>(info.name.size()));
    switch (problem) {
    case ValueProblem::NotAnInteger:
        return Words::tr("%1 must be a whole number, decimal or hexadecimal with 0x.").arg(name);
    case ValueProblem::NotANumber:
        return Words::tr("%1 must be a number, nan, inf or -inf.").arg(name);
    case ValueProblem::NotABoolean:
        return Words::tr("A bool must be true or false.");
    case ValueProblem::OutOfRange:
        if (info.integer) {
            const IntegerRange range = integerRange(type);
            return Words::tr("%1 ranges from %2 to %3.").arg(name).arg(range.lowest).arg(range.highest);
        }
        return type == ValueType::Bool ? Words::tr("Only 0 and 1 can be converted to a bool.")
                                       : Words::tr("This number is out of range for %1.").arg(name);
    case ValueProblem::Inexact:
        return Words::tr("%1 cannot represent this value exactly.").arg(name);
    case ValueProblem::NotConvertible:
        break;
    }
    return Words::tr("Arrays and single values cannot be converted into each other.");
}

} // namespace gufo::ui
