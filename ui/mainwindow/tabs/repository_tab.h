// The tab of a repository on a hub, with one page: its models.
#pragma once

#include "hub/repository_models.h"
#include "ui/jobs/latest_job.h"
#include "ui/shell/window_tab.h"

#include <QPointer>

#include <filesystem>
#include <memory>
#include <vector>

class QStackedWidget;

namespace gufo::ui {

class ErrorView;
class OpeningView;
class RepositoryPage;
class WaitingView;

class RepositoryTab : public WindowTab {
    Q_OBJECT

public:
    // `path` is the name of the repository (isRepositoryPath()). Listing starts at once, but a restored tab waits until
    // the user asks for it. `state` is the result of an earlier saveState(); empty for a new tab.
    explicit RepositoryTab(std::filesystem::path path, const QJsonObject& state = {}, QWidget* parent = nullptr);
    ~RepositoryTab() override;

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString description() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("list"); }
    [[nodiscard]] bool hasFailed() const override;
    [[nodiscard]] QString errorText() const override;
    [[nodiscard]] bool isWaiting() const;       // nothing has been sent yet; reload() contacts the hub
    [[nodiscard]] RepositoryPage* page() const; // null until the files are listed

    void reload() override;
    void retire() override;
    void checkFiles() override {}

    [[nodiscard]] QJsonObject saveState() const override;
    [[nodiscard]] static std::filesystem::path pathOfState(const QJsonObject& state); // empty: of another kind of tab

signals:
    void openRequested(const std::filesystem::path& address);
    void compareRequested(const std::vector<std::filesystem::path>& addresses);
    void downloadRequested(const gufo::hub::ModelFiles& files);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Listed {
        std::shared_ptr<const hub::Repository> repository;
        std::uint64_t freeMemory = 0;
    };
    void list();
    void makePage();

    std::filesystem::path m_path;
    LatestJob m_job{this};
    Listed m_listed; // empty until the hub has replied
    bool m_retired = false;
    QStackedWidget* m_states;
    WaitingView* m_waiting;
    OpeningView* m_opening;
    ErrorView* m_error;
};

} // namespace gufo::ui
