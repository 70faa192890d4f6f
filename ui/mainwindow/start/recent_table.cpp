#include "ui/mainwindow/start/recent_table.h"

#include "ui/jobs/job.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/saving/draft_keeper.h"
#include "ui/shell/native_path.h"
#include "ui/shell/places.h"
#include "ui/theme/style_shapes.h"
#include "ui/widgets/elided_label.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

constexpr int kRecentRowHeight = 46;
constexpr int kTextIndent = 40;
constexpr int kDraftDot = 7;
constexpr int kDraftGap = 6;
constexpr std::array<int, RecentModel::ColumnCount> kWidths{300, 84, 84, 84, 88, 112};

void paintDot(QPainter& painter, QPointF centre) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(themeColor(Token::Accent));
    painter.drawEllipse(centre, kDraftDot / 2.0, kDraftDot / 2.0);
    painter.restore();
}

class TwoLineDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const bool selected = (option.state & QStyle::State_Selected) != 0;
        const bool missing = index.data(RecentModel::MissingRole).toBool();
        painter->save();
        if (selected) {
            painter->fillRect(option.rect, themeColor(Token::Selection));
        }
        if (index.row() + 1 < index.model()->rowCount()) { // the last row ends at the frame
            painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                              themeColor(Token::Line));
        }
        const QString text = index.data().toString();
        if (index.column() == RecentModel::FileColumn) {
            drawIcon(painter, QRect(option.rect.left() + 14, option.rect.top() + 6, 16, option.rect.height() - 18),
                     QStringLiteral("file"), missing ? Token::Faint : Token::Muted, 15);
            const QRect lines = option.rect.adjusted(kTextIndent, 6, -8, -6);
            painter->setFont(themeFont(TextStyle::Body));
            painter->setPen(themeColor(missing ? Token::Muted : Token::Text));
            const bool draft = index.data(RecentModel::DraftRole).toBool();
            const int room = lines.width() - (draft ? kDraftDot + kDraftGap : 0);
            const QString name = painter->fontMetrics().elidedText(text, Qt::ElideMiddle, room);
            painter->drawText(lines, Qt::AlignLeft | Qt::AlignTop, name);
            if (draft) { // as tabs mark unsaved changes
                const QFontMetrics metrics = painter->fontMetrics();
                paintDot(*painter, QPointF(lines.left() + metrics.horizontalAdvance(name) + kDraftGap + kDraftDot / 2.0,
                                           lines.top() + metrics.height() / 2.0));
            }
            painter->setFont(themeFont(TextStyle::Axis));
            painter->setPen(themeColor(Token::Muted));
            QString folder = index.data(RecentModel::FolderRole).toString();
            const auto* table = qobject_cast<const QTableView*>(option.widget);
            if (missing &&
                table->isColumnHidden(RecentModel::OpenedColumn)) { // shows this here if the column is hidden
                folder = RecentModel::tr("not found in %1").arg(folder);
            }
            painter->drawText(lines, Qt::AlignLeft | Qt::AlignBottom,
                              painter->fontMetrics().elidedText(folder, Qt::ElideMiddle, lines.width()));
        } else {
            const bool plain = index.column() == RecentModel::ArchitectureColumn ||
                               index.column() == RecentModel::OpenedColumn || missing;
            const bool notFound = missing && index.column() == RecentModel::OpenedColumn;
            painter->setFont(themeFont(TextStyle::Body));
            painter->setPen(themeColor(notFound ? Token::ErrorText : plain ? Token::Muted : Token::Text));
            const QRect cell = option.rect.adjusted(8, 0, -8, 0);
            painter->drawText(cell, index.data(Qt::TextAlignmentRole).toInt() | Qt::TextSingleLine,
                              painter->fontMetrics().elidedText(text, Qt::ElideRight, cell.width()));
        }
        if ((option.state & QStyle::State_HasFocus) != 0 && (option.state & QStyle::State_KeyboardFocusChange) != 0) {
            drawFocusRing(painter, option.rect.adjusted(0, 0, 0, -1), 2);
        }
        painter->restore();
    }
};

} // namespace

QString openedText(const QDateTime& opened, const QDateTime& now) {
    const qint64 days = opened.date().daysTo(now.date());
    const QLocale locale;
    if (days == 0) {
        QString format = locale.timeFormat(QLocale::ShortFormat);
        format.remove(QStringLiteral(":ss")); // some locales include seconds in the short format
        return RecentModel::tr("Today %1").arg(locale.toString(opened.time(), format));
    }
    if (days == 1) {
        return RecentModel::tr("Yesterday");
    }
    const bool thisYear = opened.date().year() == now.date().year();
    return locale.toString(opened.date(), thisYear ? QStringLiteral("d MMMM") : QStringLiteral("d MMM yyyy"));
}

RecentModel::RecentModel(RecentFiles* files, QObject* parent)
    : QAbstractTableModel(parent)
    , m_files(files)
    , m_rows(files->files()) {
    connect(files, &RecentFiles::changed, this, [this] {
        beginResetModel();
        m_rows = m_files->files();
        endResetModel();
        checkFiles();
    });
}

int RecentModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RecentModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

const hub::ModelPlace& RecentModel::placeAt(int row) const { return m_rows[static_cast<std::size_t>(row)].place; }

QVariant RecentModel::data(const QModelIndex& index, int role) const {
    const RecentFile& file = m_rows[static_cast<std::size_t>(index.row())];
    const bool missing = m_missing.contains(file.place);
    const bool number = index.column() == ParametersColumn || index.column() == SizeColumn;
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case FileColumn:
            return fileNameText(file.place);
        case ArchitectureColumn:
            return file.architecture;
        case ParametersColumn:
            return file.parameters == 0 ? QString() : formatParameters(file.parameters);
        case TypeColumn:
            return file.type;
        case SizeColumn:
            return formatBytes(file.bytes);
        case OpenedColumn:
            return missing ? tr("not found") : openedText(file.opened, QDateTime::currentDateTime());
        default:
            return {};
        }
    case SortRole:
        switch (index.column()) {
        case ParametersColumn:
            return static_cast<qulonglong>(file.parameters);
        case SizeColumn:
            return static_cast<qulonglong>(file.bytes);
        case OpenedColumn:
            return file.opened;
        default:
            return data(index, Qt::DisplayRole);
        }
    case FolderRole:
        return file.shards > 1 ? tr("%1, %n shards", nullptr, numerus(file.shards)).arg(folderText(file.place))
                               : folderText(file.place);
    case MissingRole:
        return missing;
    case DraftRole:
        return m_drafts.contains(file.place);
    case Qt::ToolTipRole: {
        const QString path = pathText(file.place);
        return plainToolTip(m_drafts.contains(file.place) ? tr("%1\nIt has changes that were not saved.").arg(path)
                                                          : path);
    }
    case Qt::AccessibleTextRole: {
        if (index.column() != FileColumn) {
            return data(index, Qt::DisplayRole);
        }
        const QString text = tr("%1 in %2").arg(fileNameText(file.place), folderText(file.place));
        return m_drafts.contains(file.place) ? tr("%1, unsaved changes").arg(text) : text;
    }
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft));
    default:
        return {};
    }
}

QVariant RecentModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        const bool number = section == ParametersColumn || section == SizeColumn;
        return static_cast<int>(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft));
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    const std::array<QString, ColumnCount> titles{tr("File"), tr("Architecture"), tr("Parameters"),
                                                  tr("Type"), tr("Size"),         tr("Opened")};
    return titles[static_cast<std::size_t>(section)];
}

void RecentModel::checkFiles() {
    std::vector<std::filesystem::path> paths; // only files on this computer
    for (const RecentFile& file : m_rows) {
        if (const auto* path = file.place.localPath()) {
            paths.push_back(*path);
        }
    }
    struct Found {
        std::set<hub::ModelPlace> missing;
        std::set<hub::ModelPlace> drafts;
    };
    startJob<Found>(
        this,
        [paths = std::move(paths), folder = draftFolder()](const JobContext& job) -> Result<Found> {
            Found found;
            for (const auto& path : paths) {
                if (job.stopRequested()) {
                    break;
                }
                std::error_code error;
                if (!std::filesystem::exists(path, error)) {
                    found.missing.insert(path);
                }
                if (Draft::existsFor(folder, path)) {
                    found.drafts.insert(path);
                }
            }
            return found;
        },
        [this](Result<Found> found) {
            if (found && (found->missing != m_missing || found->drafts != m_drafts)) {
                m_missing = std::move(found->missing);
                m_drafts = std::move(found->drafts);
                emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
            }
            emit checked();
        });
}

RecentTable::RecentTable(RecentFiles* files, QWidget* parent)
    : QTableView(parent)
    , m_files(files)
    , m_model(new RecentModel(files, this))
    , m_proxy(new QSortFilterProxyModel(this)) {
    m_proxy->setSourceModel(m_model);
    m_proxy->setFilterKeyColumn(-1);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_proxy->setSortRole(RecentModel::SortRole);
    m_proxy->setSortCaseSensitivity(Qt::CaseInsensitive);
    setModel(m_proxy);
    setItemDelegate(new TwoLineDelegate(this));
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setSortingEnabled(true);
    sortByColumn(RecentModel::OpenedColumn, Qt::DescendingOrder);
    setTabKeyNavigation(false);
    setAccessibleName(tr("Recent files"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setSectionResizeMode(RecentModel::FileColumn, QHeaderView::Stretch);
    for (int column = 0; column < RecentModel::ColumnCount; ++column) {
        setColumnWidth(column, kWidths[static_cast<std::size_t>(column)]);
    }
    // When the style is applied, it resets the row height to one line.
    ensurePolished();
    verticalHeader()->setDefaultSectionSize(
        std::max(kRecentRowHeight, QFontMetrics(themeFont(TextStyle::Body)).height() +
                                       QFontMetrics(themeFont(TextStyle::Axis)).height() + 12));
    // As high as its rows, if there is room.
    const auto fit = [this] {
        setMaximumHeight(horizontalHeader()->sizeHint().height() +
                         m_proxy->rowCount() * verticalHeader()->defaultSectionSize() + 2 * frameWidth());
    };
    fit();
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved}) {
        connect(m_proxy, signal, this, fit);
    }
    connect(m_proxy, &QAbstractItemModel::modelReset, this, fit);
    connect(this, &QTableView::doubleClicked, this, &RecentTable::openSelected);
}

void RecentTable::setFilter(const QString& text) { m_proxy->setFilterFixedString(text); }

void RecentTable::setNarrow(bool narrow) {
    setColumnHidden(RecentModel::ArchitectureColumn, narrow);
    setColumnHidden(RecentModel::OpenedColumn, narrow);
}

std::vector<hub::ModelPlace> RecentTable::selectedPlaces() const {
    std::vector<hub::ModelPlace> places;
    for (const QModelIndex& index : selectionModel()->selectedRows()) {
        places.push_back(m_model->placeAt(m_proxy->mapToSource(index).row()));
    }
    return places;
}

void RecentTable::openSelected() {
    for (const hub::ModelPlace& place : selectedPlaces()) {
        emit openRequested(place);
    }
}

void RecentTable::removeSelected() {
    for (const hub::ModelPlace& place : selectedPlaces()) {
        m_files->remove(place);
    }
}

void RecentTable::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        openSelected();
    } else if (event->key() == Qt::Key_Delete) {
        removeSelected();
    } else {
        QTableView::keyPressEvent(event);
    }
}

void RecentTable::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    const bool any = selectionModel()->hasSelection();
    menu.addAction(tr("Open"), this, &RecentTable::openSelected)->setEnabled(any);
    menu.addAction(tr("Remove from List"), QKeySequence(Qt::Key_Delete), this, &RecentTable::removeSelected)
        ->setEnabled(any);
    menu.addSeparator();
    menu.addAction(tr("Clear List"), m_files, &RecentFiles::clear)->setEnabled(m_model->rowCount() > 0);
    const QPoint at = event->reason() == QContextMenuEvent::Keyboard
                          ? viewport()->mapToGlobal(visualRect(currentIndex()).bottomLeft())
                          : event->globalPos();
    menu.exec(at);
}

} // namespace gufo::ui

#include "moc_recent_table.cpp"
