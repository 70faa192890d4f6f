#include "ui/widgets/tools_edit.h"

#include "ui/messages/json_problem.h"
#include "ui/theme/theme.h"
#include "ui/widgets/text_color.h"

namespace gufo::ui {

ToolsEdit::ToolsEdit(QWidget* parent)
    : GrowingEdit(parent) {
    setFont(themeFont(TextStyle::Mono));
    setPlaceholderText(tr("A list of tools as JSON: [{\"type\": \"function\", \"function\": {…}}]"));
    setAccessibleName(tr("Tools as JSON"));
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        const QString json = tools();
        setProblem(json.isEmpty() ? QString() : jsonProblem(json, JsonKind::List).value_or(QString()));
    });
}

void ToolsEdit::showValidity(QLabel& label) const {
    label.setText(tools().isEmpty() ? QString() : isValid() ? tr("Valid JSON") : tr("Not valid JSON"));
    label.setToolTip(toolTip());
    setTextColor(&label, isValid() ? Token::Good : Token::ErrorText);
}

} // namespace gufo::ui

#include "moc_tools_edit.cpp"
