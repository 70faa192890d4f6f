// Why a model cannot run: the first reason, and everything else of the same kind.
#pragma once

#include "base/error.h"

#include <algorithm>
#include <optional>
#include <string>
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
        if (m_lists && m_error->code == code && std::ranges::find(m_list, what) == m_list.end()) {
            m_list.push_back(std::move(what));
            m_error->args = {joined()};
        }
    }
    [[nodiscard]] Error take() { return std::move(*m_error); }

private:
    static constexpr std::size_t kMostNamed = 12;

    // "a, b, c"; of a long list the begin and how many more there are.
    [[nodiscard]] std::string joined() const {
        std::string text;
        for (std::size_t i = 0; i < std::min(m_list.size(), kMostNamed); ++i) {
            text += (i == 0 ? "" : ", ") + m_list[i];
        }
        return m_list.size() > kMostNamed ? text + ", … (+" + std::to_string(m_list.size() - kMostNamed) + ")" : text;
    }

    std::optional<Error> m_error;
    bool m_lists = false;
    std::vector<std::string> m_list;
};

} // namespace gufo::inference
