// The report's style sheet. The colours are the design tokens, for light and dark; seriesRules() adds the colours of
// the files.
#pragma once

namespace gufo::ui {

inline constexpr char kReportStyle[] = R"css(
:root{color-scheme:light dark;--window:#f2f3f5;--base:#fff;--alt:#f8f9fa;--text:#1a1e25;--muted:#5b6470;--line:#dcdfe4;
--grid:#e9ebef;--axis:#8a929e;--accent:#3a56c5;--same:#e3e6eb;--absent:#bec4cd;--bad:#b3261e;--badfill:#fcebe9;
--goodfill:#e2f3ec;--left:#d55e00;--good:#1b7a4b}
@media(prefers-color-scheme:dark){:root{--window:#1f2228;--base:#17191e;--alt:#1b1e23;--text:#e3e6eb;--muted:#9ba3b0;
--line:#30343d;--grid:#262a31;--axis:#6e7683;--accent:#8fa5ff;--same:#2c3038;--absent:#474d59;--bad:#ff8078;
--badfill:#3a2223;--goodfill:#1d3a31;--left:#f08a4b;--good:#56c98d}}
*{box-sizing:border-box}
body{margin:0;background:var(--window);color:var(--text);font:14px/1.45 system-ui,"Noto Sans","Segoe UI",sans-serif}
main{max-width:1240px;margin:0 auto;padding:28px 20px 60px}
header h1{font-size:24px;line-height:1.25;margin:0 0 4px;overflow-wrap:anywhere}
header p{margin:0;color:var(--muted);overflow-wrap:anywhere}
section{background:var(--base);border:1px solid var(--line);border-radius:8px;padding:18px 20px;margin-top:20px}
h2{font-size:16px;margin:0 0 12px}
h3{font-size:14px;margin:18px 0 8px;overflow-wrap:anywhere}
.muted{color:var(--muted)}
.words{white-space:pre-line;overflow-wrap:anywhere}
.note{margin:8px 0 0}
code,.mono,pre{font-family:ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;font-size:12px}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:13px;font-variant-numeric:tabular-nums}
th,td{padding:5px 10px;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{font-weight:600;color:var(--muted);white-space:nowrap;border-bottom-color:var(--absent)}
tbody tr:nth-child(even){background:var(--alt)}
.n{text-align:right;white-space:nowrap}
.name{overflow-wrap:anywhere;min-width:12em}
.value{overflow-wrap:anywhere;max-width:34em}
.sw{display:inline-block;width:10px;height:10px;border-radius:2px;margin-right:7px;background:var(--c)}
.tag{display:inline-block;padding:0 7px;border-radius:4px;background:var(--same);font-size:12px;white-space:nowrap}
.tag.missing,.tag.reshaped,.tag.failed,.tag.removed{background:var(--badfill);color:var(--bad)}
.tag.extra,.tag.added{background:var(--goodfill);color:var(--good)}
.mark{margin-right:7px;vertical-align:-1px}.mark path{fill:var(--c)}.mark.ref path{fill:none;stroke:var(--c);stroke-width:1.5}
.legend{display:flex;flex-wrap:wrap;align-items:center;gap:6px 18px;margin-bottom:8px}
.key{display:inline-flex;align-items:center;gap:6px;color:var(--muted)}
.maps{display:flex;flex-wrap:wrap;gap:22px 36px}
.pair{display:flex;flex-wrap:wrap;gap:16px 36px}
figure{margin:0;min-width:0;max-width:100%}
figcaption{margin-bottom:8px;display:flex;flex-wrap:wrap;align-items:baseline;gap:0 8px}
figcaption .right{margin-left:auto;padding-left:16px;font-variant-numeric:tabular-nums}
svg{max-width:100%;height:auto;overflow:visible}
svg text{fill:var(--text);font-size:11px}
svg text.muted{fill:var(--muted)}
svg text.strong{font-weight:600}
.grid{stroke:var(--grid);fill:none}
.axis{stroke:var(--axis);fill:none}
.same{fill:var(--same)}
.absent{fill:none;stroke:var(--axis);stroke-dasharray:2 2}
.failed{fill:var(--badfill);stroke:var(--bad)}
.left{stroke:var(--left);stroke-width:1.5}
.line{fill:none;stroke:var(--c);stroke-width:1.6;stroke-dasharray:var(--d)}
.point{fill:var(--c);stroke:var(--c);stroke-width:2}
.point.hollow{fill:var(--base)}
.frontier{fill:none;stroke:var(--accent);stroke-width:1.3;opacity:.75}
.strip{list-style:none;margin:8px 0 0;padding:0;display:flex;flex-wrap:wrap;gap:4px 18px;font-size:12px}
.strip li{display:flex;align-items:center;gap:6px}
details{margin-top:10px}
summary{cursor:pointer;color:var(--accent)}
pre.diff{margin:0;padding:8px 0;border:1px solid var(--line);border-radius:4px;overflow-x:auto;line-height:1.5}
pre.diff span{display:block;padding:0 12px;min-width:max-content}
pre.diff .add{background:var(--goodfill)}
pre.diff .del{background:var(--badfill)}
pre.diff .gap{color:var(--muted)}
@media print{body{background:none}section{break-inside:avoid-page}}
)css";

} // namespace gufo::ui
