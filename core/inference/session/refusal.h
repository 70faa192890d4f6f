// Why a model cannot run: the first reason, and everything else of the same kind.
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
    // One of several that are missing: `what` stands in a list that becomes the error's only argument.
    void add(ErrorCode code, Place place, std::string what) {
        if (!m_error) {
            m_error = Error{code, {}, std::move(place), {}, 0};
            m_lists = true;
        }
        if (m_lists && m_error->code == code) {
            const auto [known, isNew] = m_known.insert(std::move(what));
            if (isNew && m_named.size() < kMostNamed) {
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
    static constexpr std::size_t kMostNamed = 12;

    // "a, b, c"; of a long list the begin and how many more there are.
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
    std::unordered_set<std::string> m_known; // a lying file may miss tens of thousands
    std::vector<std::string> m_named;        // the first of them
};

} // namespace gufo::inference
