// Hosts from files and into files: what an OpenSSH configuration or an exported list has is chosen host by host before
// it comes into the list. UI thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>
#include <string>
#include <vector>

#include "app/hosts/host_book.h"

class QFileDialog;
class QWidget;

namespace n2nq::ui::theme {
class MessageBar;
}

namespace n2nq::ui {

class HostExchange : public QObject {
  Q_OBJECT

 public:
  struct Parts {
    const hosts::HostBook& book;
    theme::MessageBar& message;
    // True: the list is that now; what goes wrong is said there.
    std::function<bool(const QString& what, hosts::HostList next)> change;
    std::function<void()> undo;
  };
  // Its parts live as long as it does; its dialogs are the page's.
  HostExchange(Parts parts, QWidget* page);

  void import_user_config();
  void ask_for_import();
  void import_from(const QString& path);  // an OpenSSH configuration, or a list that was exported
  void ask_for_export();

 Q_SIGNALS:
  void imported(const std::string& first);  // of those that are new

 private:
  void choose(const QString& path, const std::vector<hosts::Host>& found, const std::vector<std::string>& notes);
  void take_in(const QString& path, const std::vector<hosts::Host>& chosen);
  void export_to(const QString& path);
  QFileDialog* dialog(const QString& title);
  void complain(const QString& text);

  Parts parts_;
  QWidget* page_;
  QPointer<QFileDialog> dialog_;
};

}  // namespace n2nq::ui
