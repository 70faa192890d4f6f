// Combines several test classes in one program, so that the layers are linked only once for a folder of tests.
//
// Each tst_NAME.cpp ends with one of the macros below. The program runs the unit that its first argument names and
// passes the other arguments to Qt Test:
//
//     build/release/bin/test_core_formats tst_save truncatedJournal
//
// Each unit runs in its own process (CTest starts one for each), so that units share no state.
#pragma once

#include <QCoreApplication>
#include <QTest>
#ifdef QT_WIDGETS_LIB
#include <QApplication>
#endif

namespace gufo::test {

// Adds itself to a list before main() runs.
struct TestUnit {
    using Run = int (*)(int argc, char** argv);
    TestUnit(const char* sourceFile, Run function);

    const char* file; // path of the source file; its base name is the unit's name
    Run run;
    TestUnit* next;
};

template<typename Test, typename Application>
int runTest(int argc, char** argv) {
    const Application application(argc, argv);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

template<typename Test>
int runTestWithoutApplication(int argc, char** argv) {
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace gufo::test

// A unit with its own start function: int run(int argc, char** argv). A number is in the variable's name, because
// unity builds combine several units in one translation unit.
#define GUFO_TEST_RUN(run) GUFO_TEST_RUN_LINE(run, __COUNTER__)
#define GUFO_TEST_RUN_LINE(run, number) GUFO_TEST_RUN_NAMED(run, number)
#define GUFO_TEST_RUN_NAMED(run, number) static const gufo::test::TestUnit kTestUnit##number(__FILE__, run);
// These correspond to QTEST_MAIN, QTEST_GUILESS_MAIN and QTEST_APPLESS_MAIN.
#define GUFO_TEST_WIDGETS(Test) GUFO_TEST_RUN((&gufo::test::runTest<Test, QApplication>))
#define GUFO_TEST(Test) GUFO_TEST_RUN((&gufo::test::runTest<Test, QCoreApplication>))
#define GUFO_TEST_APPLESS(Test) GUFO_TEST_RUN(&gufo::test::runTestWithoutApplication<Test>)
