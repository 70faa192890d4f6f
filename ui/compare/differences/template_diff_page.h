// Shows the chat templates of two files of a comparison side by side, or what both render for the same conversations.
#pragma once

#include "ui/compare/compare_page.h"
#include "ui/jobs/latest_job.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/segmented_control.h"

#include <QAbstractTableModel>
#include <QComboBox>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

namespace gufo::ui {

// A range of characters.
struct TextRange {
    int begin = 0;
    int length = 0;
    bool operator==(const TextRange&) const = default;
};

// A line of each text; a side without a matching line is empty.
struct SideBySideLine {
    enum class Kind : std::uint8_t { Same, Changed, Removed, Added };
    Kind kind = Kind::Same;
    int before = -1; // line number from 0; −1: none
    int after = -1;
    QString beforeText;
    QString afterText;
    std::vector<TextRange> beforeMarks{}; // the words of a changed line that the other side does not have
    std::vector<TextRange> afterMarks{};
};

class SideBySideModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { kBeforeNumber, kBefore, kAfterNumber, kAfter, kColumns };
    using QAbstractTableModel::QAbstractTableModel;
    void setLines(std::vector<SideBySideLine> lines);
    [[nodiscard]] const std::vector<SideBySideLine>& lines() const { return m_lines; }
    // The first line of the next change after (or before) a row; −1 if there is none.
    [[nodiscard]] int nextChange(int row, bool backwards) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void setTitles(const QString& before, const QString& after);

private:
    std::vector<SideBySideLine> m_lines;
    QString m_before;
    QString m_after;
};

// Not for the UI thread if texts are long.
[[nodiscard]] std::vector<SideBySideLine> sideBySide(std::string_view before, std::string_view after);

// What the chat templates of two files render from the same conversations (text/conversation/battery.h), so that
// differences without an effect can be told from others: the renderings of those conversations that differ, each below
// a line with its title, or of all if none does. If a template refuses a conversation, its reason stands in place of
// the rendering.
struct RenderedTemplates {
    std::string before{};
    std::string after{};
    std::size_t conversations = 0; // that were rendered by both
    std::size_t different = 0;     // conversations whose renderings differ
    std::size_t refused = 0;       // conversations that both refuse for the same reason
};

class WrappedLineDelegate;

class TemplateDiffPage : public ComparePage {
    Q_OBJECT

public:
    explicit TemplateDiffPage(Comparison& comparison, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("template"); }
    [[nodiscard]] QString badge() const override;
    [[nodiscard]] QString copyText(CopyFormat format) const override;

    [[nodiscard]] const SideBySideModel& model() const { return m_model; }
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] SegmentedControl* shown() const { return m_shown; }
    [[nodiscard]] QString counts() const { return m_counts->text(); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // the width of the table

private:
    void refill();
    void update();
    [[nodiscard]] QString countsText(std::size_t changedLines, const RenderedTemplates& rendered) const;
    void showLines(std::vector<SideBySideLine> lines, const RenderedTemplates& rendered);
    void step(bool backwards);
    void fitRows();

    SideBySideModel m_model;
    LatestJob m_job{this};
    QTimer m_fitSoon;
    QComboBox* m_key;
    QComboBox* m_file;
    SegmentedControl* m_shown; // sources, or what they render
    ElidedLabel* m_counts;
    QToolButton* m_previous;
    QToolButton* m_next;
    QTableView* m_table;
    WrappedLineDelegate* m_lines;
};

} // namespace gufo::ui
