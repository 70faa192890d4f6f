#include "ui/widgets/value_editor.h"

#include "base/try.h"
#include "model/key_catalogue.h"
#include "ui/messages/escaped_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/problem_text.h"
#include "ui/theme/theme.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace gufo::ui {

IntegerBox::IntegerBox(ValueType integerType, QWidget* parent)
    : QAbstractSpinBox(parent)
    , m_type(integerType) {
    setAccelerated(true);
    connect(lineEdit(), &QLineEdit::textChanged, this, &IntegerBox::changed);
}

void IntegerBox::setValue(const Value& value) { lineEdit()->setText(QString::fromStdString(writeValue(value))); }

std::expected<Value, ValueProblem> IntegerBox::value() const {
    return parseValue(m_type, lineEdit()->text().toStdString());
}

void IntegerBox::stepBy(int steps) {
    const auto now = value();
    if (!now) {
        return;
    }
    const IntegerRange range = integerRange(m_type);
    const auto distance = static_cast<std::uint64_t>(std::abs(static_cast<std::int64_t>(steps)));
    std::string next;
    if (const auto number = asUInt(*now); number && (steps > 0 || range.lowest == 0)) {
        next = std::to_string(steps > 0 ? *number + std::min(distance, range.highest - *number)
                                        : *number - std::min(distance, *number));
    } else {
        // From here on the value is below 2^63. The distance to the minimum is computed without a sign, so that it
        // cannot overflow.
        const std::int64_t signedNumber = *asInt(*now);
        const std::uint64_t room = static_cast<std::uint64_t>(signedNumber) - static_cast<std::uint64_t>(range.lowest);
        next = std::to_string(steps > 0 ? std::min(signedNumber + static_cast<std::int64_t>(distance),
                                                   static_cast<std::int64_t>(range.highest))
                                        : signedNumber - static_cast<std::int64_t>(std::min(distance, room)));
    }
    lineEdit()->setText(QString::fromStdString(next));
    lineEdit()->selectAll();
}

QValidator::State IntegerBox::validate(QString& input, int&) const {
    // Nothing that is typed is dropped: without its point, 1.5 would become 15. What is no integer is refused as a
    // whole, with the reason.
    return parseValue(m_type, input.toStdString()) ? QValidator::Acceptable : QValidator::Intermediate;
}

QAbstractSpinBox::StepEnabled IntegerBox::stepEnabled() const {
    const auto now = value();
    if (!now || isReadOnly()) {
        return StepNone;
    }
    const IntegerRange range = integerRange(m_type);
    StepEnabled enabled = StepNone;
    if (asInt(*now) != range.lowest) {
        enabled |= StepDownEnabled;
    }
    if (asUInt(*now) != range.highest) {
        enabled |= StepUpEnabled;
    }
    return enabled;
}

QSize IntegerBox::sizeHint() const {
    const QFontMetrics metrics(font());
    const QString widest = QString::number(integerRange(m_type).highest) + u'-';
    return {metrics.horizontalAdvance(widest) + 40, QAbstractSpinBox::sizeHint().height()};
}

namespace {

QString nameAndNumber(const EnumName& entry) {
    return QStringLiteral("%1 (%2)").arg(latin1(entry.name)).arg(entry.value);
}

} // namespace

ValueEditor::ValueEditor(ValueSubject subject, QWidget* parent)
    : QWidget(parent)
    , m_subject(std::move(subject)) {
    setAutoFillBackground(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    const bool integer = valueTypeFact(m_subject.type).integer;
    if (integer && !enumNames(m_subject.key, m_subject.architecture).empty()) {
        makeNames();
    } else if (m_subject.type == ValueType::String && !keyChoices(m_subject.key, m_subject.architecture).empty()) {
        makeChoices();
    } else if (integer) {
        m_integer = new IntegerBox(m_subject.type, this);
        connect(m_integer, &IntegerBox::changed, this, &ValueEditor::changed);
    } else if (m_subject.type == ValueType::Bool) {
        m_check = new QCheckBox(this);
        connect(m_check, &QCheckBox::toggled, this, [this](bool on) {
            m_check->setText(on ? QStringLiteral("true") : QStringLiteral("false"));
            emit changed();
        });
        m_check->setText(QStringLiteral("false"));
    } else {
        m_line = new QLineEdit(this);
        connect(m_line, &QLineEdit::textChanged, this, &ValueEditor::changed);
    }
    QWidget* widget = field();
    widget->setAccessibleName(tr("Value"));
    if (m_check == nullptr) {
        widget->setFont(themeFont(TextStyle::Mono));
    }
    layout->addWidget(widget, 1);
    setFocusProxy(widget);
    if (m_subject.namesToken && m_integer != nullptr) {
        auto* pick = new QToolButton(this);
        pick->setText(QStringLiteral("…"));
        pick->setToolTip(tr("Choose a token by its text (F4)"));
        pick->setAccessibleName(tr("Choose a token"));
        pick->setFocusPolicy(Qt::NoFocus);
        layout->addWidget(pick);
        connect(pick, &QToolButton::clicked, this, &ValueEditor::pickRequested);
    }
    m_given = text();
}

void ValueEditor::makeCombo() {
    m_combo = new QComboBox(this);
    m_combo->setEditable(true); // accepts values without a name as well
    m_combo->setInsertPolicy(QComboBox::NoInsert);
    m_combo->completer()->setFilterMode(Qt::MatchContains);
    m_combo->completer()->setCompletionMode(QCompleter::PopupCompletion);
    connect(m_combo, &QComboBox::editTextChanged, this, &ValueEditor::changed);
}

void ValueEditor::makeNames() {
    makeCombo();
    for (const EnumName& entry : enumNames(m_subject.key, m_subject.architecture)) {
        m_combo->addItem(nameAndNumber(entry), QVariant::fromValue<qint64>(entry.value));
    }
}

void ValueEditor::makeChoices() {
    makeCombo();
    for (const std::string_view choice : keyChoices(m_subject.key, m_subject.architecture)) {
        m_combo->addItem(latin1(choice));
    }
}

QWidget* ValueEditor::field() const {
    return m_integer != nullptr ? static_cast<QWidget*>(m_integer)
           : m_combo != nullptr ? static_cast<QWidget*>(m_combo)
           : m_check != nullptr ? static_cast<QWidget*>(m_check)
                                : m_line;
}

void ValueEditor::selectAll() {
    if (m_integer != nullptr) {
        m_integer->selectAll();
    } else if (m_check == nullptr) {
        (m_combo != nullptr ? m_combo->lineEdit() : m_line)->selectAll();
    }
}

QAbstractItemView* ValueEditor::completions() const {
    return m_combo != nullptr ? m_combo->completer()->popup() : nullptr;
}

void ValueEditor::hidePopups() {
    if (m_combo != nullptr) {
        completions()->hide();
        m_combo->hidePopup();
    }
}

void ValueEditor::setValue(const Value& value) {
    if (m_integer != nullptr) {
        m_integer->setValue(value);
    } else if (m_check != nullptr) {
        m_check->setChecked(asBool(value).value_or(false));
    } else if (m_combo != nullptr && m_subject.type != ValueType::String) {
        const int row = m_combo->findData(QVariant::fromValue<qint64>(asInt(value).value_or(0)));
        if (row >= 0) {
            m_combo->setCurrentIndex(row);
        } else {
            m_combo->setEditText(QString::fromStdString(writeValue(value)));
        }
    } else if (const auto bytes = asString(value)) {
        m_escapes = m_subject.escaped || needsEscapes(*bytes, Lines::Escaped);
        const QString shown = m_escapes ? escapeText(*bytes, Lines::Escaped)
                                        : QString::fromUtf8(bytes->data(), static_cast<qsizetype>(bytes->size()));
        if (m_combo != nullptr) {
            m_combo->setEditText(shown);
        } else {
            m_line->setText(shown);
        }
        if (m_escapes) {
            field()->setToolTip(tr("With escapes: \\n, \\t, \\xNN for a byte, \\\\ for a backslash"));
        }
    } else {
        m_line->setText(QString::fromStdString(writeValue(value)));
    }
    m_given = text();
}

QString ValueEditor::text() const {
    return m_integer != nullptr ? m_integer->field()->text()
           : m_combo != nullptr ? m_combo->currentText()
           : m_check != nullptr ? m_check->text()
                                : m_line->text();
}

std::expected<OwnedValue, QString> ValueEditor::value() const {
    QString typed = text();
    if (m_subject.type == ValueType::String) {
        if (!m_escapes && !m_subject.escaped) {
            return OwnedValue::string(typed.toStdString());
        }
        auto bytes = GUFO_TRY(unescapeText(typed));
        return std::expected<OwnedValue, QString>(OwnedValue::string(std::move(bytes)));
    }
    if (m_combo != nullptr) { // "NAME (n)", a name, an unambiguous prefix of one, or a number
        const QString word = typed.trimmed();
        int row = m_combo->findText(word, Qt::MatchFixedString);
        int likely = 0;
        for (int i = 0; row < 0 && i < m_combo->count(); ++i) {
            if (m_combo->itemText(i).section(QStringLiteral(" ("), 0, 0).compare(word, Qt::CaseInsensitive) == 0) {
                row = i;
            }
        }
        for (int i = 0; row < 0 && !word.isEmpty() && !word[0].isDigit() && i < m_combo->count(); ++i) {
            if (m_combo->itemText(i).startsWith(word, Qt::CaseInsensitive)) {
                typed = QString::number(m_combo->itemData(i).toLongLong());
                ++likely;
            }
        }
        typed = row >= 0 ? QString::number(m_combo->itemData(row).toLongLong()) : likely > 1 ? word : typed;
    }
    const std::string plain = typed.toStdString();
    const auto value = parseValue(m_subject.type, plain);
    return value ? std::expected<OwnedValue, QString>(OwnedValue(*value))
                 : std::unexpected(valueProblemText(value.error(), m_subject.type));
}

} // namespace gufo::ui

#include "moc_value_editor.cpp"
