// The right half of the Template page: the rendering of the conversation and the number of its tokens, and below it how
// answers are written. While the template has an error, its last rendering stays, marked as such.
#pragma once

#include "model/model.h"
#include "text/template/template_renderer.h"
#include "text/tokenizer/tokenizer.h"
#include "ui/jobs/latest_job.h"
#include "ui/vocabulary/token_edit.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/segmented_control.h"

#include <QLabel>
#include <QToolButton>

namespace gufo::ui {

// The rendering of a conversation: special tokens as chips, and the roles of messages beside their first lines.
class RenderingView : public TokenEdit {
    Q_OBJECT

public:
    // The limit of the shown text, because it is laid out on the UI thread.
    static constexpr qsizetype kMaxShown = 100'000;

    explicit RenderingView(QWidget* parent = nullptr);

    // `roles` are the roles of the messages by index.
    void setRendering(const text::Rendering& rendering, const QStringList& roles);
    void setWhitespaceShown(bool shown);
    [[nodiscard]] QStringList shownRoles() const; // the roles in the gutter from top to bottom, for tests

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    class Gutter;
    void restyle();
    void placeGutter();
    void paintGutter(QPainter& painter);

    struct Label {
        int position;
        QString role;
    };
    QWidget* m_gutter;
    std::vector<Label> m_labels;
};

class RenderingPane : public QWidget {
    Q_OBJECT

public:
    explicit RenderingPane(QWidget* parent);
    ~RenderingPane() override;

    // Starts the helper, so that the first rendering need not wait for it.
    void warmUp() { m_renderer->warmUp(); }
    // Renders in a job. Only the newest request counts. `roles` are the messages' roles by index.
    void render(text::RenderRequest request, const QStringList& roles);
    // Shows how the answers of a template are written, which a job derives; nothing without a source.
    void showFormat(std::shared_ptr<const Model> model, const QString& source);
    [[nodiscard]] QString formatText() const { return m_format->text(); }
    // Forgets the last rendering, because another template is shown.
    void forgetRendering();
    // Null if there is none for this model.
    void setTokenizer(std::shared_ptr<const text::Tokenizer> tokenizer);
    // Counts no tokens until there is a tokenizer for another model.
    void forgetTokenizer() { m_tokenizer = nullptr; }

    [[nodiscard]] QAbstractButton* whitespaceButton() const { return m_whitespace; }
    [[nodiscard]] QString text() const { return m_output->toPlainText(); }
    [[nodiscard]] double milliseconds() const { return m_milliseconds; } // of the last rendering; −1: there is none

signals:
    void formatShown();
    void rendered(const std::vector<text::TemplateProblem>& problems); // or rendering failed
    void tokenized();                                                  // the rendering shows its tokens

private:
    void show(const text::Rendering& rendering, const QString& source, const QStringList& roles);
    [[nodiscard]] QString staleText(const text::Rendering& rendering, const QString& source) const;
    void tokenize(const QString& text);
    void restyle();

    QLabel* m_tokenCount;
    SegmentedControl* m_outputAs;
    QToolButton* m_whitespace;
    QLabel* m_stale;
    QLabel* m_message;
    RenderingView* m_output;
    QLabel* m_format;

    std::shared_ptr<text::TemplateRenderer> m_renderer = std::make_shared<text::TemplateRenderer>();
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    double m_milliseconds = -1;
    QString m_source;       // of the template that was rendered last
    bool m_isShown = false; // there is a rendering of the current template
    LatestJob m_rendering{this};
    LatestJob m_tokenizing{this};
    LatestJob m_deriving{this};
};

} // namespace gufo::ui
