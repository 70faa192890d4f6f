// The dialogs of the Template page's menu. They do not wait: `then` is called with the user's choice, if there is one,
// and a dialog deletes itself when it is closed.
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace gufo::ui {

// Asks for the name of a new template. It is not empty.
void askTemplateName(QWidget* page, std::function<void(const QString& name)> then);
// Asks for a file that contains templates (template_files.h).
void askTemplateToLoad(QWidget* page, std::function<void(const QString& path)> then);
void askWhereToSaveTemplate(QWidget* page, std::function<void(const QString& path)> then);
// Shows why a template could not be added, loaded or saved.
void showTemplateProblem(QWidget* page, const QString& problem);

} // namespace gufo::ui
