// A vector that copies share until one of them changes, as Qt's containers do. Copying costs the same for any number of
// elements; the first change of a copy that shares its elements copies them.
//
// A function that is not const takes its elements for itself, even if the caller only reads: read long lists through a
// const reference. Iterators are pointers, and are invalid after any change, and after the first call of a function
// that is not const.
//
// Threads: as std::vector. Copies may be used in different threads, although they share elements.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace gufo {

template<typename T>
class SharedVector {
public:
    using value_type = T;

    SharedVector() = default;
    SharedVector(std::vector<T> elements)
        : m_elements(elements.empty() ? nullptr : std::make_shared<std::vector<T>>(std::move(elements))) {}

    [[nodiscard]] std::size_t size() const { return m_elements != nullptr ? m_elements->size() : 0; }
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] const T* data() const { return m_elements != nullptr ? m_elements->data() : nullptr; }
    [[nodiscard]] const T* begin() const { return data(); }
    [[nodiscard]] const T* end() const { return data() + size(); }
    [[nodiscard]] const T& operator[](std::size_t i) const { return (*m_elements)[i]; }
    [[nodiscard]] const T& front() const { return m_elements->front(); }
    [[nodiscard]] const T& back() const { return m_elements->back(); }

    [[nodiscard]] T* data() { return own().data(); }
    [[nodiscard]] T* begin() { return data(); }
    [[nodiscard]] T* end() { return data() + size(); }
    [[nodiscard]] T& operator[](std::size_t i) { return own()[i]; }
    [[nodiscard]] T& front() { return own().front(); }
    [[nodiscard]] T& back() { return own().back(); }
    void push_back(T element) { own().push_back(std::move(element)); }
    T& emplace_back() { return own().emplace_back(); }
    void clear() { m_elements.reset(); }
    void reserve(std::size_t size) { own().reserve(size); }

private:
    // The elements, which no other vector shares.
    std::vector<T>& own() {
        if (m_elements == nullptr) {
            m_elements = std::make_shared<std::vector<T>>();
        } else if (m_elements.use_count() != 1) {
            m_elements = std::make_shared<std::vector<T>>(*m_elements);
        }
        return *m_elements;
    }

    std::shared_ptr<std::vector<T>> m_elements;
};

} // namespace gufo
