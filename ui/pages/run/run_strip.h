// The line below a conversation: speed of generation and of the prompt, memory read, and use of the context.
#pragma once

#include "ui/run/running_answer.h"

#include <QWidget>

#include <deque>

namespace gufo::ui {

class RunStrip : public QWidget {
    Q_OBJECT

public:
    explicit RunStrip(QWidget* parent = nullptr);

    void setFigures(const inference::ResponseFigures& figures);
    void setContext(std::uint32_t context); // 0 if nothing is loaded
    void setPeak(double bytesPerSecond);    // the memory bandwidth; 0 if it was not measured
    // What a token reads fits into the processor's caches, so the memory is no limit.
    void setCached(bool cached);
    void beginAnswer();                 // restarts the sparkline
    [[nodiscard]] QString text() const; // the full text, for screen readers

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Part {
        QString label;
        QString value;
        QString more;
        int rank = 0; // the part with the highest rank is omitted first
    };
    [[nodiscard]] std::vector<Part> parts() const;
    void sample();

    inference::ResponseFigures m_figures;
    std::uint32_t m_context = 0;
    double m_peak = 0;
    bool m_cached = false;
    std::deque<double> m_speeds; // recent speeds
    double m_sampledAt = 0;
    std::size_t m_sampledTokens = 0;
};

} // namespace gufo::ui
