// The commands that open a tool for the model of the current tab: quantising, converting, splitting and merging,
// measuring, surgery, publishing, pairing. Each tool is a dialog that stays open while its tab does.
#pragma once

#include <QObject>

#include <filesystem>
#include <memory>

namespace gufo {
class Model;
}

namespace gufo::ui {

class MainWindow;
class ModelTab;
class Opener;
class RecentFiles;
class StatusStrip;
class WindowTabs;

class ModelTools : public QObject {
    Q_OBJECT

public:
    // The window owns all of them.
    ModelTools(MainWindow* window, WindowTabs* tabs, StatusStrip* status, Opener* opener, RecentFiles* recent);

    void download();
    void verifyAgainstOriginal();
    void surgery();
    void auditTemplate();
    void publish();
    void copyReport();
    void checkPairing(); // also without a model
    void quantise();
    void quantiseForSize();
    void convert();
    void split();
    void mergeSet();
    void mergeAdapters();
    void measureImportance();
    void measurePerplexity();

private:
    // The current tab, if its model can be edited; null otherwise.
    [[nodiscard]] ModelTab* editedTab() const;
    [[nodiscard]] std::shared_ptr<const Model> model() const;
    void review(ModelTab* tab);
    void compare(const std::filesystem::path& original, const std::filesystem::path& written);
    // Renames the file of an open model, which must have no unsaved changes, and shows it again.
    void rename(ModelTab* tab, const std::filesystem::path& fileName);
    void say(const QString& text);

    MainWindow* m_window;
    WindowTabs* m_tabs;
    StatusStrip* m_status;
    Opener* m_opener;
    RecentFiles* m_recent;
};

} // namespace gufo::ui
