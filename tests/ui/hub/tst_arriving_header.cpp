// What the window shows of a model on a server while its header arrives.
#include "remote_window.h"
#include "support/test_unit.h"
#include "ui/mainwindow/tabs/remote_states.h"
#include "ui/widgets/segmented_control.h"

#include <QAbstractItemModelTester>
#include <QPushButton>
#include <QTableView>

using namespace gufo;
using namespace gufo::ui;
using gufo::test::FileFault;
using gufo::test::RemoteWindow;

namespace {

// A mixture of experts of this many blocks, whose list of tensors is longer than what one request brings.
std::string manyTensors(std::size_t tensors) {
    test::GgufBuilder file;
    file.key("general.architecture", "llama").key("general.name", "Night");
    for (std::size_t i = 0; i < tensors; ++i) {
        file.tensor("blk." + std::to_string(i) + ".ffn_gate_exps.weight", 0, {32, 2});
    }
    const auto bytes = file.build();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

class TestArrivingHeader : public QObject {
    Q_OBJECT

    static constexpr auto kStrict = QAbstractItemModelTester::FailureReportingMode::QtTest;

private slots:
    void init() { m_r = std::make_unique<RemoteWindow>(); }
    void cleanup() { m_r.reset(); }

    void keysAppear() {
        m_r->hub.files["night-Q8_0.gguf"] = test::remoteModelFile("{{ messages }}", 60'000);
        m_r->hub.pauseMs = 60; // 64 KiB at a time
        m_r->show(m_r->fileUrl());
        ModelTab* tab = m_r->window().currentModelTab();
        auto* view = tab->findChild<FetchingView*>();
        const ArrivingModel& keys = view->arrived(Arriving::Keys);
        const QAbstractItemModelTester tester(view->table(Arriving::Keys)->model(), kStrict);
        QTRY_VERIFY(view->isVisible() && keys.rowCount() >= 7);
        QVERIFY(tab->model() == nullptr);
        QCOMPARE(keys.index(0, 0).data().toString(), "general.architecture");
        QCOMPARE(keys.index(0, 2).data().toString(), "llama");
        QTRY_VERIFY(view->statusText().contains(QString::fromStdString(m_r->host())));
        m_r->hub.pauseMs = 0;
        QVERIFY(WindowFixture::waitOpened(tab));
        QVERIFY(tab->model() != nullptr);
    }

    void tensorsAppear() {
        m_r->hub.files["night-Q8_0.gguf"] = manyTensors(20'000);
        m_r->hub.pauseMs = 40;
        m_r->show(m_r->fileUrl());
        ModelTab* tab = m_r->window().currentModelTab();
        auto* view = tab->findChild<FetchingView*>();
        const ArrivingModel& tensors = view->arrived(Arriving::Tensors);
        const QAbstractItemModelTester tester(view->table(Arriving::Tensors)->model(), kStrict);
        QTRY_VERIFY(tensors.rowCount() > 0);
        QVERIFY(tensors.rowCount() < 20'000 && tab->model() == nullptr);
        QTest::mouseClick(view->choice()->segment(static_cast<int>(Arriving::Tensors)), Qt::LeftButton);
        QVERIFY(view->table(Arriving::Tensors)->isVisible() && !view->table(Arriving::Keys)->isVisible());
        const auto cell = [&](int column) { return tensors.index(1, column).data().toString(); };
        QCOMPARE(cell(0), "blk.1.ffn_gate_exps.weight");
        QCOMPARE(cell(1), "F32");
        QCOMPARE(cell(2), "32 × 2");
        QCOMPARE(cell(3), "256 bytes");
        const int before = tensors.rowCount();
        QTRY_VERIFY(tensors.rowCount() > before);
        QVERIFY(view->choice()->segment(1)->text().contains(QLocale().toString(tensors.rowCount())) ||
                view->choice()->segment(1)->text().contains(QString::number(tensors.rowCount())));
        m_r->hub.pauseMs = 0;
        QVERIFY(WindowFixture::waitOpened(tab));
        QCOMPARE(tab->model()->tensors.size(), 20'000U);
    }

    // Each shard adds its tensors, while the keys remain the opened file's.
    void shardsAppearOneAfterTheOther() {
        const auto shard = [](std::uint16_t number) {
            test::GgufBuilder file;
            file.key("general.architecture", "llama").key("split.no", number).key("split.count", std::uint16_t{3});
            file.key("split.tensors.count", std::int32_t{3});
            if (number == 0) { // a key that the opened file lacks, and one that is longer than a part
                file.key("split.note", "x").key("general.name", std::string(100'000, 'x'));
            }
            file.tensor("blk." + std::to_string(number) + ".attn_q.weight", 0, {32, 1024});
            const auto bytes = file.build();
            return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        };
        for (std::uint16_t i = 0; i < 3; ++i) {
            m_r->hub.files["night-0000" + std::to_string(i + 1) + "-of-00003.gguf"] = shard(i);
        }
        ArrivingHeader header;
        const auto opened =
            hub::openRemoteModel(net::Client::shared(), m_r->fileUrl("night-00002-of-00003.gguf"), {}, header.watch());
        QVERIFY(opened.has_value());
        QCOMPARE((*opened)->tensors.size(), 3U);
        QCOMPARE(header.rowsFrom(Arriving::Keys, 0).size(), 4U);
        QStringList names;
        for (const ArrivedRow& row : header.rowsFrom(Arriving::Tensors, 0)) {
            names << row[0];
        }
        QCOMPARE(names, (QStringList{"blk.1.attn_q.weight", "blk.0.attn_q.weight", "blk.2.attn_q.weight"}));
        QCOMPARE(header.rowsFrom(Arriving::Tensors, 2).size(), 1U);
        QVERIFY(header.rowsFrom(Arriving::Tensors, 9).empty());
    }

    void cancelWhileNothingArrives() {
        m_r->hub.files["night-Q8_0.gguf"] = test::remoteModelFile("{{ messages }}", 60'000);
        m_r->hub.fault = FileFault::Silent;
        m_r->show(m_r->fileUrl());
        ModelTab* tab = m_r->window().currentModelTab();
        auto* view = tab->findChild<FetchingView*>();
        QTRY_VERIFY(m_r->hub.fileRequests >= 3); // the header's third part does not come
        QTest::mouseClick(view->cancelButton(), Qt::LeftButton);
        QCOMPARE(m_r->window().tabCount(), 1);
        QVERIFY(m_r->window().modelTabAt(0) == nullptr); // the start page
        QTRY_VERIFY_WITH_TIMEOUT(m_r->hub.unfinishedAnswers == 0, 5'000);
    }

private:
    std::unique_ptr<RemoteWindow> m_r;
};

GUFO_TEST_WIDGETS(TestArrivingHeader)
#include "tst_arriving_header.moc"
