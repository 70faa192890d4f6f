#include "ui/pages/bytes/bytes_page.h"

#include "bytes/byte_search.h"
#include "formats/sets/folder_files.h"
#include "ui/document/fetching.h"
#include "ui/document/model_document.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/field_text.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/bytes/field_pane.h"
#include "ui/shell/file_dialogs.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/rows_table.h"
#include "ui/widgets/splitter_sizes.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <charconv>
#include <ranges>

namespace gufo::ui {
namespace {

constexpr int kDetailWidth = 540;
constexpr std::size_t kListedDamages = 8; // in a tooltip
constexpr std::uint64_t kMostCopied = std::uint64_t{1} << 20U;

enum FindKind : int { Text, Hex };

std::optional<std::uint64_t> offsetOf(const QString& text) {
    const std::string typed = text.trimmed().remove(u',').toStdString();
    const bool isHex = typed.starts_with("0x") || typed.starts_with("0X");
    const char* begin = typed.data() + (isHex ? 2 : 0);
    const char* end = typed.data() + typed.size();
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value, isHex ? 16 : 10);
    return error == std::errc() && stop == end && begin != end ? std::optional(value) : std::nullopt;
}

} // namespace

BytesPage::BytesPage(QWidget* parent)
    : Page(parent)
    , m_mapJob(this)
    , m_workJob(this)
    , m_whole(new QStackedWidget(this))
    , m_empty(new EmptyState(m_whole))
    , m_splitter(new QSplitter(Qt::Horizontal, m_whole))
    , m_window(new ByteWindow(this))
    , m_view(new HexView(m_window))
    , m_fields(new FieldPane(m_window, m_view)) {
    m_splitter->addWidget(m_view);
    m_splitter->addWidget(m_fields);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->setStretchFactor(0, 1);
    m_detailWidth = new KeptWidth(m_splitter, 1, kDetailWidth);
    m_whole->addWidget(m_splitter);
    m_whole->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(m_whole, 1);
    m_bar = new JobBar(this);
    m_bar->putOver(*m_view, Qt::AlignBottom | Qt::AlignRight);
    setFocusProxy(m_view);

    const auto updateExport = [this] { m_export->setEnabled(m_view->selection().length != 0); };
    connect(m_view, &HexView::cursorMoved, this, updateExport);
    connect(m_view, &HexView::scrolled, this, updateExport);
    connect(m_window, &ByteWindow::changed, this, updateExport);
    connect(m_fields, &FieldPane::said, this, &BytesPage::say);
    connect(m_fields, &FieldPane::placeRequested, this, &BytesPage::placeRequested);
    connect(m_window, &ByteWindow::failed, this, [this](const Error& error) { say(errorLine(error)); });
    auto* copy = new QAction(tr("&Copy bytes"), this);
    m_view->addAction(copy);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copy, &QAction::triggered, this, &BytesPage::copyBytes);
    connect(m_view, &HexView::copyWanted, this, &BytesPage::copyBytes);
    auto* next = new QAction(tr("Find &next"), this);
    next->setShortcut(QKeySequence(Qt::Key_F3));
    next->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(next);
    m_view->addAction(next);
    connect(next, &QAction::triggered, this, &BytesPage::findNext);
}

QWidget* BytesPage::makeToolBar() {
    auto* strip = new ToolStrip(this);
    m_files = new QComboBox(strip);
    m_files->setAccessibleName(tr("File"));
    m_files->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_files->setMinimumContentsLength(10);
    m_files->hide();
    m_findKind = new QComboBox(strip);
    m_findKind->setAccessibleName(tr("What is sought"));
    m_findKind->addItem(tr("Text"));
    m_findKind->addItem(tr("Hex"));
    m_find = new QLineEdit(strip);
    m_find->setPlaceholderText(tr("Find text or bytes"));
    m_find->setAccessibleName(tr("Find"));
    m_find->setClearButtonEnabled(true);
    m_find->setToolTip(tr("Return finds the next occurrence, F3 the one after it"));
    m_offset = new QLineEdit(strip);
    m_offset->setPlaceholderText(tr("Offset, key or tensor"));
    m_offset->setAccessibleName(tr("Go to"));
    m_offset->setToolTip(tr("4096, 0x1000, or the name of a key or a tensor"));
    m_damage = new QPushButton(tr("Damage"), strip);
    m_damage->setObjectName(QStringLiteral("damage"));
    m_damage->hide();
    connect(m_damage, &QPushButton::clicked, this, &BytesPage::goToDamage);
    m_export = new QPushButton(tr("Export selection…"), strip);
    m_export->setIcon(themeIcon(QStringLiteral("export")));
    QLabel* goLabel = themedLabel(tr("Go to"), TextStyle::Table, Token::Muted, strip);
    goLabel->setBuddy(m_offset);
    auto* row = qobject_cast<QHBoxLayout*>(strip->layout());
    row->addWidget(m_files);
    row->addWidget(m_findKind);
    row->addWidget(m_find, 2);
    row->addWidget(goLabel);
    row->addWidget(m_offset, 1);
    row->addWidget(m_damage);
    row->addWidget(m_export);
    connect(m_files, &QComboBox::activated, this,
            [this](int index) { showFile(static_cast<std::size_t>(m_files->itemData(index).toInt())); });
    connect(m_find, &QLineEdit::returnPressed, this, &BytesPage::findNext);
    connect(m_offset, &QLineEdit::returnPressed, this, &BytesPage::goToTyped);
    connect(m_export, &QPushButton::clicked, this, [this] {
        askExportPath(*this, tr("Export bytes"), tr("bytes") + QStringLiteral(".bin"),
                      {{tr("Bytes (*.bin)"), QStringLiteral(".bin")}}, 0,
                      [this](const std::filesystem::path& path, std::size_t) { exportTo(path); });
    });
    return strip;
}

QString BytesPage::title() const { return tr("Bytes"); }

QString BytesPage::iconName() const { return QStringLiteral("bytes"); }

QWidget* BytesPage::filterField() const { return m_find; }

void BytesPage::say(const QString& text) { emit statusChanged(text, {}); }

// ---- the file

void BytesPage::setModel(std::shared_ptr<const Model> model) {
    m_model = m_document != nullptr ? m_document->document().base() : std::move(model);
    m_fields->setModel(m_model);
    m_files->clear();
    for (std::size_t i = 0; i < m_model->shardCount(); ++i) {
        if (m_model->files[i].source != nullptr) {
            m_files->addItem(displayText(m_model->files[i].path.filename().native()), static_cast<int>(i));
        }
    }
    m_files->setVisible(m_files->count() > 1);
    m_file = m_model->openedFile.value;
    if (m_isActive) {
        showFile(m_file);
    }
}

// These are the bytes of the file; edits are not there before they are saved.
void BytesPage::setDocument(ModelDocument* document) {
    m_document = document;
    connect(document, &ModelDocument::rebased, this, [this] {
        const std::uint64_t cursor = m_view->cursor();
        m_wanted = m_wanted ? m_wanted : std::optional(cursor);
        setModel(nullptr);
    });
}

void BytesPage::activate() {
    if (!m_isActive && m_model != nullptr) {
        m_isActive = true;
        showFile(m_file);
    }
}

void BytesPage::showFile(std::size_t file) {
    m_file = file;
    m_workJob.cancel();
    m_bar->cancel();
    m_files->setCurrentIndex(m_files->findData(static_cast<int>(file)));
    const std::shared_ptr<const ByteSource> source =
        file < m_model->files.size() ? m_model->files[file].source : nullptr;
    const bool isRemote = isOnServer(*m_model);
    const bool shown = source != nullptr && !isRemote && source->size() != 0 && source->view({0, 1}).has_value();
    m_window->setMap(nullptr);
    m_view->reset();
    enable(shown);
    if (!shown) {
        m_empty->setTexts(isRemote ? tr("The bytes are on %1").arg(serverOf(*m_model)) : tr("No bytes"),
                          isRemote ? tr("Download the model to look at its bytes.")
                                   : tr("This file is missing, empty, or not stored as bytes."));
        m_whole->setCurrentWidget(m_empty);
        return;
    }
    m_whole->setCurrentWidget(m_splitter);
    Job* job = m_mapJob.start<std::shared_ptr<const ByteMap>>(
        [model = m_model, source, file](const JobContext& context) {
            return ByteMap::of(source, model, FileIndex(file), context);
        },
        [this](Result<std::shared_ptr<const ByteMap>> map) {
            if (map) {
                takeMap(*std::move(map));
            } else {
                say(errorLine(map.error()));
            }
        });
    m_bar->watch(job, tr("Reading the header"));
}

void BytesPage::enable(bool shown) {
    m_damage->hide(); // until the map is there
    for (QWidget* control : std::initializer_list<QWidget*>{m_find, m_findKind, m_offset, m_export}) {
        control->setEnabled(shown);
    }
}

void BytesPage::openFile(const std::filesystem::path& path, std::uint64_t offset) {
    m_wanted = offset;
    m_window->setMap(nullptr);
    m_view->reset();
    m_whole->setCurrentWidget(m_splitter);
    enable(false);
    Job* job = m_mapJob.start<std::shared_ptr<const ByteMap>>(
        [path](const JobContext& context) -> Result<std::shared_ptr<const ByteMap>> {
            auto source = GUFO_TRY(mappedFileOpener()(path, Links::Follow));
            return ByteMap::of(std::move(source), nullptr, {}, context);
        },
        [this](Result<std::shared_ptr<const ByteMap>> map) {
            if (map && (*map)->size() != 0) {
                enable(true);
                takeMap(*std::move(map));
                return;
            }
            m_empty->setTexts(tr("No bytes"), map ? tr("This file is empty.") : errorLine(map.error()));
            m_whole->setCurrentWidget(m_empty);
        });
    m_bar->watch(job, tr("Reading the header"));
}

void BytesPage::takeMap(std::shared_ptr<const ByteMap> map) {
    m_window->setMap(std::move(map));
    m_view->reset();
    showDamages();
    if (m_wanted) {
        m_view->goTo(*std::exchange(m_wanted, std::nullopt));
    }
    emit mapped();
}

bool BytesPage::goTo(const Place& place) {
    if (place.kind != Place::Kind::File || !place.offset || m_model == nullptr) {
        return false;
    }
    m_wanted = place.offset;
    const std::size_t file = place.part.value_or(m_model->openedFile.value);
    if (!m_isActive || file != m_file) {
        m_file = file;
        m_isActive = true;
        showFile(file);
    } else if (m_window->map() != nullptr) {
        m_view->goTo(*std::exchange(m_wanted, std::nullopt));
    }
    return true;
}

// ---- showing bytes

void BytesPage::showDamages() {
    const auto map = m_window->map();
    const bool any = map != nullptr && !map->damages().empty();
    m_damage->setVisible(any);
    if (any) {
        QStringList lines;
        for (const ByteMap::Damage& damage : map->damages() | std::views::take(kListedDamages)) {
            const QString name = damage.of.empty() ? QString() : displayText(damage.of) + QStringLiteral(": ");
            lines << tr("Byte %1: %2").arg(formatCount(damage.range.offset), name + damageText(*damage.reason));
        }
        if (map->damages().size() > kListedDamages) {
            lines << tr("and %n more", nullptr, numerus(map->damages().size() - kListedDamages));
        }
        m_damage->setToolTip(plainToolTip(tr("Show the next place at which the file is damaged") +
                                          QStringLiteral("\n") + lines.join(u'\n')));
    }
}

void BytesPage::goToDamage() {
    const auto map = m_window->map();
    if (map == nullptr || map->damages().empty()) {
        return;
    }
    // What is missing behind the end is told by the last byte.
    const auto placeOf = [this](const ByteMap::Damage& damage) {
        return std::min(damage.range.offset, m_window->size() - 1);
    };
    const auto& damages = map->damages();
    const auto next = std::ranges::find_if(
        damages, [&](const ByteMap::Damage& damage) { return placeOf(damage) > m_view->cursor(); });
    m_view->goTo(placeOf(next != damages.end() ? *next : damages.front()));
    m_view->setFocus();
}

void BytesPage::goToTyped() {
    const QString typed = m_offset->text();
    if (m_window->map() == nullptr || typed.trimmed().isEmpty()) {
        return;
    }
    const std::string name = typed.trimmed().toStdString();
    const ByteMap& map = *m_window->map();
    if (const auto offset = offsetOf(typed)) {
        if (*offset >= m_window->size()) {
            say(tr("The file ends at byte %1.").arg(formatCount(m_window->size())));
            return;
        }
        m_view->goTo(*offset);
    } else if (const auto key = map.keyRange(name)) {
        m_view->select(*key);
    } else if (const auto tensor = map.tensorData(name)) {
        m_view->goTo(tensor->offset);
    } else {
        say(tr("\"%1\" is neither an offset nor the name of a key or a tensor in this file.").arg(displayText(name)));
        return;
    }
    m_view->setFocus();
}

// ---- work

void BytesPage::findNext() {
    const auto map = m_window->map();
    const QString text = m_find->text();
    if (map == nullptr || text.isEmpty()) {
        return;
    }
    std::vector<std::byte> pattern;
    if (m_findKind->currentIndex() == Hex) {
        auto bytes = bytesOfHex(text.toStdString());
        if (!bytes) {
            say(tr("Bytes are written in pairs of hexadecimal digits: 47 47 55 46."));
            return;
        }
        pattern = *std::move(bytes);
    } else {
        const QByteArray utf8 = text.toUtf8();
        const auto* begin = reinterpret_cast<const std::byte*>(utf8.constData());
        pattern.assign(begin, begin + utf8.size());
    }
    const std::uint64_t length = pattern.size();
    // After the selection, so that the next one is found.
    const ByteRange chosen = m_view->selection();
    const std::uint64_t from = chosen.length > 1 || m_view->cursor() != 0 ? chosen.offset + 1 : 0;
    Job* job = m_workJob.start<std::optional<std::uint64_t>>(
        [map, pattern = std::move(pattern), from](const JobContext& context) {
            return findBytes(*map->file(), pattern, from, true, context);
        },
        [this, length, from](Result<std::optional<std::uint64_t>> found) {
            if (!found) {
                say(errorLine(found.error()));
            } else if (!*found) {
                say(tr("Not found."));
            } else {
                m_view->select({**found, length});
                if (**found < from) {
                    say(tr("Found from the start of the file again."));
                }
            }
        });
    m_bar->watch(job, tr("Finding"));
}

void BytesPage::copyBytes() {
    const auto map = m_window->map();
    const ByteRange chosen = m_view->selection();
    if (map == nullptr || chosen.length == 0) {
        return;
    }
    if (chosen.length > kMostCopied) {
        say(tr("At most %1 can be copied; export the selection instead.").arg(formatBytes(kMostCopied)));
        return;
    }
    m_workJob.start<QByteArray>(
        [map, chosen](const JobContext&) -> Result<QByteArray> {
            const Bytes bytes = GUFO_TRY(map->file()->view(chosen));
            return QByteArray(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()))
                .toHex(' ');
        },
        [this](Result<QByteArray> digits) {
            if (digits) {
                QGuiApplication::clipboard()->setText(QString::fromLatin1(*digits));
                say(tr("Copied"));
            } else {
                say(errorLine(digits.error()));
            }
        });
}

void BytesPage::exportTo(const std::filesystem::path& path) {
    const auto map = m_window->map();
    const ByteRange chosen = m_view->selection();
    if (map == nullptr || chosen.length == 0) {
        return;
    }
    struct Done {};
    Job* job = m_workJob.start<Done>(
        [map, chosen, path](const JobContext& context) -> Result<Done> {
            GUFO_TRY(writeRange(*map->file(), chosen, path, context));
            return Done();
        },
        [this, path](Result<Done> done) {
            say(done ? tr("Written: %1").arg(displayPath(path)) : errorLine(done.error()));
        });
    m_bar->watch(job, tr("Writing"));
}

QString BytesPage::copyText(CopyFormat format) const {
    if (m_fields->table()->hasFocus()) {
        return viewText(*m_fields->table(), format);
    }
    const ByteRange chosen = m_view->selection();
    const QString text = m_view->dump(chosen.length > 1 ? chosen : m_view->shown());
    return format == CopyFormat::Markdown ? QStringLiteral("```text\n%1```\n").arg(text) : text;
}

QJsonObject BytesPage::saveState() const {
    QJsonObject state{{QStringLiteral("detailWidth"), m_detailWidth->width()}};
    if (m_window->map() != nullptr) {
        // As text, because numbers of JSON are exact only up to 2⁵³.
        state.insert(QStringLiteral("model"),
                     QJsonObject{{QStringLiteral("cursor"), QString::number(m_view->cursor())}});
    }
    return state;
}

void BytesPage::restoreState(const QJsonObject& state) {
    m_detailWidth->setWidth(state[QStringLiteral("detailWidth")].toInt());
    const QString cursor = state[QStringLiteral("model")].toObject()[QStringLiteral("cursor")].toString();
    if (const auto offset = offsetOf(cursor)) {
        m_wanted = offset;
    }
}

} // namespace gufo::ui

#include "moc_bytes_page.cpp"
