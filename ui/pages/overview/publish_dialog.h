// "Ready to Publish": what a page on a hub needs and the file lacks, each with a repair where there is one, the licence
// with choices while typing, the name by the naming convention, and the files of the folder that belong together. The
// quantisations among them can be run on a text, which adds their KL divergence to the model card.
#pragma once

#include "pairing/neighbours.h"
#include "ui/document/model_document.h"
#include "ui/jobs/latest_job.h"
#include "ui/pages/overview/findings_panel.h"
#include "ui/report/model_card.h"

#include <QDialog>
#include <QPointer>

#include <filesystem>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace gufo::ui {

class PublishDialog : public QDialog {
    Q_OBJECT

public:
    // `document` is the file's document.
    PublishDialog(std::filesystem::path file, ModelDocument* document, QWidget* parent);
    ~PublishDialog() override;

    [[nodiscard]] QString verdict() const;
    [[nodiscard]] FindingsPanel* findings() const { return m_findings; }
    [[nodiscard]] QComboBox* licence() const { return m_licence; }
    [[nodiscard]] QLineEdit* name() const { return m_name; }
    [[nodiscard]] QTableWidget* files() const { return m_files; }
    [[nodiscard]] QPushButton* measureButton() const { return m_measure; }
    [[nodiscard]] JobBar& progress() const { return *m_progress; }
    // Runs the quantisations in the table on a text; called by the button after it has asked for the text.
    void measure(const std::filesystem::path& text);
    // Writes the model card of the files in the table; called by the button after it has asked for a name.
    void writeCard(const std::filesystem::path& path);

signals:
    void reviewRequested();
    void placeRequested(const gufo::Place& place);
    void renameRequested(const std::filesystem::path& fileName);
    void filesListed();
    void cardWritten();
    void measured(); // or not, and then the notice says why; also after it was cancelled

private:
    struct ListedFile {
        NeighbourModel neighbour;
        CardFile card;
    };

    void build();
    void follow(const TouchedParts& touched);
    void update();
    void setLicence();
    void listFiles();
    void showFiles(const std::vector<ListedFile>& files);
    void askForCard();
    void askForText();
    void measureNext(std::size_t index); // of the files from there on
    void finishMeasuring();
    void showDivergences();
    void forgetDivergences();
    void say(const QString& text, Token color);

    std::filesystem::path m_file;
    QPointer<ModelDocument> m_document;
    std::vector<CardFile> m_cardFiles;
    std::optional<std::size_t> m_reference; // in m_cardFiles, for the divergences
    std::filesystem::path m_text;           // on which they are measured
    QStringList m_whyNot;                   // of files without a figure
    LatestJob m_listing{this};
    LatestJob m_measuring{this};
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
    QPushButton* m_measure;
    JobBar* m_progress;
};

} // namespace gufo::ui
