#include "ui/mainwindow/help_dialogs.h"

#include "ui/pages/run/run_keys.h"
#include "ui/theme/theme.h"
#include "ui/widgets/job_dialog.h"
#include "ui/widgets/plot_keys.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QMainWindow>
#include <QMenuBar>
#include <QPainter>
#include <QPushButton>
#include <QSvgRenderer>
#include <QTableWidget>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

QString keysText(const QAction* action) {
    QStringList keys;
    for (const QKeySequence& sequence : action->shortcuts()) {
        keys << sequence.toString(QKeySequence::NativeText);
    }
    return keys.join(QStringLiteral(", "));
}

QDialog* makeDialog(QMainWindow* window, const QString& title) {
    auto* dialog = new QDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(20, 20, 20, 16);
    column->setSpacing(12);
    return dialog;
}

void addCloseButton(QDialog* dialog) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    dialog->layout()->addWidget(buttons);
}

// Keys without a menu entry, beside the keys of plots and maps.
struct FixedKeyRow {
    const char* what;
    const char* keys;
};
constexpr FixedKeyRow kFixedKeys[] = {
    {QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Close a tab with the mouse"), "Middle click"},
    {QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Open the selected recent files"), "Enter"},
    {QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Remove the selected recent files from the list"), "Del"},
    {QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Plots: zoom, move, show everything with the mouse"),
     QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Wheel, drag, double click")},
    {QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Move between controls"), "Tab, Shift+Tab"},
    {QT_TRANSLATE_NOOP("gufo::ui::HelpDialogs", "Menu bar"), "Alt"},
};

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::HelpDialogs)
};

} // namespace

void showShortcutsDialog(QMainWindow* window) {
    QDialog* dialog = makeDialog(window, Words::tr("Keyboard shortcuts"));
    auto* table = new QTableWidget(0, 2, dialog);
    table->setAccessibleName(dialog->windowTitle());
    table->setHorizontalHeaderLabels({Words::tr("Action"), Words::tr("Keys")});
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setTabKeyNavigation(false);
    const auto addRow = [table](const QString& what, const QString& keys) {
        const int row = table->rowCount();
        table->insertRow(row);
        table->setItem(row, 0, new QTableWidgetItem(what));
        table->setItem(row, 1, new QTableWidgetItem(keys));
    };
    for (const QAction* action : window->actions()) {
        if (!action->shortcuts().isEmpty()) {
            addRow(action->iconText().remove(QStringLiteral("…")), keysText(action));
        }
    }
    for (const PlotKeyRow& row : plotKeyRows()) {
        addRow(Words::tr(row.what), row.keysText());
    }
    for (const RunKey& row : runKeys()) {
        addRow(Words::tr(row.what), row.keysText());
    }
    for (const FixedKeyRow& row : kFixedKeys) {
        addRow(Words::tr(row.what), Words::tr(row.keys));
    }
    dialog->layout()->addWidget(table);
    addCloseButton(dialog);
    resizeOverWindow(*dialog, {560, 720});
    dialog->open();
}

void showAboutDialog(QMainWindow* window) {
    QDialog* dialog = makeDialog(window, Words::tr("About Gufo"));
    constexpr int kOwl = 72;
    const double ratio = window->devicePixelRatio();
    QPixmap pixmap(QSize(kOwl, kOwl) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    {
        QPainter painter(&pixmap);
        QSvgRenderer(QStringLiteral(":/gufo/gufo.svg")).render(&painter, QRectF(0, 0, kOwl, kOwl));
    }
    auto* owl = new QLabel(dialog);
    owl->setPixmap(pixmap);
    auto* name = new QLabel(QStringLiteral("Gufo %1").arg(QCoreApplication::applicationVersion()), dialog);
    name->setFont(themeFont(TextStyle::PageTitle));
    auto* text = new QLabel(
        Words::tr("Inspects, edits, compares and runs GGUF models.\n\nFree software under the GNU General Public "
                  "License, version 3 or later. It comes without any warranty.\n\nBuilt with Qt %1 and QCustomPlot. "
                  "Colour maps: viridis (Smith, van der Walt), cividis (Nuñez, Anderton, Renslow).")
            .arg(QString::fromLatin1(qVersion())),
        dialog);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    dialog->layout()->addWidget(owl);
    dialog->layout()->addWidget(name);
    dialog->layout()->addWidget(text);
    addCloseButton(dialog);
    dialog->setFixedWidth(440);
    dialog->open();
}

} // namespace gufo::ui
