// The tab of a comparison: its files as chips, a sidebar with the pages, and its progress or error.
#pragma once

#include "model/owned_value.h"
#include "ui/compare/comparison.h"
#include "ui/compare/comparison_export.h"
#include "ui/shell/window_tab.h"

namespace gufo::ui {

class ComparePage;
class EmptyState;
class FileChips;
class JobBar;
class NoticeBar;

class CompareTab : public WindowTab {
    Q_OBJECT

public:
    // Starts comparing at once. `state` is the result of an earlier saveState(), or empty for a new comparison of
    // `files`.
    explicit CompareTab(const Places& files, const QJsonObject& state = {}, QWidget* parent = nullptr);
    ~CompareTab() override;

    [[nodiscard]] Comparison& comparison() { return m_comparison; }
    [[nodiscard]] const Comparison& comparison() const { return m_comparison; }

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString description() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("compare"); }
    [[nodiscard]] bool hasFailed() const override { return m_comparison.state() == Comparison::State::Failed; }
    [[nodiscard]] QString errorText() const override;
    void reload() override;
    void retire() override;
    void checkFiles() override { m_comparison.checkFiles(); }

    [[nodiscard]] QJsonObject saveState() const override;
    // The state of a new tab that opens with a page ("map", "run"); an empty id is the default page.
    [[nodiscard]] static QJsonObject stateFor(const QString& pageId);
    // The files in a saved state. Empty if the state belongs to another kind of tab.
    [[nodiscard]] static Places filesOfState(const QJsonObject& state);

    void addFiles(const Places& files);
    void cancel();

    [[nodiscard]] bool canExport() const { return m_comparison.result() && m_comparison.metadata(); }
    void exportAs(ComparisonFormat format); // asks for a file name
    void writeExport(const std::filesystem::path& path, ComparisonFormat format);

signals:
    // Opens the model. If `place` has a kind, that place is also shown.
    void openInTab(const gufo::hub::ModelPlace& file, const gufo::Place& place);
    void keyCopied(const gufo::hub::ModelPlace& to, const QByteArray& key, const gufo::OwnedValue& value,
                   const QString& from); // see ComparePage
    void addFilesRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void buildHead();
    void prepare(ComparePage& page);
    void updateState();
    void updateStatus();
    void showProblem();
    [[nodiscard]] QString serversText() const;

    Comparison m_comparison;
    bool m_retired = false;
    bool m_started = false; // the files are being read, or have been
    bool m_waits = false;   // a restored comparison of files on servers starts when the user asks for it

    NoticeBar* m_notice;
    bool m_cancelNoticed = false; // the shown notice says that the comparison was cancelled
    FileChips* m_chips = nullptr;
    JobBar* m_progress = nullptr;
    QWidget* m_problemView = nullptr;
    EmptyState* m_problem = nullptr;
};

} // namespace gufo::ui
