#include "ui/window/first_steps.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/run/server_look.h"
#include "ui/theme/buttons.h"
#include "ui/theme/label.h"
#include "ui/theme/questions.h"
#include "ui/theme/tokens.h"
#include "ui/window/bench_state.h"
#include "ui/window/first_picture.h"

namespace n2nq::ui {
namespace {

constexpr const char* kOfferedKey = "window/quick-run-offered";
constexpr const char* kQuickPlan = ":/plans/quick.json";
constexpr int kWidest = 640;

}  // namespace

bool FirstSteps::is_wanted(BenchState& state) {
  return state.first_start() && !state.settings().value(kOfferedKey, false).toBool();
}

FirstSteps::FirstSteps(BenchState& state, QWidget& page) : theme::Card(&page), state_(state) {
  setAccessibleName(tr("First steps"));
  body()->setSpacing(theme::kSpace3);
  body()->addWidget(new FirstPicture(this));
  auto* what = new theme::Label(tr("The bench shows how a message bus behaves: it starts senders and receivers as real "
                                   "processes, and charts what they measure."),
                                theme::TextSize::title, theme::Tone::plain, this);
  what->setWordWrap(true);
  body()->addWidget(what);
  auto* steps = new QGridLayout;
  steps->setHorizontalSpacing(theme::kSpace3);
  steps->setVerticalSpacing(theme::kSpace2);
  steps->setColumnStretch(1, 1);
  add_step(*steps, "start", tr("Try our queue"),
           tr("Two runs of a few seconds: each message goes to all receivers, then to one of them."),
           &FirstSteps::try_queue);
  if (state.desk() != nullptr)
    add_step(*steps, "compare", tr("Compare two buses you have"),
             tr("Prepares a campaign: the same load over two buses of this computer, by turns, in some minutes."),
             &FirstSteps::compare);
  add_step(*steps, "queue", tr("Measure your server"),
           tr("Leads to the bus in the plan: choose yours, enter the address of its server, and start."),
           &FirstSteps::measure_server);
  body()->addLayout(steps);
  auto* later = new QPushButton(tr("Not now"), this);
  later->setAccessibleName(tr("Not now"));
  later->setToolTip(tr("Closes this; the plan \"quick\" is in the plan menu."));
  body()->addWidget(later, 0, Qt::AlignRight);
  connect(later, &QPushButton::clicked, this, &FirstSteps::dismiss);
  connect(&state.sequence(), &run::RunSequence::session_changed, this, &FirstSteps::close);
  if (state.desk() != nullptr) connect(state.desk(), &campaign::CampaignDesk::begun, this, &FirstSteps::close);
  theme::ask(page, this, kWidest);
}

FirstSteps::~FirstSteps() = default;

void FirstSteps::add_step(QGridLayout& steps, const char* icon, const QString& text, const QString& what,
                          void (FirstSteps::*take)()) {
  auto* button = new QPushButton(theme::icon(icon), text, this);
  button->setAccessibleName(text);
  button->setToolTip(what);
  auto* label = new theme::Label(what, theme::TextSize::body, theme::Tone::muted, this);
  label->setWordWrap(true);
  const int row = steps.rowCount();
  if (focusProxy() == nullptr) {
    theme::make_primary(*button);
    setFocusProxy(button);
  }
  steps.addWidget(button, row, 0);
  steps.addWidget(label, row, 1);
  connect(button, &QPushButton::clicked, this, take);
}

void FirstSteps::close() {
  hide();
}

void FirstSteps::try_queue() {
  close();
  Q_EMIT quick_run_wanted(kQuickPlan);
}

// What is not known to be there is left out.
void FirstSteps::compare() {
  if (looking_) return;
  looking_ = std::make_unique<run::ServerLook>(state_.session_options().programs);
  connect(looking_.get(), &run::ServerLook::over, this, [this] {
    if (isHidden()) return looking_.release()->deleteLater();  // something else was begun
    std::vector<std::string> servers;
    if (const auto& found = *looking_->found())
      for (const run::InstalledServer& server : *found)
        if (server.installed()) servers.push_back(server.kind);
    looking_.release()->deleteLater();
    close();
    Q_EMIT compare_wanted(servers);
  });
  looking_->start();
}

void FirstSteps::measure_server() {
  close();
  Q_EMIT server_wanted();
}

void FirstSteps::dismiss() {
  state_.settings().setValue(kOfferedKey, true);
  close();
}

void FirstSteps::keyPressEvent(QKeyEvent* event) {
  event->key() == Qt::Key_Escape ? dismiss() : theme::Card::keyPressEvent(event);
}

}  // namespace n2nq::ui

#include "moc_first_steps.cpp"
