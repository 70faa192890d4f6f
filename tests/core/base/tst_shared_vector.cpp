// Compares SharedVector with std::vector, and checks when copies share their elements.
#include "base/shared_vector.h"
#include "support/test_unit.h"

#include <QTest>

#include <string>

using namespace gufo;

class TestSharedVector : public QObject {
    Q_OBJECT

private slots:
    void isAVector();
    void copiesShareUntilOneChanges();
    void readingThroughConstDoesNotCopy();
};

void TestSharedVector::isAVector() {
    SharedVector<std::string> names;
    QVERIFY(names.empty());
    QCOMPARE(std::as_const(names).begin(), std::as_const(names).end());
    names.push_back("a");
    names.emplace_back() = "b";
    QCOMPARE(names.size(), 2U);
    QCOMPARE(names.front(), std::string("a"));
    QCOMPARE(names.back(), std::string("b"));
    names[0] += "c";
    QCOMPARE(std::vector<std::string>(names.begin(), names.end()), (std::vector<std::string>{"ac", "b"}));
    names.clear();
    QVERIFY(names.empty());
    QCOMPARE(SharedVector<std::string>(std::vector<std::string>{}).size(), 0U);
    QCOMPARE(SharedVector<std::string>(std::vector<std::string>{"x"}).front(), std::string("x"));
}

void TestSharedVector::copiesShareUntilOneChanges() {
    SharedVector<int> first(std::vector<int>{1, 2, 3});
    SharedVector<int> second = first;
    QCOMPARE(std::as_const(first).data(), std::as_const(second).data());
    second[1] = 20;
    QVERIFY(std::as_const(first).data() != std::as_const(second).data());
    QCOMPARE(std::as_const(first)[1], 2);
    QCOMPARE(std::as_const(second)[1], 20);
    SharedVector<int> third = first;
    first.clear();
    QCOMPARE(third.size(), 3U);
    const int* const elements = std::as_const(third).data();
    third[0] = 10; // nobody shares its elements any more
    QCOMPARE(std::as_const(third).data(), elements);
}

void TestSharedVector::readingThroughConstDoesNotCopy() {
    const SharedVector<int> first(std::vector<int>{1, 2, 3});
    const SharedVector<int> second = first; // NOLINT(performance-unnecessary-copy-initialization)
    int sum = 0;
    for (const int element : second) {
        sum += element;
    }
    QCOMPARE(sum, 6);
    QCOMPARE(first.data(), second.data());
}

GUFO_TEST_APPLESS(TestSharedVector)
#include "tst_shared_vector.moc"
