// The measures of the window, in logical pixels: distances, heights, roundness and sizes of type. Every widget takes
// its own from here; colours are in palette.h.
#pragma once

namespace n2nq::ui::theme {

inline constexpr int kSpaceHalf = 2;  // between lines that say one thing
inline constexpr int kSpace1 = 4;
inline constexpr int kSpace2 = 8;
inline constexpr int kSpace3 = 12;
inline constexpr int kSpace4 = 16;
inline constexpr int kSpace5 = 24;
inline constexpr int kCardInside = 14;
inline constexpr int kCardApart = 12;

inline constexpr int kControlHeight = 32;
inline constexpr int kDenseHeight = 28;  // fields, and buttons beside them
inline constexpr int kRadius = 8;        // of cards
inline constexpr int kSmallRadius = 6;   // of controls
inline constexpr int kRoleEdge = 3;      // the upper edge of a card, in its role's colour

// Of Inter; another typeface keeps the proportions to its own usual size.
inline constexpr double kCaptionSize = 11;
inline constexpr double kBodySize = 13;
inline constexpr double kTitleSize = 15;
inline constexpr double kHeadlineSize = 26;

}  // namespace n2nq::ui::theme
