// The chat templates of a model: an editor, and beside it the rendering of an editable conversation. Typed text becomes
// an undo step when typing pauses or the editor loses the focus.
#pragma once

#include "text/tokenizer/tokenizer.h"
#include "ui/document/model_document.h"
#include "ui/pages/template/audit_panel.h"
#include "ui/pages/template/conversation_panel.h"
#include "ui/pages/template/editor_pane.h"
#include "ui/pages/template/rendering_pane.h"
#include "ui/pages/template/template_bar.h"
#include "ui/pages/template/template_edits.h"
#include "ui/shell/page.h"
#include "ui/widgets/empty_state.h"

#include <QSplitter>

namespace gufo::ui {

class TemplatePage : public Page {
    Q_OBJECT

public:
    explicit TemplatePage(QWidget* parent = nullptr);
    ~TemplatePage() override;

    [[nodiscard]] QString title() const override { return tr("Template"); }
    [[nodiscard]] QString iconName() const override { return QStringLiteral("template"); }
    [[nodiscard]] QString badge() const override;
    [[nodiscard]] bool badgeIsWarning() const override { return !badge().isEmpty(); }
    void setDocument(ModelDocument* document) override;
    void setModel(std::shared_ptr<const Model> model) override;
    bool goTo(const Place& place) override;
    void activate() override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] QString copyText(CopyFormat format) const override;
    [[nodiscard]] QWidget* filterField() const override { return m_bar->search(); }

    [[nodiscard]] ModelDocument* document() const { return m_document; }
    [[nodiscard]] TemplateEdits* edits() const { return m_edits; }
    [[nodiscard]] TemplateEditor* editor() const { return m_text->editor(); }
    [[nodiscard]] const std::vector<text::TemplateProblem>& problems() const { return m_text->problems(); }
    [[nodiscard]] const std::vector<TemplateRemark>& remarks() const { return m_text->remarks(); }
    // How the template's answers are written; empty until it is known.
    [[nodiscard]] QString formatText() const { return m_rendering->formatText(); }

    [[nodiscard]] QToolButton* auditButton() const { return m_bar->auditButton(); }

    // Shows the panel with the audit in the place of the conversation, and audits the current template.
    void audit();

    // Makes the typed text an undo step, if there is any.
    void commit();

signals:
    void rendered();  // or rendering failed
    void tokenized(); // the rendering shows its tokens
    void remarked();  // the remarks are now about the document's text
    // Asks for a chat with the current template. `pictures`: the conversation on this page contains images.
    void chatRequested(const QString& name, bool pictures);

private:
    class Input;
    void connectParts();
    void follow(const TouchedParts& touched);
    void showTemplates();
    void showTemplate();
    void showText();
    void onTyped();
    void updateActions();
    void updateCounts();
    void prepare();
    // Reads the templates from files beside the weights, as folders in Hugging Face's format have them.
    void readFilesBeside();
    void render();
    void setProblems(std::vector<text::TemplateProblem> problems);
    void lookForRemarks();
    void setRemarks(std::vector<TemplateRemark> remarks);
    void showFormat();
    void showStatus();
    void connectAudit();
    [[nodiscard]] std::optional<QString> textOf(const Model& model) const;
    [[nodiscard]] bool canEdit() const {
        return m_opened == nullptr && m_document != nullptr && m_document->can(Capability::EditMetadata);
    }

    // A folder cannot be run.
    [[nodiscard]] bool canChat() const { return m_opened == nullptr && !m_key.empty() && problems().empty(); }

    ModelDocument* m_document = nullptr;
    // The document of the model, while the page shows templates in files beside its weights. m_document then contains
    // those, belongs to the page, and can only be read. Null otherwise.
    ModelDocument* m_opened = nullptr;
    bool m_lookedBeside = false;
    std::string m_key; // key of the current template; empty if there is none
    bool m_active = false;
    bool m_showing = false; // the text changes because the document has changed
    bool m_typed = false;   // the editor has changes that the document does not have

    TemplateBar* m_bar;
    QStackedWidget* m_content;
    EmptyState* m_empty;
    QPushButton* m_addFirst;
    QSplitter* m_vertical;
    QSplitter* m_horizontal;
    EditorPane* m_text;
    RenderingPane* m_rendering;
    ConversationPanel* m_panel;
    AuditPanel* m_audit;
    TemplateEdits* m_edits;
    bool m_auditAgain = false; // once the repair is in the document

    std::vector<std::pair<QString, QString>> m_specialTexts;
    bool m_prepared = false;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    LatestJob m_preparing{this};
    LatestJob m_besideJob{this};
    LatestJob m_remarksJob{this};
    QTimer m_commitSoon;
    QTimer m_renderSoon;
    QTimer m_marksSoon;
    QTimer m_formatSoon;
};

} // namespace gufo::ui
