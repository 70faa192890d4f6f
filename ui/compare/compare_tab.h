// The tab of a comparison: its files as chips, a sidebar and the pages, and what is being done or went wrong.
#pragma once

#include "model/owned_value.h"
#include "ui/compare/comparison.h"
#include "ui/compare/comparison_export.h"
#include "ui/shell/window_tab.h"

#include <QStackedWidget>

class QVBoxLayout;

namespace gufo::ui {

class ComparePage;
class EmptyState;
class FileChips;
class JobBar;
class NoticeBar;
class Sidebar;

class CompareTab : public WindowTab {
    Q_OBJECT

public:
    // Starts at once. `state` is what saveState() gave; empty for a fresh comparison of `files`.
    explicit CompareTab(const std::vector<std::filesystem::path>& files, const QJsonObject& state = {},
                        QWidget* parent = nullptr);
    ~CompareTab() override;

    [[nodiscard]] Comparison& comparison() { return m_comparison; }
    [[nodiscard]] const Comparison& comparison() const { return m_comparison; }
    [[nodiscard]] bool isReady() const { return m_pagesMade; } // all pages are there

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString description() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("compare"); }
    [[nodiscard]] bool hasFailed() const override { return m_comparison.state() == Comparison::State::Failed; }
    [[nodiscard]] QString errorText() const override;
    [[nodiscard]] const std::vector<Page*>& pages() const override { return m_pages; }
    [[nodiscard]] Page* currentPage() const override;
    void showPage(int index) override;
    bool goTo(const Place& place) override;
    void reload() override;
    void retire() override;
    void checkFiles() override { m_comparison.checkFiles(); }
    void setCompactSidebar(bool compact) override;
    void setSidebarShown(bool shown) override;

    [[nodiscard]] QJsonObject saveState() const override;
    // Of a fresh tab that shows a page ("map", "run"); empty: the usual one.
    [[nodiscard]] static QJsonObject stateFor(const QString& pageId);
    // Of a state of this kind of tab; empty for one of another kind.
    [[nodiscard]] static std::vector<std::filesystem::path> filesOfState(const QJsonObject& state);

    void addFiles(const std::vector<std::filesystem::path>& files);
    void cancel();

    [[nodiscard]] bool canExport() const { return m_comparison.result() && m_comparison.metadata(); }
    void exportAs(ComparisonFormat format); // asks for a name
    void writeExport(const std::filesystem::path& path, ComparisonFormat format);

signals:
    void openInTab(const std::filesystem::path& file, const gufo::Place& place); // of no kind: the model as it is
    void keyCopied(const std::filesystem::path& to, const QByteArray& key, const gufo::OwnedValue& value,
                   const QString& from); // see ComparePage
    void addFilesRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void buildHead(QVBoxLayout* column);
    void makePages();
    void deletePages();
    void rememberPageStates();
    void pageShown(int index);
    void updateState();
    void updateStatus();
    void showProblem();

    Comparison m_comparison;
    QJsonObject m_pageStates; // by page id
    QString m_pageId;
    bool m_pagesBegun = false;
    bool m_pagesMade = false;
    bool m_retired = false;
    std::vector<Page*> m_pages;
    QString m_pageStatus; // what the page in front says at the left; empty if nothing

    Sidebar* m_sidebar;
    NoticeBar* m_notice;
    bool m_cancelNoticed = false; // the notice says that the comparison was cancelled
    FileChips* m_chips = nullptr;
    JobBar* m_progress = nullptr;
    QStackedWidget* m_states; // pages, problem
    QStackedWidget* m_stack;
    QWidget* m_problemView = nullptr;
    EmptyState* m_problem = nullptr;
};

} // namespace gufo::ui
