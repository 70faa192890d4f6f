#include "ui/tools/tool_dialog.h"

#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/native_path.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/text_color.h"

#include <QApplication>
#include <QFileOpenEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QVBoxLayout>

namespace gufo::ui {

ToolDialog::ToolDialog(const QString& title, const QString& start, QWidget* parent)
    : JobDialog(parent)
    , m_choices(new QWidget(this))
    , m_form(new QFormLayout(m_choices))
    , m_table(new QTableWidget(this))
    , m_summary(themedLabel({}, TextStyle::Section, Token::Text, this))
    , m_notice(themedLabel({}, TextStyle::Body, Token::Muted, this))
    , m_bar(new JobBar(this))
    , m_start(new QPushButton(start, this))
    , m_open(new QPushButton(tr("&Open It"), this)) {
    m_start->setObjectName(QStringLiteral("startButton"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(title);
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setHorizontalSpacing(12);
    m_form->setVerticalSpacing(10);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->hide();
    m_summary->setWordWrap(true);
    m_notice->setWordWrap(true);
    m_notice->setTextFormat(Qt::PlainText);
    m_notice->hide();
    m_open->hide();
    m_start->setProperty("primary", true);
    m_start->setDefault(true);
    m_start->setEnabled(false);
    auto* closeButton = new QPushButton(tr("Close"), this);
    for (QPushButton* button : {m_open, closeButton}) {
        button->setAutoDefault(false);
    }
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_bar, 1);
    buttons->addStretch();
    buttons->addWidget(m_open);
    buttons->addWidget(m_start);
    buttons->addWidget(closeButton);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(10);
    column->addWidget(m_choices);
    column->addWidget(m_summary);
    column->addWidget(m_table, 1);
    column->addWidget(m_notice);
    column->addStretch();
    column->addLayout(buttons);
    connect(m_start, &QPushButton::clicked, this, [this] {
        m_notice->hide();
        this->start();
    });
    connect(closeButton, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_open, &QPushButton::clicked, this, [this] {
        // Sends the event that the desktop would send; the window manager opens the file.
        QFileOpenEvent event(qtPath(m_written));
        QCoreApplication::sendEvent(qApp, &event);
        close();
    });
    resizeOverWindow(*this, {620, 360});
}

void ToolDialog::addChoice(const QString& label, QWidget* choice) {
    auto* text = new QLabel(label, m_choices);
    text->setBuddy(choice);
    m_form->addRow(text, choice);
}

void ToolDialog::setColumns(const QStringList& titles) {
    m_table->setRowCount(0);
    m_table->setColumnCount(static_cast<int>(titles.size()));
    m_table->setHorizontalHeaderLabels(titles);
    for (int column = 0; column < m_table->columnCount(); ++column) {
        m_table->horizontalHeaderItem(column)->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) |
                                                                Qt::AlignVCenter);
        m_table->horizontalHeader()->setSectionResizeMode(column, column == 0 ? QHeaderView::Stretch
                                                                              : QHeaderView::ResizeToContents);
    }
    m_table->show();
}

void ToolDialog::addRow(const QStringList& cells) {
    const int row = m_table->rowCount();
    m_table->insertRow(row);
    for (int column = 0; column < cells.size(); ++column) {
        auto* item = new QTableWidgetItem(cells[column]);
        item->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        m_table->setItem(row, column, item);
    }
}

void ToolDialog::setReady(bool ready) {
    m_ready = ready;
    m_start->setEnabled(ready && !isWorking());
}

void ToolDialog::setChoosing(bool choosing) {
    m_choices->setEnabled(choosing);
    m_start->setEnabled(choosing && m_ready);
}

void ToolDialog::showNotice(const QString& text, Token color) {
    setTextColor(m_notice, color);
    m_notice->setText(text);
    m_notice->setVisible(!text.isEmpty());
}

void ToolDialog::showError(const Error& error) { showNotice(errorLine(error), Token::ErrorText); }

void ToolDialog::follow(Job* job, const QString& what, const QString& question, const QString& consequence) {
    m_open->hide();
    setChoosing(false);
    setWork(job, question, consequence);
    connect(job, &Job::finished, this, [this] { setChoosing(true); });
    m_bar->watch(job, what);
}

void ToolDialog::offer(const std::filesystem::path& written) {
    m_written = written;
    m_open->show();
    showNotice(tr("Written: %1").arg(displayPath(written)), Token::Good);
}

// Enter in a field takes over what was typed; only on the button does it begin.
void ToolDialog::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && qobject_cast<QPushButton*>(focusWidget()) == nullptr) {
        event->accept();
        return;
    }
    JobDialog::keyPressEvent(event);
}

} // namespace gufo::ui

#include "moc_tool_dialog.cpp"
