// Collects the names of refused items for an error that lists them: all are counted, and the first ones are shown.
#pragma once

#include "base/detail.h"
#include "base/error.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace gufo {

class NameList {
public:
    void add(std::string_view name) {
        if (++m_count <= kMaxShown) {
            m_text += (m_count == 1 ? "" : ", ") + std::string(name);
        }
    }

    // NotSupported with the detail, the number of names and their list, which ends with an ellipsis if it is cut off.
    // No error if no name was added.
    [[nodiscard]] Result<> refused(Detail why) const {
        if (m_count == 0) {
            return {};
        }
        return fail(ErrorCode::NotSupported, {},
                    {Argument(why, {m_count, m_count > kMaxShown ? m_text + ", …" : m_text})});
    }

private:
    static constexpr std::size_t kMaxShown = 64;

    std::size_t m_count = 0;
    std::string m_text;
};

} // namespace gufo
