#include "ui/pages/run/grammar_field.h"

#include "inference/grammar/grammar.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/growing_edit.h"
#include "ui/widgets/text_color.h"

#include <QStandardItemModel>
#include <QTextBlock>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr int kCheckMs = 300;

using Parsed = inference::SchemaGrammar;

} // namespace

GrammarField::GrammarField(QWidget* parent)
    : QWidget(parent)
    , m_kind(new QComboBox(this))
    , m_text(new GrowingEdit(this))
    , m_relaxed(new QCheckBox(tr("Ignore what cannot be guaranteed"), this))
    , m_problem(themedLabel({}, TextStyle::Table, Token::ErrorText, this))
    , m_ignored(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_missing(themedLabel({}, TextStyle::Table, Token::Muted, this)) {
    m_kind->setObjectName(QStringLiteral("kindCombo"));
    m_relaxed->setObjectName(QStringLiteral("relaxedBox"));
    m_kind->addItems({tr("Any text"), tr("Grammar (GBNF)"), tr("JSON schema")});
    m_kind->setAccessibleName(tr("Constraint of the answer"));
    m_kind->setToolTip(tr("Allows only tokens with which the answer can still satisfy the grammar or schema"));
    m_text->setFont(themeFont(TextStyle::Mono));
    m_text->setAccessibleName(tr("Grammar or schema"));
    m_text->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    m_relaxed->setToolTip(tr("Ignores keywords of the schema that no answer can be held to, and names them, instead of "
                             "refusing the schema"));
    m_problem->setWordWrap(true);
    m_ignored->setWordWrap(true);
    m_missing->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_kind);
    layout->addWidget(m_text);
    layout->addWidget(m_relaxed);
    layout->addWidget(m_problem);
    layout->addWidget(m_ignored);
    layout->addWidget(m_missing);
    m_text->hide();
    m_relaxed->hide();
    m_problem->hide();
    m_ignored->hide();
    m_missing->hide();
    m_checkSoon.setSingleShot(true);
    m_checkSoon.setInterval(kCheckMs);
    connect(&m_checkSoon, &QTimer::timeout, this, &GrammarField::check);
    connect(m_text, &QPlainTextEdit::textChanged, &m_checkSoon, qOverload<>(&QTimer::start));
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this](int kind) {
        m_text->setVisible(kind != None);
        m_relaxed->setVisible(kind == JsonSchema);
        m_text->setPlaceholderText(kind == Gbnf ? QStringLiteral("root ::= \"yes\" | \"no\"")
                                                : QStringLiteral(R"({"type": "object"})"));
        showMissing();
        check();
    });
    connect(m_relaxed, &QCheckBox::toggled, this, &GrammarField::check);
}

bool GrammarField::isOffered(int kind) const {
    return kind == None ||
           offers(m_engine, kind == Gbnf ? inference::Feature::Grammar : inference::Feature::JsonSchema);
}

void GrammarField::setEngine(const inference::EngineCapabilities& engine) {
    m_engine = engine;
    const bool any = isOffered(JsonSchema); // an engine that supports grammars supports schemas too
    setEnabled(any);
    setToolTip(any ? QString() : featureMissingTip(inference::Feature::Grammar));
    if (auto* items = qobject_cast<QStandardItemModel*>(m_kind->model())) {
        items->item(Gbnf)->setEnabled(isOffered(Gbnf));
        items->item(Gbnf)->setToolTip(isOffered(Gbnf) ? QString() : featureMissingTip(inference::Feature::Grammar));
    }
    showMissing();
    check();
}

void GrammarField::showMissing() {
    m_missing->setText(isOffered() ? QString() : featureMissingTip(inference::Feature::Grammar));
    m_missing->setVisible(isEnabled() && !isOffered());
}

void GrammarField::setKind(Kind kind) { m_kind->setCurrentIndex(kind); }

void GrammarField::setText(const QString& text) { m_text->setPlainText(text); }

void GrammarField::check() {
    m_checkSoon.stop();
    m_job.cancel();
    const int kind = m_kind->currentIndex();
    const std::string text = rawText(*m_text).toStdString();
    if (kind == None || rawText(*m_text).trimmed().isEmpty()) {
        take(Parsed());
        return;
    }
    m_job.start<Parsed>(
        [kind, text, relaxed = m_relaxed->isChecked()](const JobContext&) -> Result<Parsed> {
            if (kind == JsonSchema) {
                return inference::parseJsonSchema(text, {.relaxed = relaxed});
            }
            auto grammar = GUFO_TRY(inference::Grammar::parse(text));
            return Result<Parsed>({.grammar = std::move(grammar)});
        },
        [this](const Result<Parsed>& parsed) { take(parsed); });
}

void GrammarField::take(const Result<Parsed>& grammar) {
    m_grammar = grammar ? grammar->grammar : nullptr;
    QStringList ignored;
    for (const std::string& place : grammar ? grammar->relaxed : std::vector<std::string>()) {
        ignored << displayText(place);
    }
    m_ignored->setText(ignored.isEmpty()
                           ? QString()
                           : tr("Ignored, so that answers may violate it: %1").arg(ignored.join(QStringLiteral(", "))));
    m_ignored->setVisible(!ignored.isEmpty());
    QString problem;
    if (!grammar) {
        problem = errorReason(grammar.error());
        if (!problem.isEmpty()) {
            problem[0] = problem[0].toUpper();
        }
    }
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_text->setProblem(problem);
    // Marks the line of the error if it has one: the arguments of BadSyntax are what was expected, line and column.
    QList<QTextEdit::ExtraSelection> marks;
    if (!grammar && grammar.error().code == ErrorCode::BadSyntax && grammar.error().args.size() >= 2) {
        const int line = QString::fromStdString(grammar.error().args[1].text()).toInt();
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(m_text->document()->findBlockByNumber(line - 1));
        mark.format.setBackground(themeColor(Token::ErrorFill));
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks << mark;
    }
    m_text->setExtraSelections(marks);
    emit changed();
}

QJsonObject GrammarField::saveState() const {
    return {{QStringLiteral("kind"), m_kind->currentIndex()},
            {QStringLiteral("text"), rawText(*m_text)},
            {QStringLiteral("relaxed"), m_relaxed->isChecked()}};
}

void GrammarField::restoreState(const QJsonObject& state) {
    setText(state[QStringLiteral("text")].toString());
    m_relaxed->setChecked(state[QStringLiteral("relaxed")].toBool());
    m_kind->setCurrentIndex(qBound<int>(None, state[QStringLiteral("kind")].toInt(), JsonSchema));
}

} // namespace gufo::ui

#include "moc_grammar_field.cpp"
