// The menu in which people choose the file that a model is compared with: the open ones of the wanted kind, or a file
// on the disk. It is filled when it opens.
#pragma once

#include "model/file_kind.h"
#include "model/model.h"

#include <QMenu>

#include <filesystem>
#include <memory>

namespace gufo::ui {

class PartnerMenu : public QMenu {
    Q_OBJECT

public:
    explicit PartnerMenu(QWidget* parent);

    void setModel(std::shared_ptr<const Model> model) { m_model = std::move(model); } // which is not offered
    void setWanted(FileKind kind) { m_wanted = kind; }                                // Model or Imatrix
    void setStops(bool stops) { m_stops = stops; } // whether a comparison can be ended

    // A name as the text of a button: not too long, and without a mnemonic.
    [[nodiscard]] static QString buttonText(const QString& name, const QFont& font);

signals:
    void modelChosen(const std::shared_ptr<const gufo::Model>& model);
    void fileChosen(const std::filesystem::path& path);
    void stopChosen();

private:
    void fill();
    void askForFile();

    std::shared_ptr<const Model> m_model;
    FileKind m_wanted = FileKind::Model;
    bool m_stops = false;
};

} // namespace gufo::ui
