// Opens models in the tabs of a window: files, folders and addresses that were chosen, dropped or named, and several
// of them to be compared.
#pragma once

#include "base/place.h"
#include "hub/repository_models.h"
#include "model/owned_value.h"
#include "ui/jobs/latest_job.h"
#include "ui/shell/places.h"

#include <QJsonObject>
#include <QPoint>

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace gufo::ui {

class CompareTab;
class DropChoice;
class MainWindow;
class ModelTab;
class NoticeBar;
class RepositoryTab;
class StatusStrip;
class WindowManager;
class WindowTab;
class WindowTabs;

class Opener : public QObject {
public:
    Opener(MainWindow* window, WindowManager* manager, WindowTabs* tabs, StatusStrip* status);

    // These are described in MainWindow, whose functions of the same names call them.
    void openPlaces(const Places& places);
    void openChosen(const Places& chosen);
    RepositoryTab* openRepository(const hub::HubName& name);
    CompareTab* openComparison(const Places& places, const QString& pageId = {});
    void setDropHovered(bool hovered, QPoint at);
    void dropChosen(const Places& chosen, QPoint at);

    void showOpenDialog();
    void showAddressDialog();
    // Into `folder`, or if that is empty, into the last one.
    void download(const hub::ModelPlace& address, std::optional<hub::ModelFiles> files,
                  const std::filesystem::path& folder = {});
    void showDownloads();
    // `pageId` is the page shown first; empty: the default page.
    void chooseComparison(const QString& pageId);
    // Offers to compare the files that were opened together, once each has been read or has failed.
    void offerToCompare();
    // Removes a closed model from that offer, and withdraws the offer if fewer than two models are left.
    void tabClosed();
    // Opens a tab as it was saved. Returns null if the state is not valid.
    WindowTab* restoreTab(const QJsonObject& state);
    // The line with that offer.
    [[nodiscard]] NoticeBar* offer() const { return m_offer; }

private:
    enum class Shown { Last, Current }; // the tab that is shown after several were opened
    void openNow(std::span<const hub::ModelPlace> places, Shown shown);
    void openLater(); // opens the next few of m_later
    // Replaces folders by the models in them, and calls `then` with all places.
    void collect(const Places& chosen, std::function<void(const Places&)> then);
    void sayThereIsNone(const hub::ModelPlace& folder);
    void openCollected(const Places& places);
    void openInTab(const hub::ModelPlace& model, const Place& place);
    void copyKey(const hub::ModelPlace& to, const QByteArray& key, const OwnedValue& value, const QString& from);
    void whenReady(ModelTab* tab, std::function<void(ModelTab*)> then);
    void addToComparison();
    ModelTab* addModelTab(const hub::ModelPlace& place, const QJsonObject& state);
    CompareTab* addCompareTab(const Places& places, const QJsonObject& state);
    RepositoryTab* addRepositoryTab(const hub::HubName& name, const QJsonObject& state);

    MainWindow* m_window;
    WindowManager* m_manager;
    WindowTabs* m_tabs;
    StatusStrip* m_status;
    NoticeBar* m_offer;
    DropChoice* m_dropChoice;
    Places m_later;    // places that the event loop opens, a few at a time
    Places m_together; // the files that were opened together, until each has been read or has failed
    Places m_offered;  // the models of the offer that is shown
    LatestJob m_collecting{this};
};

} // namespace gufo::ui
