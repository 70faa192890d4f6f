// The right half of the Template page: the rendering of the conversation and the number of its tokens. While the
// template has an error, its last rendering stays, marked as such.
#pragma once

#include "text/template/template_renderer.h"
#include "text/tokenizer/tokenizer.h"
#include "ui/jobs/latest_job.h"
#include "ui/pages/template/rendering_view.h"
#include "ui/widgets/segmented_control.h"

#include <QLabel>
#include <QToolButton>

namespace gufo::ui {

class RenderingPane : public QWidget {
    Q_OBJECT

public:
    explicit RenderingPane(QWidget* parent);
    ~RenderingPane() override;

    // Starts the helper, so that the first rendering need not wait for it.
    void warmUp() { m_renderer->warmUp(); }
    // Renders in a job. Only the newest request counts. `roles` are the messages' roles by index.
    void render(text::RenderRequest request, const QStringList& roles);
    // Removes the remark that the rendering is an old one, because another template is shown.
    void hideRemark() { m_stale->hide(); }
    // Null if there is none for this model.
    void setTokenizer(std::shared_ptr<const text::Tokenizer> tokenizer);
    // Counts no tokens until there is a tokenizer for another model.
    void forgetTokenizer() { m_tokenizer = nullptr; }

    [[nodiscard]] QAbstractButton* whitespaceButton() const { return m_whitespace; }
    [[nodiscard]] QString text() const { return m_output->toPlainText(); }
    [[nodiscard]] double milliseconds() const { return m_milliseconds; } // of the last rendering; −1: there is none

signals:
    void rendered(const std::vector<text::TemplateProblem>& problems); // or rendering failed
    void tokenized();                                                  // the rendering shows its tokens

private:
    void show(const text::Rendering& rendering, const QStringList& roles);
    void tokenize(const QString& text);
    void restyle();

    QLabel* m_tokenCount;
    SegmentedControl* m_outputAs;
    QToolButton* m_whitespace;
    QLabel* m_stale;
    QLabel* m_message;
    RenderingView* m_output;

    std::shared_ptr<text::TemplateRenderer> m_renderer = std::make_shared<text::TemplateRenderer>();
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    double m_milliseconds = -1;
    LatestJob m_rendering{this};
    LatestJob m_tokenizing{this};
};

} // namespace gufo::ui
