// The Bytes page: a file of the model in hexadecimal, with the meaning of each byte. It only reads.
#pragma once

#include "ui/pages/bytes/byte_window.h"
#include "ui/pages/bytes/hex_view.h"
#include "ui/shell/page.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>

namespace gufo::ui {

class EmptyState;
class FieldPane;
class JobBar;
class KeptWidth;

class BytesPage : public Page {
    Q_OBJECT

public:
    explicit BytesPage(QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString iconName() const override;
    void setModel(std::shared_ptr<const Model> model) override;
    void setDocument(ModelDocument* document) override;
    // Shows a file that is not a model that can be opened, up to its damage, with the cursor at `offset`. Such a page
    // gets no model.
    void openFile(const std::filesystem::path& path, std::uint64_t offset);
    // Shows the byte of a place in the file.
    bool goTo(const Place& place) override;
    void activate() override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] QString copyText(CopyFormat format) const override;
    [[nodiscard]] QWidget* filterField() const override;

    [[nodiscard]] HexView& view() { return *m_view; }
    [[nodiscard]] ByteWindow& window() { return *m_window; }
    [[nodiscard]] JobBar& jobBar() { return *m_bar; }
    void findNext();
    void exportTo(const std::filesystem::path& path); // the selected bytes

signals:
    void mapped(); // the fields of the shown file are known

private:
    [[nodiscard]] QWidget* makeToolBar();
    void showFile(std::size_t file);
    void enable(bool shown);
    void takeMap(std::shared_ptr<const ByteMap> map);
    void goToTyped();
    void showDamages(); // on their button
    void goToDamage();  // the next one after the cursor
    void copyBytes();
    void say(const QString& text);

    std::shared_ptr<const Model> m_model; // as in the file, without edits
    ModelDocument* m_document = nullptr;
    bool m_isActive = false;
    std::size_t m_file = 0;
    std::optional<std::uint64_t> m_wanted; // is shown when there is a map
    LatestJob m_mapJob;
    LatestJob m_workJob; // finding, copying, exporting

    QStackedWidget* m_whole;
    EmptyState* m_empty;
    QSplitter* m_splitter;
    KeptWidth* m_detailWidth;
    ByteWindow* m_window;
    HexView* m_view;
    FieldPane* m_fields;
    QComboBox* m_files = nullptr;
    QLineEdit* m_find = nullptr;
    QComboBox* m_findKind = nullptr;
    QLineEdit* m_offset = nullptr;
    QPushButton* m_damage = nullptr; // hidden if there is none
    QPushButton* m_export = nullptr;
    JobBar* m_bar = nullptr;
};

} // namespace gufo::ui
