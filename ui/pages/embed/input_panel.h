// The texts that are embedded or ranked: typed or pasted lines, or a text that is too large for a field; and the query
// of a ranking.
#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/pages/embed/text_lines.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/job_bar.h"

#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>

#include <filesystem>

namespace gufo::ui {

// A field for one text per line. A large paste does not enter it, because laying out megabytes would block the window:
// it is passed on as a whole.
class LinesEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    static constexpr qsizetype kMaxCharacters = 200'000;
    static constexpr qsizetype kLongestLine = 20'000;

    explicit LinesEdit(QWidget* parent = nullptr);
    // Whether a text may enter the field.
    [[nodiscard]] static bool fits(QStringView text);
    void showLine(std::size_t number); // counted from 1

signals:
    void largePaste(const QString& text);
    void submitted(); // Ctrl+Return

protected:
    void insertFromMimeData(const QMimeData* source) override;
    void keyPressEvent(QKeyEvent* event) override;
};

class InputPanel : public QWidget {
    Q_OBJECT

public:
    explicit InputPanel(QWidget* parent = nullptr);

    void setRanking(bool ranks); // whether a query is asked for
    void setBusy(bool busy);     // while the texts are used
    void openFile(const std::filesystem::path& path);
    void setLarge(const QString& name, std::string text); // instead of the field's text
    void clearLarge();

    // The text to be split into lines; cheap, because a large one is shared.
    [[nodiscard]] std::shared_ptr<const std::string> text() const;
    [[nodiscard]] QString query() const { return m_query->text(); }
    void showLine(std::size_t number); // in the field, if the text is there
    void say(const QString& text, bool isError);

    [[nodiscard]] LinesEdit* field() const { return m_field; }
    [[nodiscard]] QPushButton* openButton() const { return m_open; }
    [[nodiscard]] QPushButton* runButton() const { return m_run; }
    [[nodiscard]] QPushButton* removeButton() const { return m_remove; }
    [[nodiscard]] JobBar* jobBar() const { return m_bar; }
    [[nodiscard]] QString message() const { return m_message->text(); }

    [[nodiscard]] QJsonObject saveState() const; // what was typed
    void restoreState(const QJsonObject& state);

signals:
    void runRequested();
    void opened(); // a file was read, or could not be

private:
    void askForFile();
    void takeText(const QString& name, std::string text);
    void showRunnable();

    QWidget* m_queryPart;
    QLineEdit* m_query;
    QLabel* m_caption;
    QStackedWidget* m_source; // the field, or the card of a large text
    LinesEdit* m_field;
    ElidedLabel* m_name;
    QLabel* m_count;
    QPushButton* m_remove;
    QPushButton* m_open;
    QPushButton* m_run;
    JobBar* m_bar;
    QLabel* m_message;
    std::shared_ptr<const std::string> m_large;
    LatestJob m_reading{this};
    bool m_ranks = false;
    bool m_busy = false;
    bool m_returnFocus = false; // the button had the focus when it was disabled
};

} // namespace gufo::ui
