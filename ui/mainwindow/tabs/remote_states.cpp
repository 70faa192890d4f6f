#include "ui/mainwindow/tabs/remote_states.h"

#include "ui/document/fetching.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/places.h"
#include "ui/theme/style.h"
#include "ui/theme/style_shapes.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <utility>

namespace gufo::ui {
namespace {

constexpr int kFollowMs = 100;
constexpr int kStripFollowMs = 2'500; // rarely, because jobs show the progress of their own
constexpr int kStripHeight = 34;
constexpr int kWaitingWidth = 560;
constexpr int kNameWidth = 300;
constexpr int kTypeWidth = 120;

} // namespace

WaitingView::WaitingView(const QString& what, const QString& address, const QString& host, QWidget* parent)
    : QWidget(parent)
    , m_contact(new QPushButton(tr("Contact %1").arg(host), this)) {
    m_contact->setObjectName(QStringLiteral("contactButton"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* content = new QWidget(this);
    content->setFixedWidth(kWaitingWidth);
    QLabel* title = themedLabel(tr("%1 is not on this computer").arg(what), TextStyle::PageTitle, Token::Text, content);
    QLabel* where = themedLabel(address, TextStyle::Mono, Token::Muted, content);
    QLabel* text = themedLabel(tr("It is on %1. Nothing has been sent there for this tab yet.").arg(host),
                               TextStyle::Body, Token::Text, content);
    for (QLabel* label : {title, where, text}) {
        label->setTextFormat(Qt::PlainText); // names of servers could contain HTML
        label->setWordWrap(true);
    }
    where->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_contact->setIcon(themeIcon(QStringLiteral("link"), Token::OnAccent));
    m_contact->setProperty(kPrimaryProperty, true);
    auto* closeTab = new QPushButton(tr("Close tab"), content);
    connect(m_contact, &QPushButton::clicked, this, &WaitingView::contactRequested);
    connect(closeTab, &QPushButton::clicked, this, &WaitingView::closeRequested);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_contact);
    buttons->addWidget(closeTab);
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(title);
    column->addWidget(where);
    column->addSpacing(8);
    column->addWidget(text);
    column->addSpacing(12);
    column->addLayout(buttons);
    auto* outer = new QVBoxLayout(this);
    outer->addStretch(2);
    outer->addWidget(content, 0, Qt::AlignHCenter);
    outer->addStretch(3);
}

FetchingView::FetchingView(const QString& name, QString host, QWidget* parent)
    : QWidget(parent)
    , m_host(std::move(host))
    , m_status(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_choice(new SegmentedControl(tr("What has arrived"), this))
    , m_tables(new QStackedWidget(this))
    , m_cancel(new QPushButton(tr("Cancel"), this)) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    QLabel* title = themedLabel(tr("Opening %1…").arg(name), TextStyle::PageTitle, Token::Text, this);
    title->setTextFormat(Qt::PlainText);
    m_status->setTextFormat(Qt::PlainText);
    m_status->setWordWrap(true);
    auto* bar = new QProgressBar(this);
    bar->setTextVisible(false);
    bar->setFixedHeight(4);
    bar->setRange(0, 0); // the length of a header is known at its end
    bar->setAccessibleName(tr("Progress of opening"));
    connect(m_cancel, &QPushButton::clicked, this, &FetchingView::cancelRequested);
    for (const Arriving what : kAllArriving) {
        Part& made = m_parts[static_cast<std::size_t>(what)];
        made.model = new ArrivingModel(what, this);
        made.table = makeTable(made.model);
        m_tables->addWidget(made.table);
        m_choice->addSegment({});
    }
    part(Arriving::Keys).table->setAccessibleName(tr("Keys that have arrived"));
    part(Arriving::Tensors).table->setAccessibleName(tr("Tensors that have arrived"));
    connect(m_choice, &SegmentedControl::chosen, m_tables, &QStackedWidget::setCurrentIndex);
    nameSegments();
    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(title);
    texts->addWidget(m_status);
    auto* head = new QHBoxLayout;
    head->addLayout(texts, 1);
    head->addWidget(m_cancel, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 18, 20, 18);
    column->setSpacing(10);
    column->addLayout(head);
    column->addWidget(bar);
    column->addWidget(m_choice, 0, Qt::AlignLeft);
    column->addWidget(m_tables, 1);
    m_timer.setInterval(kFollowMs);
    connect(&m_timer, &QTimer::timeout, this, &FetchingView::follow);
}

QTableView* FetchingView::makeTable(ArrivingModel* model) {
    auto* table = new QTableView(m_tables);
    table->ensurePolished(); // the style makes rows higher
    table->setModel(model);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->horizontalHeader()->setStretchLastSection(true);
    table->setColumnWidth(0, kNameWidth);
    for (int column = 1; column < model->columnCount() - 1; ++column) {
        table->setColumnWidth(column, kTypeWidth);
    }
    return table;
}

void FetchingView::start(std::shared_ptr<const ArrivingHeader> header) {
    m_header = std::move(header);
    for (const Part& one : m_parts) {
        one.model->clear();
    }
    follow();
    m_timer.start();
}

void FetchingView::stop() {
    m_timer.stop();
    m_header.reset();
}

QString FetchingView::statusText() const { return m_status->text(); }

void FetchingView::nameSegments() {
    const auto count = [this](Arriving what) { return static_cast<std::uint64_t>(part(what).model->rowCount()); };
    const auto name = [this](Arriving what, const QString& text) {
        m_choice->segment(static_cast<int>(what))->setText(text);
    };
    name(Arriving::Keys, tr("%n keys", nullptr, numerus(count(Arriving::Keys))));
    name(Arriving::Tensors, tr("%n tensors", nullptr, numerus(count(Arriving::Tensors))));
}

void FetchingView::follow() {
    for (const Part& one : m_parts) {
        one.model->append(m_header->rowsFrom(one.model->what(), static_cast<std::size_t>(one.model->rowCount())));
    }
    nameSegments();
    if (!m_header->isConnected()) {
        m_status->setText(tr("Contacting %1…").arg(m_host));
        return;
    }
    const QString other = m_header->redirectedHost();
    const QString received = formatBytes(m_header->receivedBytes());
    m_status->setText(other.isEmpty() ? tr("%1 received from %2").arg(received, m_host)
                                      : tr("%1 received from %2 and %3").arg(received, m_host, other));
}

ServerStrip::ServerStrip(QWidget* parent)
    : QWidget(parent)
    , m_host(themedLabel({}, TextStyle::Table, Token::Text, this))
    , m_address(new ElidedLabel(TextStyle::Table, Token::Muted, Qt::ElideMiddle, this))
    , m_received(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_download(new QPushButton(themeIcon(QStringLiteral("download")), tr("Download…"), this)) {
    setFixedHeight(kStripHeight);
    m_host->setObjectName(QStringLiteral("serverHost"));
    m_host->setTextFormat(Qt::PlainText);
    m_download->setProperty("small", true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(40, 0, 12, 1);
    row->setSpacing(14);
    row->addWidget(m_host);
    row->addWidget(m_address, 1);
    row->addWidget(m_received);
    row->addWidget(m_download);
    connect(m_download, &QPushButton::clicked, this, &ServerStrip::downloadRequested);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_download->setIcon(themeIcon(QStringLiteral("download")));
        update();
    });
    m_timer.setInterval(kStripFollowMs);
    connect(&m_timer, &QTimer::timeout, this, &ServerStrip::follow);
    hide();
}

void ServerStrip::setModel(std::shared_ptr<const Model> model, const hub::ModelPlace& place) {
    m_model = std::move(model);
    m_address->setText(pathText(place));
    m_host->setText(tr("On %1").arg(hostOf(place)));
    follow();
    show();
}

QString ServerStrip::receivedText() const { return m_received->text(); }

void ServerStrip::follow() {
    if (m_model != nullptr) {
        const QString bytes = formatBytes(bytesFetched(*m_model));
        const QString other = redirectedHostOf(*m_model);
        m_received->setText(other.isEmpty() ? tr("%1 received").arg(bytes)
                                            : tr("%1 received from %2").arg(bytes, other));
    }
}

void ServerStrip::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    follow();
    m_timer.start();
}

void ServerStrip::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_timer.stop();
}

void ServerStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), themeColor(Token::ChangedRow));
    painter.fillRect(0, height() - 1, width(), 1, themeColor(Token::Line));
    drawIcon(&painter, QRect(16, 0, 16, height()), QStringLiteral("link"), Token::Accent, 15);
}

} // namespace gufo::ui

#include "moc_remote_states.cpp"
