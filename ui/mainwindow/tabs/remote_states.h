// What the tab of a model on a server shows besides its pages: that nothing has been sent yet, what has arrived of the
// header, and above the pages which host is contacted.
#pragma once

#include "hub/model_place.h"
#include "model/model.h"
#include "ui/mainwindow/tabs/arriving_header.h"

#include <QTimer>
#include <QWidget>

#include <memory>

class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace gufo::ui {

class ElidedLabel;
class SegmentedControl;

// A restored tab waits here, because no server is contacted before the user asks for it.
class WaitingView : public QWidget {
    Q_OBJECT

public:
    WaitingView(const QString& what, const QString& address, const QString& host, QWidget* parent = nullptr);

signals:
    void contactRequested();
    void closeRequested();

private:
    QPushButton* m_contact;
};

// Shows the keys and the tensors as they arrive, and how much was received.
class FetchingView : public QWidget {
    Q_OBJECT

public:
    FetchingView(const QString& name, QString host, QWidget* parent = nullptr);
    // Shows nothing at first.
    void start(std::shared_ptr<const ArrivingHeader> header);
    void stop();
    [[nodiscard]] const ArrivingModel& arrived(Arriving what) const { return *part(what).model; }
    [[nodiscard]] QTableView* table(Arriving what) const { return part(what).table; }
    [[nodiscard]] SegmentedControl* choice() const { return m_choice; } // of the table
    [[nodiscard]] QString statusText() const;
    [[nodiscard]] QPushButton* cancelButton() const { return m_cancel; }

signals:
    void cancelRequested();

private:
    struct Part {
        ArrivingModel* model = nullptr;
        QTableView* table = nullptr;
    };
    [[nodiscard]] const Part& part(Arriving what) const { return m_parts[static_cast<std::size_t>(what)]; }
    QTableView* makeTable(ArrivingModel* model);
    void follow();
    void nameSegments();

    QString m_host;
    std::shared_ptr<const ArrivingHeader> m_header;
    QLabel* m_status;
    SegmentedControl* m_choice;
    QStackedWidget* m_tables;
    QPushButton* m_cancel;
    std::array<Part, kAllArriving.size()> m_parts{};
    QTimer m_timer;
};

// A strip: the host, the address, and how much has been received since the model was opened.
class ServerStrip : public QWidget {
    Q_OBJECT

public:
    explicit ServerStrip(QWidget* parent = nullptr);
    void setModel(std::shared_ptr<const Model> model, const hub::ModelPlace& place);
    [[nodiscard]] QString receivedText() const;
    [[nodiscard]] QPushButton* downloadButton() const { return m_download; }

signals:
    void downloadRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void follow();

    std::shared_ptr<const Model> m_model;
    QLabel* m_host;
    ElidedLabel* m_address;
    QLabel* m_received;
    QPushButton* m_download;
    QTimer m_timer;
};

} // namespace gufo::ui
