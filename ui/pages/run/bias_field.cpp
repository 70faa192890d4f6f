#include "ui/pages/run/bias_field.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/text_color.h"

#include <QVBoxLayout>

#include <cmath>
#include <limits>

namespace gufo::ui {
namespace {

constexpr double kMaxBias = 1000; // of the size of a bias; logits are far smaller

std::expected<TokenId, QString> findToken(QString name, const text::Tokenizer& tokenizer) {
    const std::size_t count = tokenizer.vocabulary().size();
    bool isNumber = false;
    const qulonglong id = name.toULongLong(&isNumber);
    if (isNumber) {
        return id < count ? std::expected<TokenId, QString>(TokenId(static_cast<std::size_t>(id)))
                          : std::unexpected(BiasField::tr("there is no token %1").arg(name));
    }
    if (name.size() >= 2 && name.startsWith(u'"') && name.endsWith(u'"')) {
        name = name.mid(1, name.size() - 2);
    }
    const std::string text = name.replace(QStringLiteral("\\n"), QStringLiteral("\n")).toStdString();
    const auto encoding = tokenizer.encode(text, {.addBos = false, .addEos = false, .parseSpecial = true});
    if (encoding && encoding->ids.size() == 1 && tokenizer.bytesOf(encoding->ids.front()) == text) {
        return encoding->ids.front();
    }
    for (std::size_t i = 0; i < count && !text.empty(); ++i) { // tokens to which no text is encoded
        if (tokenizer.bytesOf(TokenId(i)) == text) {
            return TokenId(i);
        }
    }
    return std::unexpected(BiasField::tr("%1 is not a single token; the Tokenizer page shows its tokens with their ids")
                               .arg(displayText(text)));
}

std::optional<double> findBias(const QString& text) {
    if (text == QStringLiteral("-inf")) {
        return -std::numeric_limits<double>::infinity();
    }
    bool ok = false;
    const double value = QLocale::c().toDouble(text, &ok);
    return ok && std::abs(value) <= kMaxBias ? std::optional(value) : std::nullopt;
}

} // namespace

std::expected<std::vector<TokenBias>, QString> parseBiases(const QString& text, const text::Tokenizer& tokenizer) {
    std::vector<TokenBias> biases;
    const QStringList lines = text.split(u'\n');
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QString line = lines[i].trimmed();
        if (line.isEmpty()) {
            continue;
        }
        const auto refuse = [&](const QString& why) {
            return std::unexpected(BiasField::tr("Line %1: %2.").arg(i + 1).arg(why));
        };
        const qsizetype equals = line.lastIndexOf(u'=');
        const auto bias = equals > 0 ? findBias(line.mid(equals + 1).trimmed()) : std::nullopt;
        if (!bias) {
            return refuse(BiasField::tr("TOKEN = NUMBER is expected, with a number from -1000 to 1000 or -inf"));
        }
        const auto token = findToken(line.left(equals).trimmed(), tokenizer);
        if (!token) {
            return refuse(token.error());
        }
        biases.emplace_back(*token, *bias);
    }
    return biases;
}

BiasField::BiasField(QWidget* parent)
    : QWidget(parent)
    , m_edit(new GrowingEdit(this))
    , m_problem(themedLabel({}, TextStyle::Table, Token::ErrorText, this)) {
    m_edit->setObjectName(QStringLiteral("bias"));
    m_edit->setFont(themeFont(TextStyle::Mono));
    m_edit->setTabChangesFocus(true);
    m_edit->setAccessibleName(tr("Logit bias, one token per line"));
    m_edit->setPlaceholderText(QStringLiteral("\" the\" = -2\n198 = -inf"));
    m_problem->setObjectName(QStringLiteral("biasProblem"));
    m_problem->setWordWrap(true);
    m_problem->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_edit);
    layout->addWidget(m_problem);
    connect(m_edit, &QPlainTextEdit::textChanged, this, &BiasField::parse);
}

void BiasField::setTokenizer(std::shared_ptr<const text::Tokenizer> tokenizer) {
    m_tokenizer = std::move(tokenizer);
    parse();
}

void BiasField::setEngine(const inference::EngineCapabilities& engine) {
    const bool offered = inference::offers(engine, inference::Feature::TokenBias);
    m_edit->setEnabled(offered);
    m_edit->setToolTip(offered ? tr("Added to the logits of tokens before sampling: a positive number makes a token "
                                    "more likely, -inf forbids it. Name a token by its text or its id")
                               : featureMissingTip(inference::Feature::TokenBias));
    parse();
}

QString BiasField::text() const { return rawText(*m_edit); }

void BiasField::setText(const QString& text) { m_edit->setPlainText(text); }

void BiasField::parse() {
    m_biases.clear();
    m_problem->clear();
    if (m_tokenizer != nullptr && m_edit->isEnabledTo(this)) {
        if (auto parsed = parseBiases(text(), *m_tokenizer)) {
            m_biases = std::move(*parsed);
        } else {
            m_problem->setText(parsed.error());
        }
    }
    m_problem->setVisible(!m_problem->text().isEmpty());
    emit changed();
}

} // namespace gufo::ui

#include "moc_bias_field.cpp"
