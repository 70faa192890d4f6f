#include "ui/hub/download_dialog.h"

#include "base/detail.h"
#include "hub/repository_models.h"
#include "ui/hub/downloads.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/native_path.h"
#include "ui/shell/places.h"
#include "ui/shell/settings.h"
#include "ui/theme/style.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/text_color.h"

#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gufo::ui {
namespace {

constexpr int kDownloadWidth = 640;
constexpr int kLookDelayMs = 200; // waits while the user types

QString firstFolder() {
    const QString known = QSettings().value(setting::kDownloadFolder).toString();
    const QString usual = QStandardPaths::writableLocation(QStandardPaths::DownloadLocation);
    return !known.isEmpty() ? known : QDir(usual).exists() ? usual : QDir::homePath();
}

bool isFileThere(const Error& error) {
    return error.code == ErrorCode::InvalidArgument && !error.args.empty() &&
           error.args[0].detail() == Detail::FileExists;
}

} // namespace

DownloadDialog::DownloadDialog(hub::ModelPlace address, std::optional<hub::ModelFiles> files, QWidget* parent)
    : QDialog(parent)
    , m_address(std::move(address))
    , m_files(std::move(files))
    , m_name(themedLabel({}, TextStyle::Section, Token::Text, this))
    , m_facts(themedLabel({}, TextStyle::Body, Token::Muted, this))
    , m_folder(new QLineEdit(firstFolder(), this))
    , m_choose(new QPushButton(tr("&Choose…"), this))
    , m_space(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_notice(themedLabel({}, TextStyle::Body, Token::Muted, this))
    , m_progress(new JobBar(this))
    , m_rate(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_download(new QPushButton(tr("&Download"), this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Download"));
    build();
    m_lookSoon.setSingleShot(true);
    m_lookSoon.setInterval(kLookDelayMs);
    connect(&m_lookSoon, &QTimer::timeout, this, &DownloadDialog::lookAtFolder);
    connect(m_folder, &QLineEdit::textChanged, this, [this] {
        setReady(false);
        m_lookSoon.start();
    });
    connect(m_choose, &QPushButton::clicked, this, &DownloadDialog::chooseFolder);
    connect(m_download, &QPushButton::clicked, this, [this] { download(m_replaces); });
    followList();
    if (m_files) {
        lookAtFolder();
    } else {
        resolve();
    }
}

DownloadDialog::~DownloadDialog() { Downloads::instance().stopped(m_entry); }

// Obeys the list of downloads.
void DownloadDialog::followList() {
    connect(&Downloads::instance(), &Downloads::stopRequested, this, [this](quint64 id) {
        if (id == m_entry && isDownloading()) {
            stop();
        }
    });
    connect(&Downloads::instance(), &Downloads::showRequested, this, [this](quint64 id) {
        if (id == m_entry) {
            show();
            raise();
            activateWindow();
        }
    });
}

void DownloadDialog::build() {
    for (QLabel* label : {m_name, m_facts, m_space, m_notice}) {
        label->setTextFormat(Qt::PlainText); // names in repositories could contain HTML
        label->setWordWrap(true);
    }
    m_name->setText(fileNameText(m_address));
    m_folder->setAccessibleName(tr("Folder"));
    m_download->setProperty(kPrimaryProperty, true);
    m_download->setDefault(true);
    m_choose->setAutoDefault(false);
    m_notice->hide();
    m_rate->hide();
    auto* label = new QLabel(tr("Into the &folder"), this);
    label->setBuddy(m_folder);
    auto* folder = new QHBoxLayout;
    folder->setSpacing(8);
    folder->addWidget(m_folder, 1);
    folder->addWidget(m_choose);
    auto* closeButton = new QPushButton(tr("Close"), this);
    closeButton->setAutoDefault(false);
    connect(closeButton, &QPushButton::clicked, this, &QDialog::close);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_progress, 1);
    buttons->addWidget(m_rate);
    buttons->addStretch();
    buttons->addWidget(m_download);
    buttons->addWidget(closeButton);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(8);
    column->addWidget(m_name);
    column->addWidget(m_facts);
    column->addSpacing(6);
    column->addWidget(label);
    column->addLayout(folder);
    column->addWidget(m_space);
    column->addWidget(m_notice);
    column->addSpacing(6);
    column->addLayout(buttons);
    resize(kDownloadWidth, sizeHint().height());
    growWithTexts(this);
    setReady(false);
}

QString DownloadDialog::facts() const { return m_facts->text(); }

QString DownloadDialog::space() const { return m_space->text(); }

QString DownloadDialog::notice() const { return m_notice->isHidden() ? QString() : m_notice->text(); }

QString DownloadDialog::rate() const { return m_rate->isHidden() ? QString() : m_rate->text(); }

void DownloadDialog::resolve() {
    m_facts->setText(tr("Contacting %1…").arg(hostOf(m_address)));
    m_preparing.start<hub::ModelFiles>(
        [address = m_address](const JobContext& job) -> Result<hub::ModelFiles> {
            auto resolved = GUFO_TRY(hub::resolveModel(*net::Client::shared(), address, job));
            return std::move(resolved.model);
        },
        [this](Result<hub::ModelFiles> files) {
            if (!files) {
                m_facts->setText(tr("From %1").arg(hostOf(m_address)));
                showFailure(files.error());
                emit prepared();
                return;
            }
            m_files = *std::move(files);
            lookAtFolder();
        });
    m_progress->watch(m_preparing.job(), tr("Asking for the files"));
}

void DownloadDialog::lookAtFolder() {
    if (!m_files || isDownloading()) {
        return;
    }
    m_lookSoon.stop();
    m_name->setText(displayText(m_files->name));
    showFacts();
    m_preparing.start<Found>(
        [files = *m_files, folder = fromQtPath(m_folder->text().trimmed())](const JobContext&) -> Result<Found> {
            Found found;
            std::error_code error;
            found.isFolder = std::filesystem::is_directory(folder, error);
            if (const auto space = std::filesystem::space(folder, error); found.isFolder && !error) {
                found.freeBytes = space.available;
            }
            found.leftovers = hub::leftoversOf(files, folder);
            return found;
        },
        [this](const Result<Found>& found) {
            m_found = *found;
            showFound();
            emit prepared();
        });
}

void DownloadDialog::showFacts() {
    const QString host = hostOf(hub::Url{m_files->files.front().url});
    const QString size = m_files->bytes != 0 ? formatBytes(m_files->bytes) : tr("size not known yet");
    m_facts->setText(tr("%n files, %1, from %2", nullptr, numerus(m_files->files.size())).arg(size, host));
}

void DownloadDialog::showFound() {
    m_replaces = false;
    m_download->setText(m_found.leftovers.presentBytes > 0 ? tr("&Resume") : tr("&Download"));
    const bool hasRoom = m_found.leftovers.neededSpace <= m_found.freeBytes;
    QString text;
    if (m_folder->text().trimmed().isEmpty() || !m_found.isFolder) {
        text = tr("There is no such folder.");
    } else if (!hasRoom) {
        text = tr("There is too little room: %1 are needed, and %2 are free.")
                   .arg(formatBytes(m_found.leftovers.neededSpace), formatBytes(m_found.freeBytes));
    } else if (m_found.leftovers.anyExists && m_isComplete) {
        text = QString(); // it is there because of this download
    } else if (m_found.leftovers.anyExists) {
        text = tr("A file of this name is there already. It is checked, and only fetched again if you agree.");
    } else {
        text = tr("%1 are free.").arg(formatBytes(m_found.freeBytes));
    }
    if (m_found.leftovers.presentBytes > 0) {
        text += QLatin1Char(' ') + tr("%1 were downloaded earlier.").arg(formatBytes(m_found.leftovers.presentBytes));
    }
    m_space->setText(text);
    setTextColor(m_space, m_found.isFolder && hasRoom ? Token::Muted : Token::WarningText);
    setReady(m_found.isFolder && hasRoom && !m_isComplete);
}

void DownloadDialog::setReady(bool ready) { m_download->setEnabled(ready); }

void DownloadDialog::chooseFolder() {
    auto* dialog = new QFileDialog(this, tr("Download into"), m_folder->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, m_folder, &QLineEdit::setText);
    dialog->open();
}

void DownloadDialog::download(bool replaces) {
    const QString folder = m_folder->text().trimmed();
    QSettings().setValue(setting::kDownloadFolder, folder);
    m_notice->hide();
    m_folder->setEnabled(false);
    m_choose->setEnabled(false);
    setReady(false);
    m_clock.start();
    const std::uint64_t present = m_found.leftovers.presentBytes;
    m_entry = Downloads::instance().begin(m_address, displayText(m_files->name), fromQtPath(folder), m_files->bytes);
    m_downloading = startJob<std::vector<hub::DownloadedFile>>(
        this,
        [files = *m_files, options = hub::DownloadOptions{.folder = fromQtPath(folder), .replaces = replaces}](
            const JobContext& job) { return hub::download(*net::Client::shared(), files, options, job); },
        [this](const Result<std::vector<hub::DownloadedFile>>& files) {
            if (!files) {
                Downloads::instance().fail(m_entry, errorReason(files.error()));
                showFailure(files.error());
                return;
            }
            const bool isVerified = std::ranges::all_of(*files, &hub::DownloadedFile::isVerified);
            showNotice(isVerified ? tr("Complete. The SHA-256 is the one that the hub states.")
                                  : tr("Complete. The server states no SHA-256 by which it could be checked."),
                       Token::Good);
            m_isComplete = true;
            rememberOrigin(files->front().path, m_address);
            Downloads::instance().complete(m_entry, files->front().path);
            if (isVisible()) {
                emit downloaded(files->front().path);
            }
        });
    connect(m_downloading, &Job::progressed, this, [this, present](quint64 done, quint64 total) {
        if (m_files->bytes == 0 && total != 0) { // the server had not stated it before
            m_files->bytes = total;
            showFacts();
        }
        Downloads::instance().progress(m_entry, done, total);
        const std::uint64_t before = std::min<std::uint64_t>(present, done);
        m_rate->setText(transferText(done - before, total - std::min<std::uint64_t>(before, total), m_clock.elapsed()));
        m_rate->setVisible(!m_rate->text().isEmpty());
    });
    connect(m_downloading, &Job::finished, this, [this, job = m_downloading.data()] {
        m_downloading.clear();
        m_rate->hide();
        m_folder->setEnabled(true);
        m_choose->setEnabled(true);
        if (job->isCancelled()) {
            Downloads::instance().stopped(m_entry);
            showNotice(tr("Cancelled. What has arrived is kept, so that it can be resumed."), Token::Muted);
        }
        if (!isHidden()) {
            lookAtFolder();
        }
        emit ended();
        if (isHidden()) { // it went on in the background, and the list shows how it ended
            close();
        }
    });
    m_progress->watch(m_downloading, tr("Downloading"));
}

void DownloadDialog::reject() {
    if (!isDownloading()) {
        QDialog::reject();
        return;
    }
    if (!m_question.isNull()) {
        return;
    }
    m_question = new QMessageBox(QMessageBox::NoIcon, tr("Download"), tr("The download is not complete."),
                                 QMessageBox::NoButton, this);
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    m_question->setInformativeText(
        tr("If you stop it, what has arrived is kept, so that it can be resumed later. In the background, it "
           "goes on without this dialog, and is shown under File, Downloads."));
    const QPushButton* stopButton = m_question->addButton(tr("&Stop it"), QMessageBox::DestructiveRole);
    const QPushButton* background = m_question->addButton(tr("Continue in the &Background"), QMessageBox::AcceptRole);
    QPushButton* goOn = m_question->addButton(tr("&Continue"), QMessageBox::RejectRole);
    m_question->setDefaultButton(goOn);
    m_question->setEscapeButton(goOn);
    connect(stopButton, &QPushButton::clicked, this, &DownloadDialog::stop);
    connect(background, &QPushButton::clicked, this, [this] {
        if (isDownloading()) {
            hide();
        }
    });
    connect(m_downloading, &Job::finished, m_question, &QMessageBox::close); // there is nothing left to ask
    m_question->open();
}

bool DownloadDialog::askBeforeEnd(QWidget* window, std::function<void()> then) {
    const auto running = [window] {
        QList<DownloadDialog*> found = window->findChildren<DownloadDialog*>();
        erase_if(found, [](const DownloadDialog* each) {
            return !each->isDownloading() || each->m_downloading->isCancelled();
        });
        return found;
    };
    const qsizetype count = running().size();
    if (count == 0) {
        return false;
    }
    static const QString kName = QStringLiteral("endOfDownloads");
    if (auto* asked = window->findChild<QMessageBox*>(kName)) {
        asked->raise();
        asked->activateWindow();
        return true;
    }
    auto* question = new QMessageBox(window);
    question->setObjectName(kName);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setWindowTitle(tr("Downloads"));
    question->setText(tr("%n download(s) are not complete.", nullptr, static_cast<int>(count)));
    question->setInformativeText(
        tr("Closing the window stops them. What has arrived is kept, so that they can be resumed later, under File, "
           "Downloads."));
    const QPushButton* stopButton = question->addButton(tr("&Stop and Close"), QMessageBox::DestructiveRole);
    QPushButton* goOn = question->addButton(tr("&Continue"), QMessageBox::RejectRole);
    question->setDefaultButton(goOn);
    question->setEscapeButton(goOn);
    connect(stopButton, &QPushButton::clicked, window, [running, then = std::move(then)] {
        for (DownloadDialog* dialog : running()) {
            dialog->stop();
        }
        then();
    });
    question->open();
    return true;
}

void DownloadDialog::stop() {
    if (!isDownloading()) {
        QDialog::reject();
        return;
    }
    connect(m_downloading, &Job::finished, this, &QDialog::reject, Qt::QueuedConnection);
    m_downloading->cancel();
}

void DownloadDialog::showFailure(const Error& error) {
    if (isFileThere(error)) {
        showNotice(
            tr("%1 already exists with other content. It is kept unless you replace it.").arg(displayPath(error.file)),
            Token::WarningText);
        connect(
            this, &DownloadDialog::prepared, this,
            [this] { // after the folder has been looked at again
                m_replaces = true;
                m_download->setText(tr("&Replace it"));
            },
            Qt::SingleShotConnection);
        return;
    }
    showNotice(errorLine(error), Token::ErrorText);
}

void DownloadDialog::showNotice(const QString& text, Token color) {
    setTextColor(m_notice, color);
    m_notice->setText(text);
    m_notice->show();
}

} // namespace gufo::ui

#include "moc_download_dialog.cpp"
