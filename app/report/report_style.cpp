#include "app/report/report_style.h"

namespace n2nq::report {
namespace {

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --page: #ffffff; --text: #1c1f23; --muted: #5a6270; --line: #d5d9e0; --band: #f4f6f8;
  --info: #1f6f43; --warning: #8a5a00; --error: #a3262a; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; background: var(--page); color: var(--text);
  font: 15px/1.45 system-ui, "DejaVu Sans", Verdana, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .2rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .6rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.4rem 0 .4rem; overflow-wrap: anywhere; }
p { margin: .5rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.subtitle, footer { color: var(--muted); }
.subtitle { margin-top: 0; }
footer { margin-top: 2.5rem; padding-top: .5rem; border-top: 1px solid var(--line); font-size: .85rem; }
p.info, p.warning, p.error { padding: .5rem .75rem; border-left: 4px solid; background: var(--band); }
p.info { border-color: var(--info); } p.warning { border-color: var(--warning); } p.error { border-color: var(--error); }
ul { margin: .5rem 0; padding-left: 1.3rem; } li { margin: .2rem 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; margin: .6rem 0; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { padding: .3rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line);
  white-space: pre-wrap; overflow-wrap: break-word; }
th { font-weight: 600; color: var(--muted); white-space: nowrap; vertical-align: bottom; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number, td.short { white-space: nowrap; }
.rest { width: 100%; min-width: 14rem; max-width: 34rem; }
.shared .rest { width: 50%; min-width: 16rem; }
.many { width: 100%; font-size: .82rem; }
.many th, .many td { padding: .3rem .45rem; }
.many th { white-space: normal; }
.many td.short { white-space: pre-wrap; }
.many .rest { width: auto; min-width: 9rem; }
tr.warning td:first-child { border-left: 4px solid var(--warning); }
tr.error td:first-child { border-left: 4px solid var(--error); }
pre { background: var(--band); padding: .75rem; overflow-x: auto; font: 13px/1.4 "DejaVu Sans Mono", monospace; }
figure { margin: 1.2rem 0; }
figure svg { display: block; width: 100%; height: auto; }
figure text { font-family: "DejaVu Sans", Verdana, Geneva, sans-serif; }
)";

constexpr const char* kDark =
    R"(:root { --page: #16181c; --text: #e6e8eb; --muted: #a0a8b4; --line: #363b44; --band: #20242a;
  --info: #5cc28d; --warning: #e0ad4c; --error: #f0787c; }
)";

constexpr const char* kPrint = R"(@page { margin: 15mm; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  figure, tr, .keep { break-inside: avoid; }
  h1, h2, h3 { break-after: avoid; }
  .wide, pre { overflow: visible; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  .rest, .shared .rest, .many .rest { min-width: 0; }
}
)";

}  // namespace

std::string style_sheet(const DarkColors& dark) {
  std::string out = kStyle;
  out += "@media screen and (prefers-color-scheme: dark) {\n";
  out += kDark;
  for (const auto& [from, to] : dark) {
    out += "figure [fill=\"" + from + "\"] { fill: " + to + "; }\n";
    out += "figure [stroke=\"" + from + "\"] { stroke: " + to + "; }\n";
  }
  return out + "}\n" + kPrint;
}

}  // namespace n2nq::report
