#include "app/report/report_style.h"

namespace n2nq::report {
namespace {

constexpr const char* kStyle = R"(html { background: var(--page); }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; background: var(--page); color: var(--text);
  font: 15px/1.45 var(--font); }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .2rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .6rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.4rem 0 .4rem; overflow-wrap: anywhere; }
p { margin: .5rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.subtitle, footer { color: var(--muted); }
.subtitle { margin-top: 0; }
footer { margin-top: 2.5rem; padding-top: .5rem; border-top: 1px solid var(--line); font-size: .85rem; }
p.info, p.warning, p.error { padding: .6rem .9rem; border-left: 4px solid; border-radius: 0 8px 8px 0;
  background: var(--band); }
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
.headlines { display: flex; flex-wrap: wrap; gap: 12px; margin: 1.2rem 0; }
.headlines > div { flex: 1 1 9rem; padding: 11px 14px; border: 1px solid var(--line); border-top: 3px solid;
  border-radius: 8px; background: var(--card); }
.headlines .sender { border-top-color: var(--sender); } .headlines .queue { border-top-color: var(--queue); }
.headlines .receiver { border-top-color: var(--receiver); } .headlines .accent { border-top-color: var(--accent); }
.headlines .neutral { border-top-color: var(--neutral); }
.headlines .info { border-top-color: var(--info); } .headlines .warning { border-top-color: var(--warning); }
.headlines .error { border-top-color: var(--error); }
.name, .note { display: block; font-size: .8rem; color: var(--muted); overflow-wrap: anywhere; }
.value { font-size: 1.75rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.unit { color: var(--muted); }
.new-page { height: 1rem; }
figure svg { display: block; width: 100%; height: auto; }
figure text { font-family: var(--font); }
figcaption { font-size: .8rem; color: var(--muted); overflow-wrap: anywhere; }
)";

constexpr const char* kPrint = R"(@page { margin: 15mm; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  figure, tr, .keep { break-inside: avoid; }
  .new-page { break-after: page; height: 0; }
  .headlines > div { break-inside: avoid; }
  h1, h2, h3 { break-after: avoid; }
  .wide, pre { overflow: visible; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  .rest, .shared .rest, .many .rest { min-width: 0; }
}
)";

std::string variables(const PageColors& colors) {
  std::string out;
  for (const auto& [name, color] : colors) out += " --" + name + ": " + color + ";";
  return out;
}

}  // namespace

std::string style_sheet(const Look& look) {
  std::string out = "\n:root { color-scheme: light dark; --font: " + look.font + ";" + variables(look.light) + " }\n";
  out += kStyle;
  out += "@media screen and (prefers-color-scheme: dark) {\n:root {" + variables(look.dark) + " }\n";
  for (const auto& [from, to] : look.figures) {
    out += "figure [fill=\"" + from + "\"] { fill: " + to + "; }\n";
    out += "figure [stroke=\"" + from + "\"] { stroke: " + to + "; }\n";
  }
  return out + "}\n" + kPrint;
}

}  // namespace n2nq::report
