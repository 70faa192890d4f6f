// What the pages of a comparison tab have in common: they show a Comparison, which lives longer than they do.
#pragma once

#include "model/owned_value.h"
#include "ui/compare/comparison.h"
#include "ui/shell/page.h"

namespace gufo::ui {

class ComparePage : public Page {
    Q_OBJECT

public:
    explicit ComparePage(Comparison& comparison, QWidget* parent = nullptr)
        : Page(parent)
        , m_comparison(comparison) {}

    // A comparison is of several models: they are in it.
    void setModel(std::shared_ptr<const Model> model) final { Q_UNUSED(model); }

    [[nodiscard]] const Comparison& comparison() const { return m_comparison; }

signals:
    // Opens a tensor of one of the files in a tab of that model.
    void openInTab(const std::filesystem::path& file, const gufo::Place& place);
    void fileWritten(const QString& message);
    // The key shall get this value in the model of that file; `from` names where it comes from.
    void keyCopied(const std::filesystem::path& to, const QByteArray& key, const gufo::OwnedValue& value,
                   const QString& from);

protected:
    Comparison& m_comparison;
};

} // namespace gufo::ui
