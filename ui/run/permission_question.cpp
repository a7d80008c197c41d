#include "ui/run/permission_question.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/theme/questions.h"

namespace n2nq::ui {
namespace {

constexpr size_t kMostShown = 6;

QString tr(const char* text) {
  return QCoreApplication::translate("PermissionQuestion", text);
}

QString question_text(const std::vector<plan::Reach>& missing) {
  QString text = tr("The plan sends away what is in files of this computer, or a password that you give:");
  for (size_t i = 0; i < std::min(missing.size(), kMostShown); i++)
    text += QStringLiteral("\n") + theme::qt(plan::to_text(missing[i]));
  if (missing.size() > kMostShown) text += QStringLiteral("\n") + tr("and %1 more").arg(missing.size() - kMostShown);
  return text + QStringLiteral("\n") + tr("Is that what you want? If you do not know who wrote the plan, it is not.");
}

}  // namespace

// Where it cannot be kept, the same is asked at the next start of the bench.
void ask_to_send(const PermissionQuestion& question, const std::vector<plan::Reach>& missing,
                 std::function<void()> then) {
  if (missing.empty()) return then();
  theme::ask(question.area, theme::Status::warning, question_text(missing),
             {{.text = question.opens ? tr("Allow and open") : tr("Send and start"),
               .help = tr("Allows to send these files there, now and later."),
               .chosen =
                   [&permissions = question.permissions, missing, then = std::move(then)] {
                     (void)permissions.allow(missing);
                     then();
                   }},
              {.text = question.opens ? tr("Do not open") : tr("Do not start"), .help = tr("Nothing is sent.")}});
}

std::vector<plan::Reach> not_typed(plan::Permissions& permissions, const std::string& file,
                                   const std::vector<plan::RunPlan>& runs, const std::vector<plan::RunPlan>& came) {
  std::vector<plan::Reach> left =
      permissions.missing(runs, {.file = file, .own_keys = plan::keys_set_here(runs, came)});
  std::vector<plan::Reach> typed = permissions.missing(runs, {.file = file});
  std::erase_if(typed, [&](const plan::Reach& reach) { return std::ranges::find(left, reach) != left.end(); });
  (void)permissions.allow(typed);
  return left;
}

}  // namespace n2nq::ui
