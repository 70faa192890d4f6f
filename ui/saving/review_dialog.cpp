#include "ui/saving/review_dialog.h"

#include "base/output_file.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/save_text.h"
#include "ui/saving/review_detail.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/theme/theme.h"
#include "ui/widgets/diff_view.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/job_dialog.h"
#include "ui/widgets/text_color.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr QSize kSize(980, 680);
constexpr int kMargin = 20;
constexpr int kKindWidth = 130;
constexpr int kNameWidth = 270;
constexpr int kBeforeWidth = 230;
constexpr int kRevertWidth = 34;

} // namespace

ReviewDialog::ReviewDialog(QWidget* parent)
    : QDialog(parent)
    , m_model(new ReviewModel(this))
    , m_title(themedLabel({}, TextStyle::Section, Token::Text, this))
    , m_table(new QTableView(this))
    , m_nothing(new EmptyState(this))
    , m_detailTitle(themedLabel({}, TextStyle::Mono, Token::Muted, this))
    , m_diff(new DiffView(this))
    , m_plan(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_export(new QPushButton(tr("Export"), this))
    , m_revert(new QPushButton(tr("Revert"), this))
    , m_revertAll(new QPushButton(tr("Revert all"), this))
    , m_save(new QPushButton(tr("Save"), this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    resizeOverWindow(*this, kSize);
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Changes"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setTextElideMode(Qt::ElideRight);
    QHeaderView* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setMinimumSectionSize(kRevertWidth);
    header->setSectionResizeMode(ReviewModel::AfterColumn, QHeaderView::Stretch);
    header->setSectionResizeMode(ReviewModel::RevertColumn, QHeaderView::Fixed);
    m_table->setColumnWidth(ReviewModel::KindColumn, kKindWidth);
    m_table->setColumnWidth(ReviewModel::NameColumn, kNameWidth);
    m_table->setColumnWidth(ReviewModel::BeforeColumn, kBeforeWidth);
    m_table->setColumnWidth(ReviewModel::RevertColumn, kRevertWidth);
    m_table->installEventFilter(this);
    m_nothing->setTexts(tr("No changes"), tr("The model is the same as in its file."));
    m_nothing->hide();

    auto* detail = new QWidget(this);
    auto* detailColumn = new QVBoxLayout(detail);
    detailColumn->setContentsMargins(0, 8, 0, 0);
    detailColumn->setSpacing(6);
    detailColumn->addWidget(m_detailTitle);
    detailColumn->addWidget(m_diff, 1);
    m_diff->setFrameShape(QFrame::StyledPanel);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(m_table);
    splitter->addWidget(detail);
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({260, 340});

    m_revert->setIcon(themeIcon(QStringLiteral("undo")));
    m_revert->setToolTip(tr("Revert the selected change (Delete)"));
    m_save->setIcon(themeIcon(QStringLiteral("save"), Token::OnAccent));
    m_save->setProperty("primary", true);
    auto* menu = new QMenu(m_export);
    menu->addAction(tr("Copy as Text"), this, [this] { copy(false); });
    menu->addAction(tr("Copy as Markdown"), this, [this] { copy(true); });
    menu->addAction(tr("Save to File…"), this, &ReviewDialog::exportReport);
    m_export->setMenu(menu);
    auto* close = new QPushButton(tr("Close"), this);
    m_plan->setWordWrap(true);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_export);
    buttons->addStretch(1);
    for (QPushButton* button : {m_revert, m_revertAll, close, m_save}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kMargin, 16, kMargin, 16);
    column->setSpacing(10);
    column->addWidget(m_title);
    column->addWidget(splitter, 1);
    column->addWidget(m_nothing, 1);
    column->addWidget(m_plan);
    column->addLayout(buttons);

    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        updateButtons();
        showDetail();
    });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == ReviewModel::RevertColumn && m_document != nullptr) {
            revertRow(index.row());
        }
    });
    connect(m_revert, &QPushButton::clicked, this, [this] { revertRow(currentRow()); });
    connect(m_revertAll, &QPushButton::clicked, this, &ReviewDialog::revertAllRequested);
    connect(m_save, &QPushButton::clicked, this, &ReviewDialog::saveRequested);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    m_table->setFocus();
}

ReviewDialog::ReviewDialog(ModelDocument* document, const QString& name, QWidget* parent)
    : ReviewDialog(parent) {
    m_document = document;
    setWindowTitle(tr("Unsaved changes — %1").arg(name));
    connect(document, &ModelDocument::edited, this, &ReviewDialog::follow);
    connect(document, &ModelDocument::editableChanged, this, &ReviewDialog::updateButtons);
    connect(document, &QObject::destroyed, this, &QDialog::reject);
    follow();
}

ReviewDialog::ReviewDialog(ReviewModel::State state, const QString& title, QWidget* parent)
    : ReviewDialog(parent) {
    setWindowTitle(title);
    m_table->hideColumn(ReviewModel::RevertColumn);
    for (QPushButton* button : {m_revert, m_revertAll, m_save}) {
        button->hide();
    }
    showState(std::move(state));
}

void ReviewDialog::setPlan(const QString& text) { m_plan->setText(text); }

void ReviewDialog::follow() { showState(ReviewModel::stateOf(m_document->document())); }

void ReviewDialog::showState(ReviewModel::State state) {
    const int before = currentRow();
    std::optional<Difference> current;
    if (const Difference* difference = m_model->difference(before)) {
        current = *difference;
        current->before.reset(); // drops views of snapshots that may be released
        current->after.reset();
    }
    m_model->setState(std::move(state));
    const int count = m_model->rowCount();
    m_title->setText(tr("%n changes", nullptr, numerus(static_cast<std::uint64_t>(count))));
    m_title->setVisible(count != 0);
    m_table->parentWidget()->setVisible(count != 0); // the splitter
    m_nothing->setVisible(count == 0);
    const int same = current ? m_model->rowOf(*current) : -1;
    if (count != 0) {
        m_table->setCurrentIndex(m_model->index(same >= 0 ? same : std::clamp(before, 0, count - 1), 0));
    }
    updateButtons();
    showDetail();
}

int ReviewDialog::currentRow() const { return m_table->currentIndex().row(); }

void ReviewDialog::showDetail() {
    m_detailJob.cancel();
    const Difference* difference = m_model->difference(currentRow());
    if (difference == nullptr) {
        m_detailTitle->clear();
        m_diff->clear();
        return;
    }
    const QString array = arrayChangeText(*difference);
    m_detailTitle->setText(differenceName(*difference) + (array.isEmpty() ? QString() : QStringLiteral("  ") + array));
    m_detailJob.start<FoldedDiff>(
        [state = m_model->state(), one = *difference](const JobContext& job) { return reviewDetail(state, one, job); },
        [this](const Result<FoldedDiff>& diff) {
            if (diff) {
                m_diff->setDiff(*diff);
            }
        });
}

void ReviewDialog::revertRow(int row) {
    const Difference* difference = m_model->difference(row);
    if (difference != nullptr && m_document != nullptr && !m_document->isBlocked()) {
        const Difference held = *difference;
        const auto current = m_model->state().current; // keeps alive what `held` views
        m_document->revert(held);
    }
}

void ReviewDialog::updateButtons() {
    const bool any = m_model->rowCount() != 0;
    const bool editable = m_document != nullptr && !m_document->isBlocked();
    m_export->setEnabled(any);
    m_revert->setEnabled(editable && currentRow() >= 0 && any);
    m_revertAll->setEnabled(editable && any);
    m_save->setEnabled(editable && any);
}

void ReviewDialog::copy(bool markdown) {
    startJob<QString>(
        this,
        [state = m_model->state(), markdown](const JobContext& job) { return reviewReport(state, markdown, job); },
        [](const Result<QString>& text) {
            if (text) {
                QGuiApplication::clipboard()->setText(*text);
            }
        });
}

void ReviewDialog::exportReport() {
    auto* dialog = new QFileDialog(this, tr("Export the changes"), {}, tr("Markdown (*.md);;Text (*.txt)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("md"));
    rememberFolder(*dialog, FolderFor::Exports);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& name) {
        startJob<void>(
            this,
            [state = m_model->state(), name](const JobContext& job) -> Result<> {
                const auto text = GUFO_TRY(reviewReport(state, !name.endsWith(QLatin1String(".txt")), job));
                return writeWholeFile(fromQtPath(name), text.toStdString());
            },
            [this, name](const Result<>& written) {
                if (!written && written.error().code != ErrorCode::Cancelled) {
                    auto* box =
                        new QMessageBox(QMessageBox::NoIcon, tr("Export the changes"),
                                        tr("%1 could not be written: %2").arg(name, errorReason(written.error())),
                                        QMessageBox::Close, this);
                    box->setAttribute(Qt::WA_DeleteOnClose);
                    box->setTextFormat(Qt::PlainText);
                    box->open();
                }
            });
    });
    dialog->open();
}

bool ReviewDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete) {
        revertRow(currentRow());
        return true;
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace gufo::ui

#include "moc_review_dialog.cpp"
