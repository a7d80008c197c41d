// Asks, within the window, which hosts stand for those that a plan names and the list does not have. UI thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/hosts/host_list.h"
#include "ui/theme/card.h"

class QComboBox;

namespace n2nq::ui {

class HostMapping : public theme::Card {
  Q_OBJECT

 public:
  static constexpr int kWidest = 640;

  HostMapping(const std::vector<std::string>& unknown, const hosts::HostList& list, QWidget* parent);

  const std::vector<std::string>& unknown() const { return unknown_; }
  void close_bar();

 Q_SIGNALS:
  // By unknown name; empty: this computer.
  void chosen(const std::map<std::string, std::string>& places);
  void add_wanted(const std::string& name);  // to the list
  void put_off();                            // it has closed

 protected:
  void keyPressEvent(QKeyEvent* event) override;  // Escape puts it off

 private:
  std::vector<std::string> unknown_;
  std::map<std::string, QComboBox*> boxes_;
};

}  // namespace n2nq::ui
