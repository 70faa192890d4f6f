#include "ui/pages/metadata/key_dialog.h"

#include "formats/container/container.h"
#include "model/encode_value.h"
#include "model/key_catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/problem_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/growing_edit.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/value_editor.h"

#include <QCompleter>
#include <QFormLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kWidth = 560;
constexpr uint kArrayFlag = 0x100; // added to the type's number in the combo box

bool isOf(const KeyFact& fact, std::string_view architecture) {
    std::string_view list = fact.architectures;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        if (list.substr(0, comma) == architecture) {
            return true;
        }
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return fact.architectures.empty();
}

// The keys that can be added, with their meanings; the architecture's own come first.
QStandardItemModel* catalogue(const Model& model, QObject* parent) {
    const std::string_view architecture = model.metadata.architecture();
    auto* rows = new QStandardItemModel(parent);
    for (const bool wanted : {true, false}) {
        for (const KeyFact& fact : keyFacts()) {
            const bool ofArchitecture = fact.key.starts_with("{arch}");
            if (ofArchitecture != wanted || !fact.aliasOf.empty() || !isOf(fact, architecture) ||
                (ofArchitecture && architecture.empty())) {
                continue;
            }
            QString key = latin1(fact.key);
            key.replace(QStringLiteral("{arch}"), displayText(architecture));
            if (model.metadata.find(key.toStdString()) == nullptr) {
                rows->appendRow(
                    {new QStandardItem(key), new QStandardItem(keyMeaning(key.toStdString(), architecture))});
            }
        }
    }
    return rows;
}

} // namespace

KeyDialog::KeyDialog(std::shared_ptr<const Model> model, const QString& prefix, QWidget* parent)
    : QDialog(parent)
    , m_model(std::move(model)) {
    setWindowTitle(tr("Add key"));
    build();
    m_name->setText(prefix);
    m_name->selectAll(); // so that typing replaces the name
    nameChanged();
}

KeyDialog::KeyDialog(std::shared_ptr<const Model> model, const std::string& renamed, QWidget* parent)
    : QDialog(parent)
    , m_model(std::move(model))
    , m_renamed(renamed) {
    setWindowTitle(tr("Rename %1").arg(displayText(renamed)));
    build();
    m_name->setText(QString::fromStdString(renamed));
    m_name->setSelection(static_cast<int>(m_name->text().lastIndexOf(u'.')) + 1, static_cast<int>(renamed.size()));
    nameChanged();
}

void KeyDialog::build() {
    setMinimumWidth(kWidth);
    m_name = new QLineEdit(this);
    m_name->setFont(themeFont(TextStyle::Mono));
    m_name->setAccessibleName(tr("Key"));
    m_name->setPlaceholderText(tr("general.name, or part of a key's meaning"));
    m_meaning = themedLabel({}, TextStyle::Table, Token::Muted, this);
    m_meaning->setWordWrap(true);
    m_problem = themedLabel({}, TextStyle::Table, Token::ErrorText, this);
    m_problem->setWordWrap(true);
    m_buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Key"), m_name);
    form->addRow(QString(), m_meaning);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    if (m_renamed.empty()) {
        m_type = new QComboBox(this);
        m_type->setAccessibleName(tr("Type"));
        const bool onlyTexts =
            containerOf(*m_model) != nullptr && !capabilitiesOf(*m_model).has(Capability::TypedValues);
        for (const bool array : {false, true}) {
            for (const ValueTypeFact& info : valueTypes()) {
                if (info.type != ValueType::Array && (!onlyTexts || (info.type == ValueType::String && !array))) {
                    m_type->addItem(latin1(info.name) + (array ? QStringLiteral("[]") : QString()),
                                    static_cast<uint>(info.type) | (array ? kArrayFlag : 0));
                }
            }
        }
        m_valuePlace = new QWidget(this);
        (new QVBoxLayout(m_valuePlace))->setContentsMargins(0, 0, 0, 0);
        m_valueHint = themedLabel({}, TextStyle::Axis, Token::Muted, this);
        form->addRow(tr("&Type"), m_type);
        form->addRow(tr("&Value"), m_valuePlace);
        form->addRow(QString(), m_valueHint);
        m_buttons->button(QDialogButtonBox::Ok)->setText(tr("Add"));
        connect(m_type, &QComboBox::currentIndexChanged, this, &KeyDialog::typeChanged);
        connect(m_type, &QComboBox::activated, this, [this] { m_typeIsChosen = true; });
        m_type->setCurrentIndex(m_type->findData(static_cast<uint>(ValueType::String)));
    } else {
        m_buttons->button(QDialogButtonBox::Ok)->setText(tr("Rename"));
    }
    layout->addWidget(m_problem);
    layout->addStretch(1);
    layout->addWidget(m_buttons);
    complete();
    connect(m_name, &QLineEdit::textChanged, this, &KeyDialog::nameChanged);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &KeyDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void KeyDialog::complete() {
    auto* completer = new QCompleter(catalogue(*m_model, this), this);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setMaxVisibleItems(12);
    auto* list = new QTreeView;
    list->setRootIsDecorated(false);
    list->setHeaderHidden(true);
    list->setUniformRowHeights(true);
    list->setAccessibleName(tr("Known keys"));
    completer->setPopup(list);
    list->header()->setStretchLastSection(true);
    list->header()->resizeSection(0, kWidth / 2 + 20);
    m_name->setCompleter(completer);
    connect(completer, qOverload<const QString&>(&QCompleter::activated), this, [this](const QString& key) {
        // "{n}" and "{name}" are placeholders for the user to fill in.
        const int open = static_cast<int>(key.indexOf(u'{'));
        if (open >= 0) {
            QMetaObject::invokeMethod(
                m_name,
                [this, open, close = static_cast<int>(key.indexOf(u'}'))] {
                    m_name->setSelection(open, close - open + 1);
                },
                Qt::QueuedConnection);
        }
    });
}

std::string KeyDialog::key() const { return m_name->text().trimmed().toStdString(); }

QString KeyDialog::problem() const {
    const std::string name = key();
    if (name.empty()) {
        return {};
    }
    if (name != m_renamed && m_model->metadata.find(name) != nullptr) {
        return tr("%1 already exists: %2. A file can have each key only once; change the existing one instead.")
            .arg(displayText(name),
                 valueText(name, *m_model->metadata.find(name), m_model->metadata.architecture()).left(80));
    }
    if (name.find_first_of("{}") != std::string::npos) {
        return tr("Replace the braces by a number or a word.");
    }
    return {};
}

void KeyDialog::nameChanged() {
    const std::string name = key();
    const KeyFact* fact = describeKey(name, m_model->metadata.architecture());
    m_meaning->setText(fact != nullptr ? keyMeaning(name, m_model->metadata.architecture())
                       : name.empty()  ? QString()
                                       : tr("Not a standard key; runtimes ignore unknown keys."));
    m_problem->setText(problem());
    m_buttons->button(QDialogButtonBox::Ok)
        ->setEnabled(!name.empty() && name != m_renamed && m_problem->text().isEmpty());
    if (m_type == nullptr) {
        return;
    }
    if (fact != nullptr && !m_typeIsChosen) {
        const bool array = fact->type == ValueType::Array;
        const int usual =
            m_type->findData(static_cast<uint>(array ? fact->elementType : fact->type) | (array ? kArrayFlag : 0));
        m_type->setCurrentIndex(std::max(usual, 0)); // the container may only have texts
    }
    typeChanged(); // enumeration names depend on the key
}

ValueType KeyDialog::chosenType() const { return static_cast<ValueType>(m_type->currentData().toUInt() & ~kArrayFlag); }

bool KeyDialog::choseArray() const { return (m_type->currentData().toUInt() & kArrayFlag) != 0; }

void KeyDialog::typeChanged() {
    const bool asLines = choseArray() || (chosenType() == ValueType::String &&
                                          keyChoices(key(), m_model->metadata.architecture()).empty());
    m_valueHint->setText(choseArray() ? tr("One element per line; leave empty for an empty array") : QString());
    if (asLines && m_text != nullptr) {
        return; // keeps what the user typed
    }
    if (!asLines && m_editor != nullptr && m_editor->subject().type == chosenType() &&
        m_editor->subject().key == key()) {
        return;
    }
    std::optional<OwnedValue> kept;
    if (m_editor != nullptr && m_editor->subject().type == chosenType() && m_editor->value()) {
        kept = *m_editor->value();
    }
    delete m_editor;
    delete m_text;
    m_editor = nullptr;
    m_text = nullptr;
    if (asLines) {
        m_text = new QPlainTextEdit(m_valuePlace);
        m_text->setFont(themeFont(TextStyle::Mono));
        m_text->setTabChangesFocus(true);
        m_text->setMinimumHeight(110);
        m_text->setAccessibleName(tr("Value"));
        m_valuePlace->layout()->addWidget(m_text);
    } else {
        m_editor = new ValueEditor(
            {.key = key(), .architecture = std::string(m_model->metadata.architecture()), .type = chosenType()},
            m_valuePlace);
        if (kept) {
            m_editor->setValue(kept->value());
        } else if (valueTypeFact(chosenType()).integer || chosenType() == ValueType::Float32 ||
                   chosenType() == ValueType::Float64) {
            m_editor->setValue(*parseValue(chosenType(), "0"));
        }
        m_valuePlace->layout()->addWidget(m_editor);
    }
    // The field for the value is newer than the buttons, which would come before it.
    QWidget* field = m_text != nullptr ? m_text : m_editor->field();
    setTabOrder(m_name, m_type);
    setTabOrder(m_type, field);
    QWidget* last = field;
    for (QAbstractButton* button : m_buttons->buttons()) {
        setTabOrder(last, button);
        last = button;
    }
}

std::expected<OwnedValue, QString> KeyDialog::entered() const {
    if (m_editor != nullptr) {
        return m_editor->value();
    }
    const QString text = rawText(*m_text);
    if (!choseArray()) {
        return OwnedValue::string(text.toStdString());
    }
    ArrayBuilder elements(chosenType());
    const QStringList lines = text.isEmpty() ? QStringList() : text.split(u'\n');
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const std::string line = lines[i].toStdString();
        const auto element = parseValue(chosenType(), line);
        if (!element) {
            return std::unexpected(tr("Line %1: %2").arg(i + 1).arg(valueProblemText(element.error(), chosenType())));
        }
        elements.add(*element);
    }
    return OwnedValue(Value(elements.view()));
}

void KeyDialog::accept() {
    if (m_type != nullptr) {
        auto value = entered();
        if (!value) {
            m_problem->setText(value.error());
            return;
        }
        m_value = std::move(*value);
    }
    QDialog::accept();
}

} // namespace gufo::ui

#include "moc_key_dialog.cpp"
