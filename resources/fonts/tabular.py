#!/usr/bin/python3
"""Makes the typeface of the window from Debian's Inter: digits of equal width are its usual ones, letters beside digits keep
their form (x86_64 keeps its x), and only the scripts and signs that the window uses are in it. Usage: tabular.py IN OUT"""
import sys

from fontTools import subset
from fontTools.ttLib import TTFont

FAMILY = "N2NQ Inter"
DIGITS = range(ord("0"), ord("9") + 1)
SCRIPTS = [range(0x20, 0x250), range(0x370, 0x400), range(0x2000, 0x2070), range(0x2070, 0x20D0), range(0x2100, 0x2200),
           range(0x2200, 0x2300), range(0x2300, 0x2400), range(0x25A0, 0x2600), range(0x2600, 0x2700), range(0x2700, 0x27C0)]


def substitutes(font, tag):
    """What a feature of single substitutions puts in the place of each glyph."""
    table = font["GSUB"].table
    found = {}
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag != tag:
            continue
        for index in record.Feature.LookupListIndex:
            for part in table.LookupList.Lookup[index].SubTable:
                part = getattr(part, "ExtSubTable", part)
                found.update(getattr(part, "mapping", {}))
    return found


def main(source, target):
    font = TTFont(source)
    tabular = substitutes(font, "tnum")
    for table in font["cmap"].tables:
        for code in DIGITS:
            if code in table.cmap:
                table.cmap[code] = tabular.get(table.cmap[code], table.cmap[code])  # tables may share one map
    options = subset.Options()
    options.layout_features = ["kern", "mark", "mkmk", "ccmp", "locl"]
    options.name_IDs = ["*"]
    options.notdef_outline = True
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[code for script in SCRIPTS for code in script])
    subsetter.subset(font)
    for record in font["name"].names:
        text = record.toUnicode()
        if record.nameID in (1, 3, 4, 6, 16) and "Inter" in text:
            record.string = text.replace("Inter", FAMILY if record.nameID != 6 else FAMILY.replace(" ", ""), 1)
    digits = [font.getBestCmap()[code] for code in DIGITS]
    width = max(font["hmtx"][digit][0] for digit in digits)  # they differ by a thousandth of their size
    for digit in digits:
        font["hmtx"][digit] = (width, font["hmtx"][digit][1])
    # The one heavier weight serves as bold too, so that nobody thickens it further.
    if font["OS/2"].usWeightClass >= 600:
        font["OS/2"].usWeightClass = 700
    font.save(target)


main(*sys.argv[1:])
