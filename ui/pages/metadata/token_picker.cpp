#include "ui/pages/metadata/token_picker.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {

TokenPicker::TokenPicker(std::shared_ptr<const TokenArrays> vocabulary, std::optional<std::uint64_t> chosen,
                         QWidget* parent)
    : QDialog(parent)
    , m_vocabulary(std::move(vocabulary))
    , m_filter(new FilterField(tr("Text or id of a token"), this))
    , m_table(new WindowedTable(tr("Tokens"), this))
    , m_tokens(new TokenModel(this)) {
    setWindowTitle(tr("Choose a token"));
    resize(620, 520);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_choose = buttons->addButton(tr("Choose"), QDialogButtonBox::AcceptRole);
    m_choose->setDefault(true);
    m_tokens->setVocabulary(m_vocabulary);
    m_table->setModel(m_tokens);
    m_table->setItemName(tr("tokens"));
    constexpr int kWidths[] = {72, 200, 150, 112};
    m_table->setColumnWidths(kWidths, static_cast<int>(TokenColumn::Token));
    m_table->view()->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->view()->setColumnHidden(static_cast<int>(TokenColumn::Type), !m_vocabulary->hasTypes());
    m_table->view()->setColumnHidden(static_cast<int>(TokenColumn::Score), true);
    m_table->view()->setColumnHidden(static_cast<int>(TokenColumn::Merge), true);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_filter);
    layout->addWidget(m_table, 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_table->view(), &QAbstractItemView::activated, this, &QDialog::accept);
    connect(m_table, &WindowedTable::currentItemChanged, this,
            [this] { m_choose->setEnabled(m_table->currentItem().has_value()); });
    connect(m_filter, &FilterField::filterChanged, this, &TokenPicker::search);
    connect(m_filter, &FilterField::leftDownwards, this, [this] {
        m_table->view()->setFocus();
        if (!m_table->currentItem() && m_tokens->rowCount() > 0) {
            m_table->view()->selectRow(0);
        }
    });
    m_choose->setEnabled(chosen && *chosen < m_vocabulary->size());
    if (m_choose->isEnabled()) {
        m_table->showItem(*chosen);
    }
    m_filter->setFocus();
}

void TokenPicker::search() {
    m_search.cancel();
    const QString text = m_filter->text();
    if (text.isEmpty()) {
        m_table->jobBar()->cancel();
        m_table->setMatches(nullptr);
        emit searched();
        return;
    }
    bool isId = false;
    const qulonglong id = text.trimmed().toULongLong(&isId);
    m_search.start<Matches>(
        [vocabulary = m_vocabulary, text](const JobContext& job) {
            return searchTokens(*vocabulary, nullptr, TokenQuery{.text = text, .type = {}}, job);
        },
        [this, id, isId](Result<Matches> matches) {
            if (!matches) {
                return;
            }
            if (isId && id < m_vocabulary->size() && std::ranges::find(matches->items, id) == matches->items.end()) {
                matches->items.insert(matches->items.begin(), id);
                ++matches->found;
            }
            m_table->setMatches(std::make_shared<const Matches>(std::move(*matches)));
            if (!m_table->currentItem() && m_tokens->rowCount() > 0) {
                m_table->view()->selectRow(0);
            }
            emit searched();
        });
    m_table->jobBar()->watch(m_search.job(), tr("Searching"));
}

} // namespace gufo::ui

#include "moc_token_picker.cpp"
