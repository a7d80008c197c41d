#!/usr/bin/env python3
"""Writes the reference values that the tests of app/statistics and app/theory compare with.

Needs numpy and scipy: python3 -m venv v && v/bin/pip install numpy scipy && v/bin/python reference.py
"""
import csv
import pathlib

import numpy as np
from scipy import stats
from scipy.stats import poisson

HERE = pathlib.Path(__file__).parent


def welch():
    """Two sides of runs, and Welch's test on their logarithms: t, degrees, p, and the 95 % interval of the ratio."""
    rng = np.random.default_rng(20261121)
    for runs_a, runs_b, ratio, spread_a, spread_b in [
        (3, 3, 1.0, 0.05, 0.05), (5, 5, 1.18, 0.05, 0.05), (5, 5, 0.8, 0.02, 0.3), (10, 3, 1.02, 0.1, 0.01),
        (4, 9, 3.0, 0.5, 0.5), (20, 20, 1.01, 0.03, 0.06), (3, 7, 0.1, 0.2, 0.4), (100, 50, 1.0, 0.2, 0.2),
    ]:
        a = 84000 * ratio * np.exp(rng.normal(0, spread_a, runs_a))
        b = 84000 * np.exp(rng.normal(0, spread_b, runs_b))
        test = stats.ttest_ind(np.log(a), np.log(b), equal_var=False)
        low, high = test.confidence_interval(0.95)
        yield [" ".join(map(repr, map(float, a))), " ".join(map(repr, map(float, b))), float(test.statistic),
               float(test.df), float(test.pvalue), float(np.exp(low)), float(np.exp(high))]


def student():
    for degrees in (1, 1.7, 2, 4.5, 10, 30, 118.2, 1000):
        for confidence in (0.5, 0.9, 0.95, 0.99, 0.999):
            yield [degrees, confidence, float(stats.t.ppf((1 + confidence) / 2, degrees))]


def fixed_service():
    """Mean number waiting in M/D/s, by iterating the distribution itself from one service time to the next."""
    for servers, busy in [(1, 0.5), (2, 0.8), (5, 0.9), (8, 0.858), (12, 0.4), (3, 0.97)]:
        size = 1200
        arrivals = poisson.pmf(np.arange(size), servers * busy)
        state = np.zeros(size)
        state[0] = 1
        while True:
            left = np.zeros(size)
            left[0] = state[:servers + 1].sum()
            left[1:size - servers] = state[servers + 1:]
            following = np.convolve(left, arrivals)[:size]
            if abs(following - state).sum() < 1e-13:
                break
            state = following
        yield [servers, busy, float((np.maximum(np.arange(size) - servers, 0) * state).sum())]


for name, header, rows in [
    ("welch.csv", ["a", "b", "t", "degrees", "p", "ratio_low", "ratio_high"], welch()),
    ("student.csv", ["degrees", "confidence", "bound"], student()),
    ("fixed_service.csv", ["servers", "utilisation", "waiting"], fixed_service()),
]:
    with open(HERE / name, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
