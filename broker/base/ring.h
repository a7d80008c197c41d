// A queue in one circular array: grows by doubling, never shrinks, so that steady state allocates nothing.
// A popped value stays in its slot until that is used again, so T should own nothing that must go at once. One thread.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "broker/base/assert.h"

namespace n2nq {

template <class T>
class Ring {
 public:
  Ring() = default;
  Ring(Ring&& other) noexcept { swap(other); }
  Ring& operator=(Ring&& other) noexcept {
    Ring taken(std::move(other));
    swap(taken);
    return *this;
  }

  bool empty() const { return head_ == tail_; }
  size_t size() const { return tail_ - head_; }
  size_t capacity() const { return capacity_; }

  T& operator[](size_t i) { return slots_[(head_ + i) & (capacity_ - 1)]; }
  const T& operator[](size_t i) const { return slots_[(head_ + i) & (capacity_ - 1)]; }
  T& front() { return (*this)[0]; }
  const T& front() const { return (*this)[0]; }
  T& back() { return (*this)[size() - 1]; }

  void push_back(T value) {
    if (size() == capacity_) grow();
    slots_[tail_++ & (capacity_ - 1)] = std::move(value);
  }
  void push_front(T value) {
    if (size() == capacity_) grow();
    slots_[--head_ & (capacity_ - 1)] = std::move(value);
  }
  void pop_front() {
    N2NQ_ASSERT(!empty());
    head_++;
    restart_if_empty();
  }
  void pop_front(size_t n) {
    N2NQ_ASSERT(n <= size());
    head_ += n;
    restart_if_empty();
  }
  void pop_back() {
    N2NQ_ASSERT(!empty());
    tail_--;
    restart_if_empty();
  }
  void clear() { head_ = tail_ = 0; }

 private:
  // An emptied ring begins anew at the front: a queue that is short most of the time stays within a few cache lines.
  void restart_if_empty() {
    if (head_ == tail_) head_ = tail_ = 0;
  }
  void grow() {
    const size_t larger = capacity_ == 0 ? 16 : capacity_ * 2;
    auto slots = std::make_unique<T[]>(larger);
    const size_t n = size();
    for (size_t i = 0; i < n; i++) slots[i] = std::move((*this)[i]);
    slots_ = std::move(slots);
    capacity_ = larger;
    head_ = 0;
    tail_ = n;
  }

  void swap(Ring& other) noexcept {
    std::swap(slots_, other.slots_);
    std::swap(capacity_, other.capacity_);
    std::swap(head_, other.head_);
    std::swap(tail_, other.tail_);
  }

  std::unique_ptr<T[]> slots_;
  size_t capacity_ = 0;
  size_t head_ = 0;  // both count up for ever (and wrap); their difference is the size
  size_t tail_ = 0;
};

}  // namespace n2nq
