// The parts of a page, which tests use as a user does: found by their type and, where there are several, by their
// object name.
#pragma once

#include <QLabel>
#include <QObject>

namespace gufo::test {

// Ends the test if there is no such part.
template<typename T>
[[nodiscard]] T* part(const QObject& page, const char* name = nullptr) {
    T* found = page.findChild<T*>(QString::fromLatin1(name));
    if (found == nullptr) {
        qFatal("%s has no part \"%s\" of type %s", page.metaObject()->className(), name != nullptr ? name : "",
               T::staticMetaObject.className());
    }
    return found;
}

// The text of a label, empty if it is hidden.
[[nodiscard]] inline QString shownText(const QObject& page, const char* name) {
    const auto* label = part<QLabel>(page, name);
    return label->isHidden() ? QString() : label->text();
}

} // namespace gufo::test
