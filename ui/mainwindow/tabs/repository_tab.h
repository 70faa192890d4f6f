// The tab of a repository on a hub, with one page: its models.
#pragma once

#include "hub/repository_models.h"
#include "ui/jobs/latest_job.h"
#include "ui/shell/window_tab.h"

#include <QPointer>

#include <memory>
#include <optional>
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
    // Listing starts at once, but a restored tab waits until the user asks for it. `state` is the result of an earlier
    // saveState(); empty for a new tab.
    explicit RepositoryTab(hub::HubName name, const QJsonObject& state = {}, QWidget* parent = nullptr);
    ~RepositoryTab() override;

    [[nodiscard]] const hub::HubName& name() const { return m_name; }
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
    // Nothing if the state belongs to another kind of tab.
    [[nodiscard]] static std::optional<hub::ModelPlace> placeOfState(const QJsonObject& state);

signals:
    void openRequested(const gufo::hub::ModelPlace& file);
    void compareRequested(const std::vector<gufo::hub::ModelPlace>& files);
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

    hub::HubName m_name;
    LatestJob m_job{this};
    Listed m_listed; // empty until the hub has replied
    bool m_retired = false;
    QStackedWidget* m_states;
    WaitingView* m_waiting;
    OpeningView* m_opening;
    ErrorView* m_error;
};

} // namespace gufo::ui
