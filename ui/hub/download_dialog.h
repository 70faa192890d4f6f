// Downloads a model from a server into a folder: shows the files, their server, whether there is room, and then
// progress, rate and remaining time. What has arrived stays when the download is cancelled, and is not fetched again.
#pragma once

#include "hub/download.h"
#include "ui/jobs/latest_job.h"
#include "ui/theme/theme.h"

#include <QDialog>
#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <optional>

class QLabel;
class QLineEdit;
class QMessageBox;
class QPushButton;

namespace gufo::ui {

class JobBar;

class DownloadDialog : public QDialog {
    Q_OBJECT

public:
    // `address` is what the user opened or typed. Without `files`, the hub is first asked which files that means.
    DownloadDialog(hub::ModelPlace address, std::optional<hub::ModelFiles> files, QWidget* parent);
    ~DownloadDialog() override;

    [[nodiscard]] QLineEdit* folderField() const { return m_folder; }
    [[nodiscard]] QPushButton* downloadButton() const { return m_download; }
    [[nodiscard]] JobBar* jobBar() const { return m_progress; }
    [[nodiscard]] QString facts() const;  // what would be fetched, and from where
    [[nodiscard]] QString space() const;  // whether there is room for it, and what has arrived before
    [[nodiscard]] QString notice() const; // how it ended
    [[nodiscard]] QString rate() const;
    [[nodiscard]] bool isDownloading() const { return !m_downloading.isNull(); }
    // Whether a window has downloads that its end would stop. If so, asks whether to stop them, and then calls `then`.
    static bool askBeforeEnd(QWidget* window, std::function<void()> then);
    // While the download runs, asks whether to stop it or to go on without the dialog.
    void reject() override;

signals:
    void prepared(); // the folder has been looked at, or the hub refused
    void ended();    // completed, failed or cancelled
    // The file, or the first shard. Not emitted if the dialog was closed meanwhile: the list of downloads says so.
    void downloaded(const std::filesystem::path& first);

private:
    // What was found in the folder.
    struct Found {
        bool isFolder = false;
        std::uint64_t freeBytes = 0;
        hub::Leftovers leftovers{};
    };

    void build();
    void resolve();
    void lookAtFolder();
    void showFacts();
    void showFound();
    void download(bool replaces);
    void showFailure(const Error& error);
    void showNotice(const QString& text, Token color);
    void setReady(bool ready);
    void chooseFolder();
    void followList();
    void stop(); // and closes the dialog

    hub::ModelPlace m_address;
    std::optional<hub::ModelFiles> m_files;
    Found m_found;
    LatestJob m_preparing{this};
    QPointer<Job> m_downloading;
    QPointer<QMessageBox> m_question; // whether to stop the download
    QTimer m_lookSoon;
    QElapsedTimer m_clock;
    bool m_replaces = false; // the button replaces the file that is there
    bool m_isComplete = false;
    quint64 m_entry = 0; // in the list of downloads; 0: none yet

    QLabel* m_name;
    QLabel* m_facts;
    QLineEdit* m_folder;
    QPushButton* m_choose;
    QLabel* m_space;
    QLabel* m_notice;
    JobBar* m_progress;
    QLabel* m_rate;
    QPushButton* m_download;
};

} // namespace gufo::ui
