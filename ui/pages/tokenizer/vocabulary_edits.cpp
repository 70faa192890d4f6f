#include "ui/pages/tokenizer/vocabulary_edits.h"

#include "base/try.h"
#include "model/array_index.h"
#include "model/encode_value.h"
#include "model/key_catalogue.h"
#include "model/token.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/escaped_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/problem_text.h"
#include "ui/theme/theme.h"
#include "ui/vocabulary/token_arrays.h"
#include "ui/widgets/growing_edit.h"
#include "ui/widgets/text_color.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::size_t kOneByOne = 32;
constexpr std::uint64_t kStep = 1024;
constexpr std::int64_t kUserDefined = 4;

std::expected<Value, ValueProblem> numberAs(std::int64_t number, ValueType type) {
    return parseValue(type, std::to_string(number));
}

OwnedValue repeated(const Value& value, std::size_t count) {
    ArrayBuilder array(typeOf(value));
    for (std::size_t i = 0; i < count; ++i) {
        array.add(value);
    }
    return OwnedValue(Value(array.view()));
}

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::AddTokensDialog)
};

} // namespace

Result<std::vector<Change>> changesOfTypes(const Model& model, const std::vector<std::uint64_t>& tokens,
                                           std::int64_t type, const JobContext& job) {
    const ArrayView* types = model.metadata.array(kTokenTypesKey);
    if (types == nullptr) {
        return fail(ErrorCode::NoSuchKey, Place::key(std::string(kTokenTypesKey)), {std::string(kTokenTypesKey)});
    }
    const auto number = numberAs(type, types->elementType);
    if (!number) {
        return fail(ErrorCode::WrongValueType, Place::key(std::string(kTokenTypesKey)),
                    {std::string(valueTypeFact(types->elementType).name), std::to_string(type)});
    }
    std::vector<Change> changes;
    if (tokens.size() <= kOneByOne) {
        for (const std::uint64_t token : tokens) {
            changes.emplace_back(SetElement{
                .array = {.key = std::string(kTokenTypesKey)}, .index = token, .value = OwnedValue(*number)});
        }
        return changes;
    }
    const auto index = GUFO_TRY(ArrayIndex::build(*types, job));
    ArrayBuilder all(types->elementType);
    auto next = tokens.begin();
    job.start(index.size());
    for (std::uint64_t i = 0; i < index.size(); ++i) {
        if (i % kStep == 0) {
            GUFO_TRY(job.check());
            job.advance(i == 0 ? 0 : kStep);
        }
        const bool chosen = next != tokens.end() && *next == i;
        all.add(chosen ? *number : index.at(i));
        next += chosen ? 1 : 0;
    }
    changes.emplace_back(SetKey{.key = std::string(kTokenTypesKey), .value = OwnedValue(Value(all.view()))});
    return changes;
}

std::expected<std::vector<Change>, QString> changesOfAdding(const Model& model, const std::vector<std::string>& texts,
                                                            std::int64_t type, const std::string& score) {
    const ArrayView* tokens = model.metadata.array(kTokensKey);
    const std::uint64_t end = tokens != nullptr ? tokens->length : 0;
    std::vector<Change> changes{InsertElements{
        .array = {.key = std::string(kTokensKey)}, .index = end, .elements = OwnedValue::strings(texts)}};
    for (const std::string_view key : {kTokenTypesKey, kTokenScoresKey}) {
        const ArrayView* array = model.metadata.array(key);
        if (array == nullptr) {
            continue;
        }
        if (array->length != end) {
            return std::unexpected(Words::tr("%1 has %2 elements for %3 tokens. Make the lengths equal first, or added "
                                             "values would belong to the wrong tokens.",
                                             nullptr, numerus(array->length))
                                       .arg(displayText(key), formatCount(array->length), formatCount(end)));
        }
        std::string text;
        const auto value =
            key == kTokenTypesKey ? numberAs(type, array->elementType) : convertValue(score, array->elementType, text);
        if (!value) {
            return std::unexpected(valueProblemText(value.error(), array->elementType));
        }
        changes.emplace_back(InsertElements{
            .array = {.key = std::string(key)}, .index = end, .elements = repeated(*value, texts.size())});
    }
    return changes;
}

std::optional<std::uint64_t> embeddingRows(const Model& model) {
    const auto tensor = model.findTensor("token_embd.weight");
    return tensor ? std::optional(model.tensor(*tensor).shape[1]) : std::nullopt;
}

AddTokensDialog::AddTokensDialog(std::shared_ptr<const Model> model, QWidget* parent)
    : QDialog(parent)
    , m_model(std::move(model))
    , m_texts(new QPlainTextEdit(this))
    , m_type(new QComboBox(this))
    , m_score(new QLineEdit(QStringLiteral("0"), this))
    , m_warning(themedLabel({}, TextStyle::Table, Token::WarningText, this))
    , m_problem(themedLabel({}, TextStyle::Table, Token::ErrorText, this)) {
    setWindowTitle(tr("Add tokens"));
    setMinimumWidth(520);
    m_texts->setFont(themeFont(TextStyle::Mono));
    m_texts->setTabChangesFocus(true);
    m_texts->setAccessibleName(tr("Texts of the tokens"));
    m_texts->setPlaceholderText(tr("One token per line, as stored in the file; escapes: \\n, \\xNN, \\\\"));
    for (const EnumName& entry : enumNames(kTokenTypesKey, {})) {
        m_type->addItem(QStringLiteral("%1 (%2)")
                            .arg(QString::fromLatin1(entry.name.data(), static_cast<qsizetype>(entry.name.size())))
                            .arg(entry.value),
                        QVariant::fromValue<qint64>(entry.value));
    }
    m_type->setCurrentIndex(m_type->findData(QVariant::fromValue<qint64>(kUserDefined)));
    m_type->setAccessibleName(tr("Type"));
    m_score->setAccessibleName(tr("Score"));
    m_warning->setWordWrap(true);
    m_problem->setWordWrap(true);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Tokens"), m_texts);
    form->addRow(tr("T&ype"), m_type);
    form->addRow(tr("&Score"), m_score);
    form->setRowVisible(m_type, m_model->metadata.array(kTokenTypesKey) != nullptr);
    form->setRowVisible(m_score, m_model->metadata.array(kTokenScoresKey) != nullptr);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_add = buttons->addButton(tr("Add"), QDialogButtonBox::AcceptRole);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_warning);
    layout->addWidget(m_problem);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &AddTokensDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_texts, &QPlainTextEdit::textChanged, this, &AddTokensDialog::check);
    check();
}

std::expected<std::vector<std::string>, QString> AddTokensDialog::texts() const {
    std::vector<std::string> texts;
    const QStringList lines = rawText(*m_texts).split(u'\n', Qt::SkipEmptyParts);
    for (const QString& line : lines) {
        auto text = GUFO_TRY(unescapeText(line));
        texts.push_back(std::move(text));
    }
    return texts;
}

void AddTokensDialog::check() {
    const auto entered = texts();
    m_problem->setText(entered ? QString() : entered.error());
    const std::size_t count = entered ? entered->size() : 0;
    m_add->setEnabled(count != 0);
    m_add->setText(count <= 1 ? tr("Add token") : tr("Add %n tokens", nullptr, numerus(count)));
    const ArrayView* tokens = m_model->metadata.array(kTokensKey);
    const std::uint64_t after = (tokens != nullptr ? tokens->length : 0) + std::max<std::size_t>(count, 1);
    const auto rows = embeddingRows(*m_model);
    m_warning->setText(
        rows && *rows < after
            ? tr("The token embedding (token_embd.weight) has %1 rows and the vocabulary would have %2 tokens. Tokens "
                 "from id %1 on have no row: runtimes refuse the file or give these tokens no meaning, until a tensor "
                 "with more rows is imported.")
                  .arg(formatCount(*rows), formatCount(after))
            : QString());
    m_warning->setVisible(!m_warning->text().isEmpty());
}

void AddTokensDialog::accept() {
    const auto entered = texts();
    if (!entered) {
        return; // check() has shown the reason
    }
    auto changes =
        changesOfAdding(*m_model, *entered, m_type->currentData().toLongLong(), m_score->text().toStdString());
    if (!changes) {
        m_problem->setText(changes.error());
        return;
    }
    m_changes = std::move(*changes);
    m_count = entered->size();
    QDialog::accept();
}

} // namespace gufo::ui

#include "moc_vocabulary_edits.cpp"
