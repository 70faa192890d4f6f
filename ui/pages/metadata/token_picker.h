// Selects a token by its text, its bytes or its id.
#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/vocabulary/token_model.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/windowed_table.h"

#include <QDialog>
#include <QPushButton>

namespace gufo::ui {

class TokenPicker : public QDialog {
    Q_OBJECT

public:
    // `chosen` is the initial selection, if it is a valid id.
    TokenPicker(std::shared_ptr<const TokenArrays> vocabulary, std::optional<std::uint64_t> chosen, QWidget* parent);
    [[nodiscard]] std::optional<std::uint64_t> token() const { return m_table->currentItem(); }
    [[nodiscard]] FilterField* filterField() const { return m_filter; }
    [[nodiscard]] WindowedTable* table() const { return m_table; }

signals:
    void searched(); // the table matches the search field

private:
    void search();

    std::shared_ptr<const TokenArrays> m_vocabulary;
    FilterField* m_filter;
    WindowedTable* m_table;
    TokenModel* m_tokens;
    QPushButton* m_choose;
    LatestJob m_search{this};
};

} // namespace gufo::ui
