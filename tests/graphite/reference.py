#!/usr/bin/env python3
"""Cases for src/graphite/reference_test.cpp: random series, gaps and all, and what graphite-web answers to each target.

    python3 -m venv VENV && VENV/bin/pip install 'Django<4' pytz pyparsing cairocffi django-tagging whisper six urllib3 tzlocal
    VENV/bin/pip download --no-deps --no-binary :all: graphite-web==1.1.10, unpacked into DIR
    VENV/bin/python tests/graphite/reference.py DIR/webapp --series 40 --seed 1 > src/graphite/reference.jsonl

A line of the answer is a case: series, a time, patterns with what they stand for, targets with their lines or, where graphite-web
refuses or falls over, "error". FOOTFALL_GRAPHITE_CASES=FILE has the test read another file than the one that is kept.
"""

import argparse
import datetime
import json
import os
import random
import sys

STEPS = (10, 10, 10, 60)
# What graphite-web 1.1.10 gets wrong is not compared. Where steps differ asPercent puts values of the coarse step at times of the
# fine one, and transformNull takes those of its reference by their number; with pipes behind it what is fetched for another time
# is the first series alone; asPercent falls over totals that nothing is a share of.
WRONG_OF_MANY_STEPS = ("asPercent(", "transformNull(")
LOOK_AT_OTHER_TIMES = ("moving", "timeShift(")


def is_wrong(target, steps):
    if len(steps) > 1 and any(name in target for name in WRONG_OF_MANY_STEPS):
        return True
    return "|" in target and any(name in target for name in LOOK_AT_OTHER_TIMES)


PARTS = (("web", "db"), ("a", "b", "c", "d10", "d9"), ("cpu", "net"))


def prepare(webapp):
    sys.path.insert(0, webapp)
    os.environ["DJANGO_SETTINGS_MODULE"] = "graphite.settings"
    os.environ.setdefault("GRAPHITE_NO_PREFIX", "1")
    import django

    django.setup()
    from graphite.render import evaluator

    return evaluator


def values_of(randomly, count):
    """A gauge, a counter that begins anew now and then, or zeros; with gaps of all lengths."""
    kind = randomly.choice(("gauge", "counter", "small", "empty"))
    values, last = [], 0
    gaps = randomly.choice((0, 0.05, 0.5))
    missing = 0
    for _ in range(count):
        if kind == "gauge":
            last = round(randomly.uniform(-100, 100), randomly.choice((0, 3, 12)))
        elif kind == "counter":
            last = 0 if randomly.random() < 0.05 else last + randomly.randrange(1000)
        elif kind == "small":
            last = randomly.choice((0, 0, 1, 0.1))
        if missing == 0 and randomly.random() < gaps:
            missing = randomly.choice((1, 1, 2, 8))
        is_missing = kind == "empty" or missing > 0
        missing = max(0, missing - 1)
        values.append(None if is_missing else float(last))
    return values


def series_of(randomly, start, end, steps):
    series = {}
    for one in PARTS[0]:
        for two in PARTS[1]:
            for three in PARTS[2]:
                if randomly.random() < 0.4:
                    continue
                step = randomly.choice(steps)
                begin = start - start % step
                series[f"{one}.{two}.{three}"] = {
                    "step": step,
                    "start": begin,
                    "values": values_of(randomly, (end - begin) // step + 2),
                }
    return series


def names_like(series, pattern):
    parts = pattern.split(".")
    return [
        name
        for name in series
        if len(parts) == 3 and all(part in ("*", other) for part, other in zip(parts, name.split(".")))
    ]


def targets_of(randomly, patterns):
    """Every function with all sorts of arguments, and some in one another."""
    pattern = lambda: randomly.choice(patterns)  # noqa: E731
    aggregation = lambda: randomly.choice(  # noqa: E731
        ("sum", "avg", "average", "max", "min", "last", "count", "median", "diff", "range", "multiply", "stddev")
    )
    count = lambda: randomly.choice((1, 2, 3, 7))  # noqa: E731
    span = lambda: randomly.choice(("30s", "1min", "5min", "1h", "90s", "7s"))  # noqa: E731
    one = lambda: randomly.choice(  # noqa: E731
        (
            f"sumSeries({pattern()})",
            f"sumSeries({pattern()},{pattern()})",
            f"averageSeries({pattern()})",
            f"avg({pattern()},{pattern()},{pattern()})",
            f"minSeries({pattern()})",
            f"maxSeries({pattern()})",
            f"diffSeries({pattern()},{pattern()})",
            f"aggregate({pattern()},'{aggregation()}')",
            f"scale({pattern()},{randomly.choice(('2', '-0.5', '1e3', '0.0001'))})",
            f"derivative({pattern()})",
            f"nonNegativeDerivative({pattern()})",
            f"perSecond({pattern()})",
            f"summarize({pattern()},'{span()}')",
            f"summarize({pattern()},'{span()}','{aggregation()}')",
            f"summarize({pattern()},'{span()}','{aggregation()}',true)",
            f"movingAverage({pattern()},{count()})",
            f"movingAverage({pattern()},'{span()}')",
            f"movingSum({pattern()},{count()},0.5)",
            f"movingWindow({pattern()},{count()},'{aggregation()}')",
            f"keepLastValue({pattern()})",
            f"keepLastValue({pattern()},{count()})",
            f"transformNull({pattern()})",
            f"transformNull({pattern()},{randomly.choice(('-1', '0.25'))})",
            f"transformNull({pattern()},1,{pattern()})",
            f"asPercent({pattern()})",
            f"asPercent({pattern()},{randomly.choice(('200', '12.5'))})",
            f"asPercent({pattern()},sumSeries({pattern()}))",
            f"asPercent({pattern()},None,0)",
            f"asPercent({pattern()},{pattern()},0,2)",
            f"groupByNode({pattern()},1,'{aggregation()}')",
            f"groupByNode({pattern()},-1)",
            f"groupByNodes({pattern()},'sumSeries',0,2)",
            f"highestMax({pattern()},{count()})",
            f"highest({pattern()},{count()},'{aggregation()}')",
            f"sortBy({pattern()},'{aggregation()}')",
            f"sortByName({pattern()})",
            f"sortByName({pattern()},true,true)",
            f"limit({pattern()},{count()})",
            f"timeShift({pattern()},'{span()}')",
            f"timeShift({pattern()},'+{span()}')",
            f"timeShift({pattern()},'{span()}',false)",
            f"constantLine({randomly.choice(('100', '1.50', '-3'))})",
            f"alias({pattern()},'what it is')",
            f"aliasByNode({pattern()},1,-1)",
            f"aliasByNode(scale({pattern()},10),0,2)",
            f"aliasByTags({pattern()},'name',0)",
            f"{pattern()}|scale(2)|sumSeries()|alias(\"of pipes\")",
            f"alias({pattern()},newName='by name')",
            f"scale({pattern()}, factor = 3)",
        )
    )
    targets = [one() for _ in range(40)]
    for _ in range(15):
        inner = one()
        targets.append(
            randomly.choice(
                (
                    f"sumSeries({inner})",
                    f"movingAverage({inner},3)",
                    f"timeShift({inner},'1min')",
                    f"summarize({inner},'1min','max')",
                    f"aliasByNode({inner},1)",
                    f"groupByNode({inner},0,'sum')",
                    f"scale(scale({inner},2),0.5)",
                    f"perSecond({inner})",
                    f"{inner}|sortByName()|limit(2)",
                )
            )
        )
    targets += [f"noSuchFunction({pattern()})", f"scale({pattern()})", f"alias({pattern()},"]
    return targets


def line_of(series):
    points = series.datapoints()
    return {
        "name": series.name,
        "tags": dict(series.tags),
        "start": int(series.start),
        "step": int(series.step * series.valuesPerPoint),
        "values": [value for value, _ in points],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("webapp")
    parser.add_argument("--series", type=int, default=40, help="at least so many in all")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    evaluator = prepare(asked.webapp)
    from graphite.render.datalib import TimeSeries

    randomly = random.Random(asked.seed)
    made = 0
    while made < asked.series:
        until = 1_796_040_000 + randomly.randrange(10**6)
        begin = until - randomly.choice((120, 300, 900))
        steps = randomly.choice((STEPS, STEPS[:1]))
        series = series_of(randomly, begin - 4000, until + 4000, steps)
        made += len(series)
        patterns = ["*.*.cpu", "web.*.*", "*.*.*", "db.a.*", "*.b.net", "no.such.series"] + sorted(series)[:3]
        names = {pattern: names_like(series, pattern) for pattern in patterns}

        def fetch(context, pattern):
            start = int(context["startTime"].timestamp())
            end = int(context["endTime"].timestamp())
            lines = []
            for name in names[pattern]:
                one = series[name]
                step = one["step"]
                first, last = start - start % step + step, end - end % step + step
                at = lambda time: (time - one["start"]) // step  # noqa: E731
                values = [
                    one["values"][at(time)] if 0 <= at(time) < len(one["values"]) else None
                    for time in range(first, last, step)
                ]
                lines.append(TimeSeries(name, first, last, step, values, pathExpression=pattern))
            return lines

        evaluator.fetchData = fetch
        evaluator.prefetchData = lambda *given: None
        answers = []
        for target in targets_of(randomly, patterns):
            if is_wrong(target, steps):
                continue
            utc = datetime.timezone.utc
            context = {
                "startTime": datetime.datetime.fromtimestamp(begin, utc),
                "endTime": datetime.datetime.fromtimestamp(until, utc),
                "now": datetime.datetime.fromtimestamp(until, utc),
                "tzinfo": utc,
                "data": [],
                "prefetched": {},
                "xFilesFactor": 0,
            }
            try:
                lines = [line_of(line) for line in evaluator.evaluateTarget(context, target)]
                answers.append({"target": target, "lines": lines})
            except UnboundLocalError:
                continue
            except Exception as error:  # whatever a target that is none has it raise
                answers.append({"target": target, "error": f"{type(error).__name__}: {error}"[:200]})
        print(
            json.dumps(
                {"from": begin, "until": until, "series": series, "patterns": names, "targets": answers},
                separators=(",", ":"),
            )
        )


if __name__ == "__main__":
    main()
