#include "ui/pages/tokenizer/token_details.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/pages/tokenizer/nearest_tokens.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/marks.h"
#include "ui/widgets/text_color.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr std::size_t kChipBytes = 200;
constexpr std::size_t kPartBytes = 24;

QString yesNo(bool yes) {
    return yes ? QCoreApplication::translate("gufo::ui", "yes") : QCoreApplication::translate("gufo::ui", "no");
}

} // namespace

TokenChip::TokenChip(QWidget* parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void TokenChip::setToken(const QString& text, std::int64_t type) {
    m_text = text;
    m_type = type;
    setAccessibleName(text);
    setToolTip(plainToolTip(text));
    update();
}

void TokenChip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ChipKind kind = m_type == static_cast<std::int64_t>(TokenType::Control)       ? ChipKind::Control
                          : m_type == static_cast<std::int64_t>(TokenType::UserDefined) ? ChipKind::UserDefined
                                                                                        : ChipKind::Normal;
    paintChip(painter, rect(), m_text, kind);
}

TokenDetails::TokenDetails(QWidget* parent)
    : QWidget(parent)
    , m_hint(themedLabel(tr("Select a token to see its details."), TextStyle::Table, Token::Muted, this))
    , m_chip(new TokenChip(this))
    , m_token(new RuledTable(this))
    , m_merge(new QWidget(this))
    , m_rank(themedLabel({}, TextStyle::Table, Token::Muted, m_merge))
    , m_left(new QPushButton(m_merge))
    , m_right(new QPushButton(m_merge))
    , m_nearest(new NearestTokens(this))
    , m_facts(new RuledTable(this)) {
    m_token->setAccessibleName(tr("Token"));
    m_facts->setAccessibleName(tr("Vocabulary"));
    m_hint->setWordWrap(true);
    auto* merge = new QHBoxLayout(m_merge);
    merge->setContentsMargins(0, 0, 0, 0);
    merge->addWidget(m_rank, 1);
    merge->addWidget(m_left);
    merge->addWidget(themedLabel(QStringLiteral("+"), TextStyle::Table, Token::Muted, m_merge));
    merge->addWidget(m_right);
    for (QPushButton* button : {m_left, m_right}) {
        button->setProperty("small", true);
        button->setFont(themeFont(TextStyle::Mono));
        button->setToolTip(tr("Go to this token"));
        connect(button, &QPushButton::clicked, this,
                [this, button] { emit tokenRequested(button->property("id").toULongLong()); });
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 16, 20, 20);
    layout->setSpacing(8);
    layout->addWidget(themedLabel(tr("Token"), TextStyle::Section, Token::Text, this));
    layout->addWidget(m_hint);
    layout->addWidget(m_chip);
    layout->addWidget(m_token);
    layout->addWidget(m_merge);
    layout->addSpacing(12);
    layout->addWidget(m_nearest);
    layout->addSpacing(20);
    layout->addWidget(themedLabel(tr("Vocabulary"), TextStyle::Section, Token::Text, this));
    layout->addWidget(m_facts);
    layout->addStretch();
    showToken();
}

void TokenDetails::setVocabulary(std::shared_ptr<const TokenArrays> vocabulary,
                                 std::shared_ptr<const TokenLinks> links) {
    m_vocabulary = std::move(vocabulary);
    m_links = std::move(links);
    showFacts();
    showToken();
}

void TokenDetails::setToken(std::optional<std::uint64_t> id) {
    m_id = id;
    m_nearest->setToken(id);
    showToken();
}

void TokenDetails::showToken() {
    const bool shown = m_vocabulary && m_id && *m_id < m_vocabulary->size();
    m_hint->setVisible(!shown);
    m_chip->setVisible(shown);
    m_token->setVisible(shown);
    m_merge->setVisible(false);
    m_rows.clear();
    if (!shown) {
        return;
    }
    const std::uint64_t id = *m_id;
    const std::string_view stored = m_vocabulary->text(id);
    const QByteArray bytes = m_vocabulary->bytes(id);
    const auto type = m_vocabulary->type(id);
    const auto score = m_vocabulary->score(id);
    m_chip->setToken(headText(stored, kChipBytes), type.value_or(0));
    m_rows << qMakePair(tr("Id"), formatCount(id));
    if (type) {
        m_rows << qMakePair(tr("Type"), QStringLiteral("%1 (%2)").arg(tokenTypeName(*type)).arg(*type));
    }
    if (score) {
        m_rows << qMakePair(tr("Score"), formatReal(*score, 9));
    }
    m_rows << qMakePair(tr("Stored as"),
                        tr("%1 bytes", nullptr, numerus(stored.size())).arg(formatCount(stored.size())));
    m_rows << qMakePair(tr("Stands for"), QStringLiteral("“%1”").arg(headText(
                                              {bytes.data(), static_cast<std::size_t>(bytes.size())}, kChipBytes)));
    m_rows << qMakePair(tr("Bytes"), hexBytes(bytes.left(64)));
    for (const TokenArrays::Special& special : m_vocabulary->specials()) {
        if (special.id == id) {
            m_rows << qMakePair(tr("Used as"), special.name);
        }
    }
    m_token->setRows(m_rows);
    const auto rank = m_links ? m_links->rankOf(id) : std::nullopt;
    m_merge->setVisible(rank.has_value());
    if (rank) {
        m_rank->setText(tr("Merge rule %1").arg(formatCount(*rank)));
        const TokenArrays::Merge merge = m_vocabulary->merge(*rank);
        for (const auto& [button, part] : {std::pair(m_left, merge.left), std::pair(m_right, merge.right)}) {
            const auto partId = m_links->find(part);
            button->setText(headText(part, kPartBytes).replace(u'&', QStringLiteral("&&")));
            button->setAccessibleName(headText(part, kPartBytes));
            button->setEnabled(partId.has_value());
            button->setProperty("id", QVariant::fromValue<qulonglong>(partId.value_or(0)));
        }
    }
}

void TokenDetails::showFacts() {
    QList<QPair<QString, QString>> rows;
    if (!m_vocabulary) {
        m_facts->setRows(rows);
        return;
    }
    const Metadata& metadata = m_vocabulary->file().metadata;
    const auto addText = [&](const QString& name, std::string_view key) {
        if (const auto text = metadata.string(key)) {
            rows << qMakePair(name, headText(*text, 60));
        }
    };
    addText(tr("Model"), "tokenizer.ggml.model");
    addText(tr("Pre-tokenizer"), "tokenizer.ggml.pre");
    rows << qMakePair(tr("Tokens"), formatCount(m_vocabulary->size()));
    if (m_vocabulary->mergeCount() != 0) {
        rows << qMakePair(tr("Merge rules"), formatCount(m_vocabulary->mergeCount()));
    }
    if (m_links && m_vocabulary->hasTypes()) {
        for (std::int64_t type = 0; type <= kTokenTypes; ++type) {
            const std::uint64_t count = m_links->typeCounts()[static_cast<std::size_t>(type)];
            if (count != 0) {
                rows << qMakePair(type == 0 ? tr("Other types") : tokenTypeName(type), formatCount(count));
            }
        }
    }
    for (const auto& [name, key] : {std::pair(tr("Adds BOS"), "tokenizer.ggml.add_bos_token"),
                                    std::pair(tr("Adds EOS"), "tokenizer.ggml.add_eos_token"),
                                    std::pair(tr("Adds a leading space"), "tokenizer.ggml.add_space_prefix")}) {
        if (const auto flag = metadata.boolean(key)) {
            rows << qMakePair(name, yesNo(*flag));
        }
    }
    for (const TokenArrays::Special& special : m_vocabulary->specials()) {
        rows << qMakePair(special.name, special.id < m_vocabulary->size()
                                            ? QStringLiteral("%1  %2").arg(headText(m_vocabulary->text(special.id), 40),
                                                                           formatCount(special.id))
                                            : tr("%1, not in the vocabulary").arg(formatCount(special.id)));
    }
    m_facts->setRows(rows);
}

QString TokenDetails::figures() const {
    QStringList lines;
    for (const auto& [name, value] : m_rows) {
        lines << name + u' ' + value;
    }
    return lines.join(u'\n');
}

} // namespace gufo::ui

#include "moc_token_details.cpp"
