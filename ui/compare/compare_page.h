// The base class of the pages of a comparison tab. They show a Comparison, which outlives them.
#pragma once

#include "model/owned_value.h"
#include "ui/compare/comparison.h"
#include "ui/report/metric.h"
#include "ui/shell/page.h"
#include "ui/widgets/empty_state.h"

#include <QComboBox>
#include <QPointer>
#include <QStackedWidget>

namespace gufo::ui {

// Adds a metric to a choice of metrics, whose data are their numbers, or removes it.
void offerMetric(QComboBox& choice, Metric metric, bool offered);

class ComparePage : public Page {
    Q_OBJECT

public:
    explicit ComparePage(Comparison& comparison, QWidget* parent = nullptr)
        : Page(parent)
        , m_comparison(comparison) {}

    // Unused: a comparison has several models, which the Comparison holds.
    void setModel(std::shared_ptr<const Model> model) final { Q_UNUSED(model); }

    [[nodiscard]] const Comparison& comparison() const { return m_comparison; }

signals:
    // Opens a tensor of one of the files in a tab of that model.
    void openInTab(const gufo::hub::ModelPlace& file, const gufo::Place& place);
    void fileWritten(const QString& message);
    // Asks to set the key to this value in the model of file `to`. `from` names the source.
    void keyCopied(const gufo::hub::ModelPlace& to, const QByteArray& key, const gufo::OwnedValue& value,
                   const QString& from);

protected:
    // Sets the page's layout: a strip, and below it the content or an explanation why there is none.
    void setContent(QWidget* strip, QWidget* content);
    void showContent() { m_states->setCurrentIndex(0); }
    void showNothing() { m_states->setCurrentWidget(m_nothing); }
    [[nodiscard]] bool showsContent() const { return m_states->currentIndex() == 0; }
    // What gets the focus when the page does. With a focus proxy, Tab would leave out all that stands before it.
    void setFirstFocus(QWidget* widget) { m_firstFocus = widget; }
    void focusInEvent(QFocusEvent* event) override;

    Comparison& m_comparison;
    EmptyState* m_nothing = nullptr; // made by setContent()

private:
    QPointer<QWidget> m_firstFocus;
    QStackedWidget* m_states = nullptr; // content, or the explanation
};

} // namespace gufo::ui
