// What happens inside the model while it reads a text: attention, the logit lens, experts and sizes at a token that is
// chosen in the text. The text is typed here or is the conversation of the page Run. Gufo's own engine evaluates it up
// to the chosen token, in a job.
//
// Another model can be compared: one with the same vocabulary and as many blocks. It reads the same tokens, and each
// view shows the model of the page (A), the other one (B), or how they differ.
#pragma once

#include "text/tokenizer/tokenizer.h"
#include "ui/document/model_document.h"
#include "ui/jobs/latest_job.h"
#include "ui/pages/inside/attention_view.h"
#include "ui/pages/inside/block_views.h"
#include "ui/pages/inside/inside_export.h"
#include "ui/pages/inside/reading_panel.h"
#include "ui/shell/page.h"
#include "ui/widgets/empty_state.h"

#include <QSplitter>
#include <QStackedWidget>

#include <filesystem>

namespace gufo::ui {

class KeptWidth;
struct EmptyTexts;

class InsidePage : public Page {
    Q_OBJECT

public:
    static constexpr std::size_t kMaxTokens = 16'384; // of a text
    static constexpr std::size_t kMapTokens = 2'048;  // for which the map of a head is made
    using Side = InsideSide;

    explicit InsidePage(QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Inside"); }
    [[nodiscard]] QString iconName() const override { return QStringLiteral("inside"); }
    void setDocument(ModelDocument* document) override { m_document = document; }
    void setModel(std::shared_ptr<const Model> model) override;
    void activate() override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] QString copyText(CopyFormat format) const override;

    // Reads the text of the field, and chooses its last token.
    void read();
    // Shows tokens of a conversation, and chooses one of them.
    void showTokens(std::vector<TokenId> tokens, std::size_t chosen);
    void showView(InsideView view);
    [[nodiscard]] InsideView view() const { return static_cast<InsideView>(m_views->current()); }
    void exportTo(const std::filesystem::path& path, bool csv) { m_export->exportTo(path, csv); }
    void showSide(Side side); // B and the difference need another model
    [[nodiscard]] Side side() const { return static_cast<Side>(m_sides->current()); }

    [[nodiscard]] QPlainTextEdit* field() const { return m_reading->field(); }
    [[nodiscard]] QPushButton* readButton() const { return m_reading->readButton(); }
    [[nodiscard]] QPushButton* conversationButton() const { return m_reading->conversationButton(); }
    [[nodiscard]] InsidePartner* partner() const { return m_reading->partner(); }
    [[nodiscard]] TokenText* tokens() const { return m_reading->tokens(); }
    [[nodiscard]] JobBar* jobBar() const { return m_reading->jobBar(); }
    [[nodiscard]] QString message() const { return m_reading->message(); }
    [[nodiscard]] SegmentedControl* sides() const { return m_sides; }
    [[nodiscard]] SegmentedControl* views() const { return m_views; }
    [[nodiscard]] AttentionView* attention() const { return m_attention; }
    [[nodiscard]] LensView* lens() const { return m_lens; }
    [[nodiscard]] ExpertsView* experts() const { return m_experts; }
    [[nodiscard]] SizesView* sizes() const { return m_sizes; }
    [[nodiscard]] QPushButton* exportButton() const { return m_export; }
    [[nodiscard]] QString emptyText() const;
    [[nodiscard]] const inference::Inside* inside() const { return m_look.a.inside.get(); }
    // Null: none is compared.
    [[nodiscard]] const inference::Inside* other() const { return m_look.b.inside.get(); }
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }

signals:
    void conversationRequested(); // showTokens() is called with the conversation of Run, if there is one
    void exported();

private:
    struct ReadText {
        std::shared_ptr<const text::Tokenizer> tokenizer;
        std::vector<TokenId> tokens;
    };
    [[nodiscard]] QWidget* makeToolBar();
    void connectParts();
    void showUnable(const EmptyTexts& obstacle);
    void showEmpty();
    void showRunnable();
    void begin(std::function<Result<std::vector<TokenId>>(const text::Tokenizer&, const JobContext&)> tokens,
               std::optional<std::size_t> chosen);
    void takeText(Result<ReadText> text, std::optional<std::size_t> chosen);
    void look(std::size_t token);
    void takeLook(Result<InsideLook> look, std::size_t token);
    void lookAtHead();
    void takePartner();
    void showInside();
    void showMap();
    void shade();
    void showStatus();
    void say(const QString& text, bool isError);
    void watch(const QString& what);
    [[nodiscard]] QString nameOf(TokenId token) const;
    [[nodiscard]] QString whyNoMap(std::size_t tokens) const;
    [[nodiscard]] std::shared_ptr<const Model> model() const {
        return m_document != nullptr ? m_document->current() : m_model;
    }
    [[nodiscard]] PictureFrame frameOf(const QCustomPlot& plot) const;

    ModelDocument* m_document = nullptr;
    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    std::vector<TokenId> m_ids;
    InsideLook m_look;
    std::size_t m_looked = 0; // the token of m_look
    bool m_able = true;
    bool m_checked = false; // whether the engine can run the model
    LatestJob m_job;
    LatestJob m_check;

    SegmentedControl* m_views;
    SegmentedControl* m_sides; // hidden if no other model is compared
    InsideExport* m_export;
    QStackedWidget* m_whole; // the page, or why there is none
    EmptyState* m_unable;
    QSplitter* m_splitter;
    KeptWidth* m_readingWidth = nullptr;
    ReadingPanel* m_reading;
    QStackedWidget* m_results; // empty state, then a widget for each view
    EmptyState* m_empty;
    AttentionView* m_attention;
    LensView* m_lens;
    ExpertsView* m_experts;
    SizesView* m_sizes;
};

} // namespace gufo::ui
