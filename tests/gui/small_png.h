// Saves a picture of a window as a PNG of at most 256 colours: flat colours stay as they are, of the shades at the
// edges of letters the commonest do.
#pragma once

#include <QImage>
#include <QString>

namespace n2nq::test {

bool save_small(const QImage& picture, const QString& path);

}  // namespace n2nq::test
