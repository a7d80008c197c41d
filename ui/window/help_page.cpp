#include "ui/window/help_page.h"

#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kPathRole = Qt::UserRole;

struct Topic {
  const char* title;
  const char* path;
};
// In the order in which somebody new reads them.
constexpr Topic kTopics[] = {
    {"Plans", ":/docs/plan.md"},
    {"Figures", ":/docs/measuring.md"},
    {"Campaigns", ":/docs/campaigns.md"},
    {"Results", ":/docs/store.md"},
    {"Reports and archives", ":/docs/reports.md"},
    {"The window", ":/docs/window.md"},
    {"Workers", ":/docs/control.md"},
    {"The bus", ":/docs/protocol.md"},
    {"How it is built", ":/docs/architecture.md"},
};

const char* const kKeys = R"(
<h2>Keys</h2>
<table cellspacing="0" cellpadding="4">
<tr><td><b>F5</b></td><td>start queue, senders and receivers</td></tr>
<tr><td><b>Shift+F5</b></td><td>stop; press again to kill</td></tr>
<tr><td><b>Ctrl+R</b></td><td>make request: receivers use the edited filters</td></tr>
<tr><td><b>Ctrl+L</b></td><td>log of the selected service</td></tr>
<tr><td><b>Space</b></td><td>pause the charts</td></tr>
<tr><td><b>Ctrl+1 to Ctrl+4</b></td><td>pages: Run, Results, Hosts, Campaigns</td></tr>
<tr><td><b>Ctrl+N, Ctrl+O, Ctrl+S, Ctrl+Shift+S</b></td><td>new plan, open, save, save as</td></tr>
<tr><td><b>Ctrl+Z, Ctrl+Shift+Z</b></td><td>undo, redo an edit: of the plan, of the filters, of the list of results</td></tr>
<tr><td><b>Ctrl+C</b></td><td>copy the selected rows</td></tr>
<tr><td><b>F1</b></td><td>this help</td></tr>
</table>)";

QString about() {
  return HelpPage::tr(
             "<h2>N2NQ Bench %1</h2>"
             "<p>A test bench for N2NQ, a many-to-many message queue.</p>"
             "<p>Free software under the GNU General Public License, version 3 or later; it comes without any "
             "warranty. The charts are drawn with Qt Charts (GPL-3.0), the window with Qt %2 (LGPL-3.0); results are "
             "kept with SQLite (public domain). JSON is read with nlohmann/json (MIT).</p>")
      .arg(N2NQ_VERSION, qVersion());
}

}  // namespace

HelpPage::HelpPage(QWidget* parent) : QWidget(parent), topics_(new QListWidget(this)), text_(new QTextBrowser(this)) {
  topics_->setAccessibleName(tr("Help topics"));
  topics_->setFrameShape(QFrame::NoFrame);
  topics_->setSpacing(theme::kGrid / 4);
  text_->setAccessibleName(tr("Help text"));
  text_->setFrameShape(QFrame::NoFrame);
  text_->setOpenExternalLinks(true);
  text_->document()->setDocumentMargin(2 * theme::kGrid);
  auto* close = new QPushButton(theme::icon("left"), tr("Back"), this);
  close->setAccessibleName(tr("Back from help"));
  close->setToolTip(tr("Goes back to the previous page (Escape)."));
  close->setShortcut(Qt::Key_Escape);
  connect(close, &QPushButton::clicked, this, &HelpPage::closed);
  auto* splitter = new QSplitter(this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(topics_);
  splitter->addWidget(text_);
  splitter->setStretchFactor(1, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(theme::kGrid, theme::kGrid, theme::kGrid, theme::kGrid);
  layout->setSpacing(theme::kGrid);
  layout->addWidget(close, 0, Qt::AlignLeft);
  layout->addWidget(splitter, 1);
  connect(topics_, &QListWidget::currentRowChanged, this, &HelpPage::show_current);
  fill_topics();
}

void HelpPage::fill_topics() {
  topics_->addItem(tr("Keys"));
  for (const Topic& topic : kTopics) {
    if (!QFile::exists(topic.path)) continue;
    auto* item = new QListWidgetItem(tr(topic.title), topics_);
    item->setData(kPathRole, QString(topic.path));
  }
  topics_->addItem(tr("About"));
  auto* licence = new QListWidgetItem(tr("Licence"), topics_);
  licence->setData(kPathRole, ":/docs/LICENSE");
  topics_->setCurrentRow(0);
}

void HelpPage::show_topic(const QString& title) {
  const auto items = topics_->findItems(title, Qt::MatchExactly);
  if (!items.isEmpty()) topics_->setCurrentItem(items.front());
}

void HelpPage::show_current() {
  const QListWidgetItem* item = topics_->currentItem();
  if (item == nullptr) return;
  const QString path = item->data(kPathRole).toString();
  if (path.isEmpty()) {
    text_->setHtml(item->text() == tr("About") ? about() : QString(kKeys));
    return;
  }
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return;
  const QString text = QString::fromUtf8(file.readAll());
  if (path.endsWith(".md"))
    text_->setMarkdown(text);
  else
    text_->setPlainText(text);
}

}  // namespace n2nq::ui

#include "moc_help_page.cpp"
