// "Ready to Publish": what a page on a hub needs and the file lacks, each with a repair where there is one, the licence
// with choices while typing, the name by the naming convention, and the files of the folder that belong together.
#pragma once

#include "pairing/neighbours.h"
#include "ui/document/model_document.h"
#include "ui/jobs/latest_job.h"
#include "ui/pages/overview/findings_panel.h"

#include <QDialog>
#include <QPointer>

#include <filesystem>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace gufo::ui {

struct CardFile;

class PublishDialog : public QDialog {
    Q_OBJECT

public:
    // `document` is the file's document.
    PublishDialog(std::filesystem::path file, ModelDocument* document, QWidget* parent);
    ~PublishDialog() override;

    [[nodiscard]] QString verdict() const;
    [[nodiscard]] FindingsPanel* findings() const { return m_findings; }
    [[nodiscard]] QComboBox* licence() const { return m_licence; }
    [[nodiscard]] QPushButton* licenceButton() const { return m_setLicence; }
    [[nodiscard]] QLineEdit* name() const { return m_name; }
    [[nodiscard]] QPushButton* renameButton() const { return m_rename; }
    [[nodiscard]] QTableWidget* files() const { return m_files; }
    [[nodiscard]] QPushButton* cardButton() const { return m_writeCard; }
    // Writes the model card of the files in the table; called by the button after it has asked for a name.
    void writeCard(const std::filesystem::path& path);

signals:
    void reviewRequested();
    void placeRequested(const gufo::Place& place);
    void renameRequested(const std::filesystem::path& fileName);
    void filesListed();
    void cardWritten();

private:
    void build();
    void follow(const TouchedParts& touched);
    void update();
    void setLicence();
    void listFiles();
    void showFiles(const std::vector<Neighbour>& neighbours);
    void askForCard();

    std::filesystem::path m_file;
    QPointer<ModelDocument> m_document;
    std::vector<CardFile> m_cardFiles;
    LatestJob m_listing{this};
    QLabel* m_verdict;
    QComboBox* m_licence;
    QPushButton* m_setLicence;
    QLineEdit* m_name;
    QPushButton* m_rename;
    QLabel* m_notice;
    FindingsPanel* m_findings;
    QTableWidget* m_files;
    QPushButton* m_review;
    QPushButton* m_writeCard;
};

} // namespace gufo::ui
