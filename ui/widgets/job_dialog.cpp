#include "ui/widgets/job_dialog.h"

#include <QMessageBox>
#include <QPushButton>

namespace gufo::ui {

void resizeOverWindow(QDialog& dialog, QSize wanted) {
    const QWidget* over = dialog.parentWidget();
    constexpr QSize kFrame(0, 40); // title bar and border, so that the buttons stay on a screen that the window fills
    dialog.resize(over != nullptr ? wanted.boundedTo(over->window()->size() - kFrame) : wanted);
}

JobDialog* JobDialog::workingIn(const QWidget& window) {
    for (JobDialog* dialog : window.findChildren<JobDialog*>()) {
        if (dialog->isWorking()) {
            return dialog;
        }
    }
    return nullptr;
}

void JobDialog::setWork(Job* job, const QString& question, const QString& consequence) {
    m_work = job;
    m_question = question;
    m_consequence = consequence;
    connect(job, &Job::finished, this, [this, job] {
        if (m_work == job) {
            m_work = nullptr; // the job may live on for a while
        }
        if (m_box) { // the question has become moot
            m_box->reject();
        }
    });
}

void JobDialog::reject() {
    if (isWorking()) {
        ask();
    } else {
        QDialog::reject();
    }
}

void JobDialog::ask() {
    if (m_box) {
        m_box->raise();
        m_box->activateWindow();
        return;
    }
    m_box = new QMessageBox(this);
    m_box->setAttribute(Qt::WA_DeleteOnClose);
    m_box->setTextFormat(Qt::PlainText);
    m_box->setWindowTitle(windowTitle());
    m_box->setText(m_question);
    m_box->setInformativeText(m_consequence);
    const QPushButton* stop = m_box->addButton(tr("Stop"), QMessageBox::DestructiveRole);
    QPushButton* go = m_box->addButton(tr("Continue"), QMessageBox::RejectRole);
    m_box->setDefaultButton(go);
    m_box->setEscapeButton(go);
    connect(m_box, &QMessageBox::finished, this, [this, box = m_box.data(), stop] {
        if (box->clickedButton() != stop || m_work.isNull()) {
            return;
        }
        m_work->cancel();
        emit closedWhileWorking();
        QDialog::reject();
    });
    m_box->open();
}

} // namespace gufo::ui

#include "moc_job_dialog.cpp"
