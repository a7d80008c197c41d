#include "ui/window/help_page.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QUrl>
#include <algorithm>
#include <utility>

#include "ui/theme/buttons.h"
#include "ui/theme/card.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/spoken.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui {
namespace {

constexpr int kPathRole = Qt::UserRole;
constexpr int kWordsRole = kPathRole + 1;
constexpr const char* kDocs = ":/docs/";
constexpr qsizetype kResources = 2;  // letters of ":/", before the folder of the source in paths of the pages
constexpr int kSearchWidth = 300;
constexpr int kRounding = 1;                       // of the width of a page: nothing to scroll to
constexpr std::chrono::milliseconds kTyping{250};  // between two keys: another topic takes a moment to lay out

struct Chapter {
  const char* title;
  const char* path;
  const char* words = "";
};
// In the order in which somebody new reads them.
constexpr Chapter kTopics[] = {
    {"Five minutes with the bench", ":/docs/tutorial.md", "tutorial begin first start"},
    {"The window", ":/docs/window.md"},
    {"Plans", ":/docs/plan.md"},
    {"Buses", ":/docs/buses.md",
     "message broker server Redis Kafka RabbitMQ AMQP NATS JetStream MQTT ZeroMQ HTTP WebSocket"},
    {"Buses: our own queue", ":/docs/buses/n2nq.md", "n2nq"},
    {"Buses: Redis", ":/docs/buses/redis.md", "pub/sub Streams"},
    {"Buses: NATS and JetStream", ":/docs/buses/nats.md"},
    {"Buses: RabbitMQ", ":/docs/buses/rabbitmq.md", "AMQP"},
    {"Buses: Kafka", ":/docs/buses/kafka.md"},
    {"Buses: the bare relay", ":/docs/buses/relay.md", "floor"},
    {"Buses: HTTP and WebSocket", ":/docs/buses/http.md"},
    {"What the figures mean", ":/docs/measuring.md"},
    {"Fair comparisons", ":/docs/fair.md", "doubtful lost fsync promise"},
    {"Hosts", ":/docs/remote.md"},
    {"Campaigns", ":/docs/campaigns.md"},
    {"Searches", ":/docs/search.md"},
    {"Queueing theory", ":/docs/theory.md"},
    {"Statistics", ":/docs/statistics.md"},
    {"Reports and archives", ":/docs/reports.md"},
    {"Commands", ":/docs/headless.md"},
    {"Troubleshooting by message", ":/docs/troubleshooting.md", "error problem failed"},
    {"Glossary", ":/docs/glossary.md", "words"},
    {"The store of results", ":/docs/store.md"},
    {"The bus beside the floor", ":/docs/figures.md"},
    {"What a link does", ":/docs/links.md"},
    {"The control protocol", ":/docs/control.md"},
    {"The wire", ":/docs/protocol.md"},
    {"A tour of the code", ":/docs/architecture.md"},
};

const char* const kKeys = R"(
<h2>Keys</h2>
<table cellspacing="0" cellpadding="4">
<tr><td><b>F5</b></td><td>start queue, senders and receivers; on the page of campaigns the selected campaign</td></tr>
<tr><td><b>Shift+F5</b></td><td>stop; press again to kill</td></tr>
<tr><td><b>F7</b></td><td>on the Run page: the plan, or the figures of its run</td></tr>
<tr><td><b>Ctrl+R</b></td><td>make request: receivers use the edited filters</td></tr>
<tr><td><b>Ctrl+L</b></td><td>log of the selected service</td></tr>
<tr><td><b>Ctrl+M</b></td><td>find the slowest message of the run or result, in the log of its receiver</td></tr>
<tr><td><b>Ctrl+F</b></td><td>in the senders or receivers: show only some of them; in a log and in this help: find a text</td></tr>
<tr><td><b>Enter, Space</b></td><td>press the button that has the focus</td></tr>
<tr><td><b>Space</b></td><td>on the Run page, where nothing else uses it: pause the charts, or let them go on</td></tr>
<tr><td><b>Ctrl+Left, Ctrl+Right</b></td><td>in a chart: read it point by point; Enter then opens the log of the slowest message of that moment</td></tr>
<tr><td><b>Ctrl+Up</b></td><td>in a chart: to its highest point in sight</td></tr>
<tr><td><b>Left, Right, Up, Down, +, -, Home</b></td><td>in a chart: move, zoom in and out, show all of it; digits show and hide its series</td></tr>
<tr><td><b>Ctrl+K</b></td><td>find and do anything by name</td></tr>
<tr><td><b>F6</b></td><td>to the buttons of a message, or back to an open question</td></tr>
<tr><td><b>Ctrl+1 to Ctrl+5</b></td><td>pages: Run, Results, Hosts, Buses, Campaigns</td></tr>
<tr><td><b>Ctrl+N, Ctrl+O, Ctrl+S, Ctrl+Shift+S</b></td><td>new plan, open, save, save as</td></tr>
<tr><td><b>Ctrl+Z, Ctrl+Shift+Z or Ctrl+Y</b></td><td>undo, redo: edits of the plan, filters, hosts or a draft campaign; deletions on the pages of results and campaigns</td></tr>
<tr><td><b>Ctrl+C</b></td><td>copy the selected rows</td></tr>
<tr><td><b>Ctrl+W</b></td><td>close the window of a log</td></tr>
<tr><td><b>Ctrl+Q</b></td><td>quit; asks first while a run or a campaign is in progress</td></tr>
<tr><td><b>F1</b></td><td>this help</td></tr>
</table>)";

// Pictures are as wide as the page at most, in lists too.
class Pages : public QTextBrowser {
 public:
  using QTextBrowser::QTextBrowser;

 protected:
  QVariant loadResource(int type, const QUrl& name) override {
    if (type != QTextDocument::ImageResource) return QTextBrowser::loadResource(type, name);
    const QImage image(kDocs + name.path());
    const int widest = qMax(viewport()->width() - 4 * theme::kSpace5, 1);
    return image.width() > widest ? image.scaledToWidth(widest, Qt::SmoothTransformation) : image;
  }
};

// Code as well: nothing is read sideways.
void wrap_code(QTextDocument& document) {
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    QTextBlockFormat format = block.blockFormat();
    if (!format.nonBreakableLines()) continue;
    format.setNonBreakableLines(false);
    QTextCursor(block).setBlockFormat(format);
  }
}

// As links of the docs name a heading: its words in small letters, with hyphens between them.
QString anchor_of(const QString& heading) {
  QString anchor;
  for (const QChar letter : heading.toLower()) {
    if (letter.isLetterOrNumber() || letter == u'-' || letter == u'_')
      anchor += letter;
    else if (letter.isSpace())
      anchor += u'-';
  }
  return anchor;
}

void name_headings(QTextDocument& document) {
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    if (block.blockFormat().headingLevel() == 0) continue;
    QTextCharFormat format = block.charFormat();
    format.setAnchor(true);
    format.setAnchorNames({anchor_of(block.text())});
    QTextCursor(block).setBlockCharFormat(format);
  }
}

QString text_of(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

theme::Card* card_of(QWidget* content, QWidget* parent) {
  auto* card = new theme::Card(parent);
  card->body()->addWidget(content);
  return card;
}

QString about() {
  return HelpPage::tr(
             "<h2>N2NQ Bench %1</h2>"
             "<p>A test bench for N2NQ, a many-to-many message queue.</p>"
             "<p>Free software under the GNU General Public License, version 3 or later; it comes without any "
             "warranty. The charts are drawn with Qt Charts (GPL-3.0), the window with Qt %2 (LGPL-3.0); results are "
             "saved with SQLite (public domain). JSON is read with nlohmann/json (MIT).</p>")
      .arg(N2NQ_VERSION, qVersion());
}

}  // namespace

HelpPage::HelpPage(QWidget* parent)
    : QWidget(parent),
      topics_(new QListWidget(this)),
      text_(new Pages(this)),
      message_(theme::MessageBar::over(this)),
      search_(new QLineEdit(this)),
      found_(new theme::Label({}, theme::TextSize::body, theme::Tone::muted, this)) {
  topics_->setAccessibleName(tr("Help topics"));
  topics_->setFrameShape(QFrame::NoFrame);
  text_->setAccessibleName(tr("Help text"));
  text_->setFrameShape(QFrame::NoFrame);
  text_->setOpenLinks(false);
  text_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(text_->horizontalScrollBar(), &QScrollBar::rangeChanged, this, [this](int, int beyond) {
    text_->setHorizontalScrollBarPolicy(beyond > kRounding ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
  });
  connect(text_, &QTextBrowser::anchorClicked, this, &HelpPage::follow);
  text_->document()->setDocumentMargin(theme::kSpace2);
  auto* close = theme::push_button("left", tr("Back"), tr("Goes back to the previous page (Escape)."), this,
                                   tr("Back from help"));
  close->setShortcut(Qt::Key_Escape);
  connect(close, &QPushButton::clicked, this, &HelpPage::closed);
  auto* splitter = new QSplitter(this);
  splitter->setChildrenCollapsible(false);
  splitter->setHandleWidth(theme::kCardApart);
  splitter->addWidget(card_of(topics_, splitter));
  splitter->addWidget(card_of(text_, splitter));
  splitter->setStretchFactor(1, 1);
  auto* head = theme::inner_row(theme::kSpace3);
  head->addWidget(close);
  head->addWidget(new theme::Label(tr("Help"), theme::TextSize::title, theme::Tone::plain, this));
  head->addStretch(1);
  head->addWidget(found_);
  head->addWidget(build_search());
  auto* layout =
      theme::column_in(this, theme::kSpace3, {theme::kSpace4, theme::kSpace3, theme::kSpace4, theme::kSpace4});
  layout->addLayout(head);
  layout->addWidget(splitter, 1);
  connect(topics_, &QListWidget::currentRowChanged, this, &HelpPage::show_current);
  fill_topics();
}

QWidget* HelpPage::build_search() {
  search_->setAccessibleName(tr("Search help"));
  search_->setPlaceholderText(tr("Search all of the help (Ctrl+F)"));
  search_->setToolTip(
      tr("Finds words in this topic, then in the others. Enter or F3: the next place; Shift+F3: the one before."));
  search_->setMinimumWidth(kSearchWidth);
  theme::add_clear_button(*search_, tr("Clear the search of the help"));
  found_->setAccessibleName(tr("Found in the help"));
  find_soon_.setSingleShot(true);
  connect(&find_soon_, &QTimer::timeout, this, [this] { find(false, true); });
  connect(search_, &QLineEdit::textEdited, this, [this] { find_soon_.start(kTyping); });
  connect(search_, &QLineEdit::returnPressed, this, [this] { find(false, find_soon_.isActive()); });
  const auto key = [this](QKeySequence::StandardKey keys, auto action) {
    auto* shortcut = new QShortcut(keys, this);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, action);
  };
  key(QKeySequence::Find, [this] {
    search_->setFocus();
    search_->selectAll();
  });
  key(QKeySequence::FindNext, [this] { find(false, false); });
  key(QKeySequence::FindPrevious, [this] { find(true, false); });
  return search_;
}

// In this topic from where it was found last, then in the others, and from the start of this one again. Nothing else is
// shown before it is known to have the words.
void HelpPage::find(bool backward, bool same_place) {
  find_soon_.stop();
  const QString words = search_->text();
  found_->setText({});
  if (words.isEmpty()) return;
  const auto flags = backward ? QTextDocument::FindBackward : QTextDocument::FindFlags();
  if (same_place) {
    QTextCursor start = text_->textCursor();
    start.setPosition(start.selectionStart());
    text_->setTextCursor(start);
  }
  if (text_->find(words, flags)) return;
  const int count = topics_->count(), from = std::max(0, topics_->currentRow());
  for (int step = 1; step <= count; step++) {
    const int row = (from + (backward ? count - step : step)) % count;
    if (!read_as(row).contains(words, Qt::CaseInsensitive)) continue;
    topics_->setCurrentRow(row);
    text_->moveCursor(backward ? QTextCursor::End : QTextCursor::Start);
    if (text_->find(words, flags)) return;
  }
  found_->setText(tr("Not found"));
}

// As somebody reads it: without the marks and line ends of its source. Made once a topic.
const QString& HelpPage::read_as(int topic) {
  QString& words = words_[topic];
  if (!words.isEmpty()) return words;
  const QString path = topics_->item(topic)->data(kPathRole).toString();
  QTextDocument document;
  if (path.isEmpty())
    document.setHtml(without_page(topic));
  else if (path.endsWith(".md"))
    document.setMarkdown(text_of(path));
  else
    document.setPlainText(text_of(path));
  return words = document.toPlainText();
}

QString HelpPage::without_page(int topic) const {
  return topics_->item(topic)->text() == tr("About") ? about() : QString(kKeys);
}

void HelpPage::fill_topics() {
  topics_->addItem(tr("Keys"));
  for (const Chapter& topic : kTopics) {
    if (!QFile::exists(topic.path)) continue;
    auto* item = new QListWidgetItem(tr(topic.title), topics_);
    item->setData(kPathRole, QString(topic.path));
    item->setData(kWordsRole, QString(topic.words));
  }
  topics_->addItem(tr("About"));
  auto* licence = new QListWidgetItem(tr("Licence"), topics_);
  licence->setData(kPathRole, ":/docs/LICENSE");
  for (int row = 0; row < topics_->count(); row++) topics_->item(row)->setSizeHint({0, theme::kDenseHeight});
  topics_->setCurrentRow(0);
}

std::vector<HelpPage::Topic> HelpPage::topics() const {
  std::vector<Topic> all;
  for (int row = 0; row < topics_->count(); row++)
    all.push_back({.title = topics_->item(row)->text(), .words = topics_->item(row)->data(kWordsRole).toString()});
  return all;
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
    text_->setHtml(without_page(topics_->currentRow()));
    return;
  }
  show_page(path);
}

void HelpPage::show_page(const QString& path) {
  path_ = path;
  const QString text = text_of(path);
  if (!path.endsWith(".md")) return text_->setPlainText(text);
  // Laid out once, when all is in it: one that is shown is laid out after each step. Its pictures are from its parent.
  auto* page = new QTextDocument(text_);
  page->setUndoRedoEnabled(false);
  page->setDefaultFont(text_->font());
  page->setDocumentMargin(text_->document()->documentMargin());
  page->setMarkdown(text);
  wrap_code(*page);
  name_headings(*page);
  page->setTextWidth(text_->viewport()->width());
  text_->setDocument(page);
  text_->verticalScrollBar()->setValue(0);
  delete std::exchange(markdown_, page);
}

// From the folder of the page that is shown; a link that names no page stays on this one.
void HelpPage::follow(const QUrl& link) {
  if (!link.scheme().isEmpty()) {
    const QString trouble = theme::open_outside(link);
    if (!trouble.isEmpty()) message_->say(theme::Status::warning, trouble);
    return;
  }
  if (!link.path().isEmpty()) open_page(QDir::cleanPath(QFileInfo(path_).path() + u'/' + link.path()));
  text_->scrollToAnchor(link.fragment());
}

// As a topic where it is one; what is not among the pages is in the folder of the source.
void HelpPage::open_page(const QString& path) {
  for (int row = 0; row < topics_->count(); row++)
    if (topics_->item(row)->data(kPathRole) == path) return topics_->setCurrentRow(row);
  topics_->setCurrentRow(-1);
  if (QFile::exists(path)) return show_page(path);
  text_->setPlainText(tr("This page comes with the source: %1").arg(path.mid(kResources)));
}

}  // namespace n2nq::ui

#include "moc_help_page.cpp"
