#include "ui/widgets/link_question.h"

#include "ui/messages/escaped_text.h"
#include "ui/widgets/text_color.h"

#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr qsizetype kLongestAddress = 4096; // characters
constexpr int kWidth = 480;
constexpr int kLines = 4; // of the address; more are scrolled

} // namespace

std::optional<QUrl> webAddress(const QString& text) {
    if (text.size() > kLongestAddress) {
        return std::nullopt;
    }
    const QUrl url(text, QUrl::StrictMode);
    const bool isWeb = url.scheme() == QLatin1String("https") || url.scheme() == QLatin1String("http");
    return url.isValid() && isWeb && !url.host().isEmpty() ? std::optional(url) : std::nullopt;
}

QString addressText(const QUrl& url) { return url.toString(QUrl::FullyEncoded); }

QString shownAddress(const QString& address) {
    const std::optional<QUrl> url = webAddress(address);
    return url ? addressText(*url) : escapeText(address.left(kLongestAddress).toStdString(), Lines::Escaped);
}

void LinkQuestion::ask(QWidget* parent, const QString& address, const QString& origin) {
    (new LinkQuestion(parent, address, origin))->open();
}

LinkQuestion::LinkQuestion(QWidget* parent, const QString& address, const QString& origin)
    : QDialog(parent) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Link"));
    setMinimumWidth(kWidth);
    const std::optional<QUrl> url = webAddress(address);
    auto* title = themedLabel(url ? tr("Open a page on %1 in the browser?").arg(url->host(QUrl::FullyEncoded))
                                  : tr("This link cannot be opened: it is not a web address."),
                              TextStyle::Section, Token::Text, this);
    title->setWordWrap(true);
    auto* text = new QPlainTextEdit(this);
    text->setPlainText(shownAddress(address));
    text->setReadOnly(true);
    text->setWordWrapMode(QTextOption::WrapAnywhere);
    text->setTabChangesFocus(true);
    text->setFont(themeFont(TextStyle::Mono));
    text->setAccessibleName(tr("Address"));
    text->setFixedHeight(kLines * text->fontMetrics().lineSpacing() + 12);
    auto* note = themedLabel(origin, TextStyle::Body, Token::Muted, this);
    note->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(this);
    if (url) {
        m_open = buttons->addButton(tr("Open"), QDialogButtonBox::AcceptRole);
        m_open->setAutoDefault(false);
        connect(this, &QDialog::accepted, this, [url = *url] { QDesktopServices::openUrl(url); });
    }
    QPushButton* leave = buttons->addButton(url ? QDialogButtonBox::Cancel : QDialogButtonBox::Close);
    leave->setDefault(true); // pressing Return must not open the address
    leave->setFocus();
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(10);
    column->addWidget(title);
    column->addWidget(text);
    column->addWidget(note);
    column->addWidget(buttons);
}

} // namespace gufo::ui

#include "moc_link_question.cpp"
