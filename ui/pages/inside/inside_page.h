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
#include "ui/pages/inside/token_text.h"
#include "ui/report/inside_report.h"
#include "ui/shell/page.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/job_bar.h"

#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>

#include <filesystem>
#include <span>

namespace gufo::ui {

class InsidePartner;
class KeptWidth;

class InsidePage : public Page {
    Q_OBJECT

public:
    static constexpr std::size_t kMaxTokens = 16'384; // of a text
    static constexpr std::size_t kMapTokens = 2'048;  // for which the map of a head is made
    enum class Side : std::uint8_t { A, B, Difference };

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
    void exportTo(const std::filesystem::path& path, bool csv); // emits exported() at the end
    void showSide(Side side);                                   // B and the difference need another model
    [[nodiscard]] Side side() const { return static_cast<Side>(m_sides->current()); }

    [[nodiscard]] QPlainTextEdit* field() const { return m_field; }
    [[nodiscard]] QPushButton* readButton() const { return m_read; }
    [[nodiscard]] QPushButton* conversationButton() const { return m_conversation; }
    [[nodiscard]] InsidePartner* partner() const { return m_partner; }
    [[nodiscard]] SegmentedControl* sides() const { return m_sides; }
    [[nodiscard]] TokenText* tokens() const { return m_tokens; }
    [[nodiscard]] SegmentedControl* views() const { return m_views; }
    [[nodiscard]] AttentionView* attention() const { return m_attention; }
    [[nodiscard]] LensView* lens() const { return m_lens; }
    [[nodiscard]] ExpertsView* experts() const { return m_experts; }
    [[nodiscard]] SizesView* sizes() const { return m_sizes; }
    [[nodiscard]] JobBar* jobBar() const { return m_bar; }
    [[nodiscard]] QPushButton* exportButton() const { return m_export; }
    [[nodiscard]] QString message() const { return m_message->text(); }
    [[nodiscard]] QString emptyText() const;
    [[nodiscard]] const inference::Inside* inside() const { return m_inside.get(); }
    [[nodiscard]] const inference::Inside* other() const { return m_other.get(); } // null: none is compared
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }

signals:
    void conversationRequested(); // showTokens() is called with the conversation of Run, if there is one
    void exported();

private:
    struct ReadText {
        std::shared_ptr<const text::Tokenizer> tokenizer;
        std::vector<TokenId> tokens;
    };
    using Map = std::shared_ptr<const inference::AttentionMap>;
    struct Looked {
        std::shared_ptr<const inference::Inside> inside;
        Map map; // null: none was asked for
    };
    struct Look {
        Looked a;
        Looked b; // of the other model, if there is one
    };
    [[nodiscard]] static Looked lookedOf(inference::Inside inside);
    [[nodiscard]] static Result<Look> lookAt(const std::shared_ptr<const Model>& model,
                                             const std::shared_ptr<const Model>& other, std::span<const TokenId> tokens,
                                             const inference::InsideRequest& request, const JobContext& job);
    [[nodiscard]] QWidget* makeToolBar();
    [[nodiscard]] QWidget* makeInput();
    void connectParts();
    void showUnable(const QString& title, const QString& explanation);
    void showEmpty();
    void showRunnable();
    void begin(std::function<Result<std::vector<TokenId>>(const text::Tokenizer&, const JobContext&)> tokens,
               std::optional<std::size_t> chosen);
    void takeText(Result<ReadText> text, std::optional<std::size_t> chosen);
    void look(std::size_t token);
    void takeLook(Result<Look> look, std::size_t token);
    void lookAtHead();
    void takePartner();
    void showInside();
    void showMap();
    [[nodiscard]] Map shownMap() const;
    void shade();
    void showStatus();
    void say(const QString& text, bool isError);
    void watch(const QString& what);
    void askWhereToExport(bool csv);
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
    std::shared_ptr<const inference::Inside> m_inside;
    std::shared_ptr<const inference::Inside> m_other; // of the other model, for the same tokens
    Map m_map;                                        // of the chosen head
    Map m_otherMap;
    std::size_t m_looked = 0; // the token of m_inside
    bool m_able = true;
    bool m_checked = false; // whether the engine can run the model
    LatestJob m_job;
    LatestJob m_check;

    SegmentedControl* m_views;
    SegmentedControl* m_sides; // hidden if there is no m_other
    QPushButton* m_export;
    QMenu* m_exports;
    std::array<PictureMenu*, 5> m_pictures{}; // overview, map of a head, load, sizes, ratios
    QStackedWidget* m_whole;                  // the page, or why there is none
    EmptyState* m_unable;
    QSplitter* m_splitter;
    KeptWidth* m_inputWidth = nullptr;
    QPlainTextEdit* m_field;
    QPushButton* m_read;
    QPushButton* m_conversation;
    InsidePartner* m_partner;
    TokenText* m_tokens;
    JobBar* m_bar;
    QLabel* m_message;
    QStackedWidget* m_results; // empty state, then a widget for each view
    EmptyState* m_empty;
    AttentionView* m_attention;
    LensView* m_lens;
    ExpertsView* m_experts;
    SizesView* m_sizes;
};

} // namespace gufo::ui
