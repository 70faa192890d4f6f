// The vocabulary of a model: linked tables of tokens and merge rules, search and special tokens, a map of the tokens'
// embeddings, with a playground below that tokenizes any text. Tokens can be edited in place, added at the end, and
// given types in bulk.
#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/pages/tokenizer/embedding_map.h"
#include "ui/pages/tokenizer/merge_model.h"
#include "ui/pages/tokenizer/playground.h"
#include "ui/pages/tokenizer/token_details.h"
#include "ui/shell/page.h"
#include "ui/vocabulary/token_model.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/windowed_table.h"

#include <QComboBox>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>

namespace gufo {
struct TouchedParts;
}

namespace gufo::ui {

class ModelDocument;
class KeptWidth;

class TokenizerPage : public Page {
    Q_OBJECT

public:
    explicit TokenizerPage(QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Tokenizer"); }
    [[nodiscard]] QString iconName() const override { return QStringLiteral("tokenizer"); }
    void setModel(std::shared_ptr<const Model> model) override;
    void setDocument(ModelDocument* document) override;
    bool goTo(const Place& place) override;
    void activate() override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] QString copyText(CopyFormat format) const override;
    [[nodiscard]] QWidget* filterField() const override { return m_filter; }

    [[nodiscard]] TokenDetails* details() const { return m_details; }
    [[nodiscard]] Playground* playground() const { return m_playground; }
    [[nodiscard]] JobBar* jobBar() const { return m_bar; }
    [[nodiscard]] TokenModel* tokens() const { return m_tokens; }
    [[nodiscard]] EmbeddingMap* map() const { return m_map; }
    // Sets the type of the selected tokens; in a job if they are many.
    void setTypeOfSelected(std::int64_t type);
    void addTokens();

signals:
    void loaded();   // the tokens are shown
    void linked();   // merge rules and counts are shown too
    void searched(); // the table matches the search

private:
    QWidget* makeToolBar();
    void setUpEditing();
    struct Loaded {
        std::shared_ptr<const TokenArrays> now;
        std::shared_ptr<const TokenArrays> before; // the vocabulary in the file; null if nothing was changed
    };
    void showState();
    // Reads the vocabulary from files beside the weights, as folders in Hugging Face's format have them.
    void readFilesBeside();
    void load();
    void showVocabulary(Loaded loaded);
    void follow(const TouchedParts& touched);
    void followEditable();
    void editCurrent();
    void showMenu(QPoint at);
    [[nodiscard]] std::vector<std::uint64_t> selectedTokens() const;
    void link();
    void showTables(int table);
    void offerTables();
    void showMap();
    [[nodiscard]] EmbeddingMap::Tokens tokensOfMap() const;
    void search();
    void searchMerges();
    void showAll();
    void goToId();
    void showToken(std::uint64_t id);
    void setTypes();
    void setSpecials();
    [[nodiscard]] TokenQuery query() const;

    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const Model> m_weights; // has the embeddings; m_model may be files beside it
    std::shared_ptr<const TokenArrays> m_vocabulary;
    std::shared_ptr<const TokenLinks> m_links;
    SegmentedControl* m_table;
    FilterField* m_filter;
    QComboBox* m_in;
    QComboBox* m_type;
    QLineEdit* m_id;
    QPushButton* m_special;
    QPushButton* m_add;
    JobBar* m_bar;
    QLabel* m_problem;
    QStackedWidget* m_content;
    QWidget* m_tools;
    QSplitter* m_splitter;
    KeptWidth* m_detailsWidth;
    QSplitter* m_left; // tables and playground
    QStackedWidget* m_tables;
    WindowedTable* m_tokenTable;
    WindowedTable* m_mergeTable;
    EmbeddingMap* m_map;
    Playground* m_playground;
    TokenModel* m_tokens;
    MergeModel* m_merges;
    TokenDetails* m_details;
    EmptyState* m_empty;
    LatestJob m_job{this}; // loads, then links
    LatestJob m_search{this};
    ModelDocument* m_document = nullptr;
    bool m_started = false;
    bool m_isBeside = false;               // the vocabulary is in files beside the weights, and can only be read
    std::optional<std::uint64_t> m_wanted; // a token to show once the tokens are loaded
};

} // namespace gufo::ui
