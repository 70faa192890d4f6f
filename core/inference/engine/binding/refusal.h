// Collects why a model cannot run: the first reason, and all others of the same kind.
#pragma once

#include "base/error.h"

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace gufo::inference {

class Refusal {
public:
    [[nodiscard]] explicit operator bool() const { return m_error.has_value(); }

    void add(Error error) {
        if (!m_error) {
            m_error = std::move(error);
        }
    }
    // Adds one of several missing things. `what` becomes an entry of the list that is the error's only argument.
    void add(ErrorCode code, Place place, std::string what) {
        if (!m_error) {
            m_error = Error{code, {}, std::move(place), {}, 0};
            m_lists = true;
        }
        if (m_lists && m_error->code == code) {
            const auto [known, isNew] = m_known.insert(std::move(what));
            if (isNew && m_named.size() < kMaxNamed) {
                m_named.push_back(*known);
            }
        }
    }
    [[nodiscard]] Error take() {
        if (m_lists) {
            m_error->args = {joined()};
        }
        return std::move(*m_error);
    }

private:
    static constexpr std::size_t kMaxNamed = 12;

    // "a, b, c"; a long list is cut, with the number of entries that were left out.
    [[nodiscard]] std::string joined() const {
        std::string text;
        for (const std::string& name : m_named) {
            text += (text.empty() ? "" : ", ") + name;
        }
        const std::size_t more = m_known.size() - m_named.size();
        return more != 0 ? text + ", … (+" + std::to_string(more) + ")" : text;
    }

    std::optional<Error> m_error;
    bool m_lists = false;
    std::unordered_set<std::string> m_known; // a malicious file may lack tens of thousands
    std::vector<std::string> m_named;        // the first few, in the order they were added
};

} // namespace gufo::inference
