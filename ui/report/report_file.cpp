#include "ui/report/report_file.h"

#include "app/plan/whole_file.h"
#include "app/report/report_html.h"
#include "ui/report/report_drawing.h"
#include "ui/report/report_pdf.h"

namespace n2nq::ui {

Result<void> write_report(const report::Report& report, const std::string& path) {
  if (!path.ends_with(".pdf")) return plan::write_whole_file(path, report::to_html(report, draw_svg, report_look()));
  std::vector<QPicture> pictures;
  for (const report::Block& block : report.blocks)
    if (const auto* figure = std::get_if<figures::Figure>(&block)) pictures.push_back(draw_picture(*figure));
  return plan::write_whole_file(path, to_pdf(report, pictures).toStdString());
}

}  // namespace n2nq::ui
