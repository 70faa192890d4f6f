// String literals of C++ sources, for tests that look for English in them.
#pragma once

#include <QList>
#include <QPair>
#include <QString>

namespace gufo::test {

// The literals of a source and their offsets, except in comments, includes and static_assert.
[[nodiscard]] QList<QPair<QString, qsizetype>> literalsOf(const QString& source);

} // namespace gufo::test
