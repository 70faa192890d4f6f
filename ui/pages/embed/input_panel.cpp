#include "ui/pages/embed/input_panel.h"

#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/growing_edit.h"
#include "ui/widgets/text_color.h"

#include <QApplication>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMimeData>
#include <QTextBlock>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gufo::ui {

LinesEdit::LinesEdit(QWidget* parent)
    : QPlainTextEdit(parent) {
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(true);
    setAccessibleName(tr("Texts, one in each line"));
}

bool LinesEdit::fits(QStringView text) {
    if (text.size() > kMaxCharacters) {
        return false;
    }
    const auto lines = text.split(u'\n');
    return std::ranges::all_of(lines, [](QStringView line) { return line.size() <= kLongestLine; });
}

void LinesEdit::showLine(std::size_t number) {
    const QTextBlock block = document()->findBlockByNumber(static_cast<int>(number) - 1);
    if (block.isValid()) {
        QTextCursor cursor(block);
        cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        setTextCursor(cursor);
        centerCursor();
        setFocus(Qt::OtherFocusReason);
    }
}

void LinesEdit::insertFromMimeData(const QMimeData* source) {
    if (source->hasText() && !fits(source->text())) {
        emit largePaste(source->text());
        return;
    }
    QPlainTextEdit::insertFromMimeData(source);
}

void LinesEdit::keyPressEvent(QKeyEvent* event) {
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) &&
        event->modifiers().testFlag(Qt::ControlModifier)) {
        emit submitted();
        event->accept();
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
}

namespace {

const QString kText = QStringLiteral("embedTexts");
const QString kQuery = QStringLiteral("embedQuery");

struct ReadText {
    std::string bytes;
    QString text; // empty if it does not fit into the field or is no UTF-8
    std::size_t lines = 0;
};

} // namespace

InputPanel::InputPanel(QWidget* parent)
    : QWidget(parent)
    , m_queryPart(new QWidget(this))
    , m_query(new QLineEdit(m_queryPart))
    , m_caption(themedLabel({}, TextStyle::Section, Token::Text, this))
    , m_source(new QStackedWidget(this))
    , m_field(new LinesEdit(m_source))
    , m_name(nullptr)
    , m_count(nullptr)
    , m_remove(nullptr)
    , m_open(new QPushButton(tr("Open File…"), this))
    , m_run(new QPushButton(this))
    , m_bar(new JobBar(this))
    , m_message(themedLabel({}, TextStyle::Table, Token::Muted, this)) {
    m_query->setObjectName(QStringLiteral("queryField"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 12);
    layout->setSpacing(8);
    auto* queryLayout = new QVBoxLayout(m_queryPart);
    queryLayout->setContentsMargins(0, 0, 0, 8);
    queryLayout->setSpacing(8);
    auto* queryCaption = themedLabel(tr("Query"), TextStyle::Section, Token::Text, m_queryPart);
    queryCaption->setBuddy(m_query);
    queryLayout->addWidget(queryCaption);
    m_query->setPlaceholderText(tr("What the texts are compared with"));
    m_query->setAccessibleName(tr("Query"));
    queryLayout->addWidget(m_query);
    layout->addWidget(m_queryPart);
    m_caption->setBuddy(m_field);
    layout->addWidget(m_caption);

    m_source->addWidget(m_field);
    auto* card = new QWidget(m_source);
    m_name = new ElidedLabel(TextStyle::Body, Token::Text, Qt::ElideMiddle, card);
    m_count = themedLabel({}, TextStyle::Table, Token::Muted, card);
    m_remove = new QPushButton(tr("Remove"), card);
    auto* cardLayout = new QVBoxLayout(card);
    cardLayout->setContentsMargins(0, 0, 0, 0);
    cardLayout->addWidget(m_name);
    cardLayout->addWidget(m_count);
    cardLayout->addWidget(m_remove, 0, Qt::AlignLeft);
    cardLayout->addStretch();
    m_source->addWidget(card);
    layout->addWidget(m_source, 1);
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    layout->addWidget(m_message);
    m_message->hide();
    layout->addWidget(m_bar);
    m_run->setProperty(kPrimaryProperty, true);
    m_run->setToolTip(tr("Ctrl+Return"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_open);
    buttons->addStretch();
    buttons->addWidget(m_run);
    layout->addLayout(buttons);
    setRanking(false);

    connect(m_open, &QPushButton::clicked, this, &InputPanel::askForFile);
    connect(m_remove, &QPushButton::clicked, this, &InputPanel::clearLarge);
    connect(m_run, &QPushButton::clicked, this, &InputPanel::runRequested);
    const auto submit = [this] {
        if (m_run->isEnabled()) {
            emit runRequested();
        }
    };
    connect(m_field, &LinesEdit::submitted, this, submit);
    connect(m_query, &QLineEdit::returnPressed, this, submit);
    connect(m_field, &LinesEdit::largePaste, this,
            [this](const QString& text) { takeText(tr("Pasted text"), text.toStdString()); });
    connect(m_field, &QPlainTextEdit::textChanged, this, &InputPanel::showRunnable);
    connect(m_query, &QLineEdit::textChanged, this, &InputPanel::showRunnable);
    showRunnable();
}

void InputPanel::setRanking(bool ranks) {
    m_ranks = ranks;
    m_queryPart->setVisible(ranks);
    m_caption->setText(ranks ? tr("Texts to be ranked, one in each line") : tr("Texts, one in each line"));
    m_field->setPlaceholderText(ranks ? tr("Type or paste the texts that may answer the query")
                                      : tr("Type or paste sentences, titles, questions …"));
    m_run->setText(ranks ? tr("Rank") : tr("Embed"));
    showRunnable();
}

// A disabled button passes the focus to the next control of the page. Instead, the focus stays in the panel, and
// returns to the button when it is enabled again.
void InputPanel::setBusy(bool busy) {
    if (busy && m_run->hasFocus()) {
        m_returnFocus = true;
        (m_large == nullptr ? static_cast<QWidget*>(m_field) : this)->setFocus(Qt::OtherFocusReason);
    }
    m_busy = busy;
    showRunnable();
    if (!busy && std::exchange(m_returnFocus, false) && m_run->isEnabled() &&
        isAncestorOf(QApplication::focusWidget())) {
        m_run->setFocus(Qt::OtherFocusReason);
    }
}

void InputPanel::showRunnable() {
    const bool hasText = m_large != nullptr || !m_field->document()->isEmpty();
    m_run->setEnabled(!m_busy && hasText && (!m_ranks || !m_query->text().trimmed().isEmpty()));
    m_open->setEnabled(!m_busy);
    m_remove->setEnabled(!m_busy);
}

std::shared_ptr<const std::string> InputPanel::text() const {
    return m_large != nullptr ? m_large : std::make_shared<const std::string>(rawText(*m_field).toStdString());
}

void InputPanel::say(const QString& text, bool isError) {
    m_message->setText(text);
    setTextColor(m_message, isError ? Token::ErrorText : Token::Muted);
    m_message->setVisible(!text.isEmpty());
}

void InputPanel::showLine(std::size_t number) {
    if (m_large == nullptr) {
        m_field->showLine(number);
    }
}

void InputPanel::setLarge(const QString& name, std::string text) { takeText(name, std::move(text)); }

void InputPanel::clearLarge() {
    m_large.reset();
    m_source->setCurrentIndex(0);
    say({}, false);
    showRunnable();
    m_field->setFocus(Qt::OtherFocusReason);
}

void InputPanel::askForFile() {
    auto* dialog = new QFileDialog(this, tr("Open a text file"), QString(),
                                   tr("Text (*.txt *.md *.csv *.tsv *.jsonl);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    rememberFolder(*dialog, FolderFor::Imports);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { openFile(fromQtPath(path)); });
    dialog->open();
}

// Counts the lines in a job, because a large text has many.
void InputPanel::takeText(const QString& name, std::string text) {
    m_reading.cancel();
    auto shared = std::make_shared<const std::string>(std::move(text));
    m_reading.start<std::size_t>([shared](const JobContext&) -> Result<std::size_t> { return linesOf(*shared).total; },
                                 [this, name, shared](const Result<std::size_t>& lines) {
                                     m_large = shared;
                                     m_name->setText(name);
                                     m_count->setText(tr("%n lines with text", nullptr, static_cast<int>(*lines)) +
                                                      QStringLiteral(", ") + formatBytes(shared->size()));
                                     m_source->setCurrentIndex(1);
                                     say({}, false);
                                     showRunnable();
                                     emit opened();
                                 });
}

void InputPanel::openFile(const std::filesystem::path& path) {
    m_reading.start<ReadText>(
        [path](const JobContext& job) -> Result<ReadText> {
            auto bytes = GUFO_TRY(readText(path, job));
            ReadText read{.bytes = std::move(bytes), .text = {}};
            // Decoding replaces bytes that are not UTF-8, so only a text that comes back unchanged enters the field.
            if (static_cast<qsizetype>(read.bytes.size()) <= 4 * LinesEdit::kMaxCharacters) {
                const QString text = QString::fromUtf8(read.bytes.data(), static_cast<qsizetype>(read.bytes.size()));
                if (LinesEdit::fits(text) && !text.contains(QChar(u'\0')) && text.toStdString() == read.bytes) {
                    read.text = text;
                }
            }
            return read;
        },
        [this, path](Result<ReadText> read) {
            if (!read) {
                say(tr("%1 cannot be read: %2.").arg(fileNameText(path), errorReason(read.error())), true);
                emit opened();
            } else if (!read->text.isEmpty()) {
                clearLarge();
                m_field->setPlainText(read->text.remove(u'\r'));
                emit opened();
            } else if (read->bytes.empty()) {
                say(tr("%1 is empty.").arg(fileNameText(path)), true);
                emit opened();
            } else {
                takeText(fileNameText(path), std::move(read->bytes));
            }
        });
    m_bar->watch(m_reading.job(), tr("Reading %1").arg(fileNameText(path)));
}

QJsonObject InputPanel::saveState() const { return {{kText, rawText(*m_field)}, {kQuery, m_query->text()}}; }

void InputPanel::restoreState(const QJsonObject& state) {
    const QString text = state.value(kText).toString();
    if (LinesEdit::fits(text)) {
        m_field->setPlainText(text);
    }
    m_query->setText(state.value(kQuery).toString());
}

} // namespace gufo::ui

#include "moc_input_panel.cpp"
