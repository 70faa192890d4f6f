// What the bar of the Template page does with the templates of a model: it adds and deletes them, loads and saves their
// files, undoes steps, and resets a template to the one in the file. Text that is being typed is committed first, as a
// step of its own.
#pragma once

#include <QObject>

#include <string>
#include <vector>

namespace gufo::ui {

struct FileTemplate;
class TemplateBar;
class TemplatePage;

class TemplateEdits : public QObject {
    Q_OBJECT

public:
    // Belongs to the page, whose document it edits. The bar must outlive it.
    TemplateEdits(TemplatePage* page, TemplateBar* bar);

    void add(const QString& name);
    void remove();                  // the current template
    void load(const QString& path); // a file with a single template replaces the current one
    void save(const QString& path);

signals:
    void added(const std::string& key);
    void fileFinished(); // after loading or saving, with or without success

private:
    void askName();
    void askWhatToLoad();
    void askWhereToSave();
    void undo();
    void redo();
    void reset();
    void apply(const std::vector<FileTemplate>& templates, const QString& label);
    void showProblem(const QString& problem);

    TemplatePage* m_page;
    TemplateBar* m_bar;
};

} // namespace gufo::ui
