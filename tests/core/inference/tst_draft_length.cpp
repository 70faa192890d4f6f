// How many tokens are drafted, depending on how many were accepted and what their evaluation cost.
#include "inference/drafting/draft_length.h"
#include "support/test_unit.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace gufo::inference;

class TestDraftLength : public QObject {
    Q_OBJECT

private slots:
    // The cost of an evaluation without a draft must be known first.
    void lengthGrowsWhileDraftsAreAccepted() {
        DraftLength length;
        QCOMPARE(length.next(), std::size_t{0});
        length.record(0, 0, 1.0);
        std::size_t before = 0;
        for (int i = 0; i < 20; ++i) {
            const std::size_t next = length.next();
            QVERIFY(next >= before && next > 0);
            before = next;
            length.record(next, next, 1.5);
        }
        QCOMPARE(before, DraftLength::kMax);
        for (int i = 0; i < 20; ++i) {
            length.record(length.next(), 1, 1.5);
        }
        QVERIFY2(length.next() < DraftLength::kMax / 2, qPrintable(QString::number(length.next())));
    }

    // Equally many tokens are accepted, but their evaluation costs more time.
    void dearDraftsAreShorter() {
        const auto lengthAt = [](double cost) {
            DraftLength length;
            length.record(0, 0, 1.0);
            for (int i = 0; i < 30; ++i) {
                const std::size_t next = length.next();
                length.record(next, std::min<std::size_t>(next, i % 2 == 0 ? 2 : 6),
                              1 + cost * static_cast<double>(next));
            }
            return length.next();
        };
        QVERIFY(lengthAt(0.02) > lengthAt(0.2));
        QVERIFY(lengthAt(0.2) > lengthAt(0.5));
        QVERIFY(lengthAt(0.5) > 0);
    }

    // Each drafted token costs about half an evaluation, as with a draft model on two cores. What is drafted is nearly
    // as fast as the best constant length (1.17), although many single drafts lose, and a draft that is always wrong
    // takes no more than a twentieth of the time.
    void draftsThatPayOnAverageAreKept() {
        constexpr double kCost = 0.54;
        const auto rateWith = [](double right, std::size_t tokens, std::uint32_t seed) {
            std::mt19937 random(seed);
            std::bernoulli_distribution isRight(right);
            DraftLength length;
            double time = 0;
            for (std::size_t at = 0; at < tokens;) {
                const std::size_t drafted = std::min(length.next(), tokens - at - 1);
                std::size_t accepted = 0;
                while (accepted < drafted && isRight(random)) {
                    ++accepted;
                }
                const double seconds = 1 + kCost * static_cast<double>(drafted);
                length.record(drafted, accepted, seconds);
                time += seconds;
                at += 1 + accepted;
            }
            return static_cast<double>(tokens) / time;
        };
        double good = 0;
        for (std::uint32_t seed = 0; seed < 50; ++seed) {
            good += rateWith(0.8, 400, seed) / 50;
        }
        QVERIFY2(good > 1.13, qPrintable(QString::number(good)));
        const double bad = rateWith(0, 160, 0);
        QVERIFY2(bad > 0.95, qPrintable(QString::number(bad)));
    }

    // Drafts seem to cost nothing while the evaluations before them were disturbed. Wrong ones stay short nevertheless,
    // and right ones are as long as possible after a few.
    void wrongDraftsStayShortWhateverTheySeemToCost() {
        DraftLength length;
        length.record(0, 0, 1.0);
        std::size_t drafted = 0;
        for (int i = 0; i < 20; ++i) {
            const std::size_t next = length.next();
            drafted += next;
            length.record(next, 0, 0.5);
        }
        QVERIFY2(drafted <= 24, qPrintable(QString::number(drafted)));
        DraftLength ofShort; // short drafts do not allow long ones
        ofShort.record(0, 0, 1.0);
        for (int i = 0; i < 8; ++i) {
            ofShort.record(1, 1, 0.5);
        }
        QVERIFY(ofShort.next() <= 4);
        DraftLength right;
        right.record(0, 0, 1.0);
        for (int i = 0; i < 4; ++i) {
            right.record(right.next(), right.next(), 0.5);
        }
        QCOMPARE(right.next(), DraftLength::kMax);
    }

    void draftingPausesWhereItCostsTime() {
        DraftLength length;
        length.record(0, 0, 1.0);
        const auto evaluationsUntilNext = [&] {
            int count = 0;
            while (length.next() == 0) {
                length.record(0, 0, 1.0);
                ++count;
            }
            return count;
        };
        QCOMPARE(evaluationsUntilNext(), 0);
        int last = 0;
        for (int round = 0; round < 6; ++round) {
            for (int i = 0; i < 20 && length.next() != 0; ++i) {
                length.record(length.next(), 0, 2.0); // nothing is accepted, at twice the time
            }
            const int pause = evaluationsUntilNext();
            QVERIFY2(pause > 0 && (pause >= 2 * last || pause == 256), qPrintable(QString::number(pause)));
            last = pause;
        }
        // Drafts that save time end the long pauses.
        length.record(4, 4, 2.0);
        length.record(4, 4, 2.0);
        for (int i = 0; i < 20 && length.next() != 0; ++i) {
            length.record(length.next(), 0, 2.0);
        }
        QVERIFY(evaluationsUntilNext() < 256);
    }
};

GUFO_TEST(TestDraftLength)
#include "tst_draft_length.moc"
